import { hash } from 'node:crypto';
import type { BegunVisits } from '../crawl/begun-visits.ts';
import { type Asked, type HostAccess, isFullTurn, requestOfHost } from '../crawl/host-request.ts';
import { faultPoint } from '../fault-points.ts';
import { KEEP_MS } from '../fetch/connection.ts';
import type { Fetched, FetchedBody, FetchFailure, PageRequest, Validators } from '../fetch/fetched.ts';
import { parseHttpDate } from '../fetch/answer.ts';
import {
  type AnalysisOptions,
  type CheckFinding,
  failed,
  faultText,
  readingOf,
  type WatchInput,
} from '../analysis/findings.ts';
import { renderRequest } from '../requests/rendering.ts';
import { isSignedOut, type SignIn, type SignInFailure, type SignIns } from '../requests/sign-ins.ts';
import type { Robots } from '../robots/robots.ts';
import type { HostState } from '../storage/frontier.ts';
import type { Check, DueWatch, StoredWatchOptions, Watches } from '../storage/watches.ts';
import type { CheckBatching } from './check-batching.ts';
import { checkOf, type CheckTerms, type Found } from './check-record.ts';
import { IN_TIME_MS, type WatchSupply } from './supply.ts';
import { WATCH_CHECK_MS } from '../../shared/limits.ts';
import { siteOf } from '../../shared/page/domain.ts';
import { EXTRACTOR } from '../../shared/page/page.ts';

/**
 * The path of one check of a watched URL. One direction and one record, as that of a page (`pipeline.ts`), with which it
 * shares the request, the analysis threads and what a host can bear:
 *
 *     due ─► robots, fetch ─► analyze (select ─► diff ─► trigger) ─► commit ─► notify
 *     DueWatch   + Fetched       + CheckFinding                        + Check
 *
 * A check is one commit: the entry of the history, diff, text, what the next one compares with, its due time, the crawl delay
 * of the host and the month's count become durable together, or not at all. A crash in between repeats the check. Whoever
 * waits for changes is notified after the commit.
 *
 * A check ends as changed, unchanged (which the first one counts as, too) or failed. What failed changes nothing of what is
 * compared with. What was called off, by us or by a doubt of our own network, was no check at all.
 *
 * The deadline is around everything that it limits: whatever hangs, the watch has its entry, and its slot and host are free.
 */
export interface CheckStages extends HostAccess, CheckTerms {
  readonly robots: Pick<Robots, 'ask' | 'mayFollow' | 'mayLoad'>;
  readonly supply: Pick<WatchSupply, 'release' | 'checked'>;
  readonly watches: Pick<Watches, 'watchBaseline'> & Pick<CheckBatching, 'commitCheck'>;
  readonly ratings: { of(domain: string): Promise<number | undefined> };
  /** As the analysis takes them: what a trigger refers to is written out (`options.ts`). */
  readonly optionsOf: (due: DueWatch) => AnalysisOptions;
  /** What its operator has set to ask for its page with. */
  readonly signIns: Pick<SignIns, 'of'>;
  /** The body's bytes are gone after it. Never rejects; a finding with the reason `aborted` was called off. */
  readonly analyze: (given: WatchInput, onBegin?: () => void) => Promise<CheckFinding>;
  /** Records which pages are being read. Without it, no page is refused. */
  readonly begun?: Pick<BegunVisits, 'refusal' | 'began' | 'ended'>;
  /** Keeps what was fetched (an archive). Resolved when there is room for more; never rejects. */
  readonly keep?: (fetched: FetchedBody, at: number) => Promise<void>;
  /** There is a new change. */
  readonly tell: (organizationId: string) => void;
}

/**
 * Without a report nothing was recorded: the watch is as due as it was, or gone. `isOver`: nothing but a commit that can wait
 * is left to do.
 */
export async function check(
  due: DueWatch,
  stages: CheckStages,
  signal: AbortSignal,
  isOver: () => void = () => undefined,
): Promise<{ readonly report: CheckFinding | undefined }> {
  faultPoint('watch:taken');
  const begun = stages.outside.now();
  // A host that is behind with its watches is not to be kept for longer than its commits take.
  const isInTime = begun < due.due + IN_TIME_MS;
  const seen = await seenInTime(due, stages, signal);
  if (seen.finding === undefined) {
    await stages.supply.release(due, seen.host);
    return { report: undefined };
  }
  const made = checkOf(due, seen, stages);
  const canWait = isInTime && isSmall(made);
  // Asked as seldom as it was, its connection would be kept for nothing.
  if (begun > due.hostState.notBefore + KEEP_MS) stages.fetcher.rest(due.host);
  if (canWait) isOver();
  const committed = await stages.watches.commitCheck(made, canWait);
  faultPoint('watch:committed');
  stages.supply.checked(due.id, made.month, committed?.checksThisMonth);
  if (committed?.change !== undefined) stages.tell(due.organizationId);
  faultPoint('watch:told');
  return { report: committed && seen.finding };
}

