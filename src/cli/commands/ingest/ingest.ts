import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { withExamples } from '../help.ts';
import type { Action } from '../session.ts';

const ABOUT = `
The pages of the archives are analyzed as if they had been visited at the time
of their records, oldest first, and each match is delivered like any other.
Records that are not later than the last visit of their page are skipped: run it
again after a stop, and it continues. Nothing is fetched.

WARC 1.0 and 1.1 are read, plain or packed by gzip or zstd. Stdin, and a file
that is packed as a whole, are read in their own order.
`;

/** `hydrant ingest`: archives, as if the crawl had been there. */
export function ingestCommand(action: Action): CommandUnknownOpts {
  return withExamples(
    new Command('ingest'),
    'hydrant ingest crawl-2024.warc.gz',
    'hydrant ingest archive/*.warc.gz --json',
    'curl -s https://example.org/a.warc.gz | hydrant ingest -',
  )
    .description('take the pages of web archives (WARC), as if they had been visited then')
    .argument('<file...>', 'WARC files; - reads one from stdin')
    .option('-n, --dry-run', 'read and count, and send nothing')
    .addHelpText('after', ABOUT)
    .action(
      action(async (session, [files], { dryRun }) => {
        const { ingest } = await import('./ingest-run.ts');
        return ingest(session, files, dryRun === true);
      }),
    );
}
