import { Worker } from 'node:worker_threads';
import { type HeapUse, heapUseOf } from '../collect-garbage.ts';
import type { RegisteredRule } from '../../shared/match/rule-index.ts';
import { READING_MEMORY_BYTES } from '../../shared/limits.ts';
import {
  type AnalysisFailure,
  type CheckFinding,
  type PageFinding,
  type PageInput,
  type WatchInput,
  CALLED_OFF,
  internalFailure,
  tooMuchMemory,
} from './findings.ts';
import type { Membership, MemoryBound } from './memory-bound.ts';

/** What the owner of a thread is told. */
interface ThreadEvents {
  /** It has nothing to do. */
  readonly onIdle: () => void;
  /** It is gone; what it had has been answered. */
  readonly onEnd: () => void;
  readonly onRejected: (ruleId: string, fault: string) => void;
}

interface ThreadLimits {
  /** MB of its young generation: what a page makes is garbage when it is analyzed. */
  readonly youngMb: number;
  /** Milliseconds for one page. */
  readonly deadlineMs: number;
  /** Of all threads at a moment. */
  readonly memory: MemoryBound;
  /** Bytes that a thread holds without a page, with all rules. */
  readonly atRest: () => number;
}

/** This side of one analysis thread. It has one page at a time, so that none of those that wait is lost with it. */
export class AnalysisThread {
  readonly #worker: Worker;
  readonly #events: ThreadEvents;
  readonly #limits: ThreadLimits;
  #job: Job | undefined;
  #begunAt = 0;
  /** Its first page waits for its code, which is no fault of the page's. */
  #isNew = true;
  #isReady = false;
  /** Of the last page. */
  #membership: Membership | undefined;
  #timer: NodeJS.Timeout | undefined;
  #hasEnded = false;

  constructor(entry: URL, limits: ThreadLimits, events: ThreadEvents) {
    this.#events = events;
    this.#limits = limits;
    const maxOldGenerationSizeMb = Math.ceil((READING_MEMORY_BYTES + limits.atRest()) / 1_024 / 1_024);
    this.#worker = new Worker(entry, {
      resourceLimits: { maxOldGenerationSizeMb, maxYoungGenerationSizeMb: limits.youngMb },
    });
    // A thread without a page keeps no process alive.
    this.#worker.unref();
    let cause = internalFailure('the analysis thread ended unexpectedly');
    this.#worker.on('message', (reply: Reply) => this.#hear(reply));
    this.#worker.on('error', (error) => {
      const isOfMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      const said = error instanceof Error ? error.message : String(error);
      cause = isOfMemory ? tooMuchMemory() : internalFailure(`the analysis thread failed: ${said}`);
    });
    this.#worker.on('exit', () => this.#end(cause));
  }

  register(rule: RegisteredRule): void {
    this.#tell({ kind: 'register', rule }, []);
  }

  unregister(ruleId: string): void {
    this.#tell({ kind: 'unregister', ruleId }, []);
  }

  /** The body's bytes change hands: whoever gave them has them no more. */
  analyze(job: Job): void {
    const { deadlineMs, memory, atRest } = this.#limits;
    this.#job = job;
    this.#begunAt = performance.now();
    this.#worker.ref();
    this.#timer = setTimeout(() => {
      this.#end(internalFailure(`the page was not analyzed within ${deadlineMs / 1_000} s`));
    }, deadlineMs);
    this.#membership = memory.join(this.#worker, atRest(), (bytes) => this.#end(tooMuchMemory(bytes)));
    const own = alone(job.given.fetched.bytes);
    if (this.#isReady) job.onBegin();
    this.#tell(questionWith(job, own), [own.buffer]);
  }

  async heapUse(): Promise<HeapUse> {
    return heapUseOf(await this.#worker.getHeapStatistics().catch(() => undefined));
  }

  /** Collects its garbage while it rests; a page may come meanwhile. */
  release(): void {
    this.#tell({ kind: 'release' }, []);
  }

  /** Ends it at once. What it had is answered as called off. */
  async close(): Promise<void> {
    this.#end(CALLED_OFF);
    await this.#worker.terminate();
  }

  #tell(request: Request, transfer: readonly ArrayBuffer[]): void {
    this.#worker.postMessage(request, transfer);
  }

  #hear(reply: Reply): void {
    if (reply.kind === 'rejected') {
      this.#events.onRejected(reply.ruleId, reply.fault);
      return;
    }
    if (reply.kind === 'ready') {
      this.#isReady = true;
      this.#job?.onBegin();
      return;
    }
    if (reply.kind === 'collected') {
      this.#restIfSmall(reply.bytes);
      return;
    }
    const spentMs = this.#spentMs;
    this.#membership?.leave();
    const job = this.#done();
    if (job) answer(job, reply, spentMs);
    if (spentMs < DEAR_MS) this.#rest();
    else this.#collect();
  }

  get #spentMs(): number {
    const ms = Math.max(0, performance.now() - this.#begunAt - (this.#isNew ? WARM_UP_MS : 0));
    return Math.round(ms) + (this.#job?.spentMs ?? 0);
  }

  #rest(): void {
    this.#worker.unref();
    if (!this.#hasEnded) this.#events.onIdle();
  }

  #collect(): void {
    this.#timer = setTimeout(() => this.#end(CALLED_OFF), COLLECTED_WITHIN_MS);
    this.#tell({ kind: 'collect' }, []);
  }

  /** A heap that is still large after its garbage was collected ends with its thread: the next page has a new one. */
  #restIfSmall(bytes: number): void {
    clearTimeout(this.#timer);
    if (bytes > this.#limits.atRest() + KEPT_BYTES) this.#end(CALLED_OFF);
    else this.#rest();
  }

  #done(): Job | undefined {
    clearTimeout(this.#timer);
    const job = this.#job;
    this.#job = undefined;
    this.#isNew = false;
    return job;
  }

  #end(failure: AnalysisFailure): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const spentMs = this.#spentMs;
    this.#done()?.resolve({ ...failure, spentMs });
    // Its memory is not there for another before it is gone.
    void this.#worker.terminate().then(() => {
      this.#membership?.end();
      this.#events.onEnd();
    });
  }
}

