import type { Source, SourceCreation, SourceVisit } from '../../shared/api/source.ts';
import { found } from '../client/client.ts';
import { UsageError } from '../failure.ts';
import type { Column } from '../table.ts';
import { every, relative } from '../time.ts';
import { confirm } from './confirm.ts';
import type { Session } from './session.ts';
import { count } from './tap-verbs.ts';

/** What `hydrant crawl <verb>` does. */
export interface CrawlFlags {
  readonly scope?: 'page' | 'host';
  /** Seconds. */
  readonly every?: number;
  readonly maxPages?: number;
}

export async function add(session: Session, words: readonly string[], flags: CrawlFlags): Promise<void> {
  const { out } = session;
  const urls = (await gathered(session, words)).map(checked);
  if (urls.length === 0) throw new UsageError('stdin holds no URL');
  if (flags.maxPages !== undefined && flags.scope !== 'host') {
    throw new UsageError('--max-pages has a meaning with --scope host only');
  }
  const { client } = await session.connect();
  const sources: Source[] = [];
  try {
    for (const url of urls) sources.push(await client.createSource(creation(url, flags)));
  } finally {
    // What was added before one was refused stays added, and is told.
    if (sources.length > 0) out.list(sources, { id: (source) => source.id, columns: columns(out.now), none: '' });
  }
  out.notice(`${count(sources.length, 'source')} added; the first visit is made now`, 'hydrant crawl list');
}

async function gathered(session: Session, words: readonly string[]): Promise<string[]> {
  const urls: string[] = [];
  for (const word of words) {
    if (word !== '-') urls.push(word);
    else urls.push(...lines(await session.context.readInput('the URLs')));
  }
  return [...new Set(urls)];
}

/** A URL a line; empty lines and lines that begin with # are left out. */
function lines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

function checked(text: string): string {
  const url = URL.parse(text);
  if (url !== null && ['http:', 'https:'].includes(url.protocol)) return text;
  const hint = URL.canParse(`https://${text}`) && text.includes('.') ? { hint: `did you mean https://${text}?` } : {};
  throw new UsageError(`\`${text}\` is not a URL that can be crawled`, hint);
}

function creation(url: string, flags: CrawlFlags): SourceCreation {
  return {
    url,
    ...(flags.scope !== undefined && { scope: flags.scope }),
    ...(flags.every !== undefined && { every_seconds: flags.every }),
    ...(flags.maxPages !== undefined && { max_pages: flags.maxPages }),
  };
}

export async function list({ out, connect }: Session): Promise<void> {
  const { client } = await connect();
  out.list(await client.sources(), {
    id: (source) => source.id,
    columns: columns(out.now),
    none: 'nothing is crawled yet; add a source with: hydrant crawl add <url>',
  });
}

function columns(now: number): Column<Source>[] {
  return [
    { title: 'id', show: (source) => source.id.slice(0, 8), plain: (source) => source.id },
    { title: 'url', show: (source) => source.url },
    { title: 'scope', show: (source) => source.scope },
    { title: 'every', show: ({ every_seconds: s }) => every(s), plain: (source) => String(source.every_seconds) },
    { title: 'pages', show: (source) => String(source.pages), align: 'right' },
    { title: 'visits', show: (source) => String(source.visits), align: 'right' },
    {
      title: 'last visit',
      show: ({ last_visit: visit }) => (visit ? `${outcome(visit)}, ${relative(visit.at, now)}` : 'none yet'),
      plain: ({ last_visit: visit }) => (visit ? `${visit.at} ${outcome(visit)}` : ''),
    },
    {
      title: 'next',
      show: ({ next_visit_at: next }) => (next === null ? '' : due(next, now)),
      plain: (source) => source.next_visit_at ?? '',
    },
  ];
}

function outcome(visit: SourceVisit): string {
  return visit.outcome === 'failed' ? `failed: ${visit.detail ?? visit.reason ?? 'unknown'}` : visit.outcome;
}

function due(next: string, now: number): string {
  return Date.parse(next) <= now ? 'now' : relative(next, now);
}

/** All are looked up before the first is removed: a wrong name changes nothing. */
export async function remove(session: Session, wanted: readonly string[]): Promise<void> {
  const { client } = await session.connect();
  const sources = await client.sources();
  const chosen = new Map(
    wanted.map((word) => found('source', sources, word, ({ url }) => url)).map((source) => [source.id, source]),
  );
  const what = chosen.size === 1 ? [...chosen.values()].map(({ url }) => url).join('') : count(chosen.size, 'source');
  await confirm(session, `Stop crawling ${what}? What is known of its pages goes too.`);
  for (const source of chosen.values()) {
    await client.removeSource(source.id);
    session.out.done(
      { id: source.id, url: source.url, removed: true },
      { id: source.id, notice: `${source.url} removed` },
    );
  }
}
