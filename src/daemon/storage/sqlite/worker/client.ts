import { Worker } from 'node:worker_threads';
import { type HeapUse, heapUseOf } from '../../../collect-garbage.ts';
import { StartFailure } from '../../../start-failure.ts';
import type { Ports } from '../../storage.ts';
import {
  type Answer,
  type Call,
  type Flaw,
  type Methods,
  portsOver,
  type Reply,
  type Request,
  type ThreadOptions,
} from './operation.ts';

/** Beside this file, in the form this file is in: `.ts` when run from the sources, `.js` when built. */
const entry = new URL(`./thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * This side of the storage thread: ports whose calls are messages. If the thread dies – it should not, so what
 * it left behind is not guessed at – all that waits is rejected, and so is all that comes; `onFatal` is called, so that
 * the daemon can stop and begin again from what is on the disk.
 */
export class StorageClient {
  readonly ports: Ports;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #exited: Promise<void>;
  #calls: Call[] = [];
  /** What those calls hand over, and nobody else has. */
  #own: ArrayBuffer[] = [];
  #nextId = 1;
  #refusal: Error | undefined;

  /** Resolved once the database is open. Throws StartFailure when it cannot be used. */
  static async open(options: ThreadOptions, onFatal: (error: Error) => void, file = entry): Promise<StorageClient> {
    const resourceLimits = { maxYoungGenerationSizeMb: options.youngMb ?? YOUNG_MB };
    const worker = new Worker(file, { workerData: options, resourceLimits });
    const { promise, resolve, reject } = Promise.withResolvers<Methods>();
    worker.once('message', (reply: Reply) => {
      if (reply.kind === 'refused') reject(new StartFailure(reply.failure, reply.message));
      else if (reply.kind === 'ready') resolve(reply.methods);
    });
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the storage thread ended before it was open')));
    return new StorageClient(worker, await promise, onFatal);
  }

  private constructor(worker: Worker, methods: Methods, onFatal: (error: Error) => void) {
    this.#worker = worker;
    this.#exited = new Promise((resolve) => {
      worker.once('exit', () => resolve());
    });
    const end = (cause: unknown): void => {
      if (this.#refusal) return;
      const error = new Error('the storage thread has died', { cause });
      this.#refuse(error);
      onFatal(error);
    };
    worker.on('error', end);
    worker.on('exit', (code) => end(new Error(`it ended with code ${code}`)));
    worker.on('message', (reply: Reply) => this.#hear(reply));
    this.ports = portsOver(methods, (operation, args) => this.#call(operation, args));
  }

  async heapUse(): Promise<HeapUse> {
    return heapUseOf(await this.#worker.getHeapStatistics().catch(() => undefined));
  }

  /** The thread collects its garbage and empties SQLite's cache, between two calls. */
  release(): void {
    if (!this.#refusal) this.#send('release');
  }

  /** The thread commits what waits, answers it, puts the file in order and ends. */
  async close(): Promise<void> {
    if (!this.#refusal) {
      this.#refusal = new Error('the storage is closed');
      this.#sendCalls();
      this.#send('close');
    }
    await this.#exited;
    this.#refuse(this.#refusal);
  }

  async #call(operation: string, args: readonly unknown[]): Promise<unknown> {
    if (this.#refusal) throw this.#refusal;
    const id = this.#nextId++;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, { resolve, reject });
    // After whatever else this turn of the event loop asks.
    if (this.#calls.length === 0) process.nextTick(() => this.#sendCalls());
    this.#calls.push({ id, operation, args: args.map((arg) => withOwnBytes(arg, this.#own)) });
    return promise;
  }

  #sendCalls(): void {
    const [calls, own] = [this.#calls, this.#own];
    this.#calls = [];
    this.#own = [];
    if (calls.length === 0) return;
    try {
      this.#send(calls, own);
    } catch {
      // One of them cannot be copied to another thread, and nothing was asked.
      for (const call of calls) this.#sendAlone(call);
    }
  }

  #sendAlone(call: Call): void {
    try {
      this.#send([call]);
    } catch (error) {
      this.#waiting.get(call.id)?.reject(error as Error);
      this.#waiting.delete(call.id);
    }
  }

  #send(request: Request, own: readonly ArrayBuffer[] = []): void {
    this.#worker.postMessage(request, own);
  }

  #hear(reply: Reply): void {
    if (reply.kind === 'answers') for (const answer of reply.answers) this.#settle(answer);
  }

  #settle(given: Answer): void {
    const waiting = this.#waiting.get(given.id);
    this.#waiting.delete(given.id);
    if ('error' in given) waiting?.reject(restored(given.error));
    else waiting?.resolve(given.answer);
  }

  #refuse(error: Error): void {
    this.#refusal = error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

/**
 * The argument with bytes of its own, to be handed over and not copied again: those of the caller may change before the
 * message is made, and may be a small part of a large buffer. Bytes are looked for in it and in its objects, not in lists.
 */
function withOwnBytes(given: unknown, own: ArrayBuffer[], depth = BYTES_DEPTH): unknown {
  if (given instanceof Uint8Array) {
    const copy = new Uint8Array(given);
    own.push(copy.buffer);
    return copy;
  }
  if (depth === 0 || typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  let changed: Record<string, unknown> | undefined;
  for (const [name, value] of Object.entries(given)) {
    const owned = withOwnBytes(value, own, depth - 1);
    if (owned !== value) (changed ??= {})[name] = owned;
  }
  return changed ? { ...given, ...changed } : given;
}

/** What a call makes is garbage when it is answered: a larger young generation holds more of it, and saves nothing. */
const YOUNG_MB = 3;

/** `visit.version.page` */
const BYTES_DEPTH = 2;

function restored({ message, code }: Flaw): Error {
  return Object.assign(new Error(message), code !== undefined && { code });
}
