import { readFileSync } from 'node:fs';

/** Where transactions end in a write-ahead log of SQLite (sqlite.org/fileformat2.html, "The Write-Ahead Log"). */
export interface WalEnds {
  readonly bytes: number;
  /** Offsets at which a valid transaction ends, in order; the header's end comes first. */
  readonly commits: readonly number[];
}

const HEADER = 32;
const FRAME_HEADER = 24;

/** Undefined where there is none, or no valid header. */
export function readWal(path: string): WalEnds | undefined {
  const bytes = readIfThere(path);
  if (bytes === undefined || bytes.length < HEADER) return undefined;
  // The lowest bit of the magic number says in which order the words of a checksum are.
  const isBigEndian = (bytes.readUInt32BE(0) & 1) === 1;
  const size = FRAME_HEADER + bytes.readUInt32BE(8);
  let sum = checksum(bytes.subarray(0, 24), isBigEndian, [0, 0]);
  if (!isSum(bytes, 24, sum)) return undefined;
  const commits = [HEADER];
  for (let at = HEADER; at + size <= bytes.length; at += size) {
    if (bytes.compare(bytes, 16, 24, at + 8, at + 16) !== 0) break;
    sum = checksum(bytes.subarray(at, at + 8), isBigEndian, sum);
    sum = checksum(bytes.subarray(at + FRAME_HEADER, at + size), isBigEndian, sum);
    if (!isSum(bytes, at + 16, sum)) break;
    // Of a commit, the size of the database after it; of any other frame, 0.
    if (bytes.readUInt32BE(at + 4) > 0) commits.push(at + size);
  }
  return { bytes: bytes.length, commits };
}

/** How many bytes of the log are in the database already: they were on the disk before that. */
export function checkpointedBytes(shmPath: string): number {
  const shm = readIfThere(shmPath);
  // Behind two copies of the index's header, in the order of the machine.
  const frames =
    shm === undefined || shm.length < 100 ? 0 : new Uint32Array(shm.buffer.slice(shm.byteOffset), 96, 1)[0];
  return bytesOfFrames(frames ?? 0);
}

/** Of a journal with so many frames. */
export function bytesOfFrames(frames: number, pageSize = 8_192): number {
  return HEADER + frames * (FRAME_HEADER + pageSize);
}

type Sum = readonly [number, number];

function checksum(bytes: Buffer, isBigEndian: boolean, [from0, from1]: Sum): Sum {
  let [s0, s1] = [from0, from1];
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    const one = isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at);
    const other = isBigEndian ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4);
    s0 = (s0 + one + s1) >>> 0;
    s1 = (s1 + other + s0) >>> 0;
  }
  return [s0, s1];
}

function isSum(bytes: Buffer, at: number, [s0, s1]: Sum): boolean {
  return bytes.readUInt32BE(at) === s0 && bytes.readUInt32BE(at + 4) === s1;
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
