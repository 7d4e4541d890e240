import type { PdfMeter, PdfSink } from './pdf-meter.ts';

/**
 * Unpacks zlib data (RFC 1950, 1951) as far as pdf.js does. Not zlib's own: that one ends at a wrong distance, window or
 * sum where pdf.js goes on, and a file made for the difference would unpack there to what nobody has counted. Ends
 * without an error at what is damaged. @throws {TreeTooLarge} by the meter and the sink
 */
export function inflatePdf(input: Uint8Array, sink: PdfSink, meter: PdfMeter): void {
  const [method = 0, flags = 0] = input;
  if ((method & 15) !== 8 || (method * 256 + flags) % 31 !== 0 || (flags & 0x20) !== 0) return;
  const bits = new Bits(input, 2);
  try {
    while (inflateBlock(bits, sink, meter));
  } catch (fault) {
    if (!(fault instanceof Damaged)) throw fault;
  }
  meter.work(bits.at);
}

/** Whether another block follows. */
function inflateBlock(bits: Bits, sink: PdfSink, meter: PdfMeter): boolean {
  const header = bits.take(3);
  const kind = header >> 1;
  if (kind === 0) stored(bits, sink);
  else if (kind === 1) coded(bits, FIXED_LITERALS, FIXED_DISTANCES, sink);
  else if (kind === 2) {
    const [literals, distances] = dynamicTables(bits);
    // A block of a few bytes can ask for two large tables.
    meter.work(literals.codes.length + distances.codes.length);
    coded(bits, literals, distances, sink);
  } else throw new Damaged();
  return (header & 1) === 0;
}

function stored(bits: Bits, sink: PdfSink): void {
  bits.align();
  const length = bits.byte() + bits.byte() * 256;
  const check = bits.byte() + bits.byte() * 256;
  if (check !== (~length & 0xffff) && (length !== 0 || check !== 0)) throw new Damaged();
  sink.append(bits.bytes(length));
}

function coded(bits: Bits, literals: Table, distances: Table, sink: PdfSink): void {
  for (;;) {
    const symbol = bits.code(literals);
    if (symbol < 256) sink.push(symbol);
    else if (symbol === 256) return;
    else {
      const length = (LENGTHS[symbol - 257] ?? 0) + bits.take(LENGTH_BITS[symbol - 257] ?? 0);
      const far = bits.code(distances);
      sink.repeat((DISTANCES[far] ?? 0) + bits.take(DISTANCE_BITS[far] ?? 0), length);
    }
  }
}

function dynamicTables(bits: Bits): readonly [Table, Table] {
  const literals = bits.take(5) + 257;
  const distances = bits.take(5) + 1;
  const order = bits.take(4) + 4;
  const ofLengths = new Uint8Array(19);
  for (let index = 0; index < order; index += 1) ofLengths[ORDER[index] ?? 0] = bits.take(3);
  const table = tableOf(ofLengths);
  const lengths = new Uint8Array(literals + distances);
  for (let at = 0, last = 0; at < lengths.length;) {
    const symbol = bits.code(table);
    let [repeats, length] = [1, symbol];
    if (symbol === 16) [repeats, length] = [bits.take(2) + 3, last];
    else if (symbol === 17) [repeats, length] = [bits.take(3) + 3, 0];
    else if (symbol === 18) [repeats, length] = [bits.take(7) + 11, 0];
    last = length;
    lengths.fill(length, at, at + repeats);
    at += repeats;
  }
  return [tableOf(lengths.subarray(0, literals)), tableOf(lengths.subarray(literals))];
}

/** Codes by their bits in the order in which they come: the length times 65,536, and the symbol. */
interface Table {
  readonly codes: Int32Array;
  readonly longest: number;
}

/** Lengths that make no whole code are taken as they are; a code that is none has the length 0. */
function tableOf(lengths: Uint8Array): Table {
  const longest = lengths.reduce((most, length) => Math.max(most, length), 0);
  const size = 1 << longest;
  const codes = new Int32Array(size);
  for (let length = 1, code = 0; length <= longest; length += 1, code <<= 1) {
    for (let symbol = 0; symbol < lengths.length; symbol += 1) {
      if (lengths[symbol] !== length) continue;
      let reversed = 0;
      for (let bit = 0, rest = code; bit < length; bit += 1, rest >>= 1) reversed = (reversed << 1) | (rest & 1);
      for (let at = reversed; at < size; at += 1 << length) codes[at] = length * 65_536 + symbol;
      code += 1;
    }
  }
  return { codes, longest };
}

class Damaged extends Error {}

/** Least significant bit first. @throws {Damaged} at the end */
class Bits {
  readonly #input: Uint8Array;
  at: number;
  #buffer = 0;
  #count = 0;

  constructor(input: Uint8Array, at: number) {
    this.#input = input;
    this.at = at;
  }

  take(count: number): number {
    while (this.#count < count) {
      this.#buffer |= this.byte() << this.#count;
      this.#count += 8;
    }
    const value = this.#buffer & ((1 << count) - 1);
    this.#buffer >>>= count;
    this.#count -= count;
    return value;
  }

  code({ codes, longest }: Table): number {
    while (this.#count < longest && this.at < this.#input.length) {
      this.#buffer |= this.byte() << this.#count;
      this.#count += 8;
    }
    const code = codes[this.#buffer & ((1 << longest) - 1)] ?? 0;
    const length = code >> 16;
    if (length < 1 || this.#count < length) throw new Damaged();
    this.#buffer >>>= length;
    this.#count -= length;
    return code & 0xffff;
  }

  byte(): number {
    const byte = this.#input[this.at];
    if (byte === undefined) throw new Damaged();
    this.at += 1;
    return byte;
  }

  /** Up to the end, where there are fewer. */
  bytes(count: number): Uint8Array {
    const found = this.#input.subarray(this.at, this.at + count);
    this.at += found.length;
    return found;
  }

  /** To the next whole byte of the input. */
  align(): void {
    this.at -= this.#count >> 3;
    this.#buffer = 0;
    this.#count = 0;
  }
}

const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const LENGTHS = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
];
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCES = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
  8193, 12_289, 16_385, 24_577,
];
const DISTANCE_BITS = [
  0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
];
const FIXED_LITERALS = tableOf(new Uint8Array(288).fill(8).fill(9, 144, 256).fill(7, 256, 280));
const FIXED_DISTANCES = tableOf(new Uint8Array(30).fill(5));
