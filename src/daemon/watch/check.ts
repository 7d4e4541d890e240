import { requestOfHost } from '../crawl/host-request.ts';
import { confirmAt } from '../crawl/setback.ts';
import { faultPoint } from '../fault-points.ts';
import { KEEP_MS } from '../fetch/connection.ts';
import type { Plan } from '../accounts/plans.ts';
import type { HostState } from '../storage/frontier.ts';
import { monthOf } from '../storage/ledger.ts';
import { slotAfter } from '../storage/watch-slots.ts';
import type { Check, DueWatch, Watches } from '../storage/watches.ts';
import { slotsOf } from './cadence.ts';
import {
  broken,
  type Explained,
  failed,
  type FindingStages,
  findingOf,
  type Finding,
  requestFor,
} from './check-finding.ts';
import type { CheckGathering } from './gathering.ts';
import type { WatchSupply } from './supply.ts';
import { WATCH_CHECK_MS } from '../../shared/limits.ts';

/**
 * The path of one check of a watched URL. One direction, as that of a page (`pipeline.ts`), whose machinery it shares:
 *
 *     robots ─► fetch ─► judge (select ─► diff ─► trigger) ─► commit ─► told
 *
 * A check is one commit: the entry of the history, diff, text, what the next one compares with, its due time, the host's
 * rest and the month's count become durable together, or not at all. A crash in between repeats the check. Who waits for
 * changes hears of one after the commit.
 *
 * There are three ways that it ends: changed, unchanged (which the first one counts as, too), failed. What failed changes
 * nothing of what is compared with. What was called off, by us or by a doubt of our own network, was no check at all.
 *
 * The deadline stands outside of everything that it limits: whatever hangs, the watch has its entry, and place and host
 * are free.
 */
export interface CheckStages extends FindingStages {
  readonly supply: Pick<WatchSupply, 'release' | 'checked'>;
  readonly watches: Pick<Watches, 'watchBaseline'> & Pick<CheckGathering, 'commitCheck'>;
  /** How often a watch of the organization may be checked. */
  readonly planOf: (organizationId: string) => Pick<Plan, 'fastestMinutes'>;
  /** Checks of a watch that are kept. */
  readonly history: number;
  /** There is a new change. */
  readonly tell: (organizationId: string) => void;
}

/** What a check came to, for figures and the log. */
export interface CheckEnd extends Pick<Check, 'outcome' | 'note'> {
  readonly reason?: string;
  readonly detail?: string;
  readonly status?: number;
  /** What our own code threw. */
  readonly fault?: string;
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
): Promise<{ readonly report: CheckEnd | undefined }> {
  faultPoint('watch:taken');
  const begun = stages.outside.now();
  const isInTime = begun < due.due + IN_TIME_MS;
  const seen = await seenInTime(due, stages, signal);
  if (seen.finding === undefined) {
    await stages.supply.release(due.id, seen.host);
    return { report: undefined };
  }
  const made = checkOf(due, seen, stages);
  const canWait = isInTime && isSmall(made);
  // Asked as seldom as it was, it would keep the connection in vain.
  if (begun > due.hostState.notBefore + KEEP_MS) stages.fetcher.rest(due.host);
  if (canWait) isOver();
  const committed = await stages.watches.commitCheck(made, canWait);
  faultPoint('watch:committed');
  stages.supply.checked(due.id, made.month, committed?.checksThisMonth);
  if (committed?.change !== undefined) stages.tell(due.organizationId);
  faultPoint('watch:told');
  return { report: committed && endOf(seen.finding) };
}

/** A host that is behind with its watches is not to be kept for longer than its commits take. */
const IN_TIME_MS = 1_000;

/** Nobody waits for it, and so many may wait. */
function isSmall({ outcome, text, baseline, explanation }: Check): boolean {
  return outcome === 'unchanged' && text === undefined && baseline === undefined && explanation === undefined;
}

type Seen = Nothing | Found;

interface Nothing {
  readonly finding?: undefined;
  readonly host: HostState;
}

interface Found {
  readonly finding: Finding;
  readonly at: number;
  /** Undefined where the host was asked for nothing. */
  readonly host: HostState | undefined;
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
    return { finding: broken(fault), at: stages.outside.now(), host: hostNow(due, stages, progress) };
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
  const request = requestFor(due, stages);
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
    case 'fetched': {
      faultPoint('watch:fetched');
      const { fetched, asked, host } = reply;
      progress.host = host;
      const finding = await findingOf(due, { fetched, at: asked.at, request }, stages);
      faultPoint('watch:judged');
      if (finding === undefined) return { host };
      const { spentMs: readMs } = finding;
      const rested = readMs === undefined ? host : stages.host(due, { ...asked, readMs });
      return { finding, at: asked.at, host: rested };
    }
  }
}

function checkOf(due: DueWatch, { finding, at, host }: Found, stages: CheckStages): Check {
  const { told, until: _until, fault: _fault, spentMs: _spentMs, ...found } = finding;
  const state = due.state;
  const said = told ?? (finding.outcome === 'failed' ? UNASKED : undefined);
  // A doubt waits for a second word about the page; that it could not be read is none.
  const kept = finding.doubtedAt === undefined && finding.outcome === 'failed' ? state : finding;
  const { doubtedAt, doubt } = kept ?? {};
  return {
    ...found,
    watchId: due.id,
    at,
    month: monthOf(at),
    nextDue: nextDue(due, finding, at, stages),
    keep: stages.history,
    ...(host && { host }),
    ...(doubtedAt !== undefined && { doubtedAt }),
    ...(doubt !== undefined && { doubt }),
    ...(said && { explanation: JSON.stringify(said) }),
  };
}

/** What can be explained of a check that has no answer. */
const UNASKED: Explained = { request: { conditional: false } };

function nextDue(due: DueWatch, { doubtedAt, until }: Finding, at: number, { planOf }: CheckStages): number {
  if (doubtedAt !== undefined) return confirmAt(doubtedAt, at);
  return Math.max(slotAfter(slotsOf(due, planOf(due.organizationId)), at), until ?? 0);
}

function endOf({ outcome, note, failure, status, fault }: Finding): CheckEnd {
  const said = failure?.status ?? status;
  return {
    outcome,
    ...(note && { note }),
    ...(failure && { reason: failure.reason, detail: failure.detail }),
    ...(said !== undefined && { status: said }),
    ...(fault !== undefined && { fault }),
  };
}
