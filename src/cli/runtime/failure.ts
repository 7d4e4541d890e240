import { getSystemErrorMap } from 'node:util';
import type { Diagnostic } from '../../shared/api/diagnostic.ts';
import { type ExitCode, exitCode } from './exit-code.ts';

/** What a failure tells besides its message; each becomes a line below it, and a key of the JSON form. */
interface FailureDetails {
  /** The text the message speaks of, and the part of it that is wrong: printed with carets below. */
  readonly source?: string;
  readonly span?: { readonly start: number; readonly end: number };
  readonly field?: string;
  readonly hint?: string;
  /** A command that would have worked. */
  readonly try?: string;
  readonly docs?: string;
  /** All findings about the query; the message is the first one's. */
  readonly diagnostics?: readonly Diagnostic[];
}

/**
 * Every way a command ends badly: one sentence, a stable word for scripts, and the exit code. `main` prints it;
 * anything else that is thrown is a bug.
 */
export class Failure extends Error {
  override readonly name: string = 'Failure';
  readonly exitCode: ExitCode;
  readonly code: string;
  readonly details: FailureDetails;

  constructor(code: string, exitCode: ExitCode, message: string, options: FailureDetails & { cause?: unknown } = {}) {
    const { cause, ...details } = options;
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.exitCode = exitCode;
    this.details = details;
  }
}

/** The command line itself is wrong; nothing was changed. */
export class UsageError extends Failure {
  override readonly name: string = 'UsageError';

  constructor(message: string, details: FailureDetails = {}, code = 'usage', exit: ExitCode = exitCode.usage) {
    super(code, exit, message, details);
  }
}

/** What the operator alone may do was asked for with a key: nothing administrative listens on the network. */
export class OperatorOnly extends UsageError {
  override readonly name = 'OperatorOnly';

  constructor(what: string) {
    super(`${what} works on the daemon's own machine only, over its Unix socket`, {
      hint: 'run it there, or from here through SSH: hydrant context add NAME ssh://user@host',
    });
  }
}

/** A tap, rule, key or source that was named and is not there: the answer of a 404, found out by ourselves. */
export class NotFound extends UsageError {
  override readonly name = 'NotFound';

  constructor(message: string, details: FailureDetails = {}) {
    super(message, details, 'not_found', exitCode.notFound);
  }
}

/** Why the system refused, in its words and with its code: `no such file or directory (ENOENT)`. */
export function systemReason(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return String(error);
  const number = 'errno' in error && typeof error.errno === 'number' ? error.errno : 0;
  const said = getSystemErrorMap().get(number)?.[1];
  return said === undefined ? String(error.code) : `${said} (${String(error.code)})`;
}

/**
 * What `upkeep` throws, as the command line tells it: its refusals have a message with the fix in it and a `kind`, and
 * what the system refuses names a file. Anything else is a bug, and stays as it is.
 */
export function upkeepFailure(error: unknown): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  if ('kind' in error && error.name === 'StartFailure') {
    const isSetting = error.kind === 'configuration';
    return new Failure('refused', isSetting ? exitCode.configuration : exitCode.no, error.message, { cause: error });
  }
  if (!('syscall' in error)) return error;
  const place = 'path' in error && typeof error.path === 'string' ? error.path : 'a file';
  return new Failure('environment', exitCode.no, `${place}: ${systemReason(error)}`, { cause: error });
}
