import { Malformed } from '../read/malformed.ts';
import { inflatePdf } from './pdf-inflate.ts';
import { unpackLzw } from './pdf-lzw.ts';
import type { PdfMeter, PdfSink } from './pdf-meter.ts';
import { hexDigit, isSpace } from './pdf-objects.ts';
import { type PdfPredictor, predicted } from './pdf-predictor.ts';

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
    throw new Malformed('The PDF is packed with Brotli, which cannot be read here.');
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
