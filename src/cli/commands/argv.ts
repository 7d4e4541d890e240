import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings';

/** Whether a flag of the root has its value in the next word. */
function takesValue(word: string | undefined, rootOptions: readonly Option[]): boolean {
  return rootOptions.some((option) => option.required && option.long === word);
}

/** Where the name of the command stands among the words of a run: flags of the root may stand before it. */
export function commandAt(argv: readonly string[], rootOptions: readonly Option[]): number {
  let at = 0;
  while (argv[at]?.startsWith('-') === true) at += takesValue(argv[at], rootOptions) ? 2 : 1;
  return at;
}

/**
 * `hydrant taps` is `hydrant tap list`: the plural of a noun, and nothing but flags behind it. The singular shows the
 * help of the noun.
 */
export function withList(program: CommandUnknownOpts, argv: readonly string[]): readonly string[] {
  const { options } = program;
  const at = commandAt(argv, options);
  const noun = program.commands.find((one) => one.aliases().includes(argv[at] ?? ''));
  if (!noun || child(noun, 'list') === undefined) return argv;
  const rest = argv.slice(at + 1);
  const isPlain = rest.every((word, index) => word.startsWith('-') || takesValue(rest[index - 1], options));
  if (!isPlain || rest.some((word) => word === '--help' || word === '-h')) return argv;
  return [...argv.slice(0, at + 1), 'list', ...rest];
}

/** The command below `command` that `word` names. */
export function child(command: CommandUnknownOpts, word: string): CommandUnknownOpts | undefined {
  return command.commands.find((one) => one.name() === word || one.aliases().includes(word));
}

/** The words without `--help` when they lead to no command: the page of the one above would hide the misspelling. */
export function withoutVainHelp(program: CommandUnknownOpts, argv: readonly string[]): readonly string[] {
  let at = program;
  for (const word of argv) {
    if (word.startsWith('-') || at.commands.length === 0) return argv;
    const next = child(at, word);
    if (!next) return argv.filter((one) => one !== '--help' && one !== '-h');
    at = next;
  }
  return argv;
}