/** Nobody waits for it, and so many may wait. */
function isSmall({ outcome, text, baseline, explanation }: Check): boolean {
  return outcome === 'unchanged' && text === undefined && baseline === undefined && explanation === undefined;
}

type Seen = Nothing | Found;

interface Nothing {
  readonly finding?: undefined;
  readonly host: HostState;
}

/** What is known of the host while the check is under way. */
interface Progress {
  host?: HostState;
}

async function seenInTime(due: DueWatch, stages: CheckStages, signal: AbortSignal): Promise<Seen> {
  const { promise: late, resolve } = Promise.withResolvers<Seen>();
  const ended = new AbortController();
  const end = (): void => ended.abort(OVER);
  const progress: Progress = {};
  const timer = setTimeout(() => resolve(tooLate(due, stages, progress)), WATCH_CHECK_MS);
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  try {
    return await Promise.race([look(due, stages, progress, ended.signal), late]);
  } catch (fault) {
    // A storage that is gone fails the commit too, and that is thrown.
    return { finding: internalFailure(fault), at: stages.outside.now(), host: hostNow(due, stages, progress) };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    end();
  }
}

/** Made once: without it each check would make an error with its stack. */
const OVER = new Error('the check is over');

function tooLate(due: DueWatch, stages: CheckStages, progress: Progress): Found {
  const finding = failed('timeout', `the check was not done within ${WATCH_CHECK_MS / 1_000} s`);
  return { finding, at: stages.outside.now(), host: hostNow(due, stages, progress) };
}

/** Whose fault it is that nothing came is not known: not the host's, which has limits of its own. */
function hostNow(due: DueWatch, { host, outside }: CheckStages, progress: Progress): HostState {
  return progress.host ?? host(due, { at: outside.now(), crawlDelayMs: 0, failure: { reason: 'aborted' } });
}

async function look(due: DueWatch, stages: CheckStages, progress: Progress, signal: AbortSignal): Promise<Seen> {
  const refusal = stages.begun?.refusal(due.url);
  if (refusal) {
    const { detail, until } = refusal;
    return { finding: { ...failed('crash', detail), until }, at: stages.outside.now(), host: undefined };
  }
  const sign = await signInFor(due, stages, signal);
  if (sign && 'reason' in sign) {
    return { finding: failed(sign.reason, sign.detail), at: stages.outside.now(), host: undefined };
  }
  const request = requestFor(due, stages, sign);
  const allowed = (): typeof request => {
    faultPoint('watch:allowed');
    return request;
  };
  const reply = await requestOfHost(due, allowed, stages, signal);
  switch (reply.kind) {
    case 'called_off':
      return { host: reply.host };
    case 'refused':
      return { finding: failed(reply.refusal.reason, reply.refusal.detail), at: stages.outside.now(), host: undefined };
    case 'robots': {
      const { met, asked, host } = reply;
      return met.refusal ? { finding: failed(met.refusal.reason, met.refusal.detail), at: asked.at, host } : { host };
    }
    case 'fetched':
      progress.host = reply.host;
      return read(due, { request, sign, ...reply }, stages);
  }
}

interface Answered {
  readonly request: PageRequest;
  readonly sign: SignIn | undefined;
  readonly fetched: Fetched;
  readonly asked: Asked;
  readonly host: HostState;
}

async function read(due: DueWatch, answered: Answered, stages: CheckStages): Promise<Seen> {
  faultPoint('watch:fetched');
  const { sign, asked, host } = answered;
  const finding = await findingOf(due, answered, stages);
  faultPoint('watch:judged');
  if (finding === undefined) return { host };
  // Its turn comes again as soon as the host may be asked, with headers that are made anew.
  if (finding.reason === 'signed_out' && sign?.expired() === true) return { host };
  const { spentMs: readMs } = finding;
  const rested = readMs === undefined ? host : stages.host(due, { ...asked, readMs });
  return { finding, at: asked.at, host: rested };
}

/**
 * A redirect is followed as that of a source's own URL: where it leads is where the owner wants to go. Validators go with
 * it only if a 304 would say all there is to know: not once a day (some servers give the old tag to a new page), not while
 * a doubt waits, not after a failure, and not when other options or another extractor would read the page differently.
 */
function requestFor(
  { url, state, options }: DueWatch,
  { robots, outside, keep }: CheckStages,
  sign: SignIn | undefined,
): PageRequest {
  const isConditional =
    state !== undefined &&
    sign?.own.method !== 'POST' &&
    state.failures === 0 &&
    state.doubtedAt === undefined &&
    state.bodyHash?.slice(HASH_LENGTH) === readingKey(options) &&
    !isFullTurn(state.fullAt, outside.now());
  return {
    url,
    validators: isConditional ? state.validators : undefined,
    mayFollow: robots.mayFollow,
    withExchange: keep !== undefined,
    own: sign?.own,
    ...(options.render && { render: renderRequest(options.render, robots.mayLoad) }),
  };
}

