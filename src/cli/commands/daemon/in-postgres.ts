import { exitCode } from '../../runtime/exit-code.ts';
import { Failure } from '../../runtime/failure.ts';
import type { Session } from '../session.ts';

/** What to do instead, where the data is in PostgreSQL. */
const INSTEAD = {
  backup:
    'back up PostgreSQL itself: pg_basebackup with WAL archiving (for any moment), or pg_dump; and keep the file secret with it',
  restore:
    'restore PostgreSQL with its own tools; a backup of a data directory: hydrant restore without HYDRANT_STORE, then hydrant migrate --to',
  salvage: 'of a damaged PostgreSQL, promote a replica or restore a backup; salvage reads files of SQLite only',
} as const;

/** @throws {Failure} for what works on files of SQLite, where the data is in PostgreSQL */
export async function refuseInPostgres(
  { context }: Session,
  what: keyof typeof INSTEAD,
  dataDir: string,
): Promise<void> {
  const { inPostgres } = await context.upkeep();
  const place = await inPostgres(dataDir, context.environment);
  if (place === undefined) return;
  const says = `the data of ${dataDir} is in ${place}, and hydrant ${what} is for a data directory`;
  throw new Failure('refused', exitCode.no, says, { hint: INSTEAD[what] });
}
