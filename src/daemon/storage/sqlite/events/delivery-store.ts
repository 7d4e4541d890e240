import type { DatabaseSync } from 'node:sqlite';
import { faultPoint } from '../../../fault-points.ts';
import type {
  Attempt,
  AttemptRecord,
  Composition,
  Deliveries,
  EndedProblem,
  TopicCursor,
  LoggedAttempt,
  Parked,
  PendingMessage,
  ProblemEvent,
  SinkState,
  StandingProblem,
  StoredError,
} from '../../deliveries.ts';
import type { Operations } from '../worker/operation.ts';
import { PROBLEM_EVENTS, SINK_LOG_ENTRIES, SINK_PARKED_MESSAGES } from '../../../../shared/limits.ts';

/** Sinks in SQL. All that one has is found by its key; what is bounded is cut where it is written. */
export class DeliveryStore {
  readonly #sql: ReturnType<typeof prepareSinks>;

  constructor(database: DatabaseSync) {
    this.#sql = prepareSinks(database);
  }

  open(sinkId: string, cursors: readonly TopicCursor[]): void {
    const row = this.#sql.add.get(sinkId) as { key: number } | undefined;
    if (row) for (const { topic, position } of cursors) this.#sql.setCursor.run(row.key, topic, position);
  }

  remove(sinkId: string): void {
    const key = this.#key(sinkId);
    if (key === undefined) return;
    for (const statement of this.#sql.remove) statement.run(key);
  }

  retain(sinkIds: readonly string[]): number {
    const others = (this.#sql.ids.all() as unknown as { id: string }[]).filter(({ id }) => !sinkIds.includes(id));
    for (const { id } of others) this.remove(id);
    return others.length;
  }

  state(sinkId: string): SinkState | undefined {
    const row = this.#sql.state.get(sinkId) as unknown as SinkRow | undefined;
    if (!row) return undefined;
    const { lastError, sentTimes, ...times } = row;
    return {
      ...times,
      failingSince: row.failingSince ?? undefined,
      waitUntil: row.waitUntil ?? undefined,
      disabledAt: row.disabledAt ?? undefined,
      digestedAt: row.digestedAt ?? undefined,
      deliveredAt: row.deliveredAt ?? undefined,
      lastError: lastError === null ? undefined : (JSON.parse(lastError) as StoredError),
      sentTimes: JSON.parse(sentTimes) as number[],
    };
  }

  cursors(sinkId: string): TopicCursor[] {
    return this.#sql.cursors.all(sinkId).map((row) => toCursor(row));
  }

  move(sinkId: string, cursors: readonly TopicCursor[], gone: readonly string[] = []): void {
    const key = this.#key(sinkId);
    if (key === undefined) return;
    for (const topic of gone) this.#sql.dropCursor.run(key, topic);
    for (const { topic, position } of cursors) this.#sql.setCursor.run(key, topic, position);
  }

  compose(sinkId: string, { messages, moves, dropped, at, digestedAt }: Composition): boolean {
    const key = this.#key(sinkId);
    if (key === undefined) return false;
    const isWhereSaid = moves.every(({ topic, from }) => {
      const row = this.#sql.cursor.get(key, topic) as { position: number } | undefined;
      return (row?.position ?? 0) === from;
    });
    if (!isWhereSaid) return false;
    for (const { id, type, title, url, message } of messages) {
      this.#sql.addMessage.run(key, id, type, title, url ?? null, message, at);
    }
    faultPoint('sink:compose-messages');
    for (const { topic, to } of moves) this.#sql.setCursor.run(key, topic, to);
    this.#sql.noteComposed.run(dropped, digestedAt ?? null, key);
    return true;
  }

  next(sinkId: string): PendingMessage | undefined {
    const row = this.#sql.next.get(sinkId) as unknown as (PendingMessage & { url: string | null }) | undefined;
    return row && withoutNullUrl(row);
  }

  record(sinkId: string, attempt: Attempt): void {
    const key = this.#key(sinkId);
    if (key === undefined) return;
    this.#log(key, attempt);
    if (attempt.fate === 'delivered') this.#deliver(key, attempt);
    else this.#fail(key, attempt);
  }

  note(sinkId: string, attempt: LoggedAttempt): void {
    const key = this.#key(sinkId);
    if (key !== undefined) this.#log(key, attempt);
  }

  revive(sinkId: string): void {
    this.#sql.revive.run(sinkId);
  }

  attempts(sinkId: string, { before = Number.MAX_SAFE_INTEGER, atMost }: Page): AttemptRecord[] {
    const rows = this.#sql.attempts.all(sinkId, before, atMost) as unknown as AttemptRow[];
    return rows.map((row) => toAttempt(row));
  }

  parked(sinkId: string, { before = Number.MAX_SAFE_INTEGER, atMost }: Page): Parked[] {
    const rows = this.#sql.parked.all(sinkId, before, atMost) as unknown as ParkedRow[];
    return rows.map((row) => toParked(row));
  }

  unpark(sinkId: string): number {
    const key = this.#key(sinkId);
    return key === undefined ? 0 : Number(this.#sql.unpark.run(key).changes);
  }

  #deliver(key: number, { n, at, keepTimes }: Attempt): void {
    this.#sql.removeMessage.run(n, key);
    const { sentTimes } = this.#sql.times.get(key) as { sentTimes: string };
    const times = keepTimes === 0 ? [] : [...(JSON.parse(sentTimes) as number[]), at].slice(-keepTimes);
    this.#sql.noteDelivered.run(at, JSON.stringify(times), key);
  }

  #fail(key: number, { n, at, fate, outcome, status, detail = '', waitUntil, isDisabled = false }: Attempt): void {
    const error = JSON.stringify({ at, outcome, ...(status !== undefined && { status }), detail });
    this.#sql.noteTried.run(outcome === 'refused' ? 1 : 0, n, key);
    this.#sql.noteFailed.run(at, waitUntil ?? null, isDisabled ? at : null, error, key);
    if (fate !== 'parked') return;
    this.#sql.park.run(at, error, n, key);
    const { changes: gone } = this.#sql.cutParked.run(key, SINK_PARKED_MESSAGES);
    if (Number(gone) > 0) this.#sql.noteComposed.run(Number(gone), null, key);
  }

  #log(key: number, { messageId, type, title, at, ms, attempt, outcome, status, detail }: LoggedAttempt): void {
    const { n } = this.#sql.nextEntry.get(key) as { n: number };
    this.#sql.addEntry.run(key, n, at, messageId, type, title, attempt, outcome, status ?? null, detail ?? null, ms);
    this.#sql.cutLog.run(key, n - SINK_LOG_ENTRIES);
  }

