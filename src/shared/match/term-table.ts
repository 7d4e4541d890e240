import { hashOf, isWord } from '../analysis/hashed-words.ts';

/** Start of a field's hashes: the order of the fields does not matter. */
export const HASH_SEED = 0x811c9dc5 | 0;

const FEWEST_SLOTS = 16;

/**
 * The terms that rules name in one field: an open-addressing table in which a page looks up the hash of each of its
 * words, in one read for most. Slots are pairs of a hash and an id; id 0 is an empty slot.
 */
export class TermTable {
  readonly #texts: readonly string[];
  #slots = new Int32Array(2 * FEWEST_SLOTS);
  #mask = FEWEST_SLOTS - 1;
  #size = 0;

  /** The texts by id, kept by whoever gives the ids. */
  constructor(texts: readonly string[]) {
    this.#texts = texts;
  }

  get size(): number {
    return this.#size;
  }

  /** The id of the word between `start` and `end` of the text, lower-cased, whose hash is given; 0 when unknown. */
  findWord(hash: number, text: string, start: number, end: number): number {
    const slots = this.#slots;
    const mask = this.#mask;
    let slot = slotOf(hash) & mask;
    let id = slots[2 * slot + 1] ?? 0;
    while (id !== 0) {
      if (slots[2 * slot] === hash && isWord(this.#texts[id] ?? '', text, start, end)) return id;
      slot = (slot + 1) & mask;
      id = slots[2 * slot + 1] ?? 0;
    }
    return 0;
  }

  find(term: string): number {
    const hash = hashOf(term, HASH_SEED);
    let slot = slotOf(hash) & this.#mask;
    let id = this.#idAt(slot);
    while (id !== 0) {
      if (this.#slots[2 * slot] === hash && this.#texts[id] === term) return id;
      slot = (slot + 1) & this.#mask;
      id = this.#idAt(slot);
    }
    return 0;
  }

  /** A term that is not in it yet. */
  add(term: string, id: number): void {
    // At most half full: a page's words are mostly not in it, and find that out in one step.
    if (2 * (this.#size + 1) > this.#mask) this.#resize(4 * (this.#mask + 1));
    this.#size++;
    this.#put(hashOf(term, HASH_SEED), id);
  }

  remove(term: string, id: number): void {
    let slot = slotOf(hashOf(term, HASH_SEED)) & this.#mask;
    while (this.#idAt(slot) !== id) slot = (slot + 1) & this.#mask;
    this.#size--;
    this.#close(slot);
    if (this.#mask >= FEWEST_SLOTS && 16 * this.#size < this.#mask) this.#resize((this.#mask + 1) / 4);
  }

  #idAt(slot: number): number {
    return this.#slots[2 * slot + 1] ?? 0;
  }

  #put(hash: number, id: number): void {
    let slot = slotOf(hash) & this.#mask;
    while (this.#idAt(slot) !== 0) slot = (slot + 1) & this.#mask;
    this.#slots[2 * slot] = hash;
    this.#slots[2 * slot + 1] = id;
  }

  /** Moves back what lies behind the hole and may stand in it, so that no search ends too early. */
  #close(hole: number): void {
    let empty = hole;
    for (let slot = (hole + 1) & this.#mask; this.#idAt(slot) !== 0; slot = (slot + 1) & this.#mask) {
      const hash = this.#slots[2 * slot] ?? 0;
      const home = slotOf(hash) & this.#mask;
      if (((slot - home) & this.#mask) < ((slot - empty) & this.#mask)) continue;
      this.#slots[2 * empty] = hash;
      this.#slots[2 * empty + 1] = this.#idAt(slot);
      empty = slot;
    }
    this.#slots[2 * empty + 1] = 0;
  }

  #resize(slots: number): void {
    const before = this.#slots;
    this.#slots = new Int32Array(2 * slots);
    this.#mask = slots - 1;
    for (let at = 0; at < before.length; at += 2) {
      const id = before[at + 1] ?? 0;
      if (id !== 0) this.#put(before[at] ?? 0, id);
    }
  }
}

/** Multiplication carries differences upwards only; the slot is taken from below. */
function slotOf(hash: number): number {
  return hash ^ (hash >>> 15);
}
