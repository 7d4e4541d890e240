import { spawn } from 'node:child_process';
import type { Context, Environment, Output } from './context.ts';
import { systemReason, UsageError } from './failure.ts';
import { withoutTags } from '../../shared/text/printable.ts';
import { pacedWrite } from './output.ts';

/** Characters of one variable: a system refuses a command whose environment is large. */
const VARIABLE = 4_096;

interface Job {
  /** What the command reads from its stdin. */
  readonly input: string;
  /** `MATCH_URL` → `HYDRANT_MATCH_URL`; what is absent is not set. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

interface ExecOptions {
  /** For the shell of the system. */
  readonly command: string;
  /** So many at a time. */
  readonly jobs: number;
  readonly environment: Environment;
  readonly stdout: Output;
  readonly stderr: Output;
}

/** Runs one command for each match or change, so many at a time. Who has none free waits, and so do the stream and the daemon. */
export class Exec {
  readonly #options: ExecOptions;
  readonly #closed: AbortSignal;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** @param closed no job will be started any more */
  constructor(options: ExecOptions, closed: AbortSignal) {
    this.#options = options;
    this.#closed = closed;
    closed.addEventListener('abort', () => this.#wake(), { once: true });
  }

  /** Resolves when a job may be started, or at once when none will be. */
  async room(): Promise<void> {
    while (this.#running >= this.#options.jobs && !this.#closed.aborted) await this.oneEnds();
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    while (this.#running > 0) await this.oneEnds();
  }

  /** Undefined when it succeeded; else what is to be told: `exit code 3`. Never rejects. */
  async run(job: Job): Promise<string | undefined> {
    this.#running += 1;
    try {
      return await this.#spawned(job);
    } finally {
      this.#running -= 1;
      this.#wake();
    }
  }

  /** Resolves when a job ends, or none will be started any more. */
  async oneEnds(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  async #spawned({ input, variables }: Job): Promise<string | undefined> {
    const { command, environment, stdout, stderr } = this.#options;
    return new Promise((resolve) => {
      try {
        const child = spawn(command, {
          shell: true,
          env: { ...environment, ...named(variables) },
          stdio: ['pipe', descriptorOf(stdout), descriptorOf(stderr)],
        });
        child.on('error', (error) => resolve(systemReason(error)));
        child.on('close', (code, signal) => resolve(code === 0 ? undefined : endOf(code, signal)));
        // A command need not read what it is given.
        child.stdin?.on('error', () => {});
        child.stdin?.end(withoutTags(input));
      } catch (error) {
        resolve(systemReason(error));
      }
    });
  }
}

function endOf(code: number | null, signal: NodeJS.Signals | null): string {
  return code === null ? `ended by ${String(signal)}` : `exit code ${code}`;
}

/** What the command says goes where we would say it; a stream that is none of the process's is not given away. */
function descriptorOf(stream: Output): number | 'ignore' {
  return 'fd' in stream && typeof stream.fd === 'number' ? stream.fd : 'ignore';
}

function named(variables: Job['variables']): Record<string, string> {
  const pairs = Object.entries(variables).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [[`HYDRANT_${name}`, withoutTags(value).replaceAll('\0', '').slice(0, VARIABLE)] as const],
  );
  return Object.fromEntries(pairs);
}

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

/**
 * Shows a page in the reader's browser: `$BROWSER`, else what the system has for it. The URL is one argument and never
 * goes through a shell; what is no http(s) URL is not handed to another program at all.
 * @returns a sentence, when the browser has begun. @throws {UsageError} that says why it has not
 */
export async function browse(url: string, environment: Environment, platform: NodeJS.Platform): Promise<string> {
  const [program, ...words] = browserOf(url, environment, platform);
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { stdio: 'ignore', detached: true });
    child.on('error', () => reject(new UsageError(`cannot open a browser: ${program} does not start; set BROWSER`)));
    child.on('spawn', () => {
      child.unref();
      resolve(`opened ${url}`);
    });
  });
}

/** @throws {UsageError} */
export function browserOf(
  address: string,
  environment: Environment,
  platform: NodeJS.Platform,
): [program: string, ...words: string[]] {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) throw new UsageError(`${address} is not a web page`);
  // A list is parted by colons, and each may say where the URL goes.
  const [program, ...words] = (environment['BROWSER'] ?? '').split(':')[0]?.trim().split(/\s+/).filter(Boolean) ?? [];
  if (program === undefined) return [platform === 'darwin' ? 'open' : 'xdg-open', url.href];
  return words.includes('%s')
    ? [program, ...words.map((word) => (word === '%s' ? url.href : word))]
    : [program, ...words, url.href];
}
