import type { Source, SourceChange, SourceVisit } from '../../../shared/api/source.ts';
import { found } from '../../client/found.ts';
import { UsageError } from '../../failure.ts';
import type { Field } from '../../output.ts';
import type { Column } from '../../table.ts';
import { every, relative } from '../../time.ts';
import { confirm } from '../confirm.ts';
import type { Session } from '../session.ts';
import { count } from '../count.ts';

/** What `hydrant crawl <verb>` does with sources that there are. */
export async function list({ out, connect }: Session): Promise<void> {
  const { client } = await connect();
  out.list(await client.crawl.sources(), {
    id: (source) => source.id,
    columns: sourceColumns(out.now),
    none: 'nothing is crawled yet; add a source with: hydrant crawl add <url>',
  });
}

export function sourceColumns(now: number): Column<Source>[] {
  return [
    { title: 'id', show: (source) => source.id.slice(0, 8), plain: (source) => source.id },
    // Which source it is comes before how it is doing; `crawl show` has the rest.
    { title: 'url', show: (source) => source.url, least: 32 },
    { title: 'scope', show: (source) => source.scope },
    { title: 'every', show: rhythm, plain: (source) => String(source.every_seconds ?? 'auto') },
    { title: 'pages', show: (source) => String(source.pages), align: 'right', spare: 1 },
    { title: 'visits', show: (source) => String(source.visits), align: 'right', spare: 3 },
    {
      title: 'last visit',
      least: 20,
      show: ({ last_visit: visit }) => (visit ? `${outcome(visit)}, ${relative(visit.at, now)}` : 'none yet'),
      plain: ({ last_visit: visit }) => (visit ? `${visit.at} ${outcome(visit)}` : ''),
    },
    {
      title: 'next',
      spare: 2,
      show: (source) => nextVisit(source, now),
      plain: ({ paused, next_visit_at: next }) => (paused ? 'paused' : (next ?? '')),
    },
  ];
}

function rhythm({ every_seconds: seconds }: Source): string {
  return seconds === null ? 'auto' : every(seconds);
}

export function outcome(visit: Omit<SourceVisit, 'url'>): string {
  const why = visit.detail ?? (visit.outcome === 'failed' ? (visit.reason ?? 'unknown') : undefined);
  return why === undefined ? visit.outcome : `${visit.outcome}: ${why}`;
}

function nextVisit({ paused, next_visit_at: next }: Source, now: number): string {
  if (paused) return 'paused';
  if (next === null) return '';
  return Date.parse(next) <= now ? 'now' : relative(next, now);
}

export async function show({ out, connect }: Session, wanted: string): Promise<void> {
  const { client } = await connect();
  const source = chosen(await client.crawl.sources(), wanted);
  const time = (timestamp: string): string => (out.forPeople ? relative(timestamp, out.now) : timestamp);
  const { last_visit: last } = source;
  const fields: readonly Field[] = [
    ['id', source.id],
    ['url', source.url],
    ['status', source.paused ? 'paused' : 'active'],
    ['scope', reach(source)],
    ['every', source.every_seconds === null ? 'as often as each page changes' : every(source.every_seconds)],
    ['pages', `${source.pages.toLocaleString('en')} of ${source.max_pages.toLocaleString('en')} at most`],
    ['visits', source.visits.toLocaleString('en')],
    ['last visit', last === null ? 'none yet' : `${time(last.at)}: ${outcome(last)} (${last.url})`],
    ['next', source.next_visit_at === null ? 'none' : time(source.next_visit_at)],
    ['created', time(source.created_at)],
  ];
  out.fields(source, { id: source.id, fields });
}

function reach({ scope, depth, baseline }: Source): string {
  const steps = depth === null ? [] : [depth === 0 ? 'no links are followed' : `${count(depth, 'step')} from its URL`];
  return [scope, ...steps, ...(baseline ? ['what is there at first is no news'] : [])].join(', ');
}

/** All are looked up before the first is changed: a wrong name changes nothing. */
export async function change(
  session: Session,
  wanted: readonly string[],
  { words, ...asked }: SourceChange & { readonly words: string },
): Promise<void> {
  const { client } = await session.connect();
  for (const source of chosenOnce(await client.crawl.sources(), wanted)) {
    const changed = await client.crawl.change(source.id, asked);
    session.out.done(changed, { id: changed.id, notice: `${changed.url} ${words}` });
  }
}

export interface EditFlags {
  /** Seconds. */
  readonly every?: number | 'auto';
  readonly depth?: number | 'all';
  readonly maxPages?: number;
}

export async function edit(session: Session, wanted: readonly string[], flags: EditFlags): Promise<void> {
  const asked: SourceChange = {
    ...(flags.every !== undefined && { every_seconds: flags.every === 'auto' ? null : flags.every }),
    ...(flags.depth !== undefined && { depth: flags.depth === 'all' ? null : flags.depth }),
    ...(flags.maxPages !== undefined && { max_pages: flags.maxPages }),
  };
  if (Object.keys(asked).length === 0) {
    throw new UsageError('nothing to change: give --every, --depth or --max-pages', {
      hint: 'the scope of a source is fixed: add the URL with another --scope and remove this one',
    });
  }
  await change(session, wanted, { ...asked, words: 'is crawled by the new terms from now on' });
}

export async function remove(session: Session, wanted: readonly string[]): Promise<void> {
  const { client } = await session.connect();
  const sources = chosenOnce(await client.crawl.sources(), wanted);
  const what = sources.length === 1 ? sources.map(({ url }) => url).join('') : count(sources.length, 'source');
  await confirm(session, `Stop crawling ${what}? What is known of its pages goes too.`);
  for (const source of sources) {
    await client.crawl.remove(source.id);
    session.out.done(
      { id: source.id, url: source.url, removed: true },
      { id: source.id, notice: `${source.url} removed` },
    );
  }
}

function chosenOnce(sources: readonly Source[], wanted: readonly string[]): Source[] {
  return [...new Map(wanted.map((word) => chosen(sources, word)).map((source) => [source.id, source])).values()];
}

/** By its id, a beginning of it, or its URL as one types it. */
function chosen(sources: readonly Source[], wanted: string): Source {
  const word = URL.parse(wanted)?.href ?? wanted;
  const same = sources.filter(({ url }) => url === word);
  if (same.length > 1) {
    const each = same.map(({ id, scope }) => `${id.slice(0, 8)} (${scope})`).join(', ');
    throw new UsageError(`${word} is ${count(same.length, 'source')}; say which by its id: ${each}`);
  }
  return found('source', sources, word, ({ url }) => url);
}
