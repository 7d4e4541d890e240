import { getHeapStatistics } from 'node:v8';

/**
 * Collects the garbage of this thread and returns its memory to the system: 25 ms for a small heap. Without it V8 keeps
 * the memory of a large page, and for 8 to 10 s more where the thread ends.
 * @returns bytes that the thread still holds: its heap as far as it is in memory, and what hangs on it
 */
export async function collectGarbage(): Promise<number> {
  await collect();
  const { total_physical_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
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
