import { hashOf, isWord, setBit } from '../analysis/hashed-words.ts';

const FEWEST_SLOTS = 16;
const BITS_PER_SLOT = 8;
/** Beyond these the nearest cache is full; and where rules name that many terms, most words of a page are in some. */
const MOST_BITS = 1 << 17;
/** A slot holds an id in its lower bits and the top of the term's hash above; 0 is an empty slot. */
const ID_BITS = 22;
const ID_MASK = (1 << ID_BITS) - 1;

/**
 * The terms that rules name in one field: an open-addressing table in which a page looks up the hash of each of its
 * words. One integer a slot, so that the table of a thousand rules stays in the processor's nearest cache; most words
 * are in no rule and meet an empty slot or another hash.
 *
 * The hash has no seed, so terms of one hash can be made: it takes their maker minutes. Each word of a page that has
 * the hash too is then compared with all of them, some ten nanoseconds each: 8,000 such terms and a page of 9,000 such
 * words take 0.6 s. It needs the rules and the page, and the number of terms is limited by the plan's rules.
 */
export class TermTable {
  readonly #texts: readonly string[];
  #slots = new Int32Array(FEWEST_SLOTS);
  #mask = FEWEST_SLOTS - 1;
  #size = 0;
  /** A bit for each hash, eight times as many as slots: what most words of a page are turned away by. */
  #bits = new Int32Array((BITS_PER_SLOT * FEWEST_SLOTS) / 32);
  /** Terms that are gone and left their bit. */
  #stale = 0;

  /** The texts by id, kept by whoever gives the ids. */
  constructor(texts: readonly string[]) {
    this.#texts = texts;
  }

  get size(): number {
    return this.#size;
  }

  /** For `eachHashedWord`: a bit for the hash of each term, and for few others. */
  get bits(): Int32Array {
    return this.#bits;
  }

  /** The id of the word between `start` and `end` of the text, lower-cased, whose hash is given; 0 when unknown. */
  findWord(hash: number, text: string, start: number, end: number): number {
    const slots = this.#slots;
    let slot = slotOf(hash) & this.#mask;
    let held = slots[slot] ?? 0;
    while (held !== 0) {
      if (((held ^ hash) & ~ID_MASK) === 0) {
        const id = held & ID_MASK;
        if (isWord(this.#texts[id] ?? '', text, start, end)) return id;
      }
      slot = (slot + 1) & this.#mask;
      held = slots[slot] ?? 0;
    }
    return 0;
  }

  find(term: string): number {
    const hash = hashOf(term);
    for (let slot = slotOf(hash) & this.#mask; this.#slots[slot] !== 0; slot = (slot + 1) & this.#mask) {
      const id = this.#idAt(slot);
      if (this.#texts[id] === term) return id;
    }
    return 0;
  }

  /** A term that is not in it yet. */
  add(term: string, id: number): void {
    if (id > ID_MASK) throw new RangeError(`rules can name ${ID_MASK} different terms at most`);
    if (3 * (this.#size + 1) > this.#mask) this.#resize(2 * (this.#mask + 1));
    this.#size++;
    this.#put(term, id);
  }

  remove(term: string, id: number): void {
    let slot = slotOf(hashOf(term)) & this.#mask;
    while (this.#idAt(slot) !== id) slot = (slot + 1) & this.#mask;
    this.#size--;
    this.#close(slot);
    this.#stale++;
    if (this.#mask >= FEWEST_SLOTS && 12 * this.#size < this.#mask) this.#resize((this.#mask + 1) / 2);
    else if (this.#stale > this.#mask) this.#resize(this.#mask + 1);
  }

  #idAt(slot: number): number {
    return (this.#slots[slot] ?? 0) & ID_MASK;
  }

  #put(term: string, id: number): void {
    const hash = hashOf(term);
    setBit(this.#bits, hash);
    let slot = slotOf(hash) & this.#mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & this.#mask;
    this.#slots[slot] = (hash & ~ID_MASK) | id;
  }

  /** Moves back what lies behind the hole and may stand in it, so that no search ends too early. */
  #close(hole: number): void {
    let empty = hole;
    for (let slot = (hole + 1) & this.#mask; this.#slots[slot] !== 0; slot = (slot + 1) & this.#mask) {
      const home = slotOf(hashOf(this.#texts[this.#idAt(slot)] ?? '')) & this.#mask;
      if (((slot - home) & this.#mask) < ((slot - empty) & this.#mask)) continue;
      this.#slots[empty] = this.#slots[slot] ?? 0;
      empty = slot;
    }
    this.#slots[empty] = 0;
  }

  #resize(slots: number): void {
    const before = this.#slots;
    this.#slots = new Int32Array(slots);
    this.#mask = slots - 1;
    this.#bits = new Int32Array(Math.min(BITS_PER_SLOT * slots, MOST_BITS) / 32);
    this.#stale = 0;
    for (const held of before) if (held !== 0) this.#put(this.#texts[held & ID_MASK] ?? '', held & ID_MASK);
  }
}

/** Multiplication carries differences upwards only, and the slot is taken from below. */
function slotOf(hash: number): number {
  return hash ^ (hash >>> 15);
}
