import { Command } from 'commander';
import type { Context } from '../../context.ts';
import { withExamples } from '../help.ts';
import type { OnStopped } from '../on-stopped.ts';
import { openSession } from '../session.ts';

/** What can still be read of a damaged data directory, as a new one. */
export function salvageCommand(context: Context, onStopped: OnStopped): Command {
  return withExamples(
    new Command('salvage'),
    'hydrant salvage /var/lib/hydrant-saved --data-dir /var/lib/hydrant',
    'hydrant salvage saved --catalog catalog.json',
    "hydrant salvage saved --json | jq '.tables[] | select(.pages > 0)'",
  )
    .description('make a new data directory of what can be read of a damaged one, which stays as it is')
    .argument('<dir>', 'where it goes: a directory that is empty or not there yet')
    .option('--catalog <file>', 'take organizations, taps and rules from this catalog.json instead')
    .action(async (directory: string, flags: { catalog?: string }, command: Command) => {
      const { salvage } = await import('./salvage-run.ts');
      onStopped(await salvage(openSession(context, command), directory, flags.catalog));
    });
}
