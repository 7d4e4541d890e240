import { ANALYSIS_MS, LARGE_PAGE_BYTES, READING_MEMORY_BYTES } from '../../shared/limits.ts';
import type { RegisteredRule } from '../../shared/match/rule-index.ts';
import { mediaTypeOf } from '../../shared/page/read/media-type.ts';
import type { HeapUse } from '../collect-garbage.ts';
import { PdfReader } from '../reading/pdf-reader.ts';
import { type CheckFinding, type PageFinding, type PageInput, type WatchInput, CALLED_OFF } from './findings.ts';
import { AnalysisThread, type Job } from './analysis-thread.ts';
import { KeepTime } from './keep-time.ts';
import { MemoryBound } from './memory-bound.ts';

/** Beside this file, in the form this file is in: `.ts` when run from the sources, `.js` when built. */
const entry = new URL(`./thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

export interface AnalysisPoolOptions {
  readonly threads: number;
  /** MB of the young generation of each. */
  readonly youngMb?: number;
  /** Milliseconds after which a thread without a page ends, at first (`KeepTime`). Default: none does. */
  readonly keepMs?: number;
  /** A rule that a thread could not register, and what it threw; reported once. */
  readonly onRejected: (ruleId: string, fault: string) => void;
  /** Milliseconds for one page. */
  readonly deadlineMs?: number;
}

/**
 * The threads that analyze pages, each with all rules, and one page at a time. A thread is started when it is first
 * needed, and ends when it has had no page for a while. One that dies, or takes too long, fails the page it had and no other;
 * the next page gets a new one.
 *
 * The rules are sent to every thread as they change. A page that is given after `register` is analyzed with the rule, and one
 * given after `unregister` without it: messages do not overtake each other.
 *
 * What all of them hold at a moment has one bound, PDFs included; large pages and PDFs are read one at a time, so that
 * two of them do not end each other, and wait until the memory of one that took much is back. Other pages go on meanwhile.
 *
 * What waits is bounded by whoever gives pages: the crawl has no more pages under way than its concurrency.
 */
export class AnalysisPool {
  readonly threads: number;
  readonly #options: AnalysisPoolOptions;
  readonly #entry: URL;
  readonly #memory = new MemoryBound(READING_MEMORY_BYTES, () => this.#goOn());
  readonly #reader = new PdfReader({
    watchMemory: (thread, onOver) => this.#memory.join(thread, PDF_THREAD_BYTES, onOver).end,
  });
  readonly #rules = new Map<string, RegisteredRule>();
  /** Rules that are known to fail, so that each is reported once and not by every thread. */
  readonly #rejected = new Set<string>();
  readonly #all = new Set<AnalysisThread>();
  readonly #idle: AnalysisThread[] = [];
  readonly #endings = new Map<AnalysisThread, NodeJS.Timeout>();
  readonly #keep: KeepTime;
  readonly #queue: Job[] = [];
  /** The thread that has a large page, or `pdf` while a PDF is read: one of them at a time. */
  #large: AnalysisThread | 'pdf' | undefined;
  /** PDFs that wait for their turn. */
  readonly #pdfs: (() => void)[] = [];
  #isClosed = false;

  constructor(options: AnalysisPoolOptions, file = entry) {
    this.#options = options;
    this.#entry = file;
    this.threads = options.threads;
    this.#keep = new KeepTime(options.keepMs ?? Number.POSITIVE_INFINITY);
  }

  /** Registered rules. */
  get size(): number {
    return this.#rules.size;
  }

  /** The registered rules, in the order in which they came. */
  get rules(): Iterable<RegisteredRule> {
    return this.#rules.values();
  }

  /** Threads that run. */
  get running(): number {
    return this.#all.size;
  }

  /** What each of them holds. */
  heapUse(): Promise<readonly HeapUse[]> {
    return Promise.all([...this.#all].map((thread) => thread.heapUse()));
  }

  /** Pages that wait for a thread. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Replaces the rule of the same id. */
  register(rule: RegisteredRule): void {
    this.#rejected.delete(rule.id);
    this.#rules.set(rule.id, rule);
    for (const thread of this.#all) thread.register(rule);
  }

  unregister(ruleId: string): void {
    if (!this.#rules.delete(ruleId)) return;
    this.#rejected.delete(ruleId);
    for (const thread of this.#all) thread.unregister(ruleId);
  }

  /**
   * Never rejects. The bytes of the body change hands: they must not be used after this. A finding with the reason
   * `aborted` was called off: the pool was closed. `onBegin` is called when a thread that has loaded its code begins to
   * read, which may be twice.
   */
  async analyze(given: PageInput, onBegin: () => void = nothing): Promise<PageFinding> {
    const { promise, resolve } = Promise.withResolvers<PageFinding>();
    this.#give({ kind: 'analyze', ...(await this.#readIfPdf(given, onBegin)), resolve, onBegin });
    return promise;
  }

  /** The same of a page of a watch. */
  async analyzeWatch(given: WatchInput, onBegin: () => void = nothing): Promise<CheckFinding> {
    const { promise, resolve } = Promise.withResolvers<CheckFinding>();
    this.#give({ kind: 'analyze-watch', ...(await this.#readIfPdf(given, onBegin)), resolve, onBegin });
    return promise;
  }

  /** Threads without a page collect their garbage. */
  release(): void {
    for (const thread of this.#idle) thread.release();
  }

  /** Ends all threads at once. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const resolve of this.#pdfs.splice(0)) resolve();
    this.#assign();
    await Promise.all([...this.#all].map((thread) => thread.close()));
  }

  /** It has a thread of its own, which the pages behind it need not wait for. */
  async #readIfPdf<Given extends PageInput | WatchInput>(
    given: Given,
    onBegin: () => void,
  ): Promise<{ readonly given: Given; readonly spentMs: number }> {
    const { contentType, bytes, url } = given.fetched;
    if (mediaTypeOf(contentType, bytes, url) !== 'pdf') return { given, spentMs: 0 };
    if (this.#mayBeginLarge) this.#large = 'pdf';
    else await new Promise<void>((resolve) => this.#pdfs.push(resolve));
    if (this.#isClosed) return { given, spentMs: 0 };
    const begunAt = performance.now();
    onBegin();
    const extraction = await this.#reader.read(given.fetched);
    this.#large = undefined;
    this.#goOn();
    return { given: { ...given, extraction }, spentMs: Math.round(performance.now() - begunAt) };
  }

  /** One at a time, and none while the memory of one that was ended is still with the process. */
  get #mayBeginLarge(): boolean {
    return this.#large === undefined && this.#memory.isBack;
  }

  /** Large pages and PDFs take turns. */
  #goOn(): void {
    this.#assign();
    this.#nextPdf();
  }

  #nextPdf(): void {
    if (!this.#mayBeginLarge) return;
    const next = this.#pdfs.shift();
    if (next === undefined) return;
    this.#large = 'pdf';
    next();
  }

  #give(job: Job): void {
    this.#queue.push(job);
    this.#assign();
  }

  #assign(): void {
    if (this.#isClosed) {
      for (const { resolve } of this.#queue.splice(0)) resolve(CALLED_OFF);
      return;
    }
    while (this.#queue.length > 0) {
      const at = this.#queue.findIndex((job) => this.#mayBeginLarge || !isLarge(job));
      const thread = at === -1 ? undefined : (this.#takeIdle() ?? this.#startIfAllowed());
      const [next] = thread ? this.#queue.splice(at, 1) : [];
      if (!thread || !next) return;
      if (isLarge(next)) this.#large = thread;
      thread.analyze(next);
    }
  }

  /** The one that has rested for the shortest time, so that others come to their end. */
  #takeIdle(): AnalysisThread | undefined {
    const thread = this.#idle.pop();
    if (thread) this.#stay(thread);
    return thread;
  }

  #rest(thread: AnalysisThread): void {
    this.#idle.push(thread);
    const { ms } = this.#keep;
    if (ms === undefined) return;
    const end = (): void => {
      this.#keep.ended(performance.now());
      this.#drop(thread);
      void thread.close();
    };
    this.#endings.set(thread, setTimeout(end, ms).unref());
  }

  #stay(thread: AnalysisThread): void {
    clearTimeout(this.#endings.get(thread));
    this.#endings.delete(thread);
  }

  #drop(thread: AnalysisThread): void {
    this.#stay(thread);
    const at = this.#idle.indexOf(thread);
    if (at !== -1) this.#idle.splice(at, 1);
  }

  #startIfAllowed(): AnalysisThread | undefined {
    return this.#all.size < this.threads ? this.#start() : undefined;
  }

  #start(): AnalysisThread {
    this.#keep.started(performance.now());
    const limits = {
      youngMb: this.#options.youngMb ?? YOUNG_MB,
      deadlineMs: this.#options.deadlineMs ?? ANALYSIS_MS,
      memory: this.#memory,
      atRest: () => THREAD_BYTES + this.#rules.size * RULE_BYTES,
    };
    const free = (): void => {
      if (this.#large !== thread) return;
      this.#large = undefined;
      this.#nextPdf();
    };
    const thread: AnalysisThread = new AnalysisThread(this.#entry, limits, {
      onIdle: () => {
        free();
        this.#rest(thread);
        this.#assign();
      },
      onEnd: () => {
        free();
        this.#all.delete(thread);
        this.#drop(thread);
        this.#assign();
      },
      onRejected: (ruleId, fault) => this.#tellOnce(ruleId, fault),
    });
    this.#all.add(thread);
    for (const rule of this.#rules.values()) thread.register(rule);
    return thread;
  }

  #tellOnce(ruleId: string, fault: string): void {
    if (this.#rejected.has(ruleId) || !this.#rules.has(ruleId)) return;
    this.#rejected.add(ruleId);
    this.#options.onRejected(ruleId, fault);
  }
}

function nothing(): void {}

function isLarge({ given: { fetched } }: Job): boolean {
  return fetched.bytes.length > LARGE_PAGE_BYTES;
}

/** Where nobody has said. */
const YOUNG_MB = 12;
/** Of a thread without a page: its code, and what the labels know. */
const THREAD_BYTES = 32 * 1_024 * 1_024;
const RULE_BYTES = 16 * 1_024;
/** Of a thread that reads PDFs: its library, without labels and rules. */
const PDF_THREAD_BYTES = 24 * 1_024 * 1_024;
