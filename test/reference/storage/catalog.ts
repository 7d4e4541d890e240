import {
  applied,
  type Catalog,
  type CatalogData,
  type CatalogFollower,
  type Draft,
  emptyCatalog,
  recordChanges,
} from '../../../src/daemon/storage/catalog.ts';

export class MemoryCatalog implements Catalog {
  readonly isBehind = false;
  #data = emptyCatalog();
  #closed = false;
  #follower: CatalogFollower | undefined;

  get data(): CatalogData {
    return this.#data;
  }

  async update<Result>(change: (draft: Draft<CatalogData>) => Result): Promise<Result> {
    if (this.#closed) throw new Error('the catalog is closed');
    const { result, data } = applied(this.#data, change);
    this.#data = data;
    return result;
  }

  async follow(follower: CatalogFollower): Promise<void> {
    this.#follower = follower;
  }

  /** As another process would change it that has the same catalog. */
  changeElsewhere(change: (draft: Draft<CatalogData>) => unknown): void {
    const before = this.#data;
    this.#data = applied(before, change).data;
    this.#follower?.(recordChanges(before, this.#data));
  }

  async close(): Promise<void> {
    this.#closed = true;
  }
}
