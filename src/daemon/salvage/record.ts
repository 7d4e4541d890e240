/** A value as SQLite keeps it. */
export type StoredValue = null | number | bigint | string | Uint8Array;

/** Integers of variable length, one after the other. */
export class Varints {
  readonly #bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  /** NaN at the end of the bytes, and for what no number of ours is: below zero, or beyond what is exact. */
  next(): number {
    let value = 0;
    for (let length = 0; length < 8; length += 1) {
      const byte = this.#bytes[this.at];
      if (byte === undefined) return Number.NaN;
      this.at += 1;
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return Number.isSafeInteger(value) ? value : Number.NaN;
    }
    return Number.NaN;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** Bytes of the integers by their type, 1 to 6. */
const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8] as const;

/**
 * The values of a row (https://sqlite.org/fileformat.html, 2.1); undefined if anything about it is not as SQLite writes it:
 * lengths that do not add up to the whole, types that there are none of, text that is none.
 */
export function readRecord(payload: Buffer): readonly StoredValue[] | undefined {
  const types = readTypes(payload);
  if (types === undefined) return undefined;
  let at = types.end;
  const values: StoredValue[] = [];
  for (const type of types.list) {
    const length = lengthOf(type);
    const value = valueOf(type, payload.subarray(at, at + length));
    if (value === undefined) return undefined;
    values.push(value);
    at += length;
  }
  return values;
}

function readTypes(payload: Buffer): { list: readonly number[]; end: number } | undefined {
  const varints = new Varints(payload, 0);
  const end = varints.next();
  if (!(end <= payload.length)) return undefined;
  const list: number[] = [];
  let total = end;
  while (varints.at < end) {
    const type = varints.next();
    // 10 and 11 are for SQLite's own use, and never in a file.
    if (Number.isNaN(type) || type === 10 || type === 11) return undefined;
    list.push(type);
    total += lengthOf(type);
  }
  return varints.at === end && total === payload.length ? { list, end } : undefined;
}

function lengthOf(type: number): number {
  if (type >= 12) return Math.floor((type - 12) / 2);
  return INTEGER_BYTES[type] ?? (type === 7 ? 8 : 0);
}

function valueOf(type: number, bytes: Buffer): StoredValue | undefined {
  if (type === 0) return null;
  if (type === 7) return bytes.readDoubleBE(0);
  if (type === 8 || type === 9) return type - 8;
  if (type < 6) return bytes.readIntBE(0, bytes.length);
  if (type === 6) {
    const value = bytes.readBigInt64BE(0);
    return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  }
  if (type % 2 === 0) return new Uint8Array(bytes);
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
