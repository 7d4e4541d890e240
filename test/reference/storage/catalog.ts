import {
  applied,
  type Catalog,
  type CatalogData,
  type Draft,
  emptyCatalog,
} from '../../../src/daemon/storage/catalog.ts';

export class MemoryCatalog implements Catalog {
  #data = emptyCatalog();
  #closed = false;

  get data(): CatalogData {
    return this.#data;
  }

  async update<Result>(change: (draft: Draft<CatalogData>) => Result): Promise<Result> {
    if (this.#closed) throw new Error('the catalog is closed');
    const { result, data } = applied(this.#data, change);
    this.#data = data;
    return result;
  }

  async close(): Promise<void> {
    this.#closed = true;
  }
}
