import { SINK_LOG_ENTRIES, SINK_PARKED_MESSAGES } from '../../../../shared/limits.ts';
import type {
  Attempt,
  AttemptRecord,
  Composition,
  Deliveries,
  EndedProblem,
  LoggedAttempt,
  NewMessage,
  Parked,
  PendingMessage,
  ProblemEvent,
  SinkState,
  StandingProblem,
  StoredError,
  TopicCursor,
} from '../../deliveries.ts';
import { columnsOf, storable } from '../connection/columns.ts';
import type { Database, Transaction } from '../connection/database.ts';
import type { ProblemStore } from './problem-store.ts';

/** Sinks on PostgreSQL. What changes one holds its row; what is bounded is cut where it is written. */
export class DeliveryStore implements Deliveries {
  readonly #database: Database;
  readonly #problems: ProblemStore;

  constructor(database: Database, problems: ProblemStore) {
    this.#database = database;
    this.#problems = problems;
  }

  async openSink(sinkId: string, cursors: readonly TopicCursor[]): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      const [added] = await transaction.query<SinkKey>(ADD_SINK, [sinkId]);
      if (added) await setCursors(transaction, added.key, cursors);
    });
  }

  async removeSink(sinkId: string): Promise<void> {
    await this.#changing(sinkId, undefined, async (transaction, { key }) => {
      for (const statement of REMOVE) await transaction.query(statement, [key]);
    });
  }

  async retainSinks(sinkIds: readonly string[]): Promise<number> {
    const others = await this.#database.query<{ id: string }>(OTHERS, [sinkIds]);
    for (const { id } of others) await this.removeSink(id);
    return others.length;
  }

  async sinkState(sinkId: string): Promise<SinkState | undefined> {
    const [row] = await this.#database.query<StateRow>(STATE, [sinkId]);
    if (!row) return undefined;
    const { lastError, sentTimes, ...state } = row;
    return {
      ...state,
      failingSince: row.failingSince ?? undefined,
      waitUntil: row.waitUntil ?? undefined,
      disabledAt: row.disabledAt ?? undefined,
      digestedAt: row.digestedAt ?? undefined,
      deliveredAt: row.deliveredAt ?? undefined,
      lastError: lastError === null ? undefined : (JSON.parse(lastError) as StoredError),
      sentTimes: timesOf(sentTimes),
    };
  }

  cursors(sinkId: string): Promise<TopicCursor[]> {
    return this.#database.query<TopicCursor>(CURSORS, [sinkId]);
  }

  async moveCursors(sinkId: string, cursors: readonly TopicCursor[], gone: readonly string[] = []): Promise<void> {
    await this.#changing(sinkId, undefined, async (transaction, { key }) => {
      await transaction.query('DELETE FROM sink_cursors WHERE sink = $1 AND topic = ANY($2::text[])', [key, gone]);
      await setCursors(transaction, key, cursors);
    });
  }

  compose(sinkId: string, { messages, moves, dropped, at, digestedAt }: Composition): Promise<boolean> {
    return this.#changing(sinkId, false, async (transaction, { key }) => {
      const topics = moves.map(({ topic }) => topic);
      const known = await transaction.query<TopicCursor>(CURSORS_OF, [key, topics]);
      const positions = new Map(known.map(({ topic, position }) => [topic, position]));
      if (moves.some(({ topic, from }) => (positions.get(topic) ?? 0) !== from)) return false;
      await addMessages(transaction, { key, at }, messages);
      await setCursors(
        transaction,
        key,
        moves.map(({ topic, to }) => ({ topic, position: to })),
      );
      await transaction.query(NOTE_COMPOSED, [dropped, digestedAt ?? null, key]);
      return true;
    });
  }

  async nextMessage(sinkId: string): Promise<PendingMessage | undefined> {
    const [row] = await this.#database.query<WithNullUrl<PendingMessage>>(NEXT, [sinkId]);
    return row && withoutNullUrl(row);
  }

  async recordAttempt(sinkId: string, attempt: Attempt): Promise<void> {
    await this.#changing(sinkId, undefined, async (transaction, sink) => {
      await logAttempt(transaction, sink.key, attempt);
      if (attempt.fate === 'delivered') await noteDelivered(transaction, sink, attempt);
      else await noteFailed(transaction, sink.key, attempt);
    });
  }

  async noteAttempt(sinkId: string, attempt: LoggedAttempt): Promise<void> {
    await this.#changing(sinkId, undefined, (transaction, { key }) => logAttempt(transaction, key, attempt));
  }

  async reviveSink(sinkId: string): Promise<void> {
    await this.#database.query('UPDATE sinks SET wait_until = NULL, disabled_at = NULL WHERE id = $1', [sinkId]);
  }

  async attempts(sinkId: string, { before = Number.MAX_SAFE_INTEGER, atMost }: Part): Promise<AttemptRecord[]> {
    const rows = await this.#database.query<AttemptRow>(ATTEMPTS, [sinkId, before, atMost]);
    return rows.map(toAttempt);
  }

  async parkedMessages(sinkId: string, { before = Number.MAX_SAFE_INTEGER, atMost }: Part): Promise<Parked[]> {
    const rows = await this.#database.query<ParkedRow>(PARKED, [sinkId, before, atMost]);
    return rows.map(toParked);
  }

  unparkMessages(sinkId: string): Promise<number> {
    return this.#changing(sinkId, 0, async (transaction, { key }) => {
      return (await transaction.query(UNPARK, [key])).length;
    });
  }

  openProblems(): Promise<StandingProblem[]> {
    return this.#problems.open();
  }

  recordProblems(at: number, begun: readonly StandingProblem[], over: readonly EndedProblem[]): Promise<number> {
    return this.#problems.record(at, begun, over);
  }

  problemEvents(after: number, atMost: number): Promise<ProblemEvent[]> {
    return this.#problems.events(after, atMost);
  }

  problemBounds(): Promise<{ floor: number; head: number }> {
    return this.#problems.bounds();
  }

  problemCursorAt(at: number): Promise<number> {
    return this.#problems.cursorAt(at);
  }

  /** Nobody else changes the sink meanwhile. `otherwise`: the answer where it is gone. */
  #changing<T>(
    sinkId: string,
    otherwise: T,
    work: (transaction: Transaction, sink: LockedSink) => Promise<T>,
  ): Promise<T> {
    return this.#database.transaction(async (transaction) => {
      const [sink] = await transaction.query<LockedSink>(LOCK_SINK, [sinkId]);
      return sink ? work(transaction, sink) : otherwise;
    });
  }
}