  #key(sinkId: string): number | undefined {
    return (this.#sql.key.get(sinkId) as { key: number } | undefined)?.key;
  }
}

interface Page {
  readonly before?: number;
  readonly atMost: number;
}

interface SinkRow extends Pick<SinkState, 'sent' | 'parked' | 'pending' | 'dropped'> {
  readonly failingSince: number | null;
  readonly waitUntil: number | null;
  readonly disabledAt: number | null;
  readonly digestedAt: number | null;
  readonly deliveredAt: number | null;
  readonly lastError: string | null;
  readonly sentTimes: string;
}

interface AttemptRow extends Omit<AttemptRecord, 'status' | 'detail'> {
  readonly status: number | null;
  readonly detail: string | null;
}

interface ParkedRow extends Omit<Parked, 'error' | 'url'> {
  readonly url: string | null;
  readonly error: string;
}

/** Rows of SQLite have no prototype, which no test of equality likes. */
function toCursor(row: object): TopicCursor {
  return { ...row } as TopicCursor;
}

function toStanding(row: object): StandingProblem {
  return { ...row } as StandingProblem;
}

function toEvent(row: object): ProblemEvent {
  return { ...row } as ProblemEvent;
}

function withoutNullUrl<Row extends { readonly url?: string | null }>({
  url,
  ...row
}: Row): Omit<Row, 'url'> & { url?: string } {
  return { ...row, ...(typeof url === 'string' && { url }) };
}

function toAttempt({ status, detail, ...row }: AttemptRow): AttemptRecord {
  return { ...row, ...(status !== null && { status }), ...(detail !== null && { detail }) };
}

function toParked({ error, ...row }: ParkedRow): Parked {
  return { ...withoutNullUrl(row), error: JSON.parse(error) as StoredError };
}

