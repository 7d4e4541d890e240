import { PROBLEM_EVENTS } from '../../../../shared/limits.ts';
import type { EndedProblem, ProblemEvent, StandingProblem } from '../../deliveries.ts';
import { columnsOf, storable } from '../connection/columns.ts';
import type { Database, Transaction } from '../connection/database.ts';

type NewEvent = Pick<ProblemEvent, 'kind' | 'after' | 'problem'>;
type Named = Pick<StandingProblem, 'key' | 'after'>;

/** The log of problems on PostgreSQL, and which of them are not over. */
export class ProblemStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  open(): Promise<StandingProblem[]> {
    return this.#database.query<StandingProblem>(
      'SELECT key, after, since, problem FROM open_problems ORDER BY key, after',
    );
  }

  record(at: number, begun: readonly StandingProblem[], over: readonly EndedProblem[]): Promise<number> {
    return this.#database.transaction(async (transaction) => {
      await transaction.query('SELECT FROM problem_log FOR UPDATE');
      const isNew = await written(transaction, BEGIN, [...nameColumns(begun), ...factColumns(begun)]);
      const isOver = await written(transaction, END, nameColumns(over));
      const events = [
        ...begun.filter(isNew).map(({ after, problem }) => ({ kind: 'begun' as const, after, problem })),
        ...over.filter(isOver).flatMap(({ after, problem }) => {
          return problem === null ? [] : { kind: 'over' as const, after, problem };
        }),
      ];
      if (events.length > 0) await append(transaction, at, events);
      return events.length;
    });
  }

  events(after: number, atMost: number): Promise<ProblemEvent[]> {
    return this.#database.query<ProblemEvent>(EVENTS, [after, atMost]);
  }

  async bounds(): Promise<{ floor: number; head: number }> {
    const [bounds] = await this.#database.query<{ floor: number; head: number }>(BOUNDS);
    return bounds ?? { floor: 0, head: 0 };
  }

  async cursorAt(at: number): Promise<number> {
    const [row] = await this.#database.query<{ cursor: number }>(CURSOR_AT, [at]);
    return row?.cursor ?? 0;
  }
}

/** Runs a statement that answers the names of what it has written; whether a name is one of them, said once of each. */
async function written(
  transaction: Transaction,
  statement: string,
  values: unknown[],
): Promise<(one: Named) => boolean> {
  const rows = await transaction.query<Named>(statement, values);
  const names = new Set(rows.map(nameOf));
  return (one) => names.delete(nameOf(one));
}

async function append(transaction: Transaction, at: number, events: readonly NewEvent[]): Promise<void> {
  const columns = columnsOf(
    events,
    ({ kind }) => kind,
    ({ after }) => after,
    ({ problem }) => problem,
  );
  await transaction.query(APPEND, [at, ...columns]);
  await transaction.query(CUT, [events.length, PROBLEM_EVENTS]);
}

function nameColumns(problems: readonly Named[]): unknown[][] {
  return columnsOf(
    problems,
    ({ key }) => storable(key),
    ({ after }) => after,
  );
}

function factColumns(problems: readonly StandingProblem[]): unknown[][] {
  return columnsOf(
    problems,
    ({ since }) => since,
    ({ problem }) => problem,
  );
}

function nameOf({ key, after }: Named): string {
  return `${after} ${storable(key)}`;
}

const BEGIN = `INSERT INTO open_problems (key, after, since, problem)
  SELECT * FROM unnest($1::text[], $2::integer[], $3::bigint[], $4::text[])
  ON CONFLICT (key, after) DO NOTHING RETURNING key, after`;

const END = `DELETE FROM open_problems USING unnest($1::text[], $2::integer[]) AS over (key, after)
  WHERE open_problems.key = over.key AND open_problems.after = over.after RETURNING over.key, over.after`;

/** The row of the log is locked. */
const APPEND = `INSERT INTO problem_events (n, at, kind, after, problem)
  SELECT head + place, $1, kind, after, problem
  FROM problem_log, unnest($2::text[], $3::integer[], $4::text[]) WITH ORDINALITY AS event (kind, after, problem, place)`;

const CUT = `WITH advanced AS (
    UPDATE problem_log SET head = head + $1 RETURNING head
  )
  DELETE FROM problem_events USING advanced WHERE n <= advanced.head - $2`;

const EVENTS = 'SELECT n, at, kind, after, problem FROM problem_events WHERE n > $1 ORDER BY n LIMIT $2';

const BOUNDS = `SELECT coalesce((SELECT min(n) - 1 FROM problem_events), head) AS floor, head FROM problem_log`;

const CURSOR_AT = `SELECT coalesce((SELECT min(n) - 1 FROM problem_events WHERE at >= $1), head) AS cursor FROM problem_log`;
