import { ExternalStore } from './external-store.ts';
import { RING, type TailModel } from './tail-model.ts';
import { type Arrival, reduce, type TailAction } from './tail-reducer.ts';

/** Milliseconds between two frames: a burst of a thousand matches is drawn ten times a second, not a thousand. */
const FRAME_MS = 100;

/** The model between the stream, which changes it at any rate, and the screen, which is told at most every 100 ms. */
export class TailStore {
  readonly #now: () => number;
  #model: TailModel;
  /** Matches that came since the last frame: taken together, since each copies the rows. */
  #arrivals: Arrival[] = [];
  readonly #shown: ExternalStore<TailModel>;
  #shownAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(model: TailModel, now: () => number) {
    this.#model = model;
    this.#shown = new ExternalStore(model);
    this.#now = now;
  }

  /** As it is now. */
  get model(): TailModel {
    this.#settle();
    return this.#model;
  }

  /** As the screen last saw it. */
  readonly snapshot = (): TailModel => this.#shown.snapshot();

  readonly subscribe = (listener: () => void): (() => void) => this.#shown.subscribe(listener);

  dispatch(action: TailAction): void {
    if (this.#timer !== undefined && isArrival(action)) {
      if (this.#arrivals.push(action) >= RING) this.#settle();
      return;
    }
    this.#settle();
    this.#model = reduce(this.#model, action);
    if (this.#model === this.snapshot() || this.#timer !== undefined) return;
    const due = this.#shownAt + FRAME_MS - this.#now();
    if (due <= 0) this.#show();
    else this.#timer = setTimeout(() => this.#show(), due);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #settle(): void {
    if (this.#arrivals.length === 0) return;
    this.#model = reduce(this.#model, { type: 'matches', arrivals: this.#arrivals });
    this.#arrivals = [];
  }

  #show(): void {
    this.#timer = undefined;
    this.#settle();
    this.#shownAt = this.#now();
    this.#shown.tell(this.#model);
  }
}

function isArrival(action: TailAction): action is TailAction & Arrival {
  return action.type === 'stream' && action.event.type === 'update';
}
