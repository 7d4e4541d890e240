import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { UsageError } from '../../runtime/failure.ts';
import { checkAddress } from '../../pages/page-source.ts';
import { withExamples } from '../help.ts';
import type { Action } from '../session.ts';

const ABOUT = `
Needs no daemon. A URL is fetched as the crawl fetches it, in your own network
too. The kind of a file is told by its extension, else by its first bytes; gzip
is unpacked. Where its address is not known (--as), its links are shown from the
root of its site on, and what the address says of dates and labels is missing.

Each piece of text has a zone: main is what the page is about, body other
content, chrome the boilerplate of the site (navigation, footers), which never
counts as a change.

--json: one object a page, under the names that queries have for its fields; of
several pages each has its file. -q: the text alone, a piece a line.

--jsonl reads JSON lines {"file":…,"url":…,"at":…} and prints for each, in their
order, what --json prints. url may be null; at is the time of the visit, which
bounds dates: 2026-02-13T08:00:00Z, or milliseconds (default: now). A line that
fails gives {"file":…,"url":…,"error":{"reason":…,"detail":…}}, the others go
on, and the exit code is 2.
`;

/** `hydrant extract`: what hydrant sees of a page. */
export function extractCommand(action: Action): CommandUnknownOpts {
  return withExamples(
    new Command('extract'),
    'hydrant extract https://example.org/ | less',
    'hydrant extract page.html --as https://example.org/news/ --zone main',
    'hydrant extract --json page.html | jq .labels',
    'hydrant extract --jsonl pages.jsonl > extracted.jsonl',
  )
    .description('show what hydrant sees of a page: title, date, labels, text')
    .argument('[source...]', 'HTML, text or PDF files, or URLs; - reads a page from stdin')
    .option('--as <url>', 'the address that the file had')
    .addOption(
      new Option('--zone <zone>', 'only the text and links of a zone').choices(['main', 'body', 'chrome'] as const),
    )
    .option('--jsonl [file]', 'read many: JSON lines, each with a file; without a name or with -, from stdin')
    .addHelpText('after', ABOUT)
    .action(
      action(async (session, [sources], { jsonl, as, zone }) => {
        if (jsonl !== undefined) {
          if (sources.length > 0) throw new UsageError('with --jsonl, the pages come from its lines');
          if (as !== undefined) throw new UsageError('with --jsonl, each line has the `url` of its page');
          const { runExtractLines } = await import('./extract-lines.ts');
          return runExtractLines(session, jsonl === true ? '-' : jsonl, zone);
        }
        if (sources.length === 0) {
          throw new UsageError('the page is missing', { try: 'hydrant extract https://example.org/' });
        }
        checkAddress(as, sources);
        const { runExtract } = await import('./extract-run.ts');
        return runExtract(session, sources, { as, zone });
      }),
    );
}
