import { hasPostgres, prepareCluster, WITHOUT_POSTGRES } from '../postgres-cluster.ts';
import { inMemory, type NewService, onPostgres, onPostgresByThree, onSqlite } from '../model/services.ts';
import { walk } from '../model/walk.ts';

interface Place {
  readonly name: string;
  readonly open: () => Promise<NewService>;
  readonly isInterleaved?: true;
}

const places: readonly Place[] = [
  { name: 'in memory', open: inMemory },
  { name: 'on SQLite', open: onSqlite },
  { name: 'on SQLite, three clients at once', open: onSqlite, isInterleaved: true },
];

const onDatabase: readonly Place[] = [
  { name: 'on PostgreSQL', open: onPostgres },
  { name: 'on PostgreSQL, three clients at once', open: onPostgres, isInterleaved: true },
  { name: 'on PostgreSQL, three clients at once, each with a daemon', open: onPostgresByThree, isInterleaved: true },
];

/** So many random steps of the service against a plain model of it, in each place. */
export async function model(steps: number, seed = Math.floor(Math.random() * 2 ** 31)): Promise<string[]> {
  const taken: string[] = [];
  let place = '';
  const removeCluster = prepareCluster();
  try {
    for (const { name, ...options } of hasPostgres ? [...places, ...onDatabase] : places) {
      place = name;
      taken.push(`${await walk(steps, { ...options, seed })} ${name}`);
    }
    const skipped = hasPostgres ? '' : `; not on PostgreSQL: ${WITHOUT_POSTGRES}`;
    return [`model: steps without a difference: ${taken.join('; ')} (seed ${seed})${skipped}`];
  } catch (difference) {
    if (!(difference instanceof Error)) return [`model: seed ${seed}, ${place}`, String(difference)];
    // What fast-check says is the history; what differed after it is the cause.
    return [`model: seed ${seed}, ${place}`, difference.message, String(difference.cause)];
  } finally {
    await removeCluster();
  }
}
