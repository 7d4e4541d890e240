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
    .description('write all that the daemon keeps into one file, while it runs; keys are in it')
    .argument('<file>', 'what to write: .tar.zst, .tar.gz or .tar; - is stdout, packed with zstd')
    .option('--force', 'replace a file of that name, once the new one is whole')
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
    .description('make an empty directory a data directory again, from a backup')
    .argument('<file>', 'the backup; - reads stdin')
    .action(
      action(async (session, [file]) => {
        const { restore } = await import('./backup-run.ts');
        await restore(session, file);
      }),
    );
}
