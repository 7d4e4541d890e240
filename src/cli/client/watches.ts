import type {
  CheckDetail,
  CheckReport,
  Watch,
  WatchBatch,
  WatchBatchReport,
  WatchChange,
  WatchComparison,
  WatchCreation,
  WatchEdit,
  WatchExplanation,
  WatchNews,
  WatchOrder,
  WatchReport,
  WatchVersion,
} from '../../shared/api/watch.ts';
import type { Asking } from './ratings.ts';
import { listOf } from './shape.ts';
import {
  type CheckOrder,
  isCheck,
  isCheckDetail,
  isCheckOrder,
  isComparison,
  isExplanation,
  isNews,
  isVersion,
  isWatch,
  isWatchBatchReport,
  isWatchReport,
  isWatchWithEntries,
  type WatchWithEntries,
} from './watch-shape.ts';

/** A watch as whoever asks sees it: a management key is told the fields of `Watch` alone. */
export type SeenWatch = Watch & Partial<Omit<WatchReport, keyof Watch>>;

/** What an operator and a management key do alike. @throws as `Client` */
export interface WatchKeeping {
  list(): Promise<SeenWatch[]>;
  show(id: string): Promise<SeenWatch>;
  change(id: string, change: WatchChange): Promise<SeenWatch>;
  remove(id: string): Promise<void>;
}

export interface ChecksAsked {
  /** Only checks with a smaller number. */
  readonly before?: number;
  readonly limit?: number;
  readonly changes?: boolean;
}

export interface ChangesAsked {
  /** A cursor; without it from the oldest change that is kept. */
  readonly after?: number;
  readonly limit?: number;
  /** Seconds to wait for a change where there is none yet; 25 at most. */
  readonly wait?: number;
  /** The newest ones instead of the oldest. */
  readonly newest?: boolean;
  /** The id of the watch whose changes alone are wanted. */
  readonly watch?: string;
}

/** The operator's endpoints of watches, one method each. @throws as `Client` */
export class WatchEndpoints implements WatchKeeping {
  readonly #asking: Asking;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  async list(): Promise<WatchReport[]> {
    return this.#asking.ask(listOf(isWatchReport), 'GET', '/admin/watches');
  }

  async show(id: string): Promise<WatchReport> {
    return this.#asking.ask(isWatchReport, 'GET', pathOf(id));
  }

  async add(order: WatchOrder): Promise<WatchReport> {
    return this.#asking.ask(isWatchReport, 'POST', '/admin/watches', order);
  }

  /** At most `WATCHES_A_REQUEST`. */
  async addAll(watches: WatchBatch['watches']): Promise<WatchBatchReport> {
    return this.#asking.ask(isWatchBatchReport, 'POST', '/admin/watches/batch', { watches });
  }

  async change(id: string, edit: WatchEdit): Promise<WatchReport> {
    return this.#asking.ask(isWatchReport, 'PATCH', pathOf(id), edit);
  }

  async remove(id: string): Promise<void> {
    await this.#asking.tell('DELETE', pathOf(id));
  }

  /** Due at once; its host may rest a while yet. */
  async checkNow(id: string): Promise<CheckOrder> {
    return this.#asking.ask(isCheckOrder, 'POST', `${pathOf(id)}/check`, {});
  }

  /** Newest first. */
  async checks(id: string, asked: ChecksAsked = {}): Promise<CheckReport[]> {
    return this.#asking.ask(listOf(isCheck), 'GET', `${pathOf(id)}/checks${queryOf(asked)}`);
  }

  async check(id: string, n: number): Promise<CheckDetail> {
    return this.#asking.ask(isCheckDetail, 'GET', `${pathOf(id)}/checks/${n}`);
  }

  async version(id: string, n: number): Promise<WatchVersion> {
    return this.#asking.ask(isVersion, 'GET', `${pathOf(id)}/versions/${n}`);
  }

  async comparison(id: string, from: number, to: number): Promise<WatchComparison> {
    return this.#asking.ask(isComparison, 'GET', `${pathOf(id)}/comparison${queryOf({ from, to })}`);
  }

  async explanation(id: string): Promise<WatchExplanation> {
    return this.#asking.ask(isExplanation, 'GET', `${pathOf(id)}/explanation`);
  }

  /** Changes up to check `n` are seen. */
  async see(id: string, n: number): Promise<void> {
    await this.#asking.tell('POST', `${pathOf(id)}/seen`, { n });
  }

  /** Of all watches of the organization, oldest first. */
  async changes(asked: ChangesAsked = {}): Promise<WatchNews> {
    return this.#asking.ask(isNews, 'GET', `/admin/watch-changes${queryOf(asked)}`);
  }
}

/** The public endpoints, with a management key: the member's own watches, without options. @throws as `Client` */
export class OwnWatchEndpoints implements WatchKeeping {
  readonly #asking: Asking;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  async list(): Promise<Watch[]> {
    return this.#asking.ask(listOf(isWatch), 'GET', '/v1/url-watch');
  }

  async show(id: string): Promise<Watch> {
    return (await this.entries(id, 1)).data;
  }

  /** With its crawls, the newest first. @param limit 1 to 100 */
  async entries(id: string, limit: number): Promise<WatchWithEntries> {
    return this.#asking.askWhole(isWatchWithEntries, 'GET', `${ownPathOf(id)}${queryOf({ limit })}`);
  }

  async add(creation: WatchCreation): Promise<Watch> {
    return this.#asking.ask(isWatch, 'POST', '/v1/url-watch', creation);
  }

  async change(id: string, change: WatchChange): Promise<Watch> {
    return this.#asking.ask(isWatch, 'PUT', ownPathOf(id), change);
  }

  async remove(id: string): Promise<void> {
    await this.#asking.tell('DELETE', ownPathOf(id));
  }
}

function pathOf(id: string): string {
  return `/admin/watches/${encodeURIComponent(id)}`;
}

function ownPathOf(id: string): string {
  return `/v1/url-watch/${encodeURIComponent(id)}`;
}

function queryOf(asked: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(asked)) if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? '' : `?${query.toString()}`;
}
