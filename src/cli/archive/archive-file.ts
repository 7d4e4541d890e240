import { type FileHandle, open } from 'node:fs/promises';
import type { Piece, Place } from '../../shared/archive/records.ts';
import { type Found, readRecords, type WarcHead, type WarcRecord } from '../../shared/archive/records.ts';
import { systemReason, UsageError } from '../runtime/failure.ts';
import { ByteSource, type Packing, packingOf, recordsIn, unpackedPieces } from './pieces.ts';

/** One archive on the disk, that can be read from its beginning, and at each place where a record was found. */
export class ArchiveFile {
  readonly name: string;
  readonly bytes: number;
  readonly #handle: FileHandle;
  #packing: Packing | undefined;
  #reading: ByteSource | undefined;

  private constructor(name: string, handle: FileHandle, bytes: number) {
    this.name = name;
    this.bytes = bytes;
    this.#handle = handle;
  }

  /** @throws {UsageError} on what is no file, or cannot be opened */
  static async open(name: string): Promise<ArchiveFile> {
    try {
      const handle = await open(name, 'r');
      const stat = await handle.stat();
      if (stat.isFile()) return new ArchiveFile(name, handle, stat.size);
      await handle.close();
    } catch (error) {
      throw new UsageError(`cannot read ${name}: ${systemReason(error)}`);
    }
    throw new UsageError(`${name} is not a file`, { hint: `to read a pipe, use: hydrant ingest - < ${name}` });
  }

  /** Bytes of the file that the reading under way has read. */
  get read(): number {
    return this.#reading?.offset ?? 0;
  }

  /** All records from the beginning. */
  async *records(wants: (head: WarcHead) => boolean): AsyncGenerator<Found> {
    const source = this.#source(0);
    this.#reading = source;
    this.#packing ??= await packingOf(source, this.name);
    yield* recordsIn(source, this.#packing, wants);
  }

  /**
   * The place by which a record is found again without reading much that is not its own; undefined in a file that is
   * packed as a whole.
   */
  near({ offset, within }: Place): Place | undefined {
    return within <= NEAR_BYTES ? { offset, within } : undefined;
  }

  /** The record at a place that `near` gave; undefined when it is there no more. */
  async recordAt({ offset, within }: Place): Promise<WarcRecord | undefined> {
    const source = this.#source(offset);
    const pieces = without(unpackedPieces(source, this.#packing ?? 'none'), within);
    for await (const found of readRecords(pieces)) return found.kind === 'record' ? found.record : undefined;
    return undefined;
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  #source(start: number): ByteSource {
    return new ByteSource(readable(this.#handle, start), start);
  }
}

const NEAR_BYTES = 1_024 * 1_024;
const CHUNK_BYTES = 64 * 1_024;

async function* readable(handle: FileHandle, start: number): AsyncGenerator<Uint8Array> {
  for (let at = start; ;) {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** The pieces behind so many unpacked bytes. */
async function* without(pieces: AsyncIterable<Piece>, bytes: number): AsyncGenerator<Piece> {
  let left = bytes;
  for await (const piece of pieces) {
    if ('gap' in piece) {
      yield piece;
      continue;
    }
    const rest = piece.bytes.subarray(left);
    left = Math.max(0, left - piece.bytes.length);
    if (rest.length > 0) yield { at: piece.at, bytes: rest };
  }
}
