/**
 * A 64-bit simhash (Charikar, STOC 2002; Manku, Jain & Das Sarma, WWW 2007) of a text, as 16 hex digits: texts that
 * share most of their runs of three words differ in few bits. Undefined for texts too short to tell apart by it: some
 * words of a template would outweigh what each of them says.
 *
 * Each run votes on each bit once, however often it comes: what a template repeats would outvote the text.
 *
 * The bits are counted as two 32-bit halves; BigInt would cost twenty times as much.
 */
export function simhash(text: string): string | undefined {
  const words = text.toLowerCase().match(WORD);
  if (!words || words.length < LEAST_WORDS) return undefined;
  const hashes = words.slice(0, MOST_WORDS).map(wordHash);
  const votes = new Int32Array(64);
  const seen = new Set<number>();
  for (let at = 2; at < hashes.length; at += 1) {
    const [a = 0, b = 0, c = 0] = [hashes[at - 2], hashes[at - 1], hashes[at]];
    const low = mixed(Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca77) ^ Math.imul(c, 0xc2b2ae3d));
    const high = mixed(Math.imul(a, 0x27d4eb2f) ^ Math.imul(b, 0x165667b1) ^ Math.imul(c, 0xd3a2646d));
    // 21 bits of the one and 32 of the other: a number holds 53.
    const run = (low >>> 11) * 0x1_0000_0000 + (high >>> 0);
    if (seen.has(run)) continue;
    seen.add(run);
    vote(votes, 0, low);
    vote(votes, 32, high);
  }
  return half(votes, 32) + half(votes, 0);
}

const LEAST_WORDS = 50;
/** What follows changes little; a text may have a million. */
const MOST_WORDS = 20_000;
/** Letters and digits; where words have no spaces between them, each character. */
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}]+/gu;

function vote(votes: Int32Array, from: number, hash: number): void {
  for (let bit = 0; bit < 32; bit += 1) {
    const at = from + bit;
    votes[at] = (votes[at] ?? 0) + ((hash >>> bit) & 1) * 2 - 1;
  }
}

function half(votes: Int32Array, from: number): string {
  let bits = 0;
  for (let bit = 0; bit < 32; bit += 1) if ((votes[from + bit] ?? 0) > 0) bits |= 1 << bit;
  return (bits >>> 0).toString(16).padStart(8, '0');
}

/** FNV-1a. */
function wordHash(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return mixed(hash);
}

/** The finalizer of MurmurHash3: each bit depends on all. */
function mixed(hash: number): number {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return h ^ (h >>> 16);
}
