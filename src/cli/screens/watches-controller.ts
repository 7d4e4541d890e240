import type { WatchReport } from '../../shared/api/watch.ts';
import { shownHunks } from '../../shared/documents/shown-change.ts';
import type { WatchEndpoints } from '../client/watches.ts';
import { ExternalStore } from './external-store.ts';
import { STRIP } from './watches-view.ts';
import {
  markedWatch,
  reduceWatches,
  type WatchDetail,
  type WatchesAction,
  type WatchesKey,
  type WatchesModel,
} from './watches-model.ts';

type Daemon = Pick<WatchEndpoints, 'list' | 'check' | 'checks' | 'checkNow' | 'change' | 'see'>;

export interface WatchesControllerOptions {
  readonly watches: Daemon;
  readonly model: WatchesModel;
  readonly now: () => number;
  /** Shows a page in the browser; a sentence. @throws where there is none */
  readonly browse: (url: string) => Promise<string>;
}

/** What a key asks the daemon for. */
export type WatchesOrder = 'check' | 'pause' | 'browse' | 'see';

/** Between the screen and the daemon: holds the model, and asks for what the screen needs next. */
export class WatchesController {
  readonly #options: WatchesControllerOptions;
  readonly #store: ExternalStore<WatchesModel>;
  #loading: Promise<void> | undefined;
  /** Of the watch whose change was loaded last, as it was by then. */
  #loaded: string | undefined;

  constructor(options: WatchesControllerOptions) {
    this.#options = options;
    this.#store = new ExternalStore(options.model);
  }

  readonly snapshot = (): WatchesModel => this.#store.snapshot();

  readonly subscribe = (listener: () => void): (() => void) => this.#store.subscribe(listener);

  /** The watches as they are now. A daemon that is away leaves what was known last, with a word that it is old. */
  async refresh(): Promise<void> {
    const { watches, now } = this.#options;
    try {
      this.dispatch({ type: 'watches', watches: await watches.list(), now: now() });
    } catch (error) {
      this.dispatch({ type: 'trouble', text: said(error), now: now() });
    }
    await this.load();
  }

  press(key: WatchesKey): void {
    this.dispatch({ type: 'key', key });
    if (key === 'open' && this.snapshot().open) void this.order('see');
    void this.load();
  }

  filter(filter: string, typing: boolean): void {
    this.dispatch({ type: 'filter', filter, typing });
    void this.load();
  }

  async order(order: WatchesOrder): Promise<void> {
    const watch = markedWatch(this.snapshot());
    if (!watch) return;
    try {
      const text = await this.#carryOut(order, watch);
      if (text === undefined) return;
      this.dispatch({ type: 'notice', text });
      if (order !== 'browse') await this.refresh();
    } catch (error) {
      this.dispatch({ type: 'notice', text: said(error) });
    }
  }

  /** What was done; undefined: there was nothing to do. */
  async #carryOut(order: WatchesOrder, watch: WatchReport): Promise<string | undefined> {
    const { watches, browse } = this.#options;
    switch (order) {
      case 'check':
        await watches.checkNow(watch.id);
        return `${watch.url} is due now`;
      case 'pause': {
        const status = watch.status === 'paused' ? 'active' : 'paused';
        await watches.change(watch.id, { status });
        return status === 'paused' ? `${watch.url} is paused` : `${watch.url} is checked again`;
      }
      case 'browse':
        return browse(watch.url);
      case 'see':
        if (watch.unseen === 0 || watch.last_change === null) return undefined;
        await watches.see(watch.id, watch.last_change.n);
        return 'seen';
    }
  }

  /** The change of the marked watch, one request after another: who moves on quickly asks for the last one only. */
  async load(): Promise<void> {
    this.#loading ??= this.#loadAll().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #loadAll(): Promise<void> {
    for (let wanted = this.#wanted(); wanted; wanted = this.#wanted()) {
      try {
        const detail = await this.#detailOf(wanted);
        this.#loaded = stateOf(wanted);
        this.dispatch({ type: 'detail', detail });
      } catch (error) {
        this.dispatch({ type: 'notice', text: said(error) });
        return;
      }
    }
  }

  /** The marked watch, if there is more to know of it than what is shown. */
  #wanted(): WatchReport | undefined {
    const watch = markedWatch(this.snapshot());
    const isShown = watch && this.snapshot().detail?.id === watch.id && this.#loaded === stateOf(watch);
    return isShown ? undefined : watch;
  }

  async #detailOf({ id, last_change: last }: WatchReport): Promise<WatchDetail> {
    const { watches } = this.#options;
    const checks = await watches.checks(id, { limit: STRIP });
    const n = last?.n;
    return { id, n, checks, hunks: n === undefined ? [] : shownHunks(await watches.check(id, n)) };
  }

  dispatch(action: WatchesAction): void {
    this.#store.tell(reduceWatches(this.snapshot(), action));
  }
}

/** What tells whether a watch has been checked, or has changed. */
function stateOf({ id, checks, last_change: last }: WatchReport): string {
  return `${id} ${checks} ${last?.n ?? 0}`;
}

function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
