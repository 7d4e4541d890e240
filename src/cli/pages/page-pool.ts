import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { refusal } from './answer.ts';
import type { Answer, Task } from './protocol.ts';

/** Beside this file, in the form this file is in: `.ts` when run from the sources, `.js` when built. */
const entry = new URL(`./thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

interface Waiting {
  readonly task: Task;
  readonly resolve: (answer: Answer) => void;
}

/**
 * Threads that read pages, one a core: each has one page at a time, and is started when it is first needed. A thread
 * that dies (a page can exhaust its memory) fails the page it had and no other; the next page gets a new thread.
 */
export class PagePool {
  readonly threads: number;
  readonly #entry: URL;
  #idle: Worker[] = [];
  readonly #busy = new Map<Worker, Waiting>();
  readonly #queue: Waiting[] = [];
  #isClosed = false;

  constructor(threads = availableParallelism(), file = entry) {
    this.threads = threads;
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
    for (const waiting of [...this.#queue.splice(0), ...this.#busy.values()]) callOff(waiting);
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  #assign(): void {
    while (this.#queue.length > 0 && !this.#isClosed) {
      const worker = this.#idle.pop() ?? (this.#busy.size < this.threads ? this.#start() : undefined);
      const next = worker && this.#queue.shift();
      if (!worker || !next) return;
      this.#busy.set(worker, next);
      worker.postMessage(next.task, []);
    }
  }

  #start(): Worker {
    const worker = new Worker(this.#entry);
    let cause = 'it ended without a word';
    worker.on('message', (answer: Answer) => {
      this.#busy.get(worker)?.resolve(answer);
      this.#busy.delete(worker);
      this.#idle.push(worker);
      this.#assign();
    });
    worker.on('error', (error) => {
      cause = error instanceof Error ? error.message : String(error);
    });
    worker.on('exit', () => {
      const had = this.#busy.get(worker);
      this.#busy.delete(worker);
      this.#idle = this.#idle.filter((other) => other !== worker);
      if (had) fail(had, 'internal', `the thread that read this page has died: ${cause}`);
      this.#assign();
    });
    return worker;
  }
}

function callOff(waiting: Waiting): void {
  fail(waiting, 'aborted', 'it was called off');
}

function fail({ task: { file, url }, resolve }: Waiting, reason: string, detail: string): void {
  resolve(refusal({ file, url }, reason, detail));
}
