import type { Place } from './page-terms.ts';

/** Positions kept ready between pages; what a larger page needed is given back. */
export const USUAL_POSITIONS = 1 << 14;

/**
 * Where the words stand in the texts that an open page was read from, by their positions there: kept as they are read, so
 * that no text has to be read again to show what a rule has hit.
 */
export class WordPlaces {
  #starts = new Int32Array(USUAL_POSITIONS);
  #ends = new Int32Array(USUAL_POSITIONS);
  /** By field: the position at which each of its values begins. */
  readonly #values: number[][] = [];

  makeRoom(): void {
    this.#values.length = 0;
    if (this.#starts.length === USUAL_POSITIONS) return;
    this.#starts = new Int32Array(USUAL_POSITIONS);
    this.#ends = new Int32Array(USUAL_POSITIONS);
  }

  beginField(field: number): void {
    this.#values[field] = [];
  }

  beginValue(field: number, position: number): void {
    this.#values[field]?.push(position);
  }

  note(position: number, start: number, end: number): void {
    while (position >= this.#starts.length) {
      this.#starts = doubled(this.#starts);
      this.#ends = doubled(this.#ends);
    }
    this.#starts[position] = start;
    this.#ends[position] = end;
  }

  /** Of ascending positions that were noted, from `fieldStart` on. */
  find(field: number, fieldStart: number, positions: readonly number[]): Map<number, Place> {
    const places = new Map<number, Place>();
    const values = this.#values[field] ?? [];
    let value = -1;
    for (const position of positions) {
      const at = fieldStart + position;
      while ((values[value + 1] ?? Infinity) <= at) value++;
      places.set(position, { value, start: this.#starts[at] ?? 0, end: this.#ends[at] ?? 0 });
    }
    return places;
  }
}

export function doubled(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * array.length);
  larger.set(array);
  return larger;
}
