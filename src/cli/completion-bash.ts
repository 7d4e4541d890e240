import type { CommandNode, OptionNode } from './completion.ts';
import { isCompletedKind } from './completion-kind.ts';
import { GENERATED, type Place, places, valueFlags } from './completion-tree.ts';

/** For bash 3.2 and later: no associative arrays, no mapfile, no bash-completion package. */
export function completeBash(root: CommandNode): string {
  const all = places(root);
  return `# bash completion for ${root.name}
${GENERATED}
_${root.name}() {
  local cur prev path words options names i
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
${all.flatMap((place) => values(place, root.name)).join('\n')}
  esac
  words= options= names=
  case "$path" in
${all.map(offers).join('\n')}
  esac
  case "$cur" in
    -*) words=$options names= ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  case "$names" in
    '') ;;
    file) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -f -- "$cur")) ;;
    directory) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -d -- "$cur")) ;;
    *) _${root.name}_names "$names" ;;
  esac
}
${namesFunction(root.name)}
complete -F _${root.name} ${root.name}
`;
}

/**
 * Names come from a daemon that may be anyone's: they are compared, and never given to compgen -W, which would expand
 * them. Bash cuts words at colons, so that of a URL only what follows the last one typed is to be given.
 */
function namesFunction(program: string): string {
  return `_${program}_names() {
  local full name colon
  full=$cur
  case "$COMP_WORDBREAKS" in
    *:*) [ -z "$COMP_LINE" ] || full=\${COMP_LINE:0:COMP_POINT}; full=\${full##*[[:space:]]} ;;
  esac
  colon=\${full%"\${full##*:}"}
  while IFS= read -r name; do
    case "$name" in
      "$full"*) COMPREPLY+=("\${name#"$colon"}") ;;
    esac
  done < <(command ${program} __complete "$1" "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null </dev/null)
}`;
}

function steps({ path, node }: Place): string[] {
  return node.commands.map((child) => {
    const patterns = [child.name, ...child.aliases].map((word) => `'${path} ${word}'`);
    return `      ${patterns.join('|')}) path='${path} ${child.name}' ;;`;
  });
}

function values({ path, options }: Place, program: string): string[] {
  return options
    .filter((option) => option.value !== 'none')
    .map(
      (option) =>
        `    ${option.flags.map((flag) => `'${path} ${flag}'`).join('|')}) ${reply(option, program)}; return ;;`,
    );
}

function reply(option: OptionNode, program: string): string {
  if (option.choices.length > 0) return `COMPREPLY=($(compgen -W '${option.choices.join(' ')}' -- "$cur"))`;
  if (option.value === 'text') return ':';
  if (isCompletedKind(option.value)) return `_${program}_names ${option.value}`;
  // -o filenames makes readline quote spaces and end a directory with a slash.
  const kind = option.value === 'directory' ? '-d' : '-f';
  return `compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen ${kind} -- "$cur"))`;
}

function offers({ path, node, options }: Place): string {
  const words = [...node.commands.flatMap((child) => [child.name, ...child.aliases]), ...node.choices];
  const flags = options.flatMap((option) => option.flags);
  const names = node.names === undefined ? '' : ` names=${node.names}`;
  return `    '${path}') words='${words.join(' ')}' options='${flags.join(' ')}'${names} ;;`;
}
