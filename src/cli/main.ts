import type { ProcessLike, Programs } from './runtime/process-context.ts';
import { exitCode } from './runtime/exit-code.ts';
import { readVersion } from './runtime/version.ts';

/**
 * The command line as a program: words in, an exit code out. It never calls `exit` after output, which would cut a
 * pipe at 64 KiB; `bin/` sets `process.exitCode` and lets the process end. All the rest is loaded only once it is
 * known that a command is wanted.
 */
export async function main(argv: readonly string[], io: ProcessLike, programs: Programs): Promise<number> {
  const closed = watchPipe(io);
  if (argv.length === 1 && VERSION.has(argv[0] ?? '')) {
    io.stdout.write(`${readVersion()}\n`);
    return exitCode.ok;
  }
  if (argv[0] === '__complete') {
    const [{ printCompletion }, { makeContext }] = await Promise.all([
      import('./commands/complete.ts'),
      import('./runtime/process-context.ts'),
    ]);
    await printCompletion(makeContext(io, programs, closed), argv.slice(1));
    return exitCode.ok;
  }
  const { runCommand } = await import('./runtime/run.ts');
  return runCommand(argv, io, programs, closed);
}

/** `-v` alone: with other words it is no flag, for commands elsewhere mean `--verbose` by it. */
const VERSION: ReadonlySet<string> = new Set(['--version', '-V', '-v']);

/** How long a command that outlives its reader may take to clean up. */
const AFTER_CLOSE_MS = 3_000;

/**
 * A closed pipe (`| head -1`) is silent success, as everywhere. Node reports it as an asynchronous error of the
 * stream: unheard, it would be a stack trace. There is no output left that ending the process could cut.
 */
function watchPipe(io: ProcessLike): AbortSignal {
  const closed = new AbortController();
  io.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (closed.signal.aborted) return;
    closed.abort();
    const isClosed = error.code === 'EPIPE';
    if (!isClosed) io.stderr.write(`error: cannot write to stdout: ${error.code ?? error.message}\n`);
    const leaving = setTimeout(() => io.exit(isClosed ? exitCode.ok : exitCode.no), isClosed ? AFTER_CLOSE_MS : 0);
    // A command that has already ended is not held up by a closed pipe; a full disk is its failure all the same.
    if (isClosed) leaving.unref();
  });
  // Nobody can be told, and a daemon must outlive the terminal it was started from.
  io.stderr.on('error', () => {});
  return closed.signal;
}
