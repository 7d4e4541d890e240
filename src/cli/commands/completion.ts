import { readFile } from 'node:fs/promises';
import { Argument, Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { withExamples } from './help.ts';
import type { Action } from './session.ts';

const ABOUT = `
To try it in this shell:
  bash, zsh  source <(hydrant completion bash), or zsh
  fish       hydrant completion fish | source
To keep it, put that line into ~/.bashrc, into ~/.zshrc below compinit, or into
~/.config/fish/config.fish. Shells start faster if you save the script to a file
and source that: source ~/.hydrant.bash. The script asks this program at each
TAB, so it stays valid after an update, and completes the names of your taps,
rules, watches, sources and contexts.
`;

/** The scripts in `completions/`, one a shell; the package holds them. */
const scripts = { bash: 'hydrant.bash', zsh: '_hydrant', fish: 'hydrant.fish' } as const;

/** Prints the completion script of a shell. */
export function completionCommand(action: Action): CommandUnknownOpts {
  return withExamples(
    new Command('completion'),
    'hydrant completion bash > ~/.hydrant.bash',
    'hydrant completion zsh > ~/.hydrant.zsh',
    'hydrant completion fish > ~/.config/fish/completions/hydrant.fish',
  )
    .description('print the completion script of a shell')
    .addHelpText('after', ABOUT)
    .addArgument(new Argument('<shell>', 'which shell').choices(['bash', 'zsh', 'fish'] as const))
    .action(
      action(async ({ context }, [shell]) => {
        const file = new URL(`../../../completions/${scripts[shell]}`, import.meta.url);
        context.io.stdout.write(await readFile(file, 'utf8'));
      }),
    );
}
