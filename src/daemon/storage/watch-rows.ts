import type { WatchLabels } from '../../shared/api/watch-labels.ts';
import { CHECK_NOTES } from '../../shared/api/watch-values.ts';
import { validatorsOf } from './frontier-coding.ts';
import type { FailingPage } from './frontier.ts';
import type { Check, CheckRecord, StoredWatchOptions, WatchRecord, WatchState } from './watches.ts';

/** How watches and their checks are written down: columns that both databases have, and SQL that both understand. */

export const PARKED = { paused: 1, held: 2 } as const;

/** `code` of an entry: the outcome, and four times the place of the note in CHECK_NOTES, counted from 1. */
const OUTCOMES: readonly Check['outcome'][] = ['unchanged', 'baseline', 'changed', 'failed'];

export function codeOf({ outcome, note }: Pick<Check, 'outcome' | 'note'>): number {
  return OUTCOMES.indexOf(outcome) + OUTCOMES.length * (note === undefined ? 0 : CHECK_NOTES.indexOf(note) + 1);
}

export function isFailed(code: number): boolean {
  return outcomeOf(code) === 'failed';
}

function outcomeOf(code: number): Check['outcome'] {
  return OUTCOMES[code % OUTCOMES.length] ?? 'unchanged';
}

export interface WatchRow
  extends
    Omit<
      WatchRecord,
      | 'options'
      | 'title'
      | 'tags'
      | 'isPaused'
      | 'isHeld'
      | 'checkedAt'
      | 'succeededAt'
      | 'failingSince'
      | 'lastFailure'
      | 'lastChange'
      | 'doubtedAt'
    >,
    LabelsRow {
  readonly options: string;
  readonly parked: number;
  readonly checkedAt: number | null;
  readonly succeededAt: number | null;
  readonly failingSince: number | null;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly status: number | null;
  readonly changedN: number | null;
  readonly changedAt: number | null;
  readonly doubtedAt: number | null;
}

/** `SELECT … FROM …` of a `WatchRow`. The entry of the newest check is always there. */
export const WATCH_ROWS = `SELECT watches.id, watches.organization AS "organizationId", watches.member AS "memberId",
    watches.url, watches.target, hosts.name AS host, watches.every_ms AS "everyMs", watches.jitter_ms AS "jitterMs",
    watches.created_at AS "createdAt", watches.options, watches.title, watches.tags, state.due, state.parked, state.checks,
    state.changes AS "changeCount", state.checked_at AS "checkedAt", state.succeeded_at AS "succeededAt", state.failures,
    state.failing_since AS "failingSince", failure.reason, failure.detail, failure.status,
    state.changed_n AS "changedN", state.changed_at AS "changedAt", state.doubted_at AS "doubtedAt",
    (SELECT count(*) FROM watch_changes WHERE watch = watches.key AND n > state.seen) AS unseen
  FROM watches JOIN watch_states AS state ON state.watch = watches.key JOIN hosts ON hosts.key = state.host
    LEFT JOIN watch_checks AS newest
      ON state.failures > 0 AND newest.watch = watches.key AND newest.n = state.checks
    LEFT JOIN watch_failures AS failure ON failure.key = newest.more`;

export function toRecord(row: WatchRow): WatchRecord {
  const { options, title, tags, parked, reason, detail, status, changedN, changedAt, ...same } = row;
  return {
    ...same,
    ...toLabels({ title, tags }),
    options: toOptions(options),
    isPaused: (parked & PARKED.paused) !== 0,
    isHeld: (parked & PARKED.held) !== 0,
    checkedAt: same.checkedAt ?? undefined,
    succeededAt: same.succeededAt ?? undefined,
    failingSince: same.failingSince ?? undefined,
    doubtedAt: same.doubtedAt ?? undefined,
    lastFailure: toFailure(reason, detail, status),
    lastChange: changedN === null || changedAt === null ? undefined : { n: changedN, at: changedAt },
  };
}

export function toOptions(json: string): StoredWatchOptions {
  return JSON.parse(json) as StoredWatchOptions;
}

