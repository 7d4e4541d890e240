import { getHeapStatistics } from 'node:v8';

/** Bytes of a thread. */
export interface HeapUse {
  /** As far as it is in memory. */
  readonly heap: number;
  /** What hangs on it outside: buffers, texts. */
  readonly external: number;
}

/**
 * Collects the garbage of this thread and returns its memory to the system: 25 ms for a small heap. Without it V8 keeps
 * the memory of a large page, and for 8 to 10 s more where the thread ends.
 * @returns bytes that the thread still holds: its heap as far as it is in memory, and what hangs on it
 */
export async function collectGarbage(): Promise<number> {
  await collect();
  const { heap, external } = heapUseOf(getHeapStatistics());
  return heap + external;
}

/** Of a thread's own statistics, or of what its `Worker` says; a thread that has ended holds nothing. */
export function heapUseOf(statistics: { total_physical_size: number; external_memory: number } | undefined): HeapUse {
  return { heap: statistics?.total_physical_size ?? 0, external: statistics?.external_memory ?? 0 };
}

/**
 * The inspector is the only interface to this that needs no V8 flag. Does nothing where Node was built without it; a
 * thread that holds too much is ended then.
 */
async function collect(): Promise<void> {
  const { Session } = await import('node:inspector').catch(() => ({ Session: undefined }));
  if (Session === undefined) return;
  const session = new Session();
  session.connect();
  await new Promise((resolve) => session.post('HeapProfiler.collectGarbage', resolve));
  session.disconnect();
}
