/**
 * Numbers that look random and are the same for the same seed and names, on every machine and in any order: each is
 * hashed from what it is for, so the fourth release of a seed is the same whether or not the third was asked for.
 * FNV-1a over the parts, finished as in MurmurHash3.
 * @returns 0 ≤ number < 1
 */
export function dice(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const character of parts.join('\0')) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x1_0000_0000;
}

export function pick<Item>(items: readonly [Item, ...Item[]], ...parts: readonly (string | number)[]): Item {
  return items[Math.floor(dice(...parts) * items.length)] ?? items[0];
}