interface Part {
  readonly before?: number;
  readonly atMost: number;
}

interface SinkKey {
  readonly key: number;
}

interface LockedSink extends SinkKey {
  /** JSON. */
  readonly sentTimes: string;
}

interface StateRow extends Pick<SinkState, 'sent' | 'parked' | 'pending' | 'dropped'> {
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

type WithNullUrl<Row> = Omit<Row, 'url'> & { readonly url: string | null };

interface ParkedRow extends WithNullUrl<Omit<Parked, 'error'>> {
  readonly error: string;
}

function withoutNullUrl<Row extends { readonly url: string | null }>({
  url,
  ...row
}: Row): Omit<Row, 'url'> & { url?: string } {
  return { ...row, ...(url !== null && { url }) };
}

function toAttempt({ status, detail, ...row }: AttemptRow): AttemptRecord {
  return { ...row, ...(status !== null && { status }), ...(detail !== null && { detail }) };
}

function toParked({ error, ...row }: ParkedRow): Parked {
  return { ...withoutNullUrl(row), error: JSON.parse(error) as StoredError };
}

function timesOf(json: string): number[] {
  return JSON.parse(json) as number[];
}

async function setCursors(transaction: Transaction, sink: number, cursors: readonly TopicCursor[]): Promise<void> {
  // One row of a statement is written once; the last word on a topic counts.
  const positions = new Map(cursors.map(({ topic, position }) => [topic, position]));
  if (positions.size === 0) return;
  await transaction.query(SET_CURSORS, [sink, [...positions.keys()], [...positions.values()]]);
}

async function addMessages(
  transaction: Transaction,
  { key, at }: { readonly key: number; readonly at: number },
  messages: readonly NewMessage[],
): Promise<void> {
  const first = new Map(messages.toReversed().map((message) => [message.id, message]));
  const each = messages.filter((message) => first.get(message.id) === message);
  if (each.length === 0) return;
  const columns = columnsOf(
    each,
    ({ id }) => storable(id),
    ({ type }) => type,
    ({ title }) => storable(title),
    ({ url }) => storable(url) ?? null,
    ({ message }) => message,
  );
  await transaction.query(ADD_MESSAGES, [key, at, ...columns]);
}

async function logAttempt(transaction: Transaction, sink: number, entry: LoggedAttempt): Promise<void> {
  const { messageId, type, title, at, ms, attempt, outcome, status, detail } = entry;
  const about = [at, storable(messageId), type, storable(title), attempt, outcome, status, storable(detail), ms];
  const [added] = await transaction.query<{ n: number }>(ADD_ENTRY, [sink, ...about]);
  await transaction.query('DELETE FROM sink_attempts WHERE sink = $1 AND n <= $2', [
    sink,
    (added?.n ?? 0) - SINK_LOG_ENTRIES,
  ]);
}

async function noteDelivered(transaction: Transaction, sink: LockedSink, attempt: Attempt): Promise<void> {
  const { n, at, keepTimes } = attempt;
  await transaction.query('DELETE FROM sink_messages WHERE n = $1 AND sink = $2', [n, sink.key]);
  const times = keepTimes === 0 ? [] : [...timesOf(sink.sentTimes), at].slice(-keepTimes);
  await transaction.query(NOTE_DELIVERED, [at, JSON.stringify(times), sink.key]);
}

async function noteFailed(transaction: Transaction, sink: number, attempt: Attempt): Promise<void> {
  const { n, at, fate, outcome, status, waitUntil, isDisabled = false } = attempt;
  const detail = storable(attempt.detail) ?? '';
  const error = JSON.stringify({ at, outcome, ...(status !== undefined && { status }), detail });
  await transaction.query(NOTE_TRIED, [outcome === 'refused' ? 1 : 0, n, sink]);
  await transaction.query(NOTE_FAILED, [at, waitUntil ?? null, isDisabled ? at : null, error, sink]);
  if (fate !== 'parked') return;
  await transaction.query(PARK, [at, error, n, sink]);
  const cut = await transaction.query(CUT_PARKED, [sink, SINK_PARKED_MESSAGES]);
  if (cut.length > 0) await transaction.query(NOTE_COMPOSED, [cut.length, null, sink]);
}

const ADD_SINK = 'INSERT INTO sinks (id) VALUES ($1) ON CONFLICT (id) DO NOTHING RETURNING key';

const LOCK_SINK = 'SELECT key, sent_times AS "sentTimes" FROM sinks WHERE id = $1 FOR UPDATE';

/** Also those in the catalog are kept: another node may have added a sink since the caller has read it. */
const OTHERS = `SELECT id FROM sinks WHERE NOT EXISTS (SELECT FROM unnest($1::text[]) AS kept WHERE kept = sinks.id)
  AND NOT EXISTS (SELECT FROM catalog WHERE kind = 'sinks' AND catalog.id = sinks.id)`;

const REMOVE = [
  'DELETE FROM sink_cursors WHERE sink = $1',
  'DELETE FROM sink_messages WHERE sink = $1',
  'DELETE FROM sink_attempts WHERE sink = $1',
  'DELETE FROM sinks WHERE key = $1',
];

const OF_SINK = 'sink = (SELECT key FROM sinks WHERE id = $1)';

const STATE = `SELECT sent, dropped, failing_since AS "failingSince", wait_until AS "waitUntil", disabled_at AS "disabledAt",
  digested_at AS "digestedAt", delivered_at AS "deliveredAt", last_error AS "lastError", sent_times AS "sentTimes",
  (SELECT count(*) FROM sink_messages WHERE sink = sinks.key AND is_parked) AS parked,
  (SELECT count(*) FROM sink_messages WHERE sink = sinks.key AND NOT is_parked) AS pending FROM sinks WHERE id = $1`;

const CURSORS = `SELECT topic, position FROM sink_cursors WHERE ${OF_SINK} ORDER BY topic`;

const CURSORS_OF = 'SELECT topic, position FROM sink_cursors WHERE sink = $1 AND topic = ANY($2::text[])';

const SET_CURSORS = `INSERT INTO sink_cursors (sink, topic, position)
  SELECT $1, topic, position FROM unnest($2::text[], $3::bigint[]) AS moved (topic, position)
  ON CONFLICT (sink, topic) DO UPDATE SET position = excluded.position`;

const ANEW = 'is_parked = false, attempts = 0, refusals = 0, parked_at = NULL, error = NULL';

/** Numbered in the order in which they come. */
const ADD_MESSAGES = `INSERT INTO sink_messages (sink, at, id, type, title, url, message)
  SELECT $1, $2, id, type, title, url, message
  FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
    WITH ORDINALITY AS made (id, type, title, url, message, place)
  ORDER BY place ON CONFLICT (sink, id) DO UPDATE SET ${ANEW}`;

const NOTE_COMPOSED = `UPDATE sinks SET dropped = dropped + $1, digested_at = coalesce($2, digested_at) WHERE key = $3`;

const NEXT = `SELECT n, id, type, title, url, message, attempts, refusals FROM sink_messages
  WHERE ${OF_SINK} AND NOT is_parked ORDER BY n LIMIT 1`;

const NOTE_DELIVERED = `UPDATE sinks SET sent = sent + 1, failing_since = NULL, wait_until = NULL, delivered_at = $1,
  sent_times = $2 WHERE key = $3`;

const NOTE_TRIED = `UPDATE sink_messages SET attempts = attempts + 1, refusals = refusals + $1 WHERE n = $2 AND sink = $3`;

const NOTE_FAILED = `UPDATE sinks SET failing_since = coalesce(failing_since, $1), wait_until = $2,
  disabled_at = coalesce($3, disabled_at), last_error = $4 WHERE key = $5`;

const PARK = 'UPDATE sink_messages SET is_parked = true, parked_at = $1, error = $2 WHERE n = $3 AND sink = $4';

const CUT_PARKED = `DELETE FROM sink_messages WHERE sink = $1 AND is_parked AND n <= (
  SELECT n FROM sink_messages WHERE sink = $1 AND is_parked ORDER BY n DESC LIMIT 1 OFFSET $2) RETURNING n`;

const UNPARK = `UPDATE sink_messages SET ${ANEW} WHERE sink = $1 AND is_parked RETURNING n`;

const PARKED = `SELECT n, id, type, title, url, parked_at AS "parkedAt", error FROM sink_messages
  WHERE ${OF_SINK} AND is_parked AND n < $2 ORDER BY n DESC LIMIT $3`;

const ADD_ENTRY = `INSERT INTO sink_attempts (sink, n, at, message_id, type, title, attempt, outcome, status, detail, ms)
  SELECT $1, coalesce(max(n), 0) + 1, $2, $3, $4, $5, $6, $7, $8, $9, $10 FROM sink_attempts WHERE sink = $1
  RETURNING n`;

const ATTEMPTS = `SELECT n, at, message_id AS "messageId", type, title, attempt, outcome, status, detail, ms
  FROM sink_attempts WHERE ${OF_SINK} AND n < $2 ORDER BY n DESC LIMIT $3`;
