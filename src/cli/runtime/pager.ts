import { spawn } from 'node:child_process';
import type { Context } from './context.ts';
import { pacedWrite } from './output.ts';

/** Exit codes of a shell that could not start the program. */
const NOT_STARTED: ReadonlySet<number | null> = new Set([126, 127]);

/**
 * A long text for people: through `$PAGER` (less) on a terminal, as git does it; anywhere else, and where there is no
 * such program, straight to stdout. `less` ends by itself where the text fits the screen, and shows its colours.
 */
export async function throughPager(
  context: Pick<Context, 'io' | 'environment' | 'closed'>,
  text: string,
): Promise<void> {
  const pager = pagerOf(context);
  if (pager === undefined || !(await paged(pager, text, context.environment))) {
    await pacedWrite(context.io.stdout, text, context.closed);
  }
}

/** Undefined: none. An empty `PAGER` and `cat` are its names for "none". */
export function pagerOf({ io: { stdout }, environment }: Pick<Context, 'io' | 'environment'>): string | undefined {
  const isTerminal = stdout.isTTY === true && 'fd' in stdout && stdout.fd === 1 && environment['TERM'] !== 'dumb';
  const pager = environment['PAGER'] ?? 'less';
  return !isTerminal || pager.trim() === '' || pager.trim() === 'cat' ? undefined : pager;
}

/** False: the pager could not be started, and nothing was shown. */
async function paged(pager: string, text: string, environment: Context['environment']): Promise<boolean> {
  const child = spawn(pager, {
    shell: true,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { ...environment, LESS: environment['LESS'] ?? 'FRX' },
  });
  // Ctrl-C belongs to the pager, which shares our terminal; who leaves it early closes the pipe.
  const stay = (): void => {};
  process.on('SIGINT', stay);
  child.stdin.on('error', () => {});
  child.stdin.end(text);
  try {
    return await new Promise<boolean>((resolve) => {
      child.on('error', () => resolve(false));
      child.on('close', (code) => resolve(!NOT_STARTED.has(code)));
    });
  } finally {
    process.off('SIGINT', stay);
  }
}
