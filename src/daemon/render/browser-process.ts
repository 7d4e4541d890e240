import { type ChildProcess, spawn } from 'node:child_process';
import { chown, lstat, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { flagsOf } from './chromium.ts';
import { MemoryWatch } from './memory-watch.ts';
import { RENDER_MEMORY_BYTES } from '../../shared/limits.ts';

/**
 * One Chromium of this machine as a process: started with the closed flags, in a process group and with a profile directory of its
 * own, spoken to over a pipe – which is also what ends it when the daemon is killed – and gone with all that it started.
 *
 * Where the daemon is root, it runs as `nobody`: its sandbox does not work as root, and without one a page that breaks the
 * browser has the machine.
 */
export class BrowserProcess {
  readonly #child: ChildProcess;
  readonly #profile: Profile;
  readonly #memory: MemoryWatch;
  readonly #ended = Promise.withResolvers<void>();
  #messages = '';

  private constructor(child: ChildProcess, profile: Profile) {
    this.#child = child;
    this.#profile = profile;
    this.#memory = new MemoryWatch(child.pid, RENDER_MEMORY_BYTES);
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#messages = (this.#messages + chunk.toString('latin1')).slice(-MESSAGE_LENGTH);
    });
    child.once('error', (error) => this.#over(error.message));
    child.once('exit', () => this.#over(''));
  }

  static async start({ browser, proxyPort, hasSandbox, profiles }: StartOptions): Promise<BrowserProcess> {
    const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
    const profile = await profiles.make(identity.uid);
    const child = spawn(browser, flagsOf({ profile: profile.path, proxyPort, hasSandbox }), {
      cwd: '/',
      detached: true,
      // None of the daemon's own: pages may get to see what is in it.
      env: { HOME: profile.path, PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', TMPDIR: profile.path },
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      ...identity,
    });
    return new BrowserProcess(child, profile);
  }

  /** As the driver wants to speak to it: messages of JSON, each with a NUL behind it. */
  get transport(): Transport {
    const [, , , writable, readable] = this.#child.stdio as unknown as [null, null, Readable, Writable, Readable];
    return new PipeTransport(writable, readable);
  }

  /** Resolved when the process has ended, whoever ended it. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** The process group; undefined where it could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Processes that were ended because they held more memory than a page may. */
  get killedForMemory(): number {
    return this.#memory.killed;
  }

  /** As long as a page is rendered. */
  watchMemory(isOn: boolean): void {
    if (isOn) this.#memory.start();
    else this.#memory.stop();
  }

  /** What it has said of itself last, for the log. */
  get messages(): string {
    return this.#messages;
  }

  /** All that it has started ends with it. Resolved when its profile is gone. */
  async kill(): Promise<void> {
    try {
      if (this.#child.pid !== undefined) process.kill(-this.#child.pid, 'SIGKILL');
    } catch {
      // All of it has ended.
    }
    await this.ended;
    await this.#profile.remove();
  }

  #over(message: string): void {
    this.#memory.stop();
    this.#messages += message;
    this.#ended.resolve();
  }
}

export interface StartOptions {
  readonly browser: string;
  readonly proxyPort: number;
  readonly hasSandbox: boolean;
  readonly profiles: Profiles;
}

/** A user that owns nothing, by the number that it has on every Linux. */
const NOBODY = 65_534;
const MESSAGE_LENGTH = 2_000;

interface Transport {
  send(message: string): void;
  close(): void;
  onmessage?: (message: string) => void;
  onclose?: () => void;
}

class PipeTransport implements Transport {
  onmessage?: (message: string) => void;
  onclose?: () => void;
  readonly #writable: Writable;
  readonly #readable: Readable;
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(writable: Writable, readable: Readable) {
    this.#writable = writable;
    this.#readable = readable;
    writable.on('error', () => this.onclose?.());
    readable.on('error', () => this.onclose?.()).on('close', () => this.onclose?.());
    readable.on('data', (chunk: Buffer) => this.#take(chunk));
  }

  send(message: string): void {
    if (this.#writable.writable) this.#writable.write(`${message}\0`);
  }

  close(): void {
    this.#writable.destroy();
    this.#readable.destroy();
  }

  #take(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, from)) {
      const message = Buffer.concat([...this.#chunks, chunk.subarray(from, end)]).toString();
      this.#chunks = [];
      this.#length = 0;
      from = end + 1;
      this.onmessage?.(message);
    }
    const rest = chunk.subarray(from);
    this.#length += rest.length;
    // Whatever a page has made the browser say: what we ask for is shorter.
    if (this.#length > MOST_MESSAGE_BYTES) this.close();
    else if (rest.length > 0) this.#chunks.push(rest);
  }
}

const MOST_MESSAGE_BYTES = 64 * 1_024 * 1_024;

/**
 * Where browsers keep what they write. The directories are in that of the system, since another user has to get there; which ones
 * are ours stands in a file of the data directory, so that what a killed daemon has left is found at the next start.
 */
export class Profiles {
  readonly #note: string | undefined;
  readonly #made = new Set<string>();

  /** @param note the file; without one, nothing is noted */
  constructor(note?: string) {
    this.#note = note;
  }

  async make(owner: number | undefined): Promise<Profile> {
    const path = await mkdtemp(join(tmpdir(), PREFIX));
    if (owner !== undefined) await chown(path, owner, owner);
    this.#made.add(path);
    await this.#write();
    return {
      path,
      remove: async () => {
        await remove(path);
        this.#made.delete(path);
        await this.#write();
      },
    };
  }

  /** Removes what the process before this one has left. */
  async sweep(): Promise<void> {
    if (this.#note === undefined) return;
    const noted = await readFile(this.#note, 'utf8').catch(() => '');
    for (const path of noted.split('\n')) {
      const isOurs = basename(path).startsWith(PREFIX) && dirname(path) === tmpdir();
      const found = isOurs ? await lstat(path).catch(() => undefined) : undefined;
      if (found?.isDirectory() === true) await remove(path);
    }
    await this.#write();
  }

  async #write(): Promise<void> {
    if (this.#note === undefined) return;
    if (this.#made.size === 0) await rm(this.#note, { force: true });
    else await writeFile(this.#note, [...this.#made].join('\n'), { mode: 0o600 });
  }
}

interface Profile {
  readonly path: string;
  /** Never rejects. */
  remove(): Promise<void>;
}

const PREFIX = 'hydrant-render-';

/** A process of the browser that is about to end may still be writing into it. */
async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(() => undefined);
}
