import { runProgram } from '../commands/program.ts';
import { makeContext, type ProcessLike, type Programs } from './process-context.ts';
import { exitCode } from './exit-code.ts';
import { Failure } from './failure.ts';
import { paintFor } from './output.ts';
import { report, type ReportForm } from '../text/report.ts';

/** Runs one command. What is thrown anywhere below ends here: one error on stderr, and its exit code. */
export async function runCommand(
  argv: readonly string[],
  io: ProcessLike,
  programs: Programs,
  closed: AbortSignal,
): Promise<number> {
  try {
    return await runProgram(makeContext(io, programs, closed), argv, programs.name ?? 'hydrant');
  } catch (error) {
    if (closed.aborted) return exitCode.ok;
    io.stderr.write(report(error, reportForm(argv, io)));
    return error instanceof Failure ? error.exitCode : exitCode.bug;
  }
}

/** The flags may be what is wrong, so the form is read from the words as they were typed. */
function reportForm(argv: readonly string[], io: ProcessLike): ReportForm {
  const end = argv.indexOf('--');
  const words = end === -1 ? argv : argv.slice(0, end);
  return {
    json: words.includes('--json'),
    paint: paintFor(io.stderr, io.env, words.includes('--no-color') ? { color: false } : {}),
    width: io.stderr.columns ?? 80,
    wraps: io.stderr.isTTY === true,
    stack: (io.env['HYDRANT_DEBUG'] ?? '') === '1',
  };
}
