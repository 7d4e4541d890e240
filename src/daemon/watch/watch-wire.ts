import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { effectiveMs, MINUTE_MS } from './cadence.ts';
import type { Plan } from '../accounts/plans.ts';
import { type Outside, timestamp } from '../outside.ts';
import type { CheckRecord, PackedDiff, PackedText, Watches, WatchRecord, WatchTotals } from '../storage/watches.ts';
import type {
  CheckDetail,
  CheckReport,
  CrawlEntry,
  PlacedHunk,
  Watch,
  WatchDiff,
  WatchProblem,
  WatchReport,
} from '../../shared/api/watch.ts';
import type { WatchLabels } from '../../shared/api/watch-labels.ts';
import { WATCH_ANSWER_LENGTH } from '../../shared/limits.ts';
import { linkLines } from '../../shared/page/diff/link-lines.ts';
import type { Status } from '../../shared/api/status.ts';
import type { CrawlMeter } from '../crawl/crawl-status.ts';

/** A watch as the API gives it; nothing of its options, its owner or its failures is in it. */
export function watchToWire(watch: WatchRecord): Watch {
  return {
    id: watch.id,
    url: watch.url,
    frequency_minutes: watch.everyMs / MINUTE_MS,
    status: watch.isPaused ? 'paused' : 'active',
    change_count: watch.changeCount,
    last_checked_at: timeOrNull(watch.checkedAt),
    created_at: timestamp(watch.createdAt),
  };
}

/** What came of a check, without why it failed (spec: Crawl entry). */
async function entryToWire({ outcome, diff, at }: CheckRecord): Promise<CrawlEntry> {
  const hasChanges = outcome === 'changed';
  return {
    diff: hasChanges && diff ? await wireDiffOf(diff) : null,
    has_changes: hasChanges,
    created_at: timestamp(at),
  };
}

export function reportOf(watch: WatchRecord, owner: { readonly member: string; readonly plan: Plan }): WatchReport {
  const { lastChange, isPaused, isHeld } = watch;
  const { request, ...options } = watch.options;
  return {
    ...watchToWire(watch),
    ...labelsOf(watch),
    member: owner.member,
    options,
    ...(request && { request: request.shown }),
    effective_minutes: effectiveMs(watch.everyMs, owner.plan) / MINUTE_MS,
    next_check_at: isPaused || isHeld ? null : timestamp(watch.due),
    held: isHeld ? 'quota' : null,
    checks: watch.checks,
    last_success_at: timeOrNull(watch.succeededAt),
    last_change: lastChange ? { n: lastChange.n, at: timestamp(lastChange.at) } : null,
    unseen: watch.unseen,
    problem: problemOf(watch),
  };
}

/** Without what is not there. */
export function labelsOf({ title, tags = [] }: Labels): WatchLabels {
  return { ...(typeof title === 'string' && { title }), ...(tags.length > 0 && { tags }) };
}

interface Labels {
  readonly title?: string | null | undefined;
  readonly tags?: readonly string[] | undefined;
}

export function checkToWire(check: CheckRecord): CheckReport {
  const { n, at, outcome, note, failure, status, recovered, inserted, deleted } = check;
  return {
    n,
    at: timestamp(at),
    outcome,
    ...(note !== undefined && { note }),
    ...(failure && { reason: failure.reason, detail: failure.detail }),
    ...statusOf(status ?? failure?.status),
    ...(recovered !== undefined && recovered > 0 && { recovered }),
    ...(outcome === 'changed' && { lines: { inserted: inserted ?? 0, deleted: deleted ?? 0 } }),
  };
}

export async function detailOf(check: CheckRecord): Promise<CheckDetail> {
  return { ...checkToWire(check), ...(check.diff && (await diffOf(check.diff))) };
}

function problemOf({ failures, failingSince, lastFailure }: WatchRecord): WatchProblem | null {
  if (failures === 0 || !lastFailure || failingSince === undefined) return null;
  const { reason, detail, status } = lastFailure;
  return { reason, detail, ...statusOf(status), since: timestamp(failingSince), failures };
}

function statusOf(status: number | undefined): { readonly status?: number } {
  return status === undefined ? {} : { status };
}

