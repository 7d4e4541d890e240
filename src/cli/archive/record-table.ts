import type { Place } from '../../shared/archive/byte-window.ts';

/** Where a record stands: which of the files, and where in it. */
export interface Entry extends Place {
  readonly file: number;
}

/** The records of all files that are to be sent, in order of their dates; 24 bytes each, so that millions are no matter. */
export class RecordTable {
  #dates = new Float64Array(FIRST);
  #offsets = new Float64Array(FIRST);
  #withins = new Uint32Array(FIRST);
  #files = new Uint32Array(FIRST);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(date: number, { file, offset, within }: Entry): void {
    if (this.#length === this.#dates.length) this.#grow();
    this.#dates[this.#length] = date;
    this.#offsets[this.#length] = offset;
    this.#withins[this.#length] = within;
    this.#files[this.#length] = file;
    this.#length += 1;
  }

  /** Takes back all but the first so many. */
  cut(length: number): void {
    this.#length = Math.min(this.#length, length);
  }

  /** The date of the earliest; undefined when there is none. */
  get earliest(): number | undefined {
    let earliest = Infinity;
    for (let at = 0; at < this.#length; at += 1) earliest = Math.min(earliest, this.#dates[at] ?? Infinity);
    return earliest === Infinity ? undefined : earliest;
  }

  /** By date; those of one date in the order they were found. */
  *inOrder(): Generator<Entry> {
    const dates = this.#dates;
    const order = Uint32Array.from({ length: this.#length }, (_, index) => index);
    order.sort((one, other) => (dates[one] ?? 0) - (dates[other] ?? 0) || one - other);
    for (const at of order) {
      yield { file: this.#files[at] ?? 0, offset: this.#offsets[at] ?? 0, within: this.#withins[at] ?? 0 };
    }
  }

  #grow(): void {
    const length = this.#dates.length * 2;
    this.#dates = larger(this.#dates, new Float64Array(length));
    this.#offsets = larger(this.#offsets, new Float64Array(length));
    this.#withins = larger(this.#withins, new Uint32Array(length));
    this.#files = larger(this.#files, new Uint32Array(length));
  }
}

const FIRST = 1_024;

function larger<Numbers extends Float64Array | Uint32Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}
