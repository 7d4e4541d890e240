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
  const votes = new Votes();
  const seen = new Set<number>();
  for (let at = 2; at < hashes.length; at += 1) {
    const [a = 0, b = 0, c = 0] = [hashes[at - 2], hashes[at - 1], hashes[at]];
    const low = mixed(Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca77) ^ Math.imul(c, 0xc2b2ae3d));
    const high = mixed(Math.imul(a, 0x27d4eb2f) ^ Math.imul(b, 0x165667b1) ^ Math.imul(c, 0xd3a2646d));
    // 21 bits of the one and 32 of the other: a number holds 53.
    const run = (low >>> 11) * 0x1_0000_0000 + (high >>> 0);
    if (seen.has(run)) continue;
    seen.add(run);
    votes.add(low, high);
  }
  return votes.winners();
}

const LEAST_WORDS = 50;
/** What follows changes little; a text may have a million. */
const MOST_WORDS = 20_000;
/** Letters and digits; where words have no spaces between them, each character. */
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}]+/gu;

/** Runs after which a count of eight bits may be full. */
const FULL = 255;
/** The lowest bit of each byte. */
const LOWEST = 0x0101_0101;

/**
 * How many runs have each of the 64 bits. Four bits of a half, eight apart, are counted at once in the four bytes of one
 * number: a run costs sixteen additions, and not sixty-four.
 */
class Votes {
  readonly #bytes = new Int32Array(16);
  readonly #ones = new Int32Array(64);
  #runs = 0;

  add(low: number, high: number): void {
    const bytes = this.#bytes;
    for (let at = 0; at < 8; at += 1) {
      bytes[at] = (bytes[at] ?? 0) + ((low >>> at) & LOWEST);
      bytes[at + 8] = (bytes[at + 8] ?? 0) + ((high >>> at) & LOWEST);
    }
    this.#runs += 1;
    if (this.#runs % FULL === 0) this.#carry();
  }

  /** The bits that more than half of the runs have: the high half, then the low one. */
  winners(): string {
    this.#carry();
    return this.#half(32) + this.#half(0);
  }

  #carry(): void {
    for (const [at, four] of this.#bytes.entries()) {
      const from = at < 8 ? at : at + 24;
      for (let byte = 0; byte < 4; byte += 1) {
        const bit = from + 8 * byte;
        this.#ones[bit] = (this.#ones[bit] ?? 0) + ((four >>> (8 * byte)) & 0xff);
      }
    }
    this.#bytes.fill(0);
  }

  #half(from: number): string {
    let bits = 0;
    for (let bit = 0; bit < 32; bit += 1) if (2 * (this.#ones[from + bit] ?? 0) > this.#runs) bits |= 1 << bit;
    return (bits >>> 0).toString(16).padStart(8, '0');
  }
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