function timeOrNull(ms: number | undefined): string | null {
  return ms === undefined ? null : timestamp(ms);
}

/**
 * The newest crawls of a watch with their diffs, the newest first: `atMost`, or fewer where they would be longer than an
 * answer may be. A hundred changes of pages of full size are a gigabyte, in the one thread that serves all streams.
 */
export async function newestEntries(port: Pick<Watches, 'checks'>, id: string, atMost: number): Promise<CrawlEntry[]> {
  const answer = new Answer<CrawlEntry>();
  let before: number | undefined;
  do {
    const most = Math.min(AT_ONCE, atMost - answer.items.length);
    const checks = await port.checks(id, { atMost: most, withDiffs: true, ...(before !== undefined && { before }) });
    for (const check of checks) if (!answer.add(await entryToWire(check))) return answer.items;
    before = checks.length < most ? undefined : checks.at(-1)?.n;
  } while (before !== undefined && answer.items.length < atMost);
  return answer.items;
}

/** Items of an answer, as far as there is room for them; for the first one there is. */
export class Answer<Item> {
  readonly items: Item[] = [];
  #left: number;

  constructor(mostLength = WATCH_ANSWER_LENGTH) {
    this.#left = mostLength;
  }

  /** False: it is full, and the item is not in it. */
  add(item: Item): boolean {
    this.#left -= JSON.stringify(item).length;
    if (this.#left < 0 && this.items.length > 0) return false;
    this.items.push(item);
    return true;
  }
}

/** Packed diffs that cross from the storage's thread in one message. */
const AT_ONCE = 25;

/** What was packed by the judge, unpacked in the thread pool: a history of a hundred long diffs holds up nobody. */
const unpack = promisify(zstdDecompress);

/** A diff with its places; one of the older format has `chunks`, and none. */
async function diffOf({ packed }: PackedDiff): Promise<Pick<CheckDetail, 'hunks' | 'chunks'>> {
  const content = JSON.parse((await unpack(packed)).toString()) as readonly PlacedHunk[] | Chunks;
  return 'chunks' in content ? { chunks: content.chunks } : { hunks: content };
}

/** The same as the API gives it: hunks without places (spec: Crawl entry). */
async function wireDiffOf(diff: PackedDiff): Promise<WatchDiff> {
  const { hunks, chunks } = await diffOf(diff);
  if (hunks === undefined) return { chunks: (chunks ?? []).map(({ typ, text }) => ({ typ, text })) };
  return { hunks: hunks.map(({ blocks, links = [] }) => blocks.map(blockOf).concat(linkBlocks(links))) };
}

export async function linesOf({ packed }: PackedText): Promise<string[]> {
  const joined = (await unpack(packed)).toString();
  return joined === '' ? [] : joined.split('\n');
}

type Chunks = Required<Pick<CheckDetail, 'chunks'>>;
type Block = PlacedHunk['blocks'][number];
type WireBlock = { -readonly [Part in keyof Block]: string[] };

function blockOf({ ctx, del, ins }: Block): WireBlock {
  return { ...(ctx && { ctx: [...ctx] }), ...(del && { del: [...del] }), ...(ins && { ins: [...ins] }) };
}

/** The API has lines alone: a link is one with its target behind it. */
function linkBlocks(links: NonNullable<PlacedHunk['links']>): WireBlock[] {
  return links.length === 0 ? [] : [{ del: linkLines(links, 'before') }, { ins: linkLines(links, 'after') }];
}

/** Watches on one screen: what the storage counts, and how checks have gone since the start. */
export function watchStatus(
  totals: WatchTotals,
  meter: Pick<CrawlMeter, 'read'>,
  outside: Pick<Outside, 'now'>,
): Status['watch'] {
  const now = outside.now();
  const { dueLag, outcomes, faults } = meter.read(now);
  const { watches, active, failing, held, oldestDue, checks, changes } = totals;
  return {
    watches,
    active,
    failing,
    held,
    checks,
    changes,
    oldest_due_ms: oldestDue === undefined ? null : Math.max(0, now - oldestDue),
    late_ms: { p50: rounded(dueLag?.p50), p99: rounded(dueLag?.p99) },
    outcomes: Object.fromEntries(outcomes),
    faults,
  };
}

function rounded(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.round(ms);
}
