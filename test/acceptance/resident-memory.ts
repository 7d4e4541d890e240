import type { RealDaemon } from './real-daemon.ts';

/** Bytes of a daemon's process that are in memory, as its metrics say. */
export async function residentMemory(daemon: RealDaemon): Promise<number> {
  const metrics = await daemon.operatorText('/metrics');
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1]);
}
