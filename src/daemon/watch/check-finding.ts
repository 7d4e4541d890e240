import { hash } from 'node:crypto';
import type { WatchExplanation, WatchOptions } from '../../shared/api/watch.ts';
import { siteOf } from '../../shared/page/domain.ts';
import { EXTRACTOR } from '../../shared/page/page.ts';
import type { BegunVisits } from '../crawl/begun-visits.ts';
import { type HostDoor, isFullTurn } from '../crawl/host-request.ts';
import type { Fetched, FetchedBody, FetchFailure, PageRequest, Validators } from '../fetch/fetched.ts';
import { parseHttpDate } from '../fetch/freshness.ts';
import type { WatchCase, WatchJudgement } from '../judging/watch-case.ts';
import { readingOf } from '../judging/watch-reading.ts';
import type { Robots } from '../robots/robots.ts';
import type { Check, DueWatch, Watches } from '../storage/watches.ts';

/** What a check asks for, and what it makes of the answer; before anything of it is durable. */
export interface FindingStages extends HostDoor {
  readonly robots: Pick<Robots, 'ask' | 'mayFollow'>;
  readonly watches: Pick<Watches, 'watchBaseline'>;
  readonly ratings: { of(domain: string): Promise<number | undefined> };
  /** As the judge takes them: what a trigger refers to is written out (`options.ts`). */
  readonly optionsOf: (due: DueWatch) => WatchOptions;
  /** The body's bytes are gone after it. Never rejects; a judgement with the reason `aborted` is none. */
  readonly judge: (given: WatchCase, onBegin?: () => void) => Promise<WatchJudgement>;
  /** What is noted of pages that are being read; where nothing is, none is refused. */
  readonly begun?: Pick<BegunVisits, 'refusal' | 'began' | 'ended'>;
  /** Keeps what was fetched (an archive). Resolved when there is room for more; never rejects. */
  readonly keep?: (fetched: FetchedBody, at: number) => Promise<void>;
}

type Kept = Pick<Check, 'note' | 'failure' | 'status' | 'baseline' | 'bodyHash' | 'validators' | 'isFull'>;

export interface Finding extends Kept, Pick<Check, 'outcome' | 'doubtedAt' | 'doubt' | 'text' | 'diff' | 'title'> {
  /** For `explain`; left out where the page was the same, and nothing was read. */
  readonly told?: Explained;
  /** Another host than the watch's own, where a redirect led, is to be left alone until then. */
  readonly until?: number;
  /** What our own code threw. */
  readonly fault?: string;
  /** Milliseconds that threads have spent on the page. */
  readonly spentMs?: number;
}

/** `Check.explanation` as JSON: all of `WatchExplanation` but the check itself, which the storage has. */
export type Explained = Omit<WatchExplanation, 'check'>;

export interface Answered {
  readonly fetched: Fetched;
  readonly at: number;
  readonly request: PageRequest;
}

/**
 * A redirect is followed as that of a source's own URL: where it leads is where the owner wants to go. Validators go with
 * it only if a 304 would say all there is to know: not once a day (some servers give the old tag to a new page), not while
 * a doubt waits, not after a failure, and not when other options or another extractor would read the page differently.
 */
export function requestFor({ url, state, options }: DueWatch, { robots, outside, keep }: FindingStages): PageRequest {
  const isConditional =
    state !== undefined &&
    state.failures === 0 &&
    state.doubtedAt === undefined &&
    state.bodyHash?.slice(HASH_LENGTH) === readingKey(options) &&
    !isFullTurn(state.fullAt, outside.now());
  return {
    url,
    validators: isConditional ? state.validators : undefined,
    mayFollow: robots.mayFollow,
    withExchange: keep !== undefined,
  };
}

/** Undefined when the judging was called off. */
export async function findingOf(
  due: DueWatch,
  answered: Answered,
  stages: FindingStages,
): Promise<Finding | undefined> {
  const { fetched, at, request } = answered;
  const asked = { conditional: request.validators !== undefined };
  if (fetched.outcome === 'failed') return unfetched(due, fetched, at, { request: asked });
  const { status } = fetched.answer;
  if (fetched.outcome === 'not_modified') {
    return { outcome: 'unchanged', note: 'not_modified', status, validators: fetched.validators };
  }
  await stages.keep?.(fetched, at);
  // By the way that it is read, too: read otherwise, the same bytes may be another text.
  const bodyHash = fetched.hash + readingKey(due.options);
  const validators = lasting(fetched, at);
  const read: Kept = { status, bodyHash, isFull: true, ...(validators && { validators }) };
  const isSame = bodyHash === due.state?.bodyHash && due.state.doubtedAt === undefined;
  return isSame
    ? { outcome: 'unchanged', note: 'same_bytes', ...read }
    : judged(due, fetched, at, { asked, read, stages });
}

