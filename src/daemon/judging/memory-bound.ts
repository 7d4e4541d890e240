import { MemoryWatch, type Thread } from '../../shared/page/bounded-thread.ts';

/**
 * One bound over what several threads hold at a moment, however many they are. Where they come to more, the one that
 * holds most is to end: with one bound a thread, hostile pages would take as many times the memory as there are threads.
 */
export class MemoryBound {
  readonly #most: number;
  readonly #members = new Set<Member>();

  /** @param most bytes */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Looks at the thread until the function that comes back is called.
   * @param atRest bytes that the thread holds without a page, which do not count
   * @param onOver called once at most, with what the thread holds for its page. Until it has ended, and has left, no other
   *   thread is to end: its memory is on its way back
   */
  join(thread: Thread, atRest: number, onOver: (bytes: number) => void): () => void {
    const member: Member = { bytes: 0, isEnding: false, onOver };
    this.#members.add(member);
    const watch = new MemoryWatch(thread, (bytes) => {
      member.bytes = Math.max(0, bytes - atRest);
      this.#compare();
    });
    return () => {
      watch.end();
      this.#members.delete(member);
    };
  }

  #compare(): void {
    const [largest, ...others] = [...this.#members].sort((a, b) => b.bytes - a.bytes);
    const all = others.reduce((sum, { bytes }) => sum + bytes, largest?.bytes ?? 0);
    if (largest === undefined || all <= this.#most || [largest, ...others].some(({ isEnding }) => isEnding)) return;
    largest.isEnding = true;
    largest.onOver(largest.bytes);
  }
}

interface Member {
  bytes: number;
  isEnding: boolean;
  readonly onOver: (bytes: number) => void;
}
