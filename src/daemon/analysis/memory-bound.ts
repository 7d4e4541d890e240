import { MemoryWatch, type Thread } from '../../shared/page/pdf/pdf-thread.ts';

/**
 * One bound over what several threads hold at a moment, however many they are. Where they come to more, the one that
 * holds most is to end: with one bound a thread, hostile pages would take as many times the memory as there are threads.
 *
 * The memory of a thread that has ended is not back at once: V8 keeps the pages of its heap for the whole process, and
 * releases them by a timer some 10 s later. Until then `isBack` is false, and whoever may take as much again is to wait.
 */
export class MemoryBound {
  readonly #most: number;
  readonly #onBack: () => void;
  readonly #members = new Set<Member>();
  readonly #lazy = new Set<Owed>();
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param most bytes
   * @param onBack called when the memory of all that have ended is back
   */
  constructor(most: number, onBack: () => void = () => undefined) {
    this.#most = most;
    this.#onBack = onBack;
  }

  /** Whether no thread has ended lately whose memory is still with the process. */
  get isBack(): boolean {
    return this.#lazy.size === 0;
  }

  /**
   * Looks at the thread until it leaves.
   * @param atRest bytes that the thread holds without a page, which do not count
   * @param onOver called once at most, with what the thread holds for its page. Until it has ended, and has left, no other
   *   thread is to end: its memory is on its way back
   */
  join(thread: Thread, atRest: number, onOver: (bytes: number) => void): Membership {
    const member: Member = { bytes: 0, resident: 0, isEnding: false, onOver };
    this.#members.add(member);
    const watch = new MemoryWatch(thread, (bytes) => {
      // One that ends answers no more, and holds what it held until it is gone.
      if (bytes === 0 || member.isEnding) return;
      member.bytes = Math.max(0, bytes - atRest);
      if (member.bytes > LITTLE_BYTES) member.resident = process.memoryUsage.rss();
      this.#compare();
    });
    const leave = (): void => {
      watch.end();
      this.#members.delete(member);
    };
    return {
      leave,
      end: () => {
        leave();
        this.#owe(member);
        member.bytes = 0;
      },
    };
  }

  #compare(): void {
    const [largest, ...others] = [...this.#members].sort((a, b) => b.bytes - a.bytes);
    const all = others.reduce((sum, { bytes }) => sum + bytes, largest?.bytes ?? 0);
    if (largest === undefined || all <= this.#most || [largest, ...others].some(({ isEnding }) => isEnding)) return;
    largest.isEnding = true;
    largest.onOver(largest.bytes);
  }

  #owe({ bytes, resident }: Member): void {
    if (bytes <= LITTLE_BYTES) return;
    // Large objects are given back at once, and others take some meanwhile: half of it is enough of a sign.
    this.#lazy.add({ until: performance.now() + BACK_MS, below: resident - bytes / 2 });
    this.#timer ??= setInterval(() => this.#look(), BACK_LOOK_MS).unref();
  }

  #look(): void {
    const resident = process.memoryUsage.rss();
    for (const lazy of this.#lazy) {
      if (resident <= lazy.below || performance.now() >= lazy.until) this.#lazy.delete(lazy);
    }
    if (!this.isBack) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#onBack();
  }
}

/** Of one thread. */
export interface Membership {
  /** The thread has done with its page, and goes on. */
  readonly leave: () => void;
  /** The thread is gone, or has left before and is gone now. */
  readonly end: () => void;
}

interface Member {
  bytes: number;
  /** Bytes of the process when it was last seen to hold much. */
  resident: number;
  isEnding: boolean;
  readonly onOver: (bytes: number) => void;
}

interface Owed {
  /** By `performance.now()`. */
  readonly until: number;
  /** Bytes of the process at which its memory is back. */
  readonly below: number;
}

/** What the pages of a heap that has ended may come to without a wait: the next thread takes them over. */
const LITTLE_BYTES = 48 * 1_024 * 1_024;
/** V8 24 was seen to take 8 to 10 s. */
const BACK_MS = 12_000;
const BACK_LOOK_MS = 250;