async function signInFor(
  { id, url, options: { request } }: DueWatch,
  { signIns }: CheckStages,
  signal: AbortSignal,
): Promise<SignIn | SignInFailure | undefined> {
  return request && signIns.of({ id, url, request }, signal);
}

/** What the answer comes to. Undefined when the analysis was called off. */
async function findingOf(due: DueWatch, answered: Answered, stages: CheckStages): Promise<CheckFinding | undefined> {
  const { fetched, sign } = answered;
  const { at } = answered.asked;
  const isSignedIn = sign?.isSignedIn === true;
  const request = { conditional: answered.request.validators !== undefined };
  if (fetched.outcome === 'failed') return { ...findingWithoutPage(due, fetched, at, isSignedIn), request };
  const { status } = fetched.answer;
  if (fetched.outcome === 'not_modified') {
    return { outcome: 'unchanged', note: 'not_modified', status, validators: fetched.validators };
  }
  await stages.keep?.(fetched, at);
  // By the way that it is read, too: read otherwise, the same bytes may be another text.
  const bodyHash = fetched.hash + readingKey(due.options);
  const validators = lasting(fetched, at);
  const body = { status, bodyHash, isFull: true, ...(validators && { validators }) };
  const isSame = bodyHash === due.state?.bodyHash && due.state.doubtedAt === undefined;
  if (isSame) return { outcome: 'unchanged', note: 'same_bytes', ...body };
  const finding = await analyze(due, { fetched, at, isSignedIn }, stages);
  return finding && { ...finding, ...(isSettled(finding) ? body : { status }), request };
}

/** What failed or waits for a second look replaces nothing: a 304 would hide the page from the next check. */
function isSettled({ outcome, doubtedAt }: CheckFinding): boolean {
  return outcome !== 'failed' && doubtedAt === undefined;
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

function findingWithoutPage(due: DueWatch, fetched: FetchFailure, at: number, isSignedIn: boolean): CheckFinding {
  const { detail, answer } = fetched;
  const reason = isSignedIn && isSignedOut(fetched) ? 'signed_out' : reasonOf(fetched);
  const isOthers = answer?.retryAfterMs !== undefined && answer.host !== due.host;
  return {
    ...failed(reason, detail),
    ...(answer && { status: answer.status }),
    ...(answer && { answer: { status: answer.status, url: due.url, content_type: '', bytes: answer.bytes } }),
    ...(isOthers && { until: at + answer.retryAfterMs }),
  };
}

/** A status is reported by its class, which says whose mistake it is. */
function reasonOf({ reason, answer }: FetchFailure): string {
  return reason === 'status' && answer ? `http_${Math.floor(answer.status / 100)}xx` : reason;
}

interface Arrived {
  readonly fetched: FetchedBody;
  readonly at: number;
  readonly isSignedIn: boolean;
}

/** Undefined when it was called off. */
async function analyze(
  due: DueWatch,
  { fetched, at, isSignedIn }: Arrived,
  stages: CheckStages,
): Promise<CheckFinding | undefined> {
  const { url, contentType, bytes, headers, status } = fetched;
  const { state } = due;
  const answer = { status, url, content_type: contentType, bytes: bytes.length };
  const options = stages.optionsOf(due);
  const [last, dr] = await Promise.all([
    stages.watches.watchBaseline(due.id),
    options.trigger === null ? undefined : stages.ratings.of(siteOf(url) ?? ''),
  ]);
  const given: WatchInput = {
    fetched: {
      url,
      contentType,
      bytes,
      hash: fetched.hash,
      status,
      ...(headers && { headers }),
      ...(fetched.unsettled !== undefined && { unsettled: fetched.unsettled }),
    },
    at,
    options,
    isSignedIn,
    last,
    dr,
    doubtedAt: state?.doubtedAt,
    doubt: state?.doubt,
    visits: (state?.sinceBaseline ?? 0) + 1,
  };
  const finding = await stages.analyze(given, () => stages.begun?.began(due.url));
  stages.begun?.ended(due.url);
  return finding.reason === 'aborted' ? undefined : { ...finding, answer };
}

/** What our own code threw. */
function internalFailure(fault: unknown): CheckFinding {
  return {
    ...failed('internal', 'hydrant could not check this page; the daemon’s log has the reason'),
    notes: { fault: faultText(fault) },
  };
}

/** How a page is read, in eight hexadecimal digits; they stand behind the hash of each body that is remembered. */
export function readingKey(options: StoredWatchOptions): string {
  // Also new values of the same headers: what is read with them is another body, whatever its server says of its tag.
  return hash('sha256', `${EXTRACTOR} ${readingOf(options)}${options.request?.sealed ?? ''}`).slice(0, 8);
}

/** Of `FetchedBody.hash`. */
const HASH_LENGTH = 32;
