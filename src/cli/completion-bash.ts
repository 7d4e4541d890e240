import type { CommandNode, OptionNode } from './completion.ts';
import { GENERATED, type Place, places, valueFlags } from './completion-tree.ts';

/** For bash 3.2 and later: no associative arrays, no mapfile, no bash-completion package. */
export function completeBash(root: CommandNode): string {
  const all = places(root);
  return `# bash completion for ${root.name}
${GENERATED}
_${root.name}() {
  local cur prev path words options i
  COMPREPLY=()
  cur=\${COMP_WORDS[COMP_CWORD]}
  prev=\${COMP_WORDS[COMP_CWORD-1]}
  path=${root.name}
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in
      ${valueFlags(all).join('|')}) i=$((i + 1)); continue ;;
    esac
    case "$path \${COMP_WORDS[i]}" in
${all.flatMap(steps).join('\n')}
    esac
  done
  case "$path $prev" in
${all.flatMap(values).join('\n')}
  esac
  words= options=
  case "$path" in
${all.map(offers).join('\n')}
  esac
  case "$cur" in
    -*) words=$options ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _${root.name} ${root.name}
`;
}

function steps({ path, node }: Place): string[] {
  return node.commands.map((child) => {
    const patterns = [child.name, ...child.aliases].map((word) => `'${path} ${word}'`);
    return `      ${patterns.join('|')}) path='${path} ${child.name}' ;;`;
  });
}

function values({ path, options }: Place): string[] {
  return options
    .filter((option) => option.value !== 'none')
    .map((option) => `    ${option.flags.map((flag) => `'${path} ${flag}'`).join('|')}) ${reply(option)}; return ;;`);
}

function reply(option: OptionNode): string {
  if (option.choices.length > 0) return `COMPREPLY=($(compgen -W '${option.choices.join(' ')}' -- "$cur"))`;
  if (option.value === 'text') return ':';
  // -o filenames makes readline quote spaces and end a directory with a slash.
  const kind = option.value === 'directory' ? '-d' : '-f';
  return `compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen ${kind} -- "$cur"))`;
}

function offers({ path, node, options }: Place): string {
  const words = [...node.commands.flatMap((child) => [child.name, ...child.aliases]), ...node.choices];
  const flags = options.flatMap((option) => option.flags);
  return `    '${path}') words='${words.join(' ')}' options='${flags.join(' ')}' ;;`;
}
