import type { CommandNode, OptionNode } from './completion.ts';
import { GENERATED, type Place, places } from './completion-tree.ts';

/** One function a command; `_arguments -C` hands the rest of the words to the function of the command they name. */
export function completeZsh(root: CommandNode): string {
  const all = places(root);
  return `#compdef ${root.name}
${GENERATED}

${namesFunction(root.name)}

${all.map(routine).join('\n\n')}

if [ "$funcstack[1]" = "_${root.name}" ]; then
  _${root.name} "$@"
else
  compdef _${root.name} ${root.name}
fi
`;
}

/** `_arguments -C` leaves only the rest of the words to the next function: those of the root are kept beside. */
function namesFunction(program: string): string {
  return `_${program}_names() {
  local -a found
  found=(\${(f)"$(command ${program} __complete $1 \${_${program}_typed} 2>/dev/null </dev/null)"})
  compadd -a found
}`;
}

function routine(place: Place): string {
  const keeps = place.path.includes(' ') ? '' : keepWords(place.path);
  return place.node.commands.length > 0 ? branch(place, keeps) : leaf(place);
}

function keepWords(program: string): string {
  return `  local -a _${program}_typed
  _${program}_typed=("\${(@)words[2,CURRENT-1]}")
`;
}

function branch({ path, node, options }: Place, keeps: string): string {
  const described = node.commands.flatMap((child) =>
    [child.name, ...child.aliases].map((word) => `    ${quote(`${word}:${child.description}`)}`),
  );
  const cases = node.commands.map(
    (child) => `        ${[child.name, ...child.aliases].join('|')}) ${nameOf(`${path} ${child.name}`)} ;;`,
  );
  return `${nameOf(path)}() {
${keeps}  local curcontext="$curcontext" state line
  local -a commands
  commands=(
${described.join('\n')}
  )
  _arguments -C \\
${specs(options)} \\
    '1: :->command' \\
    '*:: :->rest'
  case $state in
    command) _describe 'command' commands ;;
    rest)
      case $line[1] in
${cases.join('\n')}
      esac ;;
  esac
}`;
}

function leaf({ path, node, options }: Place): string {
  // Names and queries are the user's to know; without an action zsh would offer the files that lie around.
  const rest = node.choices.length > 0 ? `'*: :(${node.choices.join(' ')})'` : `'*: :${namesAction(node.names)}'`;
  return `${nameOf(path)}() {
  _arguments \\
${specs(options)} \\
    ${rest}
}`;
}

function namesAction(names: CommandNode['names']): string {
  if (names === undefined) return ' ';
  if (names === 'directory') return '_files -/';
  return names === 'file' ? '_files' : `{_hydrant_names ${names}}`;
}

function specs(options: readonly OptionNode[]): string {
  return options.flatMap((option) => spec(option).map((line) => `    ${quote(line)}`)).join(' \\\n');
}

/** `(-q --quiet)-q[ids only]`: a flag excludes its other spelling. */
function spec(option: OptionNode): string[] {
  const description = option.description.replaceAll(/[[\]\\:]/g, String.raw`\$&`);
  const excluded = option.flags.length > 1 ? `(${option.flags.join(' ')})` : '';
  return option.flags.map((flag) => `${excluded}${flag}[${description}]${action(option)}`);
}

function action(option: OptionNode): string {
  if (option.value === 'none') return '';
  if (option.choices.length > 0) return `: :(${option.choices.join(' ')})`;
  if (option.value === 'text') return ': : ';
  return `: :${namesAction(option.value)}`;
}

function nameOf(path: string): string {
  return `_${path.replaceAll(/[^a-z0-9]+/g, '_')}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
