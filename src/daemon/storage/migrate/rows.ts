import { createHash } from 'node:crypto';

/** What a column holds in either database. A yes or no is 1 or 0, as in SQLite. */
export type Value = null | number | string | Uint8Array;
export type Row = readonly Value[];

/** Rows, and what is said of them: two tables of which it is the same hold the same rows, in whatever order. */
export class RowSum {
  rows = 0;
  #sum = 0n;

  add(row: Row): void {
    const hash = createHash('sha256');
    for (const value of row) {
      if (value instanceof Uint8Array) hash.update(`b${value.length} `).update(value);
      else if (value === null) hash.update('n ');
      // A text with its length: no two rows are written alike.
      else hash.update(typeof value === 'number' ? `d${value} ` : `s${value.length} ${value}`);
    }
    this.rows += 1;
    this.#sum = (this.#sum + hash.digest().readBigUInt64BE()) & LARGEST;
  }

  /** 16 hexadecimal digits: the sum of the rows' hashes. */
  get checksum(): string {
    return this.#sum.toString(16).padStart(16, '0');
  }
}

const LARGEST = (1n << 64n) - 1n;

/** Rows that are held at once, and bytes of them. */
const ROWS_AT_ONCE = 1_000;
const BYTES_AT_ONCE = 4 * 1_024 * 1_024;

/** Gathers rows for one statement. */
export class Batch {
  #rows: Row[] = [];
  #bytes = 0;

  add(row: Row): void {
    this.#rows.push(row);
    for (const value of row) this.#bytes += value === null || typeof value === 'number' ? 8 : value.length;
  }

  get isFull(): boolean {
    return this.#rows.length >= ROWS_AT_ONCE || this.#bytes >= BYTES_AT_ONCE;
  }

  take(): readonly Row[] {
    const rows = this.#rows;
    this.#rows = [];
    this.#bytes = 0;
    return rows;
  }
}
