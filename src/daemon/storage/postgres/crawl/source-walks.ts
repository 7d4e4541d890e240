import { FLAG } from '../../frontier-coding.ts';
import { columnsOf } from '../connection/columns.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { forgetOldest } from './admission.ts';
import { flush } from './flush.ts';
import type { HostStore } from './host-store.ts';
import { BEGINNING, type PagePlace, type SourceRow, type SourceStore, TODO, type Walk } from './source-store.ts';
import { WorkingSet } from './working-set.ts';

interface Parts {
  readonly database: Database;
  readonly node: string;
  readonly hosts: HostStore;
  readonly sources: SourceStore;
  readonly unlink: (transaction: Transaction, pages: readonly number[]) => Promise<void>;
}

/** Pages of one transaction: no visit waits for their hosts for longer than some ten milliseconds. */
const PAGES_AT_ONCE = 200;

/** What concerns all pages of a source goes in steps, and is written down until it is done: any node can finish it. */
export class SourceWalks {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Brings the terms of a source to its pages. Where they change meanwhile, whoever has changed them does that. */
  async settle(id: string): Promise<void> {
    const { database, sources } = this.#parts;
    const begun = await sources.find(database, id);
    if (!begun || begun.todo === 0) return;
    for (let walk: Walk | undefined = BEGINNING; walk;) {
      const from: Walk = walk;
      walk = await database.transaction((transaction) => this.#settleSome(transaction, begun, from));
    }
  }

  /** Takes all forgotten sources off their pages. */
  async sweep(): Promise<void> {
    for (let isMore = true; isMore;) {
      isMore = await this.#parts.database.transaction((transaction) => this.#sweepSome(transaction));
    }
  }

  async finish(): Promise<void> {
    await this.sweep();
    for (const id of await this.#parts.sources.unfinished(this.#parts.database)) await this.settle(id);
  }

  async forgetEmpty(now: number): Promise<void> {
    const { database } = this.#parts;
    const some = (transaction: Transaction) => this.#forgetSome(transaction, now);
    for (let gone = PAGES_AT_ONCE; gone === PAGES_AT_ONCE;) gone = await database.transaction(some);
  }

  async #settleSome(transaction: Transaction, { id, version }: SourceRow, from: Walk): Promise<Walk | undefined> {
    const { node, sources } = this.#parts;
    const source = await sources.find(transaction, id);
    if (!source || source.version !== version) return undefined;
    const { pages, walk } = await sources.pages(transaction, source.key, from, PAGES_AT_ONCE);
    if (pages.length === 0) {
      await sources.done(transaction, source);
      return undefined;
    }
    const set = await lockedPages(transaction, pages);
    for (const { key } of pages) settlePage(set, key, source);
    await flush(transaction, set, { node });
    return walk;
  }

  async #sweepSome(transaction: Transaction): Promise<boolean> {
    const { hosts, node, sources, unlink } = this.#parts;
    const source = await sources.lockForgotten(transaction);
    if (source === undefined) return false;
    const { pages } = await sources.pages(transaction, source, BEGINNING, PAGES_AT_ONCE);
    const set = await lockedPages(transaction, pages);
    for (const { key, host } of pages) {
      const page = set.pages.get(key);
      if (page) set.letGo(page, source);
      set.leftHosts.add(host);
    }
    await flush(transaction, set, { node });
    await unlink(
      transaction,
      [...set.removedPages].map(({ key }) => key),
    );
    if (pages.length === 0 && (await forgetOldest(transaction, source, PAGES_AT_ONCE)) === 0) {
      await sources.remove(transaction, source);
    }
    await this.#forgetSome(transaction, await hosts.clock(transaction));
    return true;
  }

  async #forgetSome(transaction: Transaction, now: number): Promise<number> {
    const { hosts, node } = this.#parts;
    const set = new WorkingSet();
    const gone = await hosts.forgetEmpty(transaction, set, PAGES_AT_ONCE, now);
    await flush(transaction, set, { node });
    return gone;
  }
}

/** Pages with their hosts locked. */
export async function lockedPages(transaction: Transaction, pages: readonly PagePlace[]): Promise<WorkingSet> {
  const set = new WorkingSet();
  await set.lockHosts(
    transaction,
    pages.map(({ host }) => host),
  );
  await set.loadPages(
    transaction,
    pages.map(({ key }) => key),
  );
  return set;
}

function settlePage(set: WorkingSet, key: number, { todo, everyMs }: SourceRow): void {
  const page = set.pages.get(key);
  if (!page) return;
  if ((todo & TODO.settle) !== 0) set.settle(page);
  const isReadAgain =
    (todo & TODO.readAll) !== 0 || ((todo & TODO.readShared) !== 0 && (page.flags & FLAG.shared) !== 0);
  if (isReadAgain) set.forgottenBodies.add(key);
  const visitedAt = set.visited.get(key)?.visitedAt;
  if ((todo & TODO.bringForward) === 0 || visitedAt === undefined) return;
  set.changePage(page, { due: Math.min(page.due, visitedAt + everyMs) });
}

/** What was visited later than now was visited now. */
export async function visitedNow(transaction: Transaction, pages: readonly number[], now: number): Promise<void> {
  if (pages.length === 0) return;
  await transaction.query(
    `UPDATE visited SET visited_at = least(visited_at, $2), full_at = least(full_at, $2), doubted_at =
      CASE WHEN doubted_at IS NOT NULL THEN least(doubted_at, $2) END
    FROM unnest($1::bigint[]) AS ahead (page) WHERE visited.page = ahead.page`,
    [...columnsOf(pages, (page) => page), now],
  );
}
