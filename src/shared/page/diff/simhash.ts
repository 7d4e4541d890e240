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
  const hashes = wordHashes(text.toLowerCase());
  if (hashes.length < LEAST_WORDS) return undefined;
  const votes = new Votes();
  const seen = new Seen(hashes.length);
  for (let at = 2; at < hashes.length; at += 1) {
    const [a, b, c] = [hashes[at - 2] ?? 0, hashes[at - 1] ?? 0, hashes[at] ?? 0];
    const low = mixed(Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca77) ^ Math.imul(c, 0xc2b2ae3d));
    const high = mixed(Math.imul(a, 0x27d4eb2f) ^ Math.imul(b, 0x165667b1) ^ Math.imul(c, 0xd3a2646d));
    if (seen.isNew(low, high)) votes.add(low, high);
  }
  return votes.winners();
}

/** Bits in which two simhashes differ, 0 to 64. */
export function simhashDistance(one: string, other: string): number {
  return bitsBetween(one.slice(0, 8), other.slice(0, 8)) + bitsBetween(one.slice(8), other.slice(8));
}

function bitsBetween(one: string, other: string): number {
  let bits = Number.parseInt(one, 16) ^ Number.parseInt(other, 16);
  let count = 0;
  for (; bits !== 0; bits &= bits - 1) count += 1;
  return count;
}

const LEAST_WORDS = 50;
/** What follows changes little; a text may have a million. */
const MOST_WORDS = 20_000;

/** FNV-1a of each word. No word is cut out: making two thousand strings would cost more than all that is counted here. */
function wordHashes(text: string): number[] {
  const hashes: number[] = [];
  let hash = SEED;
  const end = (): void => {
    if (hash !== SEED) hashes.push(mixed(hash));
    hash = SEED;
  };
  for (let at = 0; at < text.length && hashes.length < MOST_WORDS; at += 1) {
    const sort = sortOf(text, at);
    if (sort !== IN_WORD) end();
    if (sort === GAP) continue;
    hash = Math.imul(hash ^ text.charCodeAt(at), PRIME);
    if (isPairAt(text, at)) hash = Math.imul(hash ^ text.charCodeAt((at += 1)), PRIME);
    if (sort === BY_ITSELF) end();
  }
  end();
  return hashes.slice(0, MOST_WORDS);
}

const SEED = 0x811c9dc5;
const PRIME = 0x01000193;

/** Where words have no spaces between them, each character is one. */
const ALONE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const LETTER = /[\p{L}\p{M}\p{N}]/u;

const GAP = 1;
const IN_WORD = 2;
const BY_ITSELF = 3;
/** By UTF-16 unit, as far as texts have asked: 0 is what no text had yet. */
const sorts = new Uint8Array(0x1_0000);

function sortOf(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  const known = sorts[unit] ?? 0;
  if (known !== 0) return known;
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  const sort = ALONE.test(character) ? BY_ITSELF : LETTER.test(character) ? IN_WORD : GAP;
  // The half of a character says nothing of the whole.
  if (!isHalf(unit)) sorts[unit] = sort;
  return sort;
}

function isPairAt(text: string, at: number): boolean {
  return isHalf(text.charCodeAt(at)) && (text.codePointAt(at) ?? 0) > 0xffff;
}

function isHalf(unit: number): boolean {
  return (unit & 0xf800) === 0xd800;
}

/** The runs of one text, each once. A `Set` of numbers of more than 31 bits takes three times as long. */
class Seen {
  readonly #lows: Int32Array;
  readonly #highs: Int32Array;
  /** By slot: whether something is in it. */
  readonly #taken: Uint8Array;

  constructor(most: number) {
    const slots = 2 ** Math.ceil(Math.log2(2 * most));
    this.#lows = new Int32Array(slots);
    this.#highs = new Int32Array(slots);
    this.#taken = new Uint8Array(slots);
  }

  isNew(low: number, high: number): boolean {
    const mask = this.#taken.length - 1;
    let slot = low & mask;
    for (; this.#taken[slot] === 1; slot = (slot + 1) & mask) {
      if (this.#lows[slot] === low && this.#highs[slot] === high) return false;
    }
    this.#lows[slot] = low;
    this.#highs[slot] = high;
    this.#taken[slot] = 1;
    return true;
  }
}

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

/** The finalizer of MurmurHash3: each bit depends on all. */
function mixed(hash: number): number {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return h ^ (h >>> 16);
}
