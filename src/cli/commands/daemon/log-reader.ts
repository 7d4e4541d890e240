import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { StringDecoder } from 'node:string_decoder';
import { type Chunks, eachLine } from '../../input.ts';

/** Former files beside the present one, as the daemon keeps them. */
const KEPT = 4;
/** Characters of a line; a longer one is left out. */
const LONGEST = 1_024 * 1_024;

/** The last `most` lines that are `wanted`, oldest first, of the first `size` bytes of the file and the former ones beside it. */
export async function lastLines(
  file: string,
  size: number,
  most: number,
  wanted: (line: string) => boolean,
): Promise<string[]> {
  const parts = [size === 0 ? [] : await lastOf(createReadStream(file, { end: size - 1 }), file, most, wanted)];
  let missing = most - (parts[0]?.length ?? 0);
  for (let age = 1; age <= KEPT && missing > 0; age += 1) {
    const former = `${file}.${age}`;
    if ((await stat(former).catch(() => undefined)) === undefined) break;
    const part = await lastOf(createReadStream(former), former, missing, wanted);
    missing -= part.length;
    parts.unshift(part);
  }
  return parts.flat();
}

async function lastOf(from: Chunks, name: string, most: number, wanted: (line: string) => boolean): Promise<string[]> {
  const kept: string[] = [];
  for await (const { text } of eachLine(from, name, LONGEST)) {
    if (text === undefined || !wanted(text)) continue;
    kept.push(text);
    // Twice as many at most, and not one by one: a shift for each line would move them all.
    if (kept.length >= 2 * most) kept.splice(0, kept.length - most);
  }
  return kept.slice(Math.max(0, kept.length - most));
}

/** Milliseconds between two looks at the file. */
const LOOK_MS = 250;

/**
 * The lines after the first `from` bytes, as they are written. When the file is rotated: the rest of it, and then the one
 * that took its place. Ends when the signal aborts.
 */
export async function* newLines(file: string, from: number, signal: AbortSignal): AsyncGenerator<string> {
  let followed = await Followed.open(file, from);
  try {
    for (;;) {
      yield* followed.read();
      const present = await stat(file).catch(() => undefined);
      if (present !== undefined && followed.isOther(present)) {
        yield* followed.read();
        await followed.close();
        followed = await Followed.open(file, 0);
        continue;
      }
      await pause(LOOK_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
    }
  } finally {
    await followed.close();
  }
}

class Followed {
  readonly #handle: FileHandle;
  readonly #inode: number;
  readonly #decoder = new StringDecoder('utf8');
  #at: number;
  #begun = '';

  private constructor(handle: FileHandle, inode: number, at: number) {
    this.#handle = handle;
    this.#inode = inode;
    this.#at = at;
  }

  static async open(file: string, at: number): Promise<Followed> {
    const handle = await open(file, 'r');
    return new Followed(handle, (await handle.stat()).ino, at);
  }

  /** Another file, or this one cut short by hand. */
  isOther({ ino, size }: { ino: number; size: number }): boolean {
    return ino !== this.#inode || size < this.#at;
  }

  async *read(): AsyncGenerator<string> {
    const buffer = Buffer.alloc(64 * 1_024);
    for (;;) {
      const { bytesRead } = await this.#handle.read(buffer, 0, buffer.length, this.#at);
      if (bytesRead === 0) return;
      this.#at += bytesRead;
      const lines = (this.#begun + this.#decoder.write(buffer.subarray(0, bytesRead))).split('\n');
      this.#begun = (lines.pop() ?? '').slice(0, LONGEST);
      yield* lines;
    }
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}
