import { exitCode } from '../../exit-code.ts';
import { Failure, systemReason } from '../../failure.ts';

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
