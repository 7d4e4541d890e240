import { PDF_MEMORY_BYTES, PDF_MS } from '../../limits.ts';
import type { Extraction } from '../read/extract.ts';

/** A thread that reads one PDF: it is started with the `Body` as its `workerData`, and posts the `Extraction`. */
interface PdfThread extends Thread {
  once(event: 'message', listener: (extraction: Extraction) => void): unknown;
  once(event: 'error', listener: (error: Error & { code?: string }) => void): unknown;
  once(event: 'exit', listener: () => void): unknown;
}

/** `resourceLimits` of such a thread: its heap may have three quarters of its memory. */
export const PDF_RESOURCE_LIMITS = {
  maxOldGenerationSizeMb: (PDF_MEMORY_BYTES / 1_024 / 1_024) * 0.75,
  maxYoungGenerationSizeMb: 12,
};

/** The library ends by itself at `PDF_MS` where it can; the thread is ended a second later. */
const PDF_THREAD_MS = PDF_MS + 1_000;

/** Looks at a thread's memory until what comes back is called, and calls `onOver` when it holds too much. */
type WatchMemory = (thread: Thread, onOver: () => void) => () => void;

export interface PdfLimits {
  readonly deadlineMs?: number;
  /** Else the thread may hold `PDF_MEMORY_BYTES`, whatever others do. */
  readonly watchMemory?: WatchMemory;
}

/** What the thread reads; a refusal when it takes too long or too much memory, or dies. It has ended then. Never rejects. */
export async function readInThread(
  thread: PdfThread,
  { deadlineMs = PDF_THREAD_MS, watchMemory = watchAlone }: PdfLimits = {},
): Promise<Extraction> {
  const { promise, resolve } = Promise.withResolvers<Extraction>();
  const deadline = setTimeout(() => resolve(refused('The PDF took too long to be read.')), deadlineMs);
  const endWatch = watchMemory(thread, () => resolve(refused(TOO_MUCH_MEMORY)));
  thread.once('message', resolve);
  thread.once('error', ({ code }) => {
    resolve(refused(code === 'ERR_WORKER_OUT_OF_MEMORY' ? TOO_MUCH_MEMORY : 'Reading the PDF crashed its thread.'));
  });
  thread.once('exit', () => resolve(refused('Reading the PDF ended its thread.')));
  const extraction = await promise;
  clearTimeout(deadline);
  await thread.terminate();
  endWatch();
  return extraction;
}

function watchAlone(thread: Thread, onOver: () => void): () => void {
  const watch = new MemoryWatch(thread, (bytes) => {
    if (bytes > PDF_MEMORY_BYTES) onOver();
  });
  return () => watch.end();
}

const TOO_MUCH_MEMORY = `The PDF took too much memory to be read: more than ${PDF_MEMORY_BYTES / 1_024 / 1_024} MiB.`;

function refused(detail: string): Extraction {
  return { ok: false, reason: 'too_large', detail };
}

/** What of a `Worker` is used here, which holds for this project's threads whoever starts them. */
export interface Thread {
  terminate(): Promise<number>;
  getHeapStatistics(): Promise<{ readonly total_physical_size: number; readonly external_memory: number }>;
}

/**
 * Looks at the memory of a thread again and again. `resourceLimits` bound the heap of JavaScript; what a library keeps in
 * ArrayBuffers lies outside, and nothing bounds it. A thread in the middle of a loop answers, too.
 */
export class MemoryWatch {
  readonly #thread: Thread;
  readonly #onSeen: (bytes: number) => void;
  #timer: NodeJS.Timeout | undefined;
  #hasEnded = false;

  /** @param onSeen called with what the thread holds, every `MEMORY_LOOK_MS` and until `end` */
  constructor(thread: Thread, onSeen: (bytes: number) => void) {
    this.#thread = thread;
    this.#onSeen = onSeen;
    this.#wait();
  }

  end(): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
  }

  #wait(): void {
    if (this.#hasEnded) return;
    this.#timer = setTimeout(() => void this.#look(), MEMORY_LOOK_MS);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    // A thread that has not begun yet, or has ended, does not answer.
    const bytes = await memoryOf(this.#thread).catch(() => 0);
    if (this.#hasEnded) return;
    this.#onSeen(bytes);
    this.#wait();
  }
}

/** Bytes: the heap as far as it is in memory, and what hangs on it. Rejects when the thread does not run yet, or no more. */
async function memoryOf(thread: Thread): Promise<number> {
  const { total_physical_size: heap, external_memory: external } = await thread.getHeapStatistics();
  return heap + external;
}

/** A library that unpacks 500 MB a second is found 15 MB later. */
const MEMORY_LOOK_MS = 30;