function prepareSinks(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  const ofSink = 'sink = (SELECT key FROM sinks WHERE id = ?)';
  const counted = (parked: 0 | 1) =>
    `(SELECT count(*) FROM sink_messages WHERE sink = sinks.key AND is_parked = ${parked})`;
  return {
    key: sql('SELECT key FROM sinks WHERE id = ?'),
    ids: sql('SELECT id FROM sinks'),
    add: sql('INSERT INTO sinks (id) VALUES (?) ON CONFLICT (id) DO NOTHING RETURNING key'),
    remove: [
      sql('DELETE FROM sink_cursors WHERE sink = ?'),
      sql('DELETE FROM sink_messages WHERE sink = ?'),
      sql('DELETE FROM sink_attempts WHERE sink = ?'),
      sql('DELETE FROM sinks WHERE key = ?'),
    ],
    state: sql(`SELECT sent, dropped, failing_since AS failingSince, wait_until AS waitUntil, disabled_at AS disabledAt,
      digested_at AS digestedAt, delivered_at AS deliveredAt, last_error AS lastError, sent_times AS sentTimes,
      ${counted(1)} AS parked, ${counted(0)} AS pending FROM sinks WHERE id = ?`),
    cursor: sql('SELECT position FROM sink_cursors WHERE sink = ? AND topic = ?'),
    cursors: sql(`SELECT topic, position FROM sink_cursors WHERE ${ofSink} ORDER BY topic`),
    setCursor: sql(`INSERT INTO sink_cursors (sink, topic, position) VALUES (?, ?, ?)
      ON CONFLICT (sink, topic) DO UPDATE SET position = excluded.position`),
    dropCursor: sql('DELETE FROM sink_cursors WHERE sink = ? AND topic = ?'),
    addMessage: sql(`INSERT INTO sink_messages (sink, id, type, title, url, message, at) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (sink, id) DO UPDATE SET is_parked = 0, attempts = 0, refusals = 0, parked_at = NULL, error = NULL`),
    noteComposed: sql('UPDATE sinks SET dropped = dropped + ?, digested_at = coalesce(?, digested_at) WHERE key = ?'),
    next: sql(`SELECT n, id, type, title, url, message, attempts, refusals FROM sink_messages
      WHERE ${ofSink} AND is_parked = 0 ORDER BY n LIMIT 1`),
    removeMessage: sql('DELETE FROM sink_messages WHERE n = ? AND sink = ?'),
    times: sql('SELECT sent_times AS sentTimes FROM sinks WHERE key = ?'),
    noteDelivered: sql(`UPDATE sinks SET sent = sent + 1, failing_since = NULL, wait_until = NULL, delivered_at = ?,
      sent_times = ? WHERE key = ?`),
    noteTried: sql(
      'UPDATE sink_messages SET attempts = attempts + 1, refusals = refusals + ? WHERE n = ? AND sink = ?',
    ),
    noteFailed: sql(`UPDATE sinks SET failing_since = coalesce(failing_since, ?), wait_until = ?,
      disabled_at = coalesce(?, disabled_at), last_error = ? WHERE key = ?`),
    park: sql('UPDATE sink_messages SET is_parked = 1, parked_at = ?, error = ? WHERE n = ? AND sink = ?'),
    cutParked: sql(`DELETE FROM sink_messages WHERE sink = ?1 AND is_parked = 1 AND n <= (
      SELECT n FROM sink_messages WHERE sink = ?1 AND is_parked = 1 ORDER BY n DESC LIMIT 1 OFFSET ?2)`),
    unpark: sql(`UPDATE sink_messages SET is_parked = 0, attempts = 0, refusals = 0, parked_at = NULL, error = NULL
      WHERE sink = ? AND is_parked = 1`),
    parked: sql(`SELECT n, id, type, title, url, parked_at AS parkedAt, error FROM sink_messages
      WHERE ${ofSink} AND is_parked = 1 AND n < ? ORDER BY n DESC LIMIT +?`),
    revive: sql('UPDATE sinks SET wait_until = NULL, disabled_at = NULL WHERE id = ?'),
    nextEntry: sql('SELECT coalesce(max(n), 0) + 1 AS n FROM sink_attempts WHERE sink = ?'),
    addEntry:
      sql(`INSERT INTO sink_attempts (sink, n, at, message_id, type, title, attempt, outcome, status, detail, ms)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    cutLog: sql('DELETE FROM sink_attempts WHERE sink = ? AND n <= ?'),
    attempts: sql(`SELECT n, at, message_id AS messageId, type, title, attempt, outcome, status, detail, ms
      FROM sink_attempts WHERE ${ofSink} AND n < ? ORDER BY n DESC LIMIT +?`),
  };
}

/** The log of problems, and which of them are not over. */
export class ProblemStore {
  readonly #sql: ReturnType<typeof prepareProblems>;

  constructor(database: DatabaseSync) {
    this.#sql = prepareProblems(database);
  }

  open(): StandingProblem[] {
    return this.#sql.open.all().map((row) => toStanding(row));
  }

  record(at: number, begun: readonly StandingProblem[], over: readonly EndedProblem[]): number {
    let events = 0;
    for (const { key, after, since, problem } of begun) {
      if (Number(this.#sql.begin.run(key, after, since, problem).changes) === 0) continue;
      this.#sql.append.run(at, 'begun', after, problem);
      events += 1;
    }
    faultPoint('sink:problems-begun');
    for (const { key, after, problem } of over) {
      if (Number(this.#sql.end.run(key, after).changes) === 0 || problem === null) continue;
      this.#sql.append.run(at, 'over', after, problem);
      events += 1;
    }
    if (events > 0) this.#sql.cut.run(this.bounds().head - PROBLEM_EVENTS);
    return events;
  }

  events(after: number, atMost: number): ProblemEvent[] {
    return this.#sql.events.all(after, atMost).map((row) => toEvent(row));
  }

  bounds(): { floor: number; head: number } {
    const head = (this.#sql.head.get() as { seq: number } | undefined)?.seq ?? 0;
    const first = this.#sql.first.get() as { n: number } | undefined;
    return { floor: first === undefined ? head : first.n - 1, head };
  }

  cursorAt(at: number): number {
    const row = this.#sql.firstAt.get(at) as { n: number } | undefined;
    return row === undefined ? this.bounds().head : row.n - 1;
  }
}

function prepareProblems(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  return {
    open: sql('SELECT key, after, since, problem FROM open_problems ORDER BY key, after'),
    begin: sql(`INSERT INTO open_problems (key, after, since, problem) VALUES (?, ?, ?, ?)
      ON CONFLICT (key, after) DO NOTHING`),
    end: sql('DELETE FROM open_problems WHERE key = ? AND after = ?'),
    append: sql('INSERT INTO problem_events (at, kind, after, problem) VALUES (?, ?, ?, ?)'),
    cut: sql('DELETE FROM problem_events WHERE n <= ?'),
    events: sql('SELECT n, at, kind, after, problem FROM problem_events WHERE n > ? ORDER BY n LIMIT +?'),
    head: sql("SELECT seq FROM sqlite_sequence WHERE name = 'problem_events'"),
    first: sql('SELECT n FROM problem_events ORDER BY n LIMIT 1'),
    firstAt: sql('SELECT n FROM problem_events WHERE at >= ? ORDER BY n LIMIT 1'),
  };
}

export function deliveryOperations({
  deliveries,
  problems,
}: {
  readonly deliveries: DeliveryStore;
  readonly problems: ProblemStore;
}): Operations<Deliveries> {
  return {
    openSink: { write: (sinkId, cursors) => deliveries.open(sinkId, cursors) },
    removeSink: { write: (sinkId) => deliveries.remove(sinkId) },
    retainSinks: { write: (sinkIds) => deliveries.retain(sinkIds) },
    sinkState: { read: (sinkId) => deliveries.state(sinkId) },
    cursors: { read: (sinkId) => deliveries.cursors(sinkId) },
    moveCursors: { write: (sinkId, cursors, gone) => deliveries.move(sinkId, cursors, gone) },
    compose: { write: (sinkId, composition) => deliveries.compose(sinkId, composition) },
    nextMessage: { read: (sinkId) => deliveries.next(sinkId) },
    recordAttempt: { write: (sinkId, attempt) => deliveries.record(sinkId, attempt) },
    noteAttempt: { write: (sinkId, attempt) => deliveries.note(sinkId, attempt) },
    reviveSink: { write: (sinkId) => deliveries.revive(sinkId) },
    attempts: { read: (sinkId, question) => deliveries.attempts(sinkId, question) },
    parkedMessages: { read: (sinkId, question) => deliveries.parked(sinkId, question) },
    unparkMessages: { write: (sinkId) => deliveries.unpark(sinkId) },
    openProblems: { read: () => problems.open() },
    recordProblems: { write: (at, begun, over) => problems.record(at, begun, over) },
    problemEvents: { read: (after, atMost) => problems.events(after, atMost) },
    problemBounds: { read: () => problems.bounds() },
    problemCursorAt: { read: (at) => problems.cursorAt(at) },
  };
}