function questionWith({ kind, given }: Job, bytes: Uint8Array): Question {
  // One branch each, for the compiler: a kind and its input belong together.
  if (kind === 'analyze') return { kind, given: { ...given, fetched: { ...given.fetched, bytes } } };
  return { kind, given: { ...given, fetched: { ...given.fetched, bytes } } };
}

/** What a thread takes to start on a slow machine, and to read what the labels know. */
const WARM_UP_MS = 2_000;
/** Pages that take less leave no heap that is worth a look. */
const DEAR_MS = 100;
/** A collection takes 25 to 300 ms. */
const COLLECTED_WITHIN_MS = 10_000;
/** What a thread may hold on to, beyond what it has at rest. */
const KEPT_BYTES = 16 * 1_024 * 1_024;

/** A view into a larger buffer would cross with all of it, and take it away from the others that look at it. */
function alone(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  return isWhole ? new Uint8Array(buffer) : Uint8Array.from(bytes);
}

/** What a thread analyzes: a page of the crawl, or a page of a watch. */
export type Question =
  | { readonly kind: 'analyze'; readonly given: PageInput }
  | { readonly kind: 'analyze-watch'; readonly given: WatchInput };

/** What an analysis thread receives, in this order: a page that comes after a rule is analyzed with it. */
export type Request =
  | { readonly kind: 'register'; readonly rule: RegisteredRule }
  | { readonly kind: 'unregister'; readonly ruleId: string }
  /** After a page that took much: its garbage is to go. */
  | { readonly kind: 'collect' }
  /** After load: the same, and nobody waits for it. */
  | { readonly kind: 'release' }
  | Question;

export type Answer =
  | { readonly kind: 'analyzed'; readonly finding: PageFinding }
  | { readonly kind: 'analyzed-watch'; readonly finding: CheckFinding };

export type Reply =
  | Answer
  /** Its code is loaded: the page that it has been given is read from now on. */
  | { readonly kind: 'ready' }
  /** Its garbage is collected, and it still holds so many bytes. */
  | { readonly kind: 'collected'; readonly bytes: number }
  /** A rule that could not be registered, and what it threw. */
  | { readonly kind: 'rejected'; readonly ruleId: string; readonly fault: string };

/** A question, and who waits for the answer. */
export type Job = (
  | (Extract<Question, { kind: 'analyze' }> & { readonly resolve: (finding: PageFinding) => void })
  | (Extract<Question, { kind: 'analyze-watch' }> & { readonly resolve: (finding: CheckFinding) => void })
) & {
  /** Called when a thread reads it. */
  readonly onBegin: () => void;
  /** Milliseconds that another thread has spent on its PDF. */
  readonly spentMs: number;
};

/** A thread answers the one question that it was asked. */
function answer(job: Job, reply: Answer, spentMs: number): void {
  if (job.kind === 'analyze' && reply.kind === 'analyzed') job.resolve({ ...reply.finding, spentMs });
  if (job.kind === 'analyze-watch' && reply.kind === 'analyzed-watch') job.resolve({ ...reply.finding, spentMs });
}
