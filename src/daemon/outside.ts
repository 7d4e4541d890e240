import { randomBytes, randomUUID } from 'node:crypto';

/** The clock and randomness. Nothing else in the daemon reads them, so a test can hold both. */
export interface Outside {
  /** Milliseconds since 1970. */
  now(): number;
  randomBytes(size: number): Uint8Array;
  uuid(): string;
}

export const outside: Outside = {
  now: () => Date.now(),
  randomBytes: (size) => randomBytes(size),
  uuid: () => randomUUID(),
};

/** Random numbers from 0 up to 1, for jitter. */
export function randomOf({ randomBytes: bytes }: Pick<Outside, 'randomBytes'>): () => number {
  return () => Buffer.from(bytes(4)).readUInt32BE() / 2 ** 32;
}

/** Resource timestamps: numeric offset, whole seconds (`2026-02-27T00:00:00+00:00`). */
export function timestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}+00:00`;
}
