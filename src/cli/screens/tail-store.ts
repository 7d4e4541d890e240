import { reduce, type TailAction, type TailModel } from './tail-model.ts';

/** Milliseconds between two frames: a burst of a thousand matches is drawn ten times a second, not a thousand. */
const FRAME_MS = 100;

/** The model between the stream, which changes it at any rate, and the screen, which is told at most every 100 ms. */
export class TailStore {
  readonly #now: () => number;
  #model: TailModel;
  #shown: TailModel;
  #shownAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(model: TailModel, now: () => number) {
    this.#model = model;
    this.#shown = model;
    this.#now = now;
  }

  /** As it is now. */
  get model(): TailModel {
    return this.#model;
  }

  /** As the screen last saw it. */
  readonly snapshot = (): TailModel => this.#shown;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  dispatch(action: TailAction): void {
    this.#model = reduce(this.#model, action);
    if (this.#model === this.#shown || this.#timer !== undefined) return;
    const due = this.#shownAt + FRAME_MS - this.#now();
    if (due <= 0) this.#show();
    else this.#timer = setTimeout(() => this.#show(), due);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#listeners.clear();
  }

  #show(): void {
    this.#timer = undefined;
    this.#shownAt = this.#now();
    this.#shown = this.#model;
    for (const listener of this.#listeners) listener();
  }
}
