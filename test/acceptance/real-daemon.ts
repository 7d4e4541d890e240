import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa, type ResultPromise } from 'execa';
import { DAEMON_NOTICE, type DaemonNotice } from '../../src/shared/daemon-notice.ts';

const bin = join(import.meta.dirname, '../../bin');
/** What V8 compiled in one test is used by the next; in the data directory, as its HOME, it would be part of that. */
const cache = join(import.meta.dirname, '../../node_modules/.cache');
/** Enough for loopback: the tests' pages are on 127.0.0.x. */
export const loopback = ['--allow-private', '127.0.0.0/8', '--crawl-host-delay', '0'];

type DaemonProcess = ResultPromise<{ reject: false; all: true }>;

/** The real `bin/hydrantd` on a temporary data directory, and the real `bin/hydrant` that talks to it. */
export class RealDaemon {
  readonly dataDir: string;
  readonly #flags: readonly string[];
  #process: DaemonProcess | undefined;
  #port = 0;
  log = '';
  /** Of the daemon, beside what it always has; for the lives that begin from now on. */
  environment: Readonly<Record<string, string>> = {};

  constructor(flags: readonly string[] = loopback, dataDir = mkdtempSync(join(tmpdir(), 'hydrant-test-'))) {
    this.dataDir = dataDir;
    this.#flags = flags;
  }

  static async start(flags?: readonly string[]): Promise<RealDaemon> {
    const daemon = new RealDaemon(flags);
    await daemon.start();
    return daemon;
  }

  get notice(): DaemonNotice {
    const notice = this.#readNotice();
    if (notice === undefined) throw new Error('there is no daemon');
    return notice;
  }

  /** Where it answers; undefined while it starts. */
  get socket(): string | undefined {
    return this.#readNotice()?.socket;
  }

