import { PDF_UNPACKED_BYTES } from '../../limits.ts';
import { TreeTooLarge } from '../read/tree.ts';

/** What unpacking one PDF may come to: bytes that come out of all its filters, and steps that it takes to find that out. */
export class PdfMeter {
  #bytes = PDF_UNPACKED_BYTES;
  #steps = STEPS;

  /** Bytes that a filter puts out. @throws {TreeTooLarge} */
  take(bytes: number): void {
    this.#bytes -= bytes;
    if (this.#bytes >= 0) return;
    const mebibytes = PDF_UNPACKED_BYTES / 1_024 / 1_024;
    throw new TreeTooLarge(`The PDF is too large when unpacked: its streams come to more than ${mebibytes} MiB.`);
  }

  /** Bytes that are looked at, or as much work. @throws {TreeTooLarge} */
  work(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0) throw new TreeTooLarge('The PDF takes too much work to be unpacked.');
  }
}

/** Fifty times the largest file: objects and streams that lie in one another are looked at again and again. */
const STEPS = 256 * 1_024 * 1_024;

/** Bytes that grow, each counted before there is room for it. Used again for one stream after another. */
export class PdfSink {
  #bytes = new Uint8Array(65_536);
  #length = 0;
  readonly #meter: PdfMeter;

  constructor(meter: PdfMeter) {
    this.#meter = meter;
  }

  get length(): number {
    return this.#length;
  }

  /** A view, which the next `clear` takes back. */
  get content(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  push(byte: number): void {
    this.#grow(1);
    this.#bytes[this.#length - 1] = byte;
  }

  append(bytes: Uint8Array): void {
    const at = this.#grow(bytes.length);
    this.#bytes.set(bytes, at);
  }

  fill(byte: number, count: number): void {
    const at = this.#grow(count);
    this.#bytes.fill(byte, at, at + count);
  }

  /** Repeats what stands `distance` before the end; nothing stands before the beginning, and reads as zeros. */
  repeat(distance: number, count: number): void {
    const at = this.#grow(count);
    const bytes = this.#bytes;
    for (let index = at; index < at + count; index += 1) bytes[index] = bytes[index - distance] ?? 0;
  }

  /** Room for as many more, which is filled with what was there; where it begins. */
  #grow(count: number): number {
    // Not a number, and what is below nothing, come of parameters that are out of their minds.
    this.#meter.take(count >= 0 ? count : Infinity);
    const at = this.#length;
    this.#length += count;
    if (this.#length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.#length, this.#bytes.length * 2));
      larger.set(this.#bytes.subarray(0, at));
      this.#bytes = larger;
    }
    return at;
  }
}
