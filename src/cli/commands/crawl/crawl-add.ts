import path from 'node:path';
import type { Source, SourceBatch, SourceBatchReport } from '../../../shared/api/crawl.ts';
import type { RequestChange } from '../../../shared/api/own-request.ts';
import { SOURCES_A_REQUEST } from '../../../shared/limits.ts';
import type { CrawlEndpoints } from '../../client/crawl.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { Failure, UsageError } from '../../runtime/failure.ts';
import { openFile, readAll } from '../../runtime/input.ts';
import { printable } from '../../../shared/text/printable.ts';
import { checkedUrl } from '../option-values.ts';
import { type RenderFlags, renderOf } from '../render-flags.ts';
import type { RequestFlags } from '../request-flags.ts';
import { isForOneSite, requestOf } from '../request-order.ts';
import { sourceColumns } from './source-text.ts';
import type { Session } from '../session.ts';
import { count } from '../../../shared/text/plural.ts';

/**
 * `hydrant crawl add`: URLs from the command line, from stdin and from files. A list of any of the usual kinds is read
 * here and sent as URLs, ten thousand a request; what the daemon refuses keeps none of the others out.
 */
interface AddFlags extends RequestFlags, RenderFlags {
  readonly scope?: Source['scope'] | undefined;
  readonly depth?: number | undefined;
  /** Seconds. */
  readonly every?: number | undefined;
  readonly maxPages?: number | undefined;
  readonly baseline?: true | undefined;
  readonly file?: string | undefined;
}

interface Asked {
  readonly url: string;
  /** Where it was read: `feeds.txt line 3`; none for a word of the command line. */
  readonly place?: string;
}

export async function addSources(session: Session, words: readonly string[], flags: AddFlags): Promise<void> {
  const asked = await gathered(session, words, flags.file);
  if (asked.length === 0)
    throw new UsageError('there is no URL to add', { try: 'hydrant crawl add https://example.org/' });
  const request = await requestOf(session, flags);
  if (request && isForOneSite(request) && new Set(asked.map(({ url }) => URL.parse(url)?.origin)).size > 1) {
    throw new UsageError('headers, cookies and bodies are for one site, and these URLs are of several');
  }
  const { client } = await session.connect();
  if (flags.scope === 'any') warnOfAny(session, flags);
  const report = await send(client.crawl, asked, { ...flags, order: request });
  tell(session, asked, report);
}

async function gathered(session: Session, words: readonly string[], file: string | undefined): Promise<Asked[]> {
  const found = new Map<string, Asked>();
  for (const word of words) {
    const listed = word === '-' ? await read(session, await session.context.readInput('the URLs'), 'stdin') : undefined;
    for (const one of listed ?? [{ url: checkedUrl(word) }]) if (!found.has(one.url)) found.set(one.url, one);
  }
  if (file !== undefined) {
    const name = path.basename(file);
    for (const one of await read(session, await readAll(openFile(file), file), name)) {
      if (!found.has(one.url)) found.set(one.url, one);
    }
  }
  return [...found.values()];
}

/** Only who has a list pays for its reader, which knows XML. */
async function read({ out }: Session, text: string, name: string): Promise<Asked[]> {
  const { readList } = await import('../../../shared/lists/read-list.ts');
  const list = readList(text);
  const warnings = list.problems.map((problem) => `${name}: ${problem}`);
  warn(out, 'list', warnings);
  if (list.format !== 'lines') out.notice(`${name} is ${kinds[list.format]}: ${count(list.urls.length, 'URL')}`);
  return list.urls.map(({ url, line }) => ({ url, place: line === undefined ? name : `${name} line ${line}` }));
}

const kinds = { opml: 'OPML', sitemap: 'a sitemap', feed: 'a feed' } as const;

function warnOfAny({ out }: Session, { depth = 2, maxPages = 100 }: AddFlags): void {
  const pages = count(maxPages, 'page');
  const words = `--scope any follows links to every site: ${count(depth, 'step')} deep, ${pages} at most`;
  warn(out, 'scope_any', [`${words} (--depth, --max-pages)`]);
}

