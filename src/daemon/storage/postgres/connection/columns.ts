/**
 * Rows as arrays of their columns: what `unnest` takes. A statement over arrays costs PostgreSQL a fraction of as many
 * statements, and one round trip.
 */
export function columnsOf<Row>(rows: readonly Row[], ...columns: readonly ((row: Row) => unknown)[]): unknown[][] {
  return columns.map((column) => rows.map(column));
}

/**
 * Byte strings as one parameter, which is sent as it is, and where each begins (from 1) and how long it is: as an array each would be
 * written and read as hexadecimal digits. `substring(blob from start for length)` has them again.
 */
export function packedBytes(parts: readonly Uint8Array[]): {
  readonly blob: Uint8Array;
  readonly starts: number[];
  readonly lengths: number[];
} {
  const lengths = parts.map(({ length }) => length);
  let end = 1;
  const starts = lengths.map((length) => (end += length) - length);
  return { blob: Buffer.concat(parts), starts, lengths };
}

/** PostgreSQL keeps no U+0000 in text. */
export function storable<T extends string | null | undefined>(text: T): T {
  return typeof text === 'string' && text.includes('\0') ? (text.replaceAll('\0', '\u{FFFD}') as T) : text;
}
