import type { CommandNode, OptionNode } from './completion.ts';
import { isCompletedKind } from './completion-kind.ts';
import { GENERATED, type Place, places, valueFlags } from './completion-tree.ts';

/** A function names the command that the typed words lead to; each line below holds for one of them. */
export function completeFish(root: CommandNode): string {
  const all = places(root);
  return `# fish completion for ${root.name}
${GENERATED}
function __${root.name}_path
    set -l path ${root.name}
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
            continue
        end
        switch "$path $word"
            case ${valueFlags(all)
              .map((flag) => `'* ${flag}'`)
              .join(' ')}
                set skip 1
${all.flatMap(steps).join('\n')}
        end
    end
    echo $path
end

complete -c ${root.name} -f
${all.flatMap((place) => lines(root.name, place)).join('\n')}
`;
}

function steps({ path, node }: Place): string[] {
  return node.commands.flatMap((child) => [
    `            case ${[child.name, ...child.aliases].map((word) => `'${path} ${word}'`).join(' ')}`,
    `                set path '${path} ${child.name}'`,
  ]);
}

function lines(program: string, { path, node, options }: Place): string[] {
  const head = `complete -c ${program} -n 'test "$(__${program}_path)" = "${path}"'`;
  return [
    ...node.commands.flatMap((child) =>
      [child.name, ...child.aliases].map((word) => `${head} -a ${word} -d ${quote(child.description)}`),
    ),
    ...(node.choices.length > 0 ? [`${head} -a ${quote(node.choices.join(' '))}`] : []),
    ...named(program, node.names).map((rest) => `${head} ${rest}`),
    ...options.map((option) => `${head} ${spec(program, option)} -d ${quote(option.description)}`),
  ];
}

/** The parentheses are run when they are wanted, with the words before the one that is typed. */
function named(program: string, names: CommandNode['names']): string[] {
  if (names === undefined) return [];
  if (names === 'directory') return [`-a ${DIRECTORIES}`];
  return names === 'file' ? ['-F'] : [`-a ${listing(program, names)}`];
}

const DIRECTORIES = "'(__fish_complete_directories)'";

function listing(program: string, kind: string): string {
  return `'(command ${program} __complete ${kind} (commandline -opc)[2..-1] 2>/dev/null </dev/null)'`;
}

function spec(program: string, option: OptionNode): string {
  const names = option.flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  return [...names, ...value(program, option)].join(' ');
}

function value(program: string, option: OptionNode): string[] {
  if (option.value === 'none') return [];
  if (option.choices.length > 0) return ['-x', '-a', quote(option.choices.join(' '))];
  if (option.value === 'text') return ['-x'];
  if (isCompletedKind(option.value)) return ['-x', '-a', listing(program, option.value)];
  return option.value === 'directory' ? ['-x', '-a', DIRECTORIES] : ['-r', '-F'];
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', String.raw`\\`).replaceAll("'", String.raw`\'`)}'`;
}
