import { canonicalUrl, hostOf } from './url.ts';
import type { AddressGuard } from '../fetch/address-guard.ts';
import { quote } from '../fetch/printable.ts';
import { checkUrl } from '../fetch/url-gate.ts';
import { type Outside, timestamp } from '../outside.ts';
import { Problem } from '../problem.ts';
import { StartFailure } from '../start-failure.ts';
import type { Catalog, SourceRecord } from '../storage/catalog.ts';
import type { Discovered, DuePage, LastVisit, Pages, SourceSummary } from '../storage/pages.ts';
import type { Page } from '../../shared/page/page.ts';
import type { Source, SourceCreation, SourceVisit } from '../../shared/api/source.ts';

/**
 * Where the crawl starts and how far it goes: a source is one URL with a scope. The operator's words live in the
 * catalog; the pages that follow from them live in the frontier, which can be rebuilt from the catalog and the web.
 * So the catalog is written first, and a start brings the frontier in line with it.
 */
export class Sources {
  readonly #catalog: Catalog;
  readonly #pages: Pages;
  readonly #guard: AddressGuard;
  readonly #outside: Outside;
  readonly #wake: () => void;

  constructor(deps: { catalog: Catalog; pages: Pages; guard: AddressGuard; outside: Outside; wake: () => void }) {
    this.#catalog = deps.catalog;
    this.#pages = deps.pages;
    this.#guard = deps.guard;
    this.#outside = deps.outside;
    this.#wake = deps.wake;
  }

  /**
   * After a start: sources that a crash left out of the frontier are put in, those it left behind are taken out, and
   * an interval that was changed in the catalog's file holds from now on. All at once: they share their commits.
   */
  async restore(): Promise<void> {
    const { sources } = this.#catalog.data;
    for (const source of sources) checkStored(source);
    const wanted = new Set(sources.map((source) => source.id));
    const leftBehind = (await this.#pages.sources()).filter(({ id }) => !wanted.has(id));
    await Promise.all([
      ...sources.map((source) => this.#seed(source)),
      ...leftBehind.map(({ id }) => this.#pages.removeSource(id)),
    ]);
    await this.#pages.bringForward(this.#outside.now());
  }

  async list(): Promise<Source[]> {
    const summaries = new Map((await this.#pages.sources()).map((summary) => [summary.id, summary]));
    return this.#catalog.data.sources.map((record) => toWire(record, summaries.get(record.id)));
  }

  async add(creation: SourceCreation): Promise<Source> {
    const url = this.#admissible(creation.url);
    const scope = creation.scope ?? 'page';
    const record: SourceRecord = {
      id: this.#outside.uuid(),
      url,
      scope,
      everySeconds: creation.every_seconds ?? DEFAULT_EVERY_SECONDS,
      maxPages: scope === 'page' ? 1 : (creation.max_pages ?? DEFAULT_MAX_PAGES),
      createdAt: new Date(this.#outside.now()).toISOString(),
    };
    await this.#catalog.update((draft) => {
      if (draft.sources.some((other) => other.url === url && other.scope === scope)) {
        throw new Problem('source_exists', { url });
      }
      draft.sources.push(record);
    });
    try {
      await this.#seed(record);
    } catch (error) {
      // A full disk, say. Left in the catalog, it would not be crawled, and could not be added again.
      await this.#forget(record.id).catch(() => undefined);
      throw error;
    }
    this.#wake();
    return toWire(record, undefined);
  }

  async remove(id: string): Promise<void> {
    const wasKnown = await this.#forget(id);
    // Also when it was not: a removal that failed half-way left it to the frontier, and is asked for again.
    await this.#pages.removeSource(id);
    if (!wasKnown) throw new Problem('not_found', { resource: 'source' });
  }

  #forget(id: string): Promise<boolean> {
    return this.#catalog.update((draft) => {
      const index = draft.sources.findIndex((source) => source.id === id);
      if (index >= 0) draft.sources.splice(index, 1);
      return index >= 0;
    });
  }

  /** What the sources of this page want visited next: for a host, its links to the same host. */
  discover(due: DuePage, page: Page): readonly Discovered[] {
    const records = this.#catalog.data.sources.filter((source) => due.sourceIds.includes(source.id));
    return records.flatMap((source) => {
      if (source.scope !== 'host') return [];
      const host = hostOf(source.url);
      const urls = page.links.flatMap((link) => canonicalUrl(link) ?? []);
      return [{ sourceId: source.id, urls: urls.filter((url) => hostOf(url) === host) }];
    });
  }

  /** Whether one of its sources is this very page. */
  isNamed({ url, sourceIds }: DuePage): boolean {
    return this.#catalog.data.sources.some((source) => source.url === url && sourceIds.includes(source.id));
  }

  #admissible(text: string): string {
    const checked = checkUrl(text, this.#guard);
    if (!checked.ok && checked.reason === 'private_address') {
      throw new Problem('private_address', { url: text, detail: checked.detail });
    }
    if (!checked.ok) throw new Problem('invalid_field', { field: 'url', message: checked.detail });
    return canonicalUrl(checked.url.href) ?? checked.url.href;
  }

  #seed(source: SourceRecord): Promise<void> {
    const { id, everySeconds, maxPages, url } = source;
    return this.#pages.addSource({ id, everyMs: everySeconds * 1_000, maxPages }, url, this.#outside.now());
  }
}

const DEFAULT_EVERY_SECONDS = 600;
/** A site of a few thousand pages is covered; a calendar without end is not followed to it. */
const DEFAULT_MAX_PAGES = 1_000;

/** The catalog may have been edited by hand: better one clear line at the start than a crawl that trips over it. */
function checkStored({ id, url }: SourceRecord): void {
  if (canonicalUrl(url) !== undefined) return;
  const what = `the catalog gives source ${id} the URL ${quote(url)}, which cannot be crawled`;
  throw new StartFailure('configuration', `${what}; repair it, or take the source out of the catalog`);
}

function toWire(record: SourceRecord, summary: SourceSummary | undefined): Source {
  return {
    id: record.id,
    url: record.url,
    scope: record.scope,
    every_seconds: record.everySeconds,
    max_pages: record.maxPages,
    created_at: timestamp(Date.parse(record.createdAt)),
    pages: summary?.pages ?? 1,
    visits: summary?.visits ?? 0,
    last_visit: summary?.last ? lastVisit(summary.last) : null,
    next_visit_at: summary?.nextDue === undefined ? null : timestamp(summary.nextDue),
  };
}

function lastVisit(last: LastVisit): SourceVisit {
  const { url, at, outcome, reason, detail } = last;
  return {
    url,
    at: timestamp(at),
    outcome,
    ...(reason !== undefined && { reason }),
    ...(detail !== undefined && { detail }),
  };
}
