import { transcode } from 'node:buffer';
import { constants, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { Gunzip, ZstdCompress, ZstdDecompress } from 'minizlib';

/**
 * Compression with one context for all inputs of a thread. Node's own functions make one for each call, which takes as long as
 * the work on a page does, and whose object only a full collection frees. minizlib writes into a context of Node's at once and
 * leaves it open.
 */
type Context = Gunzip | ZstdCompress | ZstdDecompress;

class ReusedContext {
  readonly #open: () => Context;
  #context: Context | undefined;
  #pieces: Buffer[] = [];
  #failure: Error | undefined;

  constructor(open: () => Context) {
    this.#open = open;
  }

  /** @returns pieces of its own. @throws {Error} with zlib's `code`; the next input has a new context. */
  run(bytes: Uint8Array): Buffer[] {
    const context = (this.#context ??= this.#opened());
    context.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    const [pieces, failure] = [this.#pieces, this.#failure];
    this.#pieces = [];
    this.#failure = undefined;
    if (failure !== undefined) {
      this.#context = undefined;
      throw failure;
    }
    // A frame of zstd ends by itself, and Node would make a new context.
    if (context instanceof Gunzip) context.reset();
    return pieces;
  }

  #opened(): Context {
    const context = this.#open();
    context.on('data', (piece) => this.#pieces.push(piece));
    context.on('error', (error) => (this.#failure = error as Error));
    return context;
  }
}

/** Bytes that a context gives in one piece: more than nearly all packed pages have. */
const PACKED_PIECE = 16_384;
const PIECE = 65_536;
/** What the kept context unpacks; nearly no page is larger. */
const GUNZIPPED_BYTES = 1_024 * 1_024;

/** Their last step is the end: what breaks off is an error, and not the beginning of the next input. */
const ZSTD = {
  chunkSize: PACKED_PIECE,
  params: { [constants.ZSTD_c_compressionLevel]: 1 },
  flush: constants.ZSTD_e_end,
};
const UNZSTD = { chunkSize: PIECE, flush: constants.ZSTD_e_end };
const GUNZIP = { chunkSize: PIECE, maxOutputLength: GUNZIPPED_BYTES, flush: constants.Z_FINISH };

const compressing = new ReusedContext(() => new ZstdCompress(ZSTD));
const decompressing = new ReusedContext(() => new ZstdDecompress(UNZSTD));
const gunzipping = new ReusedContext(() => new Gunzip(GUNZIP));

/** zstd at its fastest level, alone in its ArrayBuffer; of a string its UTF-8, with U+FFFD for half a surrogate pair. */
export function zstd(content: string | Uint8Array): Uint8Array {
  return alone(compressing.run(typeof content === 'string' ? utf8(content) : content));
}

/** UTF-16 units of a text that has room in `encoding`; nearly no packed page has more. */
const ENCODED_UNITS = 65_536;
const BEYOND_LATIN1 = /[^\0-\u00ff]/;
let encoding: Buffer | undefined;

/**
 * Up to the next call. `Buffer.from` goes twice over the text to know how long it becomes, and V8 encodes what is not Latin-1 a
 * unit at a time: 43 µs of 20,000 units, where simdutf takes 8.
 */
function utf8(text: string): Uint8Array {
  if (text.length > ENCODED_UNITS) return Buffer.from(text);
  encoding ??= Buffer.allocUnsafeSlow(2 * ENCODED_UNITS);
  if (!BEYOND_LATIN1.test(text)) return encoding.subarray(0, encoding.write(text));
  try {
    return transcode(encoding.subarray(0, encoding.write(text, 'utf16le')), 'utf16le', 'utf8');
  } catch {
    // Half a surrogate pair. To look for it first takes longer than the rest: 11 µs.
    return Buffer.from(text);
  }
}

/** One frame of zstd that we have packed: its size has no bound. @throws {Error} on what is no such frame, or a part of one */
export function unzstd(content: Uint8Array): Buffer {
  // To a context that has just ended a frame, nothing is no error.
  return content.length === 0 ? zstdDecompressSync(content) : joined(decompressing.run(content));
}

/** A whole gzip file. @throws {Error} `ERR_BUFFER_TOO_LARGE` beyond `maxOutputLength` bytes, else with zlib's `code` */
export function gunzip(content: Uint8Array, { maxOutputLength }: { readonly maxOutputLength: number }): Buffer {
  if (maxOutputLength < GUNZIPPED_BYTES) return gunzipSync(content, { maxOutputLength });
  try {
    return joined(gunzipping.run(content));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw error;
    return gunzipSync(content, { maxOutputLength });
  }
}

function joined(pieces: readonly Buffer[]): Buffer {
  const [first] = pieces;
  return first !== undefined && pieces.length === 1 ? first : Buffer.concat(pieces);
}

/** In one piece, so that no other buffer holds it. */
function alone(pieces: readonly Buffer[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
