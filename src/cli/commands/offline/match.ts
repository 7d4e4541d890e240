import { Command, type CommandUnknownOpts, InvalidArgumentError } from '@commander-js/extra-typings';
import { UsageError } from '../../runtime/failure.ts';
import { checkAddress } from '../../pages/page-source.ts';
import { withExamples } from '../help.ts';
import type { Action, Session } from '../session.ts';
import type { MatchFlags } from './match-subject.ts';

const ABOUT = `
Needs no daemon. The exit code is 0 if the document matches, and 1 if it does
not or the query is invalid. -q prints nothing else.

A document is an object with the field names of queries, each with a text or a
list of texts; dr is a number:
  {"title":"New ferry","added":["It sails from May."],"language":"en"}
Its age, for recent and --quality, is computed from publish_time, in UTC:
  {"title":"New ferry","publish_time":"2026-02-13T08:00:00"}

A page is processed as in a visit: its text is extracted and labelled, and all
of it is new, or it is compared with the previous version (--was). dr is not
known here. Whether the input is a page or a document is detected from its
extension, else from its first bytes.

Below each clause is what it hit: the field, which of its values if there are
several, and the position in it, as --json has them: in UTF-16 units from 0, end
exclusive.

--cases reads JSON lines {"id":…,"query":…,"doc":…} and prints for each
{"id":…,"ok":…,"match":…,"diagnostics":…}; match is absent if the query is
invalid. Malformed lines are reported on stderr, the others continue, and the
exit code is 2. With --check, the cases also have the expected "ok" or "match",
or both: only cases that differ are printed, and the exit code is 1 if there are
any.
`;

/** `hydrant match`: would this rule match that page, and why. */
export function matchCommand(action: Action): CommandUnknownOpts {
  return withExamples(
    new Command('match'),
    `hydrant match 'title:ferry AND language:en' page.json`,
    `hydrant match 'removed:ferry' new.html --was old.html`,
    `hydrant match 'added:(release OR kernel)' https://example.org/news/`,
    `hydrant match --cases cases.jsonl > answers.jsonl`,
    `hydrant match --cases cases.jsonl --check`,
  )
    .description('test a query on a document or a page: whether it matches, and why')
    .argument('[query]', 'the query; - reads it from stdin')
    .argument('[document]', 'a JSON file, a page as a file, or a URL; - reads it from stdin')
    .option('--was <file>', 'the version of the page before, a file or a URL (default: none, all is new)')
    .option('--as <url>', 'the URL that the files came from')
    .option('--cases <file>', 'test many: JSON lines, each with a query and a document; - reads stdin')
    .option('--check', 'compare the cases with what they expect')
    .option('--quality', 'also apply the quality filter of rules')
    .option('--no-nsfw', 'leave adult pages out, as rules do by default')
    .option('--now <time>', 'the current time, such as 2026-02-13T08:00:00Z (default: now)', timeOf)
    .addHelpText('after', ABOUT)
    .action(action((session, [query, document], flags) => match(session, query, document, flags)));
}

async function match(
  session: Session,
  query: string | undefined,
  document: string | undefined,
  flags: MatchFlags,
): Promise<number> {
  if (flags.cases !== undefined) {
    if (query !== undefined) throw new UsageError('with --cases, queries and documents come from its file');
    if (flags.was !== undefined || flags.as !== undefined) throw new UsageError('--was and --as are for pages');
    const { runCases } = await import('./match-cases.ts');
    return runCases(session, flags.cases, flags);
  }
  if (flags.check === true) throw new UsageError('--check compares cases; give --cases <file>');
  if (query === undefined || document === undefined) {
    throw new UsageError(`the ${query === undefined ? 'query' : 'document'} is missing`, {
      try: 'hydrant match QUERY page.json',
    });
  }
  checkAddress(flags.as, [document, ...(flags.was === undefined ? [] : [flags.was])]);
  if (document === '-' && flags.was === '-') throw new UsageError('stdin can be one of the two versions only');
  const { runMatch } = await import('./match-run.ts');
  return runMatch(session, query, document, flags);
}

/** Without a zone it is UTC, as the times of documents are. */
function timeOf(text: string): number {
  const time = Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
  if (Number.isFinite(time) && /^\d{4}-\d\d-\d\d/.test(text)) return time;
  throw new InvalidArgumentError('It must be a time such as 2026-02-13T08:00:00Z.');
}