export interface LabelsRow {
  readonly title: string | null;
  /** JSON. */
  readonly tags: string | null;
}

export function toLabels({ title, tags }: LabelsRow): WatchLabels {
  return { ...(title !== null && { title }), ...(tags !== null && { tags: JSON.parse(tags) as string[] }) };
}

/** No tags are null: most watches have none. */
export function tagsColumn(tags: readonly string[] = []): string | null {
  return tags.length === 0 ? null : JSON.stringify(tags);
}

function toFailure(reason: string | null, detail: string | null, status: number | null): CheckRecord['failure'] {
  if (reason === null || detail === null) return undefined;
  return { reason, detail, ...(status !== null && status !== NO_STATUS && { status }) };
}

/** Of a failure: the words of two are the same only where nothing is null. */
export const NO_STATUS = 0;

export interface StateRow extends Omit<WatchState, 'checkedAt' | 'bodyHash' | 'validators' | 'doubtedAt' | 'doubt'> {
  readonly checkedAt: number | null;
  readonly bodyHash: Uint8Array | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly doubtedAt: number | null;
  readonly doubt: string | null;
}

export const STATE = `state.checked_at AS "checkedAt", state.failures, state.body_hash AS "bodyHash", state.etag,
  state.last_modified AS "lastModified", state.full_at AS "fullAt", state.doubted_at AS "doubtedAt", state.doubt,
  state.since_baseline AS "sinceBaseline"`;

export function toState(row: StateRow): WatchState | undefined {
  const { checkedAt, failures, bodyHash, fullAt, doubtedAt, doubt, sinceBaseline } = row;
  if (checkedAt === null) return undefined;
  return {
    checkedAt,
    failures,
    bodyHash: bodyHash === null ? undefined : Buffer.from(bodyHash).toString('hex'),
    validators: bodyHash === null ? undefined : validatorsOf(row),
    fullAt,
    doubtedAt: doubtedAt ?? undefined,
    doubt: doubt ?? undefined,
    sinceBaseline,
  };
}

export interface CheckRow {
  readonly n: number;
  readonly at: number;
  readonly code: number;
  readonly status: number | null;
  readonly more: number | null;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly failureStatus: number | null;
  readonly inserted: number | null;
  readonly deleted: number | null;
  readonly packed: Uint8Array | null;
}

export function checkColumns(packed: 'change.packed' | 'NULL'): string {
  return `entry.n, entry.at, entry.code, entry.status, entry.more, failure.reason, failure.detail,
    failure.status AS "failureStatus", change.inserted, change.deleted, ${packed} AS packed`;
}

/** Of an entry that did not fail, `more` is no failure's key. */
export const FAILURE_OF_ENTRY = `LEFT JOIN watch_failures AS failure
  ON entry.code % ${OUTCOMES.length} = ${OUTCOMES.indexOf('failed')} AND failure.key = entry.more`;

export function toCheck(row: CheckRow): CheckRecord {
  const { n, at, code, status, more, inserted, deleted, packed } = row;
  const note = CHECK_NOTES[Math.floor(code / OUTCOMES.length) - 1];
  const failure = toFailure(row.reason, row.detail, row.failureStatus);
  const isChange = inserted !== null && deleted !== null;
  return {
    n,
    at,
    outcome: outcomeOf(code),
    ...(note && { note }),
    ...(failure && { failure }),
    ...(status !== null && { status }),
    ...(more !== null && !isFailed(code) && { recovered: more }),
    ...(isChange && { inserted, deleted }),
    ...(isChange && packed && { diff: { packed, inserted, deleted } }),
  };
}

/** A watch whose newest check failed, and how it failed. */
export interface FailingWatchRow extends Pick<FailingPage, 'id' | 'url' | 'failures' | 'at'> {
  readonly since: number | null;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly status: number | null;
}

export function toFailingPage({ reason, status, detail, since, ...same }: FailingWatchRow): FailingPage {
  const known = status === null || status === NO_STATUS ? undefined : status;
  const more = { detail: detail ?? undefined, since: since ?? undefined };
  return { kind: 'watch', ...same, ...more, reason: reason ?? 'failed', status: known };
}
