import { canonicalUrl, identityOf } from '../discovery/canonical.ts';
import type { Terms } from '../discovery/scope.ts';
import type { SourceRecord } from '../storage/catalog.ts';
import type { Holder } from '../storage/frontier.ts';

/**
 * The sources as the page path asks for them: by id, and by whether a URL is one of theirs. There may be fifty thousand,
 * and each page asks, so nothing here looks through them all.
 */
export class SourceBook {
  readonly #records = new Map<string, SourceRecord>();
  /** Sources by the identity of their URL, counted: one URL may have several scopes. */
  readonly #named = new Map<string, number>();

  all(): Iterable<SourceRecord> {
    return this.#records.values();
  }

  put(record: SourceRecord): void {
    if (!this.#records.has(record.id)) this.#count(record.url, 1);
    this.#records.set(record.id, record);
  }

  delete(id: string): void {
    const record = this.#records.get(id);
    if (record === undefined) return;
    this.#records.delete(id);
    this.#count(record.url, -1);
  }

  get(id: string): SourceRecord | undefined {
    return this.#records.get(id);
  }

  /** Of the sources that there still are: one may have been removed since the page was taken. */
  terms(holders: readonly Holder[]): readonly Terms[] {
    return holders.flatMap(({ sourceId, depth }) => {
      const record = this.#records.get(sourceId);
      if (record === undefined) return [];
      const { id, url, scope, maxPages } = record;
      return [{ id, url, scope, maxDepth: record.depth, maxPages, depth }];
    });
  }

  /** Whether the operator gave this very URL. */
  isNamed(url: string): boolean {
    return this.#named.has(keyOf(url));
  }

  #count(url: string, step: number): void {
    const key = keyOf(url);
    const count = (this.#named.get(key) ?? 0) + step;
    if (count > 0) this.#named.set(key, count);
    else this.#named.delete(key);
  }
}

function keyOf(url: string): string {
  const { host, hash } = identityOf(canonicalUrl(url) ?? url);
  return `${hash} ${host}`;
}
