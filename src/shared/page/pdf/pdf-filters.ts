import { Malformed } from '../read/malformed.ts';
import { inflatePdf } from './pdf-inflate.ts';
import type { PdfMeter, PdfSink } from './pdf-meter.ts';
import { hexDigit, isSpace } from './pdf-objects.ts';

/** One layer of a stream: a filter, and what its parameters say (ISO 32000, 7.4). */
export interface PdfLayer {
  readonly filter: string;
  readonly predictor: PdfPredictor | undefined;
  readonly earlyChange: number;
  /** Whether another layer takes what this one puts out. */
  readonly isInner: boolean;
}

/** Their pixels say nothing that is read here. */
export const PDF_IMAGE_FILTERS: ReadonlySet<string> = new Set([
  'DCT',
  'DCTDecode',
  'JPX',
  'JPXDecode',
  'CCF',
  'CCITTFaxDecode',
  'JBIG2Decode',
]);

/**
 * What one layer puts out, in one of two sinks: a view into it, or the input itself where the filter changes nothing.
 * @throws {TreeTooLarge} by the meter
 */
export async function unpackLayer(
  input: Uint8Array,
  { filter, predictor, earlyChange, isInner }: PdfLayer,
  [sink, spare]: readonly [PdfSink, PdfSink],
  meter: PdfMeter,
): Promise<Uint8Array> {
  const unpack = UNPACK.get(filter);
  if (!unpack) return input;
  sink.clear();
  meter.work(input.length >> 3);
  await unpack(input, { sink, meter, earlyChange });
  const isPredicted = predictor !== undefined && PREDICTED.has(filter);
  return isPredicted ? predicted(sink.content, predictor, isInner, spare) : sink.content;
}

interface Unpacking {
  readonly sink: PdfSink;
  readonly meter: PdfMeter;
  readonly earlyChange: number;
}

function unpackAscii85(input: Uint8Array, { sink }: Unpacking): void {
  const group: number[] = [];
  for (const byte of input) {
    if (byte === TILDE) break;
    if (isSpace(byte)) continue;
    if (byte === LETTER_Z && group.length === 0) sink.fill(0, 4);
    else if (group.push(byte - 33) === 5) appendGroup(group.splice(0), 4, sink);
  }
  if (group.length > 1) appendGroup([...group, 84, 84, 84].slice(0, 5), group.length - 1, sink);
}

function appendGroup(group: readonly number[], count: number, sink: PdfSink): void {
  const value = group.reduce((sum, digit) => sum * 85 + digit, 0);
  for (let index = 0; index < count; index += 1) sink.push(Math.floor(value / 256 ** (3 - index)) & 0xff);
}

function unpackAsciiHex(input: Uint8Array, { sink }: Unpacking): void {
  let first = -1;
  for (const byte of input) {
    if (byte === GREATER) break;
    const digit = hexDigit(byte);
    if (digit < 0) continue;
    if (first < 0) first = digit;
    else {
      sink.push(first * 16 + digit);
      first = -1;
    }
  }
  if (first >= 0) sink.push(first * 16);
}

function unpackRunLength(input: Uint8Array, { sink }: Unpacking): void {
  for (let at = 0; at + 1 < input.length;) {
    const count = input[at] ?? 128;
    if (count === 128) return;
    if (count < 128) sink.append(input.subarray(at + 1, at + 2 + count));
    else sink.fill(input[at + 1] ?? 0, 257 - count);
    at += count < 128 ? count + 2 : 2;
  }
}

/** By the platform, piece by piece; damaged data ends there. One that does not know Brotli refuses the file. */
async function unpackBrotli(input: Uint8Array, { sink }: Unpacking): Promise<void> {
  let unpacking: DecompressionStream;
  try {
    unpacking = new DecompressionStream('brotli');
  } catch {
    throw new Malformed('The PDF is compressed with Brotli, which is not supported.');
  }
  const body = new Blob([Uint8Array.from(input)]).stream().pipeThrough(unpacking);
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }) as const);
    if (done) return;
    try {
      sink.append(value);
    } catch (failure) {
      await reader.cancel().catch(() => undefined);
      throw failure;
    }
  }
}

const TILDE = 0x7e;
const LETTER_Z = 0x7a;
const GREATER = 0x3e;

function inflate(input: Uint8Array, { sink, meter }: Unpacking): void {
  inflatePdf(input, sink, meter);
}

function lzw(input: Uint8Array, { sink, earlyChange }: Unpacking): void {
  unpackLzw(input, earlyChange, sink);
}

const UNPACK: ReadonlyMap<string, (input: Uint8Array, to: Unpacking) => void | Promise<void>> = new Map([
  ['Fl', inflate],
  ['FlateDecode', inflate],
  ['LZW', lzw],
  ['LZWDecode', lzw],
  ['A85', unpackAscii85],
  ['ASCII85Decode', unpackAscii85],
  ['AHx', unpackAsciiHex],
  ['ASCIIHexDecode', unpackAsciiHex],
  ['RL', unpackRunLength],
  ['RunLengthDecode', unpackRunLength],
  ['BrotliDecode', unpackBrotli],
]);
const PREDICTED: ReadonlySet<string> = new Set(['Fl', 'FlateDecode', 'LZW', 'LZWDecode']);

/** Full names and abbreviations; what is not here passes through, as it does in pdf.js. */
export const PDF_FILTERS: ReadonlySet<string> = new Set([...UNPACK.keys(), 'Crypt']);

/** What stands for the pixels of a row: see ISO 32000, 7.4.4.4. */
export interface PdfPredictor {
  readonly kind: number;
  readonly colors: number;
  readonly bits: number;
  readonly columns: number;
}

