import type { MemoryUse } from '../../shared/api/status.ts';
import { grouped } from '../../shared/grouped.ts';
import { count } from '../../shared/text/plural.ts';

/** `program 66 MiB, main thread 28, storage 10, 1 analysis thread 46, buffers 12, other 50`: what holds the memory of a daemon. */
export function memoryParts(memory: MemoryUse): string {
  const { program_bytes: program, analysis_threads: threads } = memory;
  const parts: [string, number][] = [
    ...(program === null ? [] : [['program', program] satisfies [string, number]]),
    ['main thread', memory.main_heap_bytes],
    ['storage', memory.storage_heap_bytes],
    ...(threads === 0
      ? []
      : [[count(threads, 'analysis thread'), memory.analysis_heap_bytes] satisfies [string, number]]),
    ['buffers', memory.buffer_bytes],
    ['other', memory.other_bytes],
  ];
  return parts.map(([name, bytes]) => `${name} ${mebibytes(bytes)}`).join(', ');
}

export function mebibytes(bytes: number): string {
  return `${grouped(Math.round(bytes / (1_024 * 1_024)))} MiB`;
}

/** Up to the next: what there is is never shown as none. */
export function kibibytes(bytes: number): string {
  return `${grouped(Math.ceil(bytes / 1_024))} KiB`;
}
