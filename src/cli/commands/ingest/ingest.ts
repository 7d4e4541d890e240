import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { withExamples } from '../help.ts';
import type { Action } from '../session.ts';

const ABOUT = `
The pages of the archives are analyzed as if they had been visited at the time
of their records, oldest first, and each match is delivered like any other.
Records that are not later than the last visit of their page are skipped, so you
can run the command again after an interruption. Nothing is fetched.

Reads WARC 1.0 and 1.1, plain or compressed with gzip or zstd. Stdin, and files
compressed as a whole, are read in the order of their records.
`;

/** `hydrant ingest`: archives, as if the crawl had been there. */
export function ingestCommand(action: Action): CommandUnknownOpts {
  return withExamples(
    new Command('ingest'),
    'hydrant ingest crawl-2024.warc.gz',
    'hydrant ingest archive/*.warc.gz --json',
    'curl -s https://example.org/a.warc.gz | hydrant ingest -',
  )
    .description('import the pages of web archives (WARC) as if visited at their recorded times')
    .argument('<file...>', 'WARC files; - reads one from stdin')
    .option('-n, --dry-run', 'read and count the records, but send nothing')
    .addHelpText('after', ABOUT)
    .action(
      action(async (session, [files], { dryRun }) => {
        const { ingest } = await import('./ingest-run.ts');
        return ingest(session, files, dryRun === true);
      }),
    );
}
