import type {
  ChangeRecord,
  Check,
  CheckRecord,
  DueWatch,
  Failure,
  NewWatch,
  PackedText,
  WatchBaseline,
  WatchRecord,
  WatchState,
} from '../../../src/daemon/storage/watches.ts';
import type { FailingPage, UnhealthyHost } from '../../../src/daemon/storage/frontier.ts';
import { hostClass } from '../../../src/daemon/storage/frontier-rules.ts';
import { earliest, type KnownHost, readyAt } from './known.ts';

/** What is known of a watch in memory. Keys are given in order, and never twice. */
export interface KnownWatch {
  readonly key: number;
  readonly host: KnownHost;
  terms: NewWatch;
  isPaused: boolean;
  isHeld: boolean;
  due: number;
  /** What `due` was changed to since it was taken: the check under way does not know of it. */
  askedDue: number | undefined;
  /** Its options were changed since it was taken: its check is not recorded. */
  isSuperseded: boolean;
  state: WatchState | undefined;
  /** Checks and changes so far, those that are forgotten too. */
  checkCount: number;
  changeCount: number;
  succeededAt: number | undefined;
  failingSince: number | undefined;
  lastFailure: Failure | undefined;
  lastChange: { readonly n: number; readonly at: number } | undefined;
  /** The check that was seen last. */
  seen: number;
  baseline: WatchBaseline | undefined;
  explanation: { readonly n: number; readonly explanation: string } | undefined;
  /** Oldest first. */
  history: readonly KnownCheck[];
  versions: readonly KnownVersion[];
}

export interface KnownCheck {
  readonly record: CheckRecord;
  /** If it is a change. */
  readonly change: Pick<ChangeRecord, 'cursor' | 'title'> | undefined;
}

/** The text that check `n` brought. */
export interface KnownVersion {
  readonly n: number;
  readonly at: number;
  readonly text: PackedText;
}

export const UNCHECKED = {
  askedDue: undefined,
  isSuperseded: false,
  state: undefined,
  checkCount: 0,
  changeCount: 0,
  succeededAt: undefined,
  failingSince: undefined,
  lastFailure: undefined,
  lastChange: undefined,
  seen: 0,
  baseline: undefined,
  explanation: undefined,
  history: [],
  versions: [],
} as const;

/** From when on a watch of the host can be taken, whoever has the host now. */
export function watchReadyAt(host: KnownHost): number | undefined {
  const due = earliest(takable(host).map((watch) => watch.due));
  return due === undefined ? undefined : Math.max(due, host.state.notBefore);
}

export function longestDue(host: KnownHost): KnownWatch | undefined {
  return takable(host).toSorted((one, other) => one.due - other.due || one.key - other.key)[0];
}

export function toWatchRecord(watch: KnownWatch): WatchRecord {
  const { terms, isPaused, isHeld, due, checkCount, changeCount, state, seen } = watch;
  const { succeededAt, failingSince, lastFailure, lastChange } = watch;
  const [checkedAt, failures] = [state?.checkedAt, state?.failures ?? 0];
  const unseen = watch.history.filter(({ record, change }) => change && record.n > seen).length;
  const doubtedAt = state?.doubtedAt;
  const figures = { checks: checkCount, changeCount, checkedAt, succeededAt, doubtedAt, unseen };
  const problem = { failures, failingSince, lastFailure };
  return structuredClone({ ...terms, isPaused, isHeld, due, ...figures, ...problem, lastChange });
}

export function toDueWatch({ terms, due, host, state }: KnownWatch): DueWatch {
  const { id, organizationId, everyMs, jitterMs, createdAt, options, target } = terms;
  const slots = { everyMs, jitterMs, createdAt };
  const place = { kind: 'watch', id, organizationId, host: host.name, url: target, due } as const;
  const known = state && { ...state, validators: state.bodyHash === undefined ? undefined : state.validators };
  return structuredClone({ ...place, ...slots, options, hostState: host.state, state: known });
}

/** What a check leaves of a watch; its `due` too. */
export function record(watch: KnownWatch, check: Check): void {
  watch.due = Math.min(check.nextDue, watch.askedDue ?? Infinity);
  watch.baseline = check.baseline ?? watch.baseline;
  watch.state = stateAfter(watch.state, check);
  if (check.outcome === 'failed') {
    watch.failingSince ??= check.at;
    watch.lastFailure = check.failure;
  } else {
    watch.failingSince = undefined;
    watch.lastFailure = undefined;
    watch.succeededAt = check.at;
  }
}

/** Only what can be taken now or later: its owner has not paused it, and has checks left. */
function takable(host: KnownHost): KnownWatch[] {
  return [...host.watches].filter((watch) => !watch.isPaused && !watch.isHeld);
}

function stateAfter(before: WatchState | undefined, check: Check): WatchState {
  const { failures = 0, sinceBaseline = 0, fullAt = 0, bodyHash, validators } = before ?? {};
  const { at, doubtedAt, doubt } = check;
  const known = { checkedAt: at, bodyHash, validators, fullAt, doubtedAt, doubt, sinceBaseline };
  if (check.outcome === 'failed') return { ...known, failures: failures + 1 };
  return {
    ...known,
    failures: 0,
    bodyHash: check.bodyHash ?? bodyHash,
    validators: check.validators ?? (check.bodyHash === undefined ? validators : undefined),
    fullAt: check.isFull === true ? at : fullAt,
    sinceBaseline: check.baseline ? 0 : sinceBaseline + 1,
  };
}

export function isUnhealthy({ pages, watches, state }: KnownHost): boolean {
  if (pages.size + watches.size === 0) return false;
  return state.backoff > 0 || hostClass(state) === 'failing' || hostClass(state) === 'slow';
}

export function unhealthy(host: KnownHost): UnhealthyHost {
  const { backoff, backoffReason, failures, responseMs } = host.state;
  const times = [readyAt(host), watchReadyAt(host)].filter((time) => time !== undefined);
  return { name: host.name, backoff, backoffReason, failures, responseMs, readyAt: earliest(times) };
}

export function failingWatch(watch: KnownWatch): FailingPage | undefined {
  const { terms, isPaused, isHeld, state, lastFailure, failingSince: since } = watch;
  if (isPaused || isHeld || state === undefined || lastFailure === undefined) return undefined;
  const { reason, status, detail } = lastFailure;
  return {
    kind: 'watch',
    id: terms.id,
    url: terms.target,
    reason,
    status,
    detail,
    since,
    failures: state.failures,
    at: state.checkedAt,
  };
}