async function send(crawl: CrawlEndpoints, asked: readonly Asked[], flags: Terms): Promise<SourceBatchReport> {
  const [added, known, refused] = [
    [] as SourceBatchReport['added'][number][],
    [] as SourceBatchReport['known'][number][],
    [] as SourceBatchReport['refused'][number][],
  ];
  for (let at = 0; at < asked.length; at += SOURCES_A_REQUEST) {
    const sources = asked.slice(at, at + SOURCES_A_REQUEST).map(({ url }) => creation(url, flags));
    const report = await crawl.addAll(sources);
    const placed = <Item extends { readonly index: number }>(item: Item): Item => ({ ...item, index: item.index + at });
    added.push(...report.added);
    known.push(...report.known.map(placed));
    refused.push(...report.refused.map(placed));
  }
  return { added, known, refused };
}

interface Terms extends AddFlags {
  readonly order: RequestChange | undefined;
}

function creation(url: string, flags: Terms): SourceBatch['sources'][number] {
  const render = renderOf(flags);
  return {
    url,
    ...(flags.scope !== undefined && { scope: flags.scope }),
    ...(flags.depth !== undefined && { depth: flags.depth }),
    ...(flags.every !== undefined && { every_seconds: flags.every }),
    ...(flags.maxPages !== undefined && { max_pages: flags.maxPages }),
    ...(flags.baseline === true && { baseline: true }),
    ...(flags.order && { request: flags.order }),
    ...(render && { render }),
  };
}

/** Rows that a terminal is shown; a pipe gets all. */
const SHOWN_ROWS = 20;
const SHOWN_WARNINGS = 5;

function tell(session: Session, asked: readonly Asked[], report: SourceBatchReport): void {
  const { out, flags } = session;
  const { added, known, refused } = report;
  const isShort = added.length <= SHOWN_ROWS || !out.forPeople;
  if (flags.json === true) out.one(report, { id: '', lines: [] });
  else if (added.length > 0 && isShort)
    out.list(added, { id: ({ id }) => id, columns: sourceColumns(out.now), none: '' });
  if (added.length > 0) {
    out.notice(`${count(added.length, 'source')} added; the first visit is made as soon as possible`, next(added));
  }
  tellKnown(session, known);
  const [only] = refused;
  if (only === undefined) return;
  const sentence = (one: (typeof refused)[number]): string => {
    const place = asked[one.index]?.place;
    return place === undefined ? one.message : `${place}: ${one.url}: ${one.message}`;
  };
  if (asked.length === 1) throw new Failure('refused', exitCode.refused, sentence(only));
  warn(out, 'refused', refused.map(sentence));
  const rest = added.length > 0 ? '; the others were added' : '';
  throw new Failure('refused', exitCode.refused, `${refused.length} of ${count(asked.length, 'URL')} refused${rest}`);
}

function next([first, ...others]: readonly Source[]): string {
  return others.length === 0 && first ? `hydrant crawl show ${first.id.slice(0, 8)}` : 'hydrant crawl list';
}

function tellKnown({ out }: Session, known: SourceBatchReport['known']): void {
  const [first, ...others] = known;
  if (first === undefined) return;
  const id = first.id.slice(0, 8);
  if (others.length > 0) out.notice(`${count(known.length, 'URL')} known already; those sources are unchanged`);
  else out.notice(`${first.url} is source ${id} already, and is unchanged`, `hydrant crawl edit ${id} --help`);
}

function warn(out: Session['out'], code: string, sentences: readonly string[]): void {
  for (const words of sentences.slice(0, SHOWN_WARNINGS)) {
    out.warning({ code, message: words }, [`${out.paintNotice('yellow', 'warning:')} ${printable(words)}`]);
  }
  const others = sentences.length - SHOWN_WARNINGS;
  if (others > 0) out.notice(`and ${others} more`);
}