/**
 * Rows of pixels, each a difference to its neighbours; a row that is cut short has its full length all the same.
 * @param isInner another layer takes what comes out, which has to be right then and not only as long as it should be
 * @throws {Malformed} a sentence for the operator
 */
function predicted(
  input: Uint8Array,
  { kind, colors, bits, columns }: PdfPredictor,
  isInner: boolean,
  sink: PdfSink,
): Uint8Array {
  if (kind <= 1) return input;
  const isTiff = kind === 2;
  if (isTiff && bits !== 8 && isInner) throw new Malformed('The PDF has data other than pixels in an image stream.');
  const row = Math.floor((columns * colors * bits + 7) / 8);
  const rows = row > 0 ? Math.ceil(input.length / (isTiff ? row : row + 1)) : 0;
  sink.clear();
  sink.fill(0, rows * row);
  const output = sink.content;
  const pixel = Math.floor((colors * bits + 7) / 8);
  if (isTiff) addLeft(input, output, row, pixel);
  else for (let line = 0; line < rows; line += 1) addNeighbours(input, output, line, { row, pixel });
  return output;
}

function addLeft(input: Uint8Array, output: Uint8Array, row: number, pixel: number): void {
  for (let at = 0; at < Math.min(input.length, output.length); at += 1) {
    const left = at % row < pixel ? 0 : (output[at - pixel] ?? 0);
    output[at] = (input[at] ?? 0) + left;
  }
}

/** The row begins with the way in which it was made. */
function addNeighbours(
  input: Uint8Array,
  output: Uint8Array,
  line: number,
  { row, pixel }: { readonly row: number; readonly pixel: number },
): void {
  const from = line * (row + 1) + 1;
  const filter = input[from - 1] ?? 0;
  const before = (at: number, isThere: boolean): number => (isThere ? (output[at] ?? 0) : 0);
  for (let column = 0; column < Math.min(row, input.length - from); column += 1) {
    const at = line * row + column;
    const left = before(at - pixel, column >= pixel);
    const above = before(at - row, line > 0);
    const corner = before(at - row - pixel, line > 0 && column >= pixel);
    output[at] = (input[from + column] ?? 0) + guess(filter, left, above, corner);
  }
}

function guess(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  return filter === 4 ? paeth(left, above, corner) : 0;
}

function paeth(left: number, above: number, corner: number): number {
  const [toLeft, toAbove] = [Math.abs(above - corner), Math.abs(left - corner)];
  const toCorner = Math.abs(left + above - 2 * corner);
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

/**
 * Unpacks LZW (ISO 32000, 7.4.4) as pdf.js does, where the table is full or a code comes before it has a meaning, too.
 * @param earlyChange 1 where codes grow one entry early, as is usual; else 0
 */
function unpackLzw(input: Uint8Array, earlyChange: number, sink: PdfSink): void {
  const table = new Table(earlyChange);
  let [buffer, count, at] = [0, 0, 0];
  for (;;) {
    for (; count < table.width && at < input.length; count += 8) {
      buffer = ((buffer << 8) | (input[at] ?? 0)) & 0xff_ffff;
      at += 1;
    }
    if (count < table.width) return;
    count -= table.width;
    const code = (buffer >>> count) & ((1 << table.width) - 1);
    if (code === END) return;
    if (code === CLEAR) table.clear();
    else {
      const sequence = table.sequenceOf(code);
      if (sequence) sink.append(sequence);
      else sink.fill(0, table.length);
    }
  }
}

const CLEAR = 256;
const END = 257;
const SIZE = 4_096;

/** What each code stands for: its last byte, and the code of what stands before that. */
class Table {
  /** Bits of the next code. */
  width = 9;
  /** Bytes of the last sequence; 0 behind a `CLEAR`. */
  length = 0;
  readonly #earlyChange: number;
  readonly #values = Uint8Array.from({ length: SIZE }, (_, code) => code);
  readonly #lengths = new Uint16Array(SIZE).fill(1, 0, CLEAR);
  readonly #before = new Uint16Array(SIZE);
  readonly #sequence = new Uint8Array(SIZE);
  #next = END + 1;
  #last = 0;

  constructor(earlyChange: number) {
    this.#earlyChange = earlyChange;
  }

  clear(): void {
    this.width = 9;
    this.length = 0;
    this.#next = END + 1;
  }

  /** A view; undefined where it is longer than any should be: then only its length is known. */
  sequenceOf(code: number): Uint8Array | undefined {
    const hasLast = this.length > 0;
    if (code < CLEAR) {
      this.#sequence[0] = code;
      this.length = 1;
    } else if (code < this.#next) this.#lookUp(code);
    else {
      this.#sequence[this.length] = this.#sequence[0] ?? 0;
      this.length += 1;
    }
    if (hasLast) this.#learn();
    this.#last = code;
    return this.length <= SIZE ? this.#sequence.subarray(0, this.length) : undefined;
  }

  #lookUp(code: number): void {
    this.length = this.#lengths[code] ?? 0;
    for (let index = this.length - 1, from = code; index >= 0; index -= 1) {
      this.#sequence[index] = this.#values[from] ?? 0;
      from = this.#before[from] ?? 0;
    }
  }

  /** The last sequence and the first byte of this one; nothing is kept once the table is full. */
  #learn(): void {
    this.#before[this.#next] = this.#last;
    this.#lengths[this.#next] = (this.#lengths[this.#last] ?? 0) + 1;
    this.#values[this.#next] = this.#sequence[0] ?? 0;
    this.#next += 1;
    const edge = this.#next + this.#earlyChange;
    if ((edge & (edge - 1)) === 0) this.width = Math.min(Math.trunc(Math.log2(edge) + 1), 12);
  }
}
