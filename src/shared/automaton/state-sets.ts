/** Sets of numbers, each once, numbered in the order they came: a hash table over one array of all members. */
export class StateSets {
  #members = new Uint16Array(256);
  /** Where each set begins; one more entry than there are sets. */
  readonly #begins = [0];
  /** The newest set of each hash, and of each set the one before it of the same hash. */
  readonly #newest = new Map<number, number>();
  readonly #older: number[] = [];

  get count(): number {
    return this.#older.length;
  }

  members(set: number): Uint16Array {
    return this.#members.subarray(this.#begins[set] ?? 0, this.#begins[set + 1] ?? 0);
  }

  /** The number of this set, its members in order; -1 when it is new. */
  find(members: Uint16Array): number {
    let set = this.#newest.get(hashOf(members)) ?? -1;
    while (set >= 0 && !this.#equals(set, members)) set = this.#older[set] ?? -1;
    return set;
  }

  /** Takes a new set. */
  add(members: Uint16Array): void {
    const begin = this.#begins.at(-1) ?? 0;
    const end = begin + members.length;
    if (end > this.#members.length) this.#grow(end);
    this.#members.set(members, begin);
    this.#begins.push(end);
    const hash = hashOf(members);
    this.#older.push(this.#newest.get(hash) ?? -1);
    this.#newest.set(hash, this.#older.length - 1);
  }

  #equals(set: number, members: Uint16Array): boolean {
    const begin = this.#begins[set] ?? 0;
    if ((this.#begins[set + 1] ?? 0) - begin !== members.length) return false;
    for (let at = 0; at < members.length; at++) if (this.#members[begin + at] !== members[at]) return false;
    return true;
  }

  #grow(least: number): void {
    const members = this.#members;
    this.#members = new Uint16Array(Math.max(2 * members.length, least));
    this.#members.set(members);
  }
}

/** FNV-1a over the members; 30 bits, so that a Map keeps it as a small integer. */
function hashOf(members: Uint16Array): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < members.length; at++) hash = Math.imul(hash ^ (members[at] ?? 0), 0x01000193);
  return hash >>> 2;
}