  /** Undefined while it starts: a start takes away the notice of a daemon that was killed, at whatever moment. */
  #readNotice(): DaemonNotice | undefined {
    try {
      return JSON.parse(readFileSync(join(this.dataDir, DAEMON_NOTICE), 'utf8')) as DaemonNotice;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  get pid(): number {
    return this.#process?.pid ?? -1;
  }

  /** Resolved when the process is gone: how it went. */
  get ended(): Promise<{ readonly signal?: string | undefined; readonly exitCode?: number | undefined } | undefined> {
    return Promise.resolve(this.#process);
  }

  /**
   * After a kill the same port is taken again, so that clients find the new life where the old one was. `fault`: where it
   * kills itself (`fault-points.ts`), if it comes there.
   */
  async start(fault?: string): Promise<void> {
    const args = ['--port', String(this.#port), '--log-format', 'json', ...this.#flags];
    const doomed = fault === undefined ? {} : { HYDRANT_FAULT: fault };
    const started = this.run('hydrantd', args, undefined, { ...this.environment, ...doomed });
    this.#process = started;
    started.all?.on('data', (chunk: Buffer) => (this.log += chunk.toString()));
    let exited = false;
    void started.then(() => (exited = true));
    while (!this.#isUp(started.pid)) {
      if (exited) throw new Error(`hydrantd did not start: ${this.log.slice(-2_000)}`);
      await sleep(10);
    }
    this.#port = Number(new URL(this.notice.url).port);
  }

  /** Starts one that is to kill itself (`fault-points.ts`), has it do what leads there, and waits for its end. */
  async fall(fault: string, provoke: () => Promise<void>): Promise<void> {
    const args = ['--port', String(this.#port), '--log-format', 'json', ...this.#flags];
    const started = this.run('hydrantd', args, undefined, { HYDRANT_FAULT: fault });
    this.#process = started;
    const ended = started.then(() => true);
    for (let hasEnded = false; !hasEnded;) {
      // It is not there yet, or no more.
      await provoke().catch(() => undefined);
      hasEnded = await Promise.race([ended, sleep(20, false)]);
    }
    await this.fallen(fault);
  }

  /** Waits until one that was started with this fault has killed itself there, which no page is to be blamed for. */
  async fallen(fault: string): Promise<void> {
    let isGone = false;
    void this.#process?.then(() => (isGone = true));
    await until(`hydrantd comes to ${fault}`, () => isGone);
    const ended = await this.#process;
    if (ended?.signal !== 'SIGKILL') throw new Error(`hydrantd did not kill itself at ${fault}: ${ended?.all}`);
    this.#acquitPages();
  }

  #isUp(pid: number | undefined): boolean {
    return this.#readNotice()?.pid === pid;
  }

  /** kill -9. */
  async kill(): Promise<void> {
    this.#process?.kill('SIGKILL');
    await this.#process;
  }

  /**
   * A kill that no page is to be blamed for. A page that is read at two kills in a row is kept back for an hour, which is
   * right where the kernel kills, and only a matter of time where a test does, a few seconds after each start.
   */
  async killAtRandom(): Promise<void> {
    await this.kill();
    this.#acquitPages();
  }

  #acquitPages(): void {
    rmSync(join(this.dataDir, 'begun-visits.jsonl'), { force: true });
  }

  /** SIGTERM; answers the exit code. */
  async stop(): Promise<number | undefined> {
    this.#process?.kill('SIGTERM');
    const ended = await this.#process;
    return ended?.exitCode;
  }

  async dispose(): Promise<void> {
    await this.kill();
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  /** One of the two programs, with this daemon's data directory and nothing of ours in its environment. */
  run(
    program: 'hydrant' | 'hydrantd',
    args: readonly string[],
    input?: string,
    more: Record<string, string> = {},
  ): DaemonProcess {
    const words = [join(bin, program), ...args, '--data-dir', this.dataDir];
    const home = { HOME: this.dataDir, XDG_CACHE_HOME: cache };
    const env = { PATH: process.env['PATH'] ?? '', ...home, TZ: 'UTC', ...more };
    // The daemon is given the time it promises to stop in; execa would kill it after 5 s.
    const options = { reject: false, all: true, extendEnv: false, env, forceKillAfterDelay: false } as const;
    const stdin = input === undefined ? { stdin: 'ignore' as const } : { input };
    return execa(process.execPath, words, { ...options, ...stdin }) as DaemonProcess;
  }

  /** `hydrant …` as on another machine: with nothing that leads to this daemon but what the words and `env` say. */
  runElsewhere(args: readonly string[], env: Record<string, string>, input?: string): DaemonProcess {
    const options = { reject: false, all: true, extendEnv: false, forceKillAfterDelay: false } as const;
    const stdin = input === undefined ? { stdin: 'ignore' as const } : { input };
    const words = [join(bin, 'hydrant'), ...args];
    const path = { PATH: process.env['PATH'] ?? '', XDG_CACHE_HOME: cache, TZ: 'UTC', ...env };
    return execa(process.execPath, words, { ...options, ...stdin, env: path }) as DaemonProcess;
  }

  /** `hydrant …`, which must succeed; its standard output. */
  async hydrant(args: readonly string[], input?: string): Promise<string> {
    const result = await this.run('hydrant', args, input);
    if (result.exitCode !== 0) throw new Error(`hydrant ${args.join(' ')} → ${result.exitCode}: ${result.all}`);
    return result.stdout;
  }

  /** A call on the operator's socket; the JSON that came back. */
  async operator<Body>(method: string, path: string, body?: unknown, token?: string): Promise<Body> {
    const text = await this.operatorText(path, method, body, token);
    return (text === '' ? undefined : JSON.parse(text)) as Body;
  }

  operatorText(path: string, method = 'GET', body?: unknown, token?: string): Promise<string> {
    const headers = {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    return new Promise((resolve, reject) => {
      const call = request({ socketPath: this.notice.socket, method, path, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve(text));
      });
      call.on('error', reject);
      call.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}

/** Waits for something that will come, and says what did not. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, withinMs = 60_000): Promise<void> {
  const end = Date.now() + withinMs;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`not within ${withinMs} ms: ${what}`);
    await sleep(20);
  }
}
