import { Command } from 'commander';
import type { Context } from '../../context.ts';
import { withExamples } from '../help.ts';
import type { OnStopped } from '../on-stopped.ts';
import { openSession } from '../session.ts';

/** Everything of a data directory in one file, while the daemon runs. */
export function backupCommand(context: Context, onStopped: OnStopped): Command {
  return withExamples(
    new Command('backup'),
    'hydrant backup hydrant.tar.zst',
    'hydrant backup "hydrant-$(date +%F).tar.zst" --quiet',
    'hydrant backup - | ssh attic "cat > hydrant.tar.zst"',
  )
    .description('write all that the daemon keeps into one file, while it runs; keys are in it')
    .argument('<file>', 'what to write: .tar.zst, .tar.gz or .tar; - is stdout, packed with zstd')
    .option('--force', 'replace a file of that name, once the new one is whole')
    .action(async (file: string, flags: { force?: boolean }, command: Command) => {
      const { backUp } = await import('./backup-run.ts');
      onStopped(await backUp(openSession(context, command), file, flags.force === true));
    });
}

/** And back: into an empty directory. */
export function restoreCommand(context: Context): Command {
  return withExamples(
    new Command('restore'),
    'hydrant restore hydrant.tar.zst --data-dir /var/lib/hydrant',
    'ssh attic "cat hydrant.tar.zst" | hydrant restore -',
  )
    .description('make an empty directory a data directory again, from a backup')
    .argument('<file>', 'the backup; - reads stdin')
    .action(async (file: string, _flags, command: Command) => {
      const { restore } = await import('./restore-run.ts');
      await restore(openSession(context, command), file);
    });
}
