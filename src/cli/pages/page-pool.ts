import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { PDF_MS } from '../../shared/limits.ts';
import { type Answer, refusal, type Task } from './read-page.ts';

/** Beside this file, in the form this file is in: `.ts` when run from the sources, `.js` when built. */
const entry = new URL(`./thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

interface Waiting {
  readonly task: Task;
  readonly resolve: (answer: Answer) => void;
}

export interface PoolLimits {
  readonly threads?: number;
  /** Milliseconds for one page. */
  readonly deadlineMs?: number;
}

/** Longer than any page takes, except a PDF that was made never to end. */
const DEADLINE_MS = PDF_MS + 60_000;
/** Of one thread: a page of 5 MB and 120,000 elements takes a fifth of it. */
const HEAP_MB = 1_024;

/**
 * Threads that read pages, one a core: each has one page at a time, and is started when it is first needed. A thread
 * that dies (a page can exhaust its memory), or takes too long, fails the page it had and no other; the next page gets a
 * new thread.
 */
export class PagePool {
  readonly threads: number;
  readonly #deadlineMs: number;
  readonly #entry: URL;
  #idle: Worker[] = [];
  readonly #busy = new Map<Worker, Waiting & { readonly timer: NodeJS.Timeout }>();
  readonly #queue: Waiting[] = [];
  #isClosed = false;

  constructor({ threads = availableParallelism(), deadlineMs = DEADLINE_MS }: PoolLimits = {}, file = entry) {
    this.threads = threads;
    this.#deadlineMs = deadlineMs;
    this.#entry = file;
  }

  /** Never rejects. */
  async ask(task: Task): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const waiting = { task, resolve };
    if (this.#isClosed) callOff(waiting);
    else this.#queue.push(waiting);
    this.#assign();
    return promise;
  }

  /** Ends all threads at once; what they had is answered as called off. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const workers = [...this.#idle, ...this.#busy.keys()];
    for (const waiting of this.#queue.splice(0)) callOff(waiting);
    for (const { timer, ...waiting } of this.#busy.values()) {
      clearTimeout(timer);
      callOff(waiting);
    }
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  #assign(): void {
    while (this.#queue.length > 0 && !this.#isClosed) {
      const worker = this.#idle.pop() ?? (this.#busy.size < this.threads ? this.#start() : undefined);
      const next = worker && this.#queue.shift();
      if (!worker || !next) return;
      const timer = setTimeout(() => this.#end(worker), this.#deadlineMs);
      this.#busy.set(worker, { ...next, timer });
      worker.postMessage(next.task, []);
    }
  }

  #start(): Worker {
    const worker = new Worker(this.#entry, { resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } });
    let cause = 'the thread that read this page ended without an error message';
    worker.on('message', (answer: Answer) => {
      this.#release(worker)?.resolve(answer);
      this.#idle.push(worker);
      this.#assign();
    });
    worker.on('error', (error) => {
      cause = `the thread that read this page has died: ${error instanceof Error ? error.message : String(error)}`;
    });
    worker.on('exit', () => {
      const had = this.#release(worker);
      this.#idle = this.#idle.filter((other) => other !== worker);
      if (had) fail(had, 'internal', cause);
      this.#assign();
    });
    return worker;
  }

  /** What the thread had. */
  #release(worker: Worker): Waiting | undefined {
    const had = this.#busy.get(worker);
    this.#busy.delete(worker);
    clearTimeout(had?.timer);
    return had;
  }

  #end(worker: Worker): void {
    const had = this.#release(worker);
    if (had) fail(had, 'too_large', `the page was not read within ${this.#deadlineMs / 1_000} s`);
    void worker.terminate();
  }
}

function callOff(waiting: Waiting): void {
  fail(waiting, 'aborted', 'it was cancelled');
}

function fail({ task: { file, url }, resolve }: Waiting, reason: string, detail: string): void {
  resolve(refusal({ file, url }, reason, detail));
}
