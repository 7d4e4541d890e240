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
export async function memoryOf(thread: Thread): Promise<number> {
  const { total_physical_size: heap, external_memory: external } = await thread.getHeapStatistics();
  return heap + external;
}

/** A library that unpacks 500 MB a second is found 15 MB later. */
const MEMORY_LOOK_MS = 30;
