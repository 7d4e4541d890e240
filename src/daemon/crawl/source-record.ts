import { canonicalUrl } from '../discovery/canonical.ts';
import { quote } from '../fetch/printable.ts';
import { Problem } from '../problem.ts';
import { StartFailure } from '../start-failure.ts';
import type { CatalogData, Draft, SourceRecord } from '../storage/catalog.ts';
import type { Answer, FrontierSource, LastVisit, SourceSummary } from '../storage/frontier.ts';
import type { Source, SourceBatch, SourceBatchReport, SourceVisit } from '../../shared/api/crawl.ts';
import { SOURCES } from '../../shared/limits.ts';
import { timestamp } from '../outside.ts';

/** A source that is asked for, and its place in the request. */
export interface Wanted {
  readonly index: number;
  readonly record: SourceRecord;
}

export type Known = SourceBatchReport['known'][number];

/** A site of a few thousand pages is covered; a calendar without end is not followed to it. */
const DEFAULT_PAGES = 1_000;
/** A page has some hundred links: two steps without a border are most of what anyone can mean. */
const PAGES_OF_ANY = 100;
const DEPTH_OF_ANY = 2;

/** The record of what an operator asked for, with what they left to us. */
export function draftSource(
  asked: SourceBatch['sources'][number],
  given: Pick<SourceRecord, 'id' | 'url' | 'createdAt'>,
): SourceRecord {
  const scope = asked.scope ?? 'page';
  return {
    id: given.id,
    url: given.url,
    scope,
    depth: asked.depth ?? (scope === 'any' ? DEPTH_OF_ANY : null),
    everySeconds: asked.every_seconds ?? null,
    maxPages: asked.max_pages ?? (scope === 'any' ? PAGES_OF_ANY : DEFAULT_PAGES),
    baseline: asked.baseline ?? false,
    paused: false,
    createdAt: given.createdAt,
  };
}

/** Enters what is new; a URL has one source of each scope. */
export function enter(draft: Draft<CatalogData>, wanted: readonly Wanted[]): { added: SourceRecord[]; known: Known[] } {
  const placeOf = ({ scope, url }: SourceRecord): string => `${scope} ${url}`;
  const taken = new Map(draft.sources.map((source) => [placeOf(source), source.id]));
  const added: SourceRecord[] = [];
  const known: Known[] = [];
  for (const { index, record } of wanted) {
    const id = taken.get(placeOf(record));
    if (id === undefined) {
      taken.set(placeOf(record), record.id);
      added.push(record);
    } else known.push({ index, id, url: record.url });
  }
  if (draft.sources.length + added.length > SOURCES) throw new Problem('source_limit_reached', { limit: SOURCES });
  draft.sources.push(...added);
  return { added, known };
}

export function frontierSource({ id, everySeconds, maxPages, paused }: SourceRecord): FrontierSource {
  return { id, everyMs: everySeconds === null ? undefined : everySeconds * 1_000, maxPages, isPaused: paused };
}

/** Whether there are links that were not followed before and are now. */
export function goesFurther(before: SourceRecord, after: SourceRecord): boolean {
  return (after.depth ?? Infinity) > (before.depth ?? Infinity) || after.maxPages > before.maxPages;
}

/** The catalog may have been edited by hand: better one clear line at the start than a crawl that trips over it. */
export function checkStored({ id, url }: SourceRecord): void {
  if (canonicalUrl(url) !== undefined) return;
  const what = `the catalog gives source ${id} the URL ${quote(url)}, which cannot be crawled`;
  throw new StartFailure('configuration', `${what}; repair it, or remove the source from the catalog`);
}

/** A source as the API tells it: the operator's words, and what the frontier has made of them. */
export function sourceToWire(record: SourceRecord, summary: SourceSummary | undefined): Source {
  return {
    id: record.id,
    url: record.url,
    scope: record.scope,
    depth: record.depth,
    every_seconds: record.everySeconds,
    max_pages: record.maxPages,
    baseline: record.baseline,
    paused: record.paused,
    created_at: timestamp(Date.parse(record.createdAt)),
    pages: summary?.pages ?? 1,
    visits: summary?.visits ?? 0,
    last_visit: summary?.last ? lastVisit(summary.last) : null,
    next_visit_at: summary?.nextDue === undefined || record.paused ? null : timestamp(summary.nextDue),
  };
}

function lastVisit(last: LastVisit): SourceVisit {
  return { url: last.url, ...answerToWire(last) };
}

/** How one visit ended. */
export function answerToWire({ at, outcome, reason, detail, status }: Answer): Omit<SourceVisit, 'url'> {
  return {
    at: timestamp(at),
    outcome,
    ...(reason !== undefined && { reason }),
    ...(detail !== undefined && { detail }),
    ...(status !== undefined && { status }),
  };
}