/**
 * A date of the last change, and a tag that is made of it, tell two changes within a second not apart (RFC 9110, 8.8.2.2):
 * while it is as young as that, what follows would be hidden behind a 304. The next check asks without. How young it is,
 * the server's own clock tells, which may be slow; one that is ahead of ours is not believed.
 */
function lasting({ validators, answer }: FetchedBody, at: number): Validators | undefined {
  const changedAt = parseHttpDate(validators?.lastModified ?? '');
  const now = Math.min(at, answer.madeAt ?? at);
  return changedAt === undefined || changedAt + YOUNG_MS <= now ? validators : undefined;
}

/** More than a second, for clocks that differ. */
const YOUNG_MS = 60_000;

function unfetched(due: DueWatch, fetched: FetchFailure, at: number, told: Explained): Finding {
  const { detail, answer } = fetched;
  const isOthers = answer?.retryAfterMs !== undefined && answer.host !== due.host;
  const bytes = answer && { status: answer.status, url: due.url, content_type: '', bytes: answer.bytes };
  return {
    ...failed(reasonOf(fetched), detail, answer?.status),
    told: { ...told, ...(bytes && { answer: bytes }) },
    ...(isOthers && { until: at + answer.retryAfterMs }),
  };
}

/** A status is told by its class, which says whose mistake it is. */
function reasonOf({ reason, answer }: FetchFailure): string {
  return reason === 'status' && answer ? `http_${Math.floor(answer.status / 100)}xx` : reason;
}

interface Reading {
  readonly asked: Explained['request'];
  readonly read: Kept;
  readonly stages: FindingStages;
}

async function judged(
  due: DueWatch,
  fetched: FetchedBody,
  at: number,
  { asked, read, stages }: Reading,
): Promise<Finding | undefined> {
  const { url, contentType, bytes, headers, status } = fetched;
  const { state } = due;
  const answer = { status, url, content_type: contentType, bytes: bytes.length };
  const options = stages.optionsOf(due);
  const [last, dr] = await Promise.all([
    stages.watches.watchBaseline(due.id),
    options.trigger === null ? undefined : stages.ratings.of(siteOf(url) ?? ''),
  ]);
  const given: WatchCase = {
    fetched: { url, contentType, bytes, hash: fetched.hash, status, ...(headers && { headers }) },
    at,
    options,
    last,
    dr,
    doubtedAt: state?.doubtedAt,
    doubt: state?.doubt,
    visits: (state?.sinceBaseline ?? 0) + 1,
  };
  const judgement = await stages.judge(given, () => stages.begun?.began(due.url));
  stages.begun?.ended(due.url);
  if (judgement.outcome === 'failed') {
    const { reason, detail, outcome: _, ...more } = judgement;
    // Its validators are not kept: told that nothing has changed, nobody would look again.
    return reason === 'aborted'
      ? undefined
      : { ...failed(reason, detail, status), ...more, told: { request: asked, answer } };
  }
  const { findings, ...found } = judgement;
  // What waits for a second word replaces nothing.
  const kept = found.doubtedAt === undefined ? read : { status };
  return { ...found, ...kept, told: { request: asked, answer, findings } };
}

export function failed(reason: string, detail: string, status?: number): Finding {
  const said = status === undefined ? {} : { status };
  return { outcome: 'failed', failure: { reason, detail, ...said }, ...said };
}

/** What our own code threw. */
export function broken(fault: unknown): Finding {
  const said = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
  return { ...failed('internal', 'hydrant could not check this page; the log tells why'), fault: said };
}

/** How a page is read, in eight hexadecimal digits; they stand behind the hash of each body that is remembered. */
export function readingKey(options: WatchOptions): string {
  return hash('sha256', `${EXTRACTOR} ${readingOf(options)}`).slice(0, 8);
}

/** Of `FetchedBody.hash`. */
const HASH_LENGTH = 32;
