import { Argument, Command } from 'commander';
import { type CommandNode, complete, type Shell, SHELLS } from '../completion.ts';
import type { Context } from '../context.ts';
import { withExamples } from './help.ts';

/** Prints the completion script of a shell; `scripts/completions.ts` writes the same into `completions/`. */
export function completionCommand(context: Context): Command {
  return withExamples(
    new Command('completion'),
    'hydrant completion bash > ~/.local/share/bash-completion/completions/hydrant',
    'hydrant completion zsh > "${fpath[1]}/_hydrant"',
    'hydrant completion fish > ~/.config/fish/completions/hydrant.fish',
  )
    .description('print the completion script of a shell')
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
      value: valueOf(option.flags),
      choices: option.argChoices ?? [],
    })),
    choices: command.registeredArguments.flatMap((argument) => argument.argChoices ?? []),
    commands: help.visibleCommands(command).map((child) => nodeOf(child)),
  };
}

/** `<dir>` and `<file>` are completed with names of files; any other value is the user's to know. */
function valueOf(flags: string): 'none' | 'file' | 'directory' | 'text' {
  const name = /[<[](.+?)[>\]]/.exec(flags)?.[1];
  if (name === undefined) return 'none';
  if (name === 'dir') return 'directory';
  return name === 'file' ? 'file' : 'text';
}
