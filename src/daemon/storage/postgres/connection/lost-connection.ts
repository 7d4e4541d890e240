import { DatabaseError } from 'pg';
import { StorageUnavailable } from '../../unavailable.ts';

/**
 * Whether the connection is of no more use: it broke off, PostgreSQL shuts down (class 57P), or has become a standby (25006).
 * What PostgreSQL itself refuses is a `DatabaseError`; all else that `pg` throws is of the connection.
 */
export function isLost(error: unknown): boolean {
  if (error instanceof StorageUnavailable) return true;
  if (error instanceof DatabaseError) return /^(?:57P0[1-5]|08...|25006)$/.test(error.code ?? '');
  if (!(error instanceof Error)) return false;
  // Of a socket that the server has ended while something was still to be written, Node names no system call.
  return ('code' in error && ('syscall' in error || error.code === 'EPIPE')) || CONNECTION_ENDED.test(error.message);
}

/** What `pg` says of a connection that it can no longer use; it has no codes for these. */
const CONNECTION_ENDED =
  /^(?:Connection terminated|Client has encountered a connection error|Query read timeout|timeout (?:expired|exceeded))/i;

export function unavailable(cause: unknown, options: { readonly isOutcomeUnknown?: boolean } = {}): StorageUnavailable {
  if (cause instanceof StorageUnavailable) return cause;
  return new StorageUnavailable(`The connection to PostgreSQL was lost: ${reasonOf(cause)}`, { cause, ...options });
}

export function reasonOf(error: unknown): string {
  // Of an address with several addresses Node says only that all of them failed.
  if (error instanceof AggregateError) return error.errors.map((one: unknown) => reasonOf(one)).join(', ');
  return error instanceof Error ? error.message : String(error);
}
