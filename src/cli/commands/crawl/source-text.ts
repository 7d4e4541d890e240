import { Refused } from '../../client/transport.ts';
import { NotFound } from '../../runtime/failure.ts';
import { quoted } from '../../../shared/text/printable.ts';
import type { Source, SourceVisit } from '../../../shared/api/crawl.ts';
import type { Column } from '../../text/table.ts';
import { every, relative } from '../../text/time.ts';

/** How a source of the crawl, and a visit, are shown. */
export function sourceColumns(now: number): Column<Source>[] {
  return [
    { title: 'id', show: (source) => source.id.slice(0, 8), plain: (source) => source.id },
    // Which source it is comes before how it is doing; `crawl show` has the rest.
    { title: 'url', show: (source) => source.url, least: 32 },
    { title: 'scope', show: (source) => source.scope },
    { title: 'every', show: intervalOf, plain: (source) => String(source.every_seconds ?? 'auto') },
    { title: 'pages', show: (source) => String(source.pages), align: 'right', spare: 1 },
    { title: 'visits', show: (source) => String(source.visits), align: 'right', spare: 3 },
    {
      title: 'last visit',
      least: 20,
      show: ({ last_visit: last }) => (last ? `${outcome(last)}, ${relative(last.at, now)}` : 'none yet'),
      plain: ({ last_visit: last }) => (last ? `${last.at} ${outcome(last)}` : ''),
    },
    {
      title: 'next',
      spare: 2,
      show: (source) => nextVisit(source, now),
      plain: ({ paused, next_visit_at: next }) => (paused ? 'paused' : (next ?? '')),
    },
    { title: 'status', show: statusOf },
  ];
}

/** Of its own URL: its last visit may have been of another page. */
function statusOf({ paused, problem, visits }: Source): string {
  if (paused) return 'paused';
  if (problem !== undefined) return `failing: ${problem.reason}`;
  return visits === 0 ? 'new' : 'ok';
}

function intervalOf({ every_seconds: seconds }: Source): string {
  return seconds === null ? 'auto' : every(seconds);
}

export function outcome(last: Omit<SourceVisit, 'url'>): string {
  const reason = last.detail ?? (last.outcome === 'failed' ? (last.reason ?? 'unknown') : undefined);
  return reason === undefined ? last.outcome : `${last.outcome}: ${reason}`;
}

function nextVisit({ paused, next_visit_at: next }: Source, now: number): string {
  if (paused) return 'paused';
  if (next === null) return '';
  return Date.parse(next) <= now ? 'now' : relative(next, now);
}

/** The failure of a question about a page that no source holds; any other error as it is. */
export function notCrawled(error: unknown, url: string): unknown {
  if (!(error instanceof Refused) || error.status !== 404) return error;
  return new NotFound(`no source contains ${url}`, {
    hint: `why: hydrant crawl why ${quoted(url)}`,
    try: `hydrant crawl add ${quoted(url)}`,
  });
}
