/** A value that a screen shows; subscribers are called when it changes: what `useSyncExternalStore` of React reads. */
export class ExternalStore<Value> {
  #value: Value;
  readonly #listeners = new Set<() => void>();

  constructor(value: Value) {
    this.#value = value;
  }

  readonly snapshot = (): Value => this.#value;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  tell(value: Value): void {
    this.#value = value;
    for (const listener of this.#listeners) listener();
  }
}
