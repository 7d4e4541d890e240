import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { withExamples } from '../help.ts';
import type { Action } from '../session.ts';

/** Everything of a data directory in one file, while the daemon runs. */
export function backupCommand(action: Action): CommandUnknownOpts {
  return withExamples(
    new Command('backup'),
    'hydrant backup hydrant.tar.zst',
    'hydrant backup "hydrant-$(date +%F).tar.zst" --quiet',
    'hydrant backup - | ssh attic "cat > hydrant.tar.zst"',
  )
    .description('write all data of the daemon to one file, also while it runs; the file contains keys')
    .argument('<file>', 'what to write: .tar.zst, .tar.gz or .tar; - is stdout, packed with zstd')
    .option('--force', 'replace an existing file once the new one is complete')
    .action(
      action(async (session, [file], { force }) => {
        const { backUp } = await import('./backup-run.ts');
        return backUp(session, file, force === true);
      }),
    );
}

/** The way back: a backup into an empty directory. */
export function restoreCommand(action: Action): CommandUnknownOpts {
  return withExamples(
    new Command('restore'),
    'hydrant restore hydrant.tar.zst --data-dir /var/lib/hydrant',
    'ssh attic "cat hydrant.tar.zst" | hydrant restore -',
  )
    .description('restore a backup into an empty directory')
    .argument('<file>', 'the backup; - reads stdin')
    .action(
      action(async (session, [file]) => {
        const { restore } = await import('./backup-run.ts');
        await restore(session, file);
      }),
    );
}
