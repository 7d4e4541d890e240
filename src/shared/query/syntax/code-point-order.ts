/**
 * Negative, 0 or positive, as Lucene compares terms: by their UTF-8 bytes, which is the order of code points. The
 * engine's `<` compares UTF-16 units and puts U+1F600 before U+FF01.
 */
export function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const unit = left.charCodeAt(at);
    const other = right.charCodeAt(at);
    if (unit !== other) return rank(unit) - rank(other);
  }
  return left.length - right.length;
}

/** Surrogates stand for code points above all single units. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
