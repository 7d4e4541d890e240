/**
 * What the stores keep in memory goes with the transaction that changes it, as the rows do: a ROLLBACK, of all or to a
 * savepoint, brings back what was there before. Otherwise a COMMIT that fails would leave half of its work behind: the
 * lease of a host would be over, and the visit that ended it not recorded.
 */
export class TransactionalMaps {
  readonly #undo: (() => void)[] = [];
  #isInTransaction = false;

  map<Key, Value>(): TransactionalMap<Key, Value> {
    return new TransactionalMap((undo) => {
      // What is changed between transactions, by a read, is nothing that any of them could take back.
      if (this.#isInTransaction) this.#undo.push(undo);
    });
  }

  begin(): void {
    this.#undo.length = 0;
    this.#isInTransaction = true;
  }

  /** To be handed to `rollBackTo`. */
  savepoint(): number {
    return this.#undo.length;
  }

  rollBackTo(savepoint: number): void {
    while (this.#undo.length > savepoint) this.#undo.pop()?.();
  }

  commit(): void {
    this.#undo.length = 0;
    this.#isInTransaction = false;
  }

  rollBack(): void {
    this.rollBackTo(0);
    this.#isInTransaction = false;
  }
}

/** A map whose changes can be taken back, last one first. An entry that comes back is at the end of its order. */
export class TransactionalMap<Key, Value> extends Map<Key, Value> {
  readonly #onChange: (undo: () => void) => void;

  constructor(onChange: (undo: () => void) => void) {
    super();
    this.#onChange = onChange;
  }

  override set(key: Key, value: Value): this {
    this.#note(key);
    return super.set(key, value);
  }

  override delete(key: Key): boolean {
    if (this.has(key)) this.#note(key);
    return super.delete(key);
  }

  override clear(): void {
    for (const key of this.keys()) this.delete(key);
  }

  #note(key: Key): void {
    const before = this.has(key) ? { value: super.get(key) as Value } : undefined;
    this.#onChange(() => void (before ? super.set(key, before.value) : super.delete(key)));
  }
}
