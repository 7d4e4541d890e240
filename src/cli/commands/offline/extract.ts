import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { UsageError } from '../../runtime/failure.ts';
import { checkAddress } from '../../pages/page-source.ts';
import { withExamples } from '../help.ts';
import type { Action } from '../session.ts';

const ABOUT = `
Needs no daemon. A URL is fetched as the crawl fetches it, also from private
networks. The type of a file is detected from its extension, else from its first
bytes; gzip is unpacked. --as gives the URL that a file came from: without it,
links are shown from the root of the site, and dates and labels are found
without the help of the URL.

Each piece of text has a zone: main is what the page is about, body is other
content, chrome is boilerplate of the site (navigation, footers), which never
counts as a change.

--json prints one object per page, with the field names of queries; if there are
several pages, each has its file. -q prints only the text, one piece per line.

--jsonl reads JSON lines {"file":…,"url":…,"at":…} and prints for each, in the
same order, what --json prints. url may be null; at is the time of the visit,
which limits dates: 2026-02-13T08:00:00Z, or milliseconds (default: now). A line
that fails gives {"file":…,"url":…,"error":{"reason":…,"detail":…}}; the others
continue, and the exit code is 2.
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
    .description('show what hydrant reads from a page: title, date, labels, text')
    .argument('[source...]', 'HTML, text or PDF files, or URLs; - reads a page from stdin')
    .option('--as <url>', 'the URL that the file came from')
    .addOption(
      new Option('--zone <zone>', 'only the text and links of a zone').choices(['main', 'body', 'chrome'] as const),
    )
    .option('--jsonl [file]', 'read many pages: JSON lines, each with a file; without a name or with -, from stdin')
    .addHelpText('after', ABOUT)
    .action(
      action(async (session, [sources], { jsonl, as, zone }) => {
        if (jsonl !== undefined) {
          if (sources.length > 0) throw new UsageError('with --jsonl, the pages come from its lines');
          if (as !== undefined) throw new UsageError('with --jsonl, each line has the `url` of its page');
          const { runExtractLines } = await import('./extract-run.ts');
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
