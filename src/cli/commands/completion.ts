import { Argument, Command } from 'commander';
import { type CommandNode, complete, type OptionNode, type Shell, SHELLS } from '../completion.ts';
import { isCompletedKind } from '../completion-kind.ts';
import type { Context } from '../context.ts';
import { withExamples } from './help.ts';

const ABOUT = `
To try it in this shell:
  bash, zsh  source <(hydrant completion bash), or zsh
  fish       hydrant completion fish | source
To keep it, put that line into ~/.bashrc, into ~/.zshrc below compinit, or into
~/.config/fish/config.fish. Shells start faster with the script in a file that
they read: source ~/.hydrant.bash. Taps, rules, watches, sources and contexts
are completed by the names they have.
`;

/** Prints the completion script of a shell; `scripts/completions.ts` writes the same into `completions/`. */
export function completionCommand(context: Context): Command {
  return withExamples(
    new Command('completion'),
    'hydrant completion bash > ~/.hydrant.bash',
    'hydrant completion zsh > ~/.hydrant.zsh',
    'hydrant completion fish > ~/.config/fish/completions/hydrant.fish',
  )
    .description('print the completion script of a shell')
    .addHelpText('after', ABOUT)
    .addArgument(new Argument('<shell>', 'which shell').choices(SHELLS))
    .action((shell: Shell, _flags, self: Command) => {
      context.io.stdout.write(complete(shell, nodeOf(self.parent ?? self)));
    });
}

/** Commander's tree as plain data; what is hidden from the help is hidden here. */
export function nodeOf(command: Command): CommandNode {
  const help = command.createHelp();
  return {
    name: command.name(),
    aliases: command.aliases(),
    description: command.description(),
    options: help.visibleOptions(command).map((option) => ({
      flags: [option.short, option.long].filter((flag) => flag !== undefined),
      description: option.description,
      value: valueOf(option.flags, option.long),
      choices: option.argChoices ?? [],
    })),
    choices: command.registeredArguments.flatMap((argument) => argument.argChoices ?? []),
    names: namesOf(command),
    commands: help.visibleCommands(command).map((child) => nodeOf(child)),
  };
}

/** `<dir>`, `<file>` and what the daemon knows by name are completed; any other value is the user's to know. */
function valueOf(flags: string, long: string | undefined): OptionNode['value'] {
  const name = /[<[](.+?)[>\]]/.exec(flags)?.[1];
  if (name === undefined) return 'none';
  if (long === '--context') return 'context';
  if (name === 'dir') return 'directory';
  return name === 'file' || isCompletedKind(name) ? name : 'text';
}

const FILES: ReadonlySet<string> = new Set(['file', 'document', 'old', 'new']);

/** Commands whose first argument is named for people; what is given to `add` is new, and in no list. */
const APART: Readonly<Record<string, CommandNode['names']>> = {
  'hydrant extract': 'file',
  'hydrant match': 'file',
  'rule add': 'tap',
  'context use': 'context',
  'context show': 'context',
  'context rename': 'context',
  'context remove': 'context',
};

/** By the name of the first argument. */
function namesOf(command: Command): CommandNode['names'] {
  const name = command.registeredArguments[0]?.name();
  const apart = APART[`${command.parent?.name()} ${command.name()}`];
  if (name === undefined || apart !== undefined) return apart;
  if (FILES.has(name)) return 'file';
  if (name === 'dir') return 'directory';
  return isCompletedKind(name) ? name : undefined;
}
