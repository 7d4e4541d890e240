import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { SettingName } from '../../../shared/settings.ts';
import type { Environment } from '../../runtime/context.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { Failure } from '../../runtime/failure.ts';

/** Milliseconds a daemon may take to stop, as long as it takes to finish what is under way, and to start. */
const STOP_MS = 10_000;
const START_MS = 20_000;
/** Lines of its log that are kept, for the case that it fails. */
const LOG_LINES = 12;

/**
 * A daemon of our own on a data directory that goes with it. It gets no setting from outside: neither the user's
 * environment nor their config file has a say in what a demo shows. It leads its own process group, so that Ctrl-C
 * reaches us alone, and we stop it in order. Nothing is said over the IPC channel: its end tells the daemon that we
 * were killed, so that it ends too.
 */
export class TemporaryDaemon {
  readonly dataDir: string;
  readonly #child: ChildProcess;
  readonly #log: string[] = [];
  readonly #exited: Promise<void>;
  readonly #atExit: () => void;

  private constructor(dataDir: string, child: ChildProcess) {
    this.dataDir = dataDir;
    this.#child = child;
    this.#exited = new Promise((resolve) => {
      // `close`, not `exit`: its last words may still be on their way.
      child.on('close', () => resolve());
      child.on('error', (error) => {
        this.#log.push(error.message);
        resolve();
      });
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => this.#keep(text));
    // Should the process be ended on the spot, the daemon and its directory still go with it.
    this.#atExit = () => {
      child.kill('SIGKILL');
      rmSync(dataDir, { recursive: true, force: true });
    };
    process.on('exit', this.#atExit);
  }

  static async spawn(daemonPath: string, environment: Environment): Promise<TemporaryDaemon> {
    const dataDir = await makeDirectory();
    const flags = {
      'data-dir': dataDir,
      listen: '127.0.0.1',
      port: '0',
      'allow-private': '127.0.0.0/8',
      'crawl-host-delay': '0',
      'log-level': 'warn',
      'log-format': 'pretty',
    } satisfies Partial<Record<SettingName, string>>;
    const words = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]);
    const child = spawn(process.execPath, [daemonPath, ...words], {
      detached: true,
      env: { ...without(environment, /^(HYDRANT_|XDG_)/), XDG_CONFIG_HOME: dataDir, NO_COLOR: '1' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    return new TemporaryDaemon(dataDir, child);
  }

  /** The last lines of its log. */
  get lastWords(): readonly string[] {
    return this.#log;
  }

  /** Until `answers` throws no failure. @throws {Failure} when it ends or takes too long; the signal's reason */
  async ready<Answer>(answers: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(START_MS)]);
    for (;;) {
      const answer = await answers().catch((error: unknown) => {
        if (!(error instanceof Failure)) throw error;
        return undefined;
      });
      if (answer !== undefined) return answer;
      const over = await Promise.race([this.#exited.then(() => 'exited'), pause(50, 'not yet')]);
      signal.throwIfAborted();
      if (over === 'exited') throw failed('the daemon did not start');
      if (deadline.aborted) throw failed(`the daemon did not answer within ${START_MS / 1_000} s`);
    }
  }

  /** SIGTERM, then SIGKILL; its directory goes. */
  async stop(): Promise<void> {
    if (this.#isAlive()) {
      this.#child.kill('SIGTERM');
      const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_MS);
      await this.#exited;
      clearTimeout(timer);
    }
    await rm(this.dataDir, { recursive: true, force: true, maxRetries: 3 });
    process.off('exit', this.#atExit);
  }

  #isAlive(): boolean {
    return this.#child.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  #keep(text: string): void {
    this.#log.push(...text.split('\n').filter((line) => line.trim() !== ''));
    this.#log.splice(0, this.#log.length - LOG_LINES);
  }
}

async function makeDirectory(): Promise<string> {
  try {
    return await mkdtemp(path.join(tmpdir(), 'hydrant-demo-'));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const message = `cannot make a directory for the demo's data in ${tmpdir()}: ${code}`;
    throw new Failure('no_directory', exitCode.no, message, { hint: 'set TMPDIR to a directory that can be written' });
  }
}

function failed(what: string): Failure {
  return new Failure('daemon_failed', exitCode.no, what);
}

function without(environment: Environment, names: RegExp): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !names.test(name)));
}
