import type { PdfSink } from './pdf-meter.ts';

/**
 * Unpacks LZW (ISO 32000, 7.4.4) as pdf.js does, where the table is full or a code comes before it has a meaning, too.
 * @param earlyChange 1 where codes grow one entry early, as is usual; else 0
 */
export function unpackLzw(input: Uint8Array, earlyChange: number, sink: PdfSink): void {
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
