import { spawn } from 'node:child_process';
import type { Environment, Output } from './context.ts';
import { systemReason } from './failure.ts';
import { withoutTags } from '../text/printable.ts';

/** Characters of one variable: a system refuses a command whose environment is large. */
const VARIABLE = 4_096;

export interface Job {
  /** What the command reads from its stdin. */
  readonly input: string;
  /** `MATCH_URL` → `HYDRANT_MATCH_URL`; what is absent is not set. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

export interface ExecOptions {
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
