import { isDeepStrictEqual } from 'node:util';
import { canonicalUrl } from '../../shared/page/canonical-url.ts';
import { identityOf } from '../discovery/canonical.ts';
import { seedLead } from '../discovery/discover.ts';
import type { AddressGuard } from '../fetch/address-guard.ts';
import { checkUrl } from '../fetch/address-guard.ts';
import type { Terms } from '../discovery/scope.ts';
import type { Outside } from '../outside.ts';
import { type OwnPage, OwnPages, type OwnPagesDeps, ownPage } from './own-page.ts';
import { Problem } from '../problem.ts';
import type { Catalog, CatalogData, Draft, RecordChange, SourceRecord } from '../storage/catalog.ts';
import {
  ARCHIVE_SOURCE,
  type DuePage,
  type Frontier,
  type FrontierSource,
  type Holder,
  type Urgency,
  URGENT,
} from '../storage/frontier.ts';
import type { Source, SourceBatch, SourceBatchReport, SourceChange, SourceCreation } from '../../shared/api/crawl.ts';
import type { FailingUrl } from '../../shared/api/status.ts';
import { quote } from '../fetch/printable.ts';
import { failingToWire } from './crawl-status.ts';
import { sourceToWire } from './source-wire.ts';
import { StartFailure } from '../start-failure.ts';
import { SOURCES } from '../../shared/limits.ts';

/**
 * Where the crawl starts and how far it goes: a source is one URL with a scope. The operator's words live in the
 * catalog; the pages that follow from them live in the frontier, which can be rebuilt from the catalog and the web.
 * So the catalog is written first, and a start brings the frontier in line with it.
 *
 * Decided against: another kind of source for feeds and sitemaps. The crawl sees what a URL is when it has it, and a
 * list of a thousand URLs need not say it of each.
 */
export class Sources {
  readonly #catalog: Catalog;
  readonly #frontier: Frontier;
  readonly #guard: Pick<AddressGuard, 'check' | 'opensNetworks'>;
  readonly #outside: Outside;
  readonly #ownPages: OwnPages;
  readonly #wake: () => void;
  readonly #book = new SourceBook();

  constructor(deps: SourcesDeps) {
    this.#catalog = deps.catalog;
    this.#frontier = deps.frontier;
    this.#guard = deps.guard;
    this.#outside = deps.outside;
    this.#wake = deps.wake;
    this.#ownPages = new OwnPages(deps);
  }

  /**
   * After a start: sources that a crash left out of the frontier are put in, those it left behind are taken out, and
   * terms that were changed in the catalog's file hold from now on. Answers as `Frontier.bringForward`.
   */
  async restore({ isAlone = true } = {}): Promise<number> {
    const { sources } = this.#catalog.data;
    for (const source of sources) {
      checkStored(source);
      this.#book.put(source);
    }
    // What another node adds meanwhile is none of those.
    const known = isAlone ? await this.#frontier.sources() : [];
    const leftBehind = known.filter(({ id }) => this.#book.get(id) === undefined && id !== ARCHIVE_SOURCE);
    await inSteps(sources, (source) => this.#seed(source, URGENT.none));
    await inSteps(leftBehind, ({ id }) => this.#frontier.removeSource(id));
    return this.#frontier.bringForward(this.#outside.now());
  }

  /** After changes by another process, which brings the frontier in line with them. */
  follow(changes: readonly RecordChange[]): void {
    const own = changes.filter((change) => change.kind === 'sources');
    for (const { id, after } of own) {
      if (after) this.#book.put(after);
      else this.#book.delete(id);
    }
    if (own.length > 0) this.#wake();
  }

  /** How far the holders of a page go. */
  terms(holders: readonly Holder[]): readonly Terms[] {
    return this.#book.terms(holders);
  }

  /** Whether the operator gave this very URL. */
  isNamed(url: string): boolean {
    return this.#book.isNamed(url);
  }

  find(id: string): SourceRecord | undefined {
    return this.#book.get(id);
  }

  get records(): Iterable<SourceRecord> {
    return this.#book.all();
  }

  async list(): Promise<Source[]> {
    const summaries = new Map((await this.#frontier.sources()).map((summary) => [summary.id, summary]));
    const problems = await this.#problems();
    return this.#catalog.data.sources.map((record) =>
      sourceToWire(record, summaries.get(record.id), problems.get(record.id)),
    );
  }

  /** Those whose own URL cannot be had, by their ids. */
  async #problems(): Promise<ReadonlyMap<string, FailingUrl>> {
    const failing = (await this.#frontier.failingPages(SOURCES)).filter(({ kind }) => kind === 'source');
    return new Map(failing.map((page) => [page.id, failingToWire(page)]));
  }

  async show(id: string): Promise<Source> {
    const record = this.#book.get(id);
    if (record === undefined) throw unknown();
    return sourceToWire(
      record,
      (await this.#frontier.sources()).find((summary) => summary.id === id),
      (await this.#problems()).get(id),
    );
  }

  async add(creation: SourceCreation): Promise<Source> {
    await this.#ownPages.check([creation]);
    const record = this.#recordOf(creation);
    const { added } = await this.#save([{ index: 0, record }]);
    if (added[0] === undefined) throw new Problem('source_exists', { url: record.url });
    return sourceToWire(added[0], undefined);
  }

  /** All that can be, in one write of the catalog; what cannot is told and keeps none of the others out. */
  async addAll(creations: SourceBatch['sources']): Promise<SourceBatchReport> {
    await this.#ownPages.check(creations);
    const wanted: Wanted[] = [];
    const refused: Refusal[] = [];
    for (const [index, creation] of creations.entries()) {
      const checked = this.#check(creation.url);
      if (!checked.ok) refused.push({ index, url: creation.url, message: checked.detail });
      else wanted.push({ index, record: this.#draft(creation, checked.url) });
    }
    const { added, known } = await this.#save(wanted);
    return { added: added.map((record) => sourceToWire(record, undefined)), known, refused };
  }

  /** Takes effect at once: the frontier has the new terms when this resolves. */
  async edit(id: string, change: SourceChange): Promise<Source> {
    await this.#ownPages.check([change]);
    const { before, record } = await this.#catalog.update((draft) => {
      const found = draft.sources.find((source) => source.id === id);
      if (found === undefined) throw unknown();
      const former = { ...found };
      if (change.depth !== undefined) found.depth = change.depth;
      if (change.every_seconds !== undefined) found.everySeconds = change.every_seconds;
      if (change.max_pages !== undefined) found.maxPages = change.max_pages;
      if (change.paused !== undefined) found.paused = change.paused;
      this.#ownPages.change(found, change);
      return { before: former, record: found };
    });
    this.#book.put(record);
    const now = this.#outside.now();
    const isWider = goesFurther(before, record);
    await this.#frontier.putSource({ ...frontierSource(record), isWider }, [], now);
    const isReadAnew = !isDeepStrictEqual(ownPage(before), ownPage(record));
    if (isWider || isReadAnew) await this.#frontier.prioritize(identityOf(record.url), now);
    this.#wake();
    return this.show(id);
  }

  /** How a page is read, where one of the sources that hold it is of this page alone and says so. */
  ownPageOf({ url, holders }: Pick<DuePage, 'url' | 'holders'>): OwnPage | undefined {
    for (const { sourceId } of holders) {
      const record = this.#book.get(sourceId);
      const own = record && ownPage(record);
      if (own && keyOf(record.url) === keyOf(url)) return own;
    }
    return undefined;
  }

  async remove(id: string): Promise<void> {
    if (id === ARCHIVE_SOURCE) throw unknown();
    const wasKnown = await this.#forget([id]);
    // Also when it was not: a removal that failed half-way left it to the frontier, and is asked for again.
    await this.#frontier.removeSource(id);
    if (!wasKnown) throw unknown();
  }

  async #save(wanted: readonly Wanted[]): Promise<{ added: readonly SourceRecord[]; known: readonly Known[] }> {
    if (wanted.length === 0) return { added: [], known: [] };
    const saved = await this.#catalog.update((draft) => enter(draft, wanted));
    if (saved.added.length === 0) return saved;
    // Before the frontier: what it hands out is asked for at once.
    for (const record of saved.added) this.#book.put(record);
    try {
      await inSteps(saved.added, (record) => this.#seed(record, URGENT.asked));
    } catch (error) {
      // A full disk, say. Left in the catalog, it would not be crawled, and could not be added again.
      const ids = saved.added.map(({ id }) => id);
      await this.#forget(ids).catch(() => undefined);
      await inSteps(ids, (id) => this.#frontier.removeSource(id)).catch(() => undefined);
      throw error;
    }
    this.#wake();
    return saved;
  }

  async #forget(ids: readonly string[]): Promise<boolean> {
    const gone = new Set(ids);
    const wasKnown = await this.#catalog.update((draft) => {
      const before = draft.sources.length;
      draft.sources = draft.sources.filter((source) => !gone.has(source.id));
      return draft.sources.length < before;
    });
    for (const id of ids) this.#book.delete(id);
    return wasKnown;
  }

  #recordOf(creation: SourceCreation): SourceRecord {
    const checked = this.#check(creation.url);
    if (checked.ok) return this.#draft(creation, checked.url);
    const { reason, detail } = checked;
    if (reason === 'private_address') throw new Problem('private_address', { url: creation.url, detail });
    throw new Problem('invalid_field', { field: 'url', message: detail });
  }

  #check(text: string): { ok: true; url: string } | { ok: false; reason: string; detail: string } {
    const checked = checkUrl(text, this.#guard);
    return checked.ok ? { ok: true, url: canonicalUrl(checked.url.href) ?? checked.url.href } : checked;
  }

  #draft(creation: SourceBatch['sources'][number], url: string): SourceRecord {
    const createdAt = new Date(this.#outside.now()).toISOString();
    const draft = draftSource(creation, { id: this.#outside.uuid(), url, createdAt }) as Draft<SourceRecord>;
    this.#ownPages.change(draft, creation);
    return draft;
  }

  /** A seed that is new to the crawl goes ahead of what waits on its host; after a start it waits like any other. */
  #seed(source: SourceRecord, urgency: Urgency): Promise<void> {
    const lead = seedLead(source.url, source.baseline);
    const seeds = lead === undefined ? [] : [{ ...lead, urgency }];
    return this.#frontier.putSource(frontierSource(source), seeds, this.#outside.now());
  }
}

interface SourcesDeps extends OwnPagesDeps {
  readonly catalog: Catalog;
  readonly frontier: Frontier;
  readonly guard: Pick<AddressGuard, 'check' | 'opensNetworks'>;
  readonly outside: Outside;
  /** Something may be due that was not. */
  readonly wake: () => void;
}

type Refusal = SourceBatchReport['refused'][number];

/** Commits are shared by those who wait, and nobody else is to wait for ten thousand of them. */
const STEP = 200;

function unknown(): Problem<'not_found'> {
  return new Problem('not_found', { resource: 'source' });
}

async function inSteps<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += STEP) await Promise.all(items.slice(at, at + STEP).map(act));
}

/**
 * The sources as the page path asks for them: by id, and by whether a URL is one of theirs. There may be fifty thousand,
 * and each page asks, so nothing here looks through them all.
 */
class SourceBook {
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

/** A source that is asked for, and its place in the request. */
interface Wanted {
  readonly index: number;
  readonly record: SourceRecord;
}

type Known = SourceBatchReport['known'][number];

/** A site of a few thousand pages is covered; a calendar without end is not followed to it. */
const DEFAULT_PAGES = 1_000;
/** A page has some hundred links: two steps without a border are most of what anyone can mean. */
const PAGES_OF_ANY = 100;
const DEPTH_OF_ANY = 2;

/** The record of what an operator asked for, with what they left to us. */
function draftSource(
  asked: SourceBatch['sources'][number],
  given: Pick<SourceRecord, 'id' | 'url' | 'createdAt'>,
): SourceRecord {
  const scope = asked.scope ?? 'page';
  return {
    id: given.id,
    url: given.url,
    scope,
    depth: asked.depth ?? (scope === 'any' ? DEPTH_OF_ANY : null),
    everySeconds: asked.every_seconds ?? null,
    maxPages: asked.max_pages ?? (scope === 'any' ? PAGES_OF_ANY : DEFAULT_PAGES),
    baseline: asked.baseline ?? false,
    paused: false,
    createdAt: given.createdAt,
  };
}

/** Enters what is new; a URL has one source of each scope. */
function enter(draft: Draft<CatalogData>, wanted: readonly Wanted[]): { added: SourceRecord[]; known: Known[] } {
  const placeOf = ({ scope, url }: SourceRecord): string => `${scope} ${url}`;
  const taken = new Map(draft.sources.map((source) => [placeOf(source), source.id]));
  const added: SourceRecord[] = [];
  const known: Known[] = [];
  for (const { index, record } of wanted) {
    const id = taken.get(placeOf(record));
    if (id === undefined) {
      taken.set(placeOf(record), record.id);
      added.push(record);
    } else known.push({ index, id, url: record.url });
  }
  if (draft.sources.length + added.length > SOURCES) throw new Problem('source_limit_reached', { limit: SOURCES });
  draft.sources.push(...(structuredClone(added) as Draft<SourceRecord>[]));
  return { added, known };
}

function frontierSource({ id, everySeconds, maxPages, paused }: SourceRecord): FrontierSource {
  return { id, everyMs: everySeconds === null ? undefined : everySeconds * 1_000, maxPages, isPaused: paused };
}

/** Whether there are links that were not followed before and are now. */
function goesFurther(before: SourceRecord, after: SourceRecord): boolean {
  return (after.depth ?? Infinity) > (before.depth ?? Infinity) || after.maxPages > before.maxPages;
}

/** The catalog may have been edited by hand: better one clear line at the start than a crawl that trips over it. */
function checkStored({ id, url }: SourceRecord): void {
  if (canonicalUrl(url) !== undefined) return;
  const what = `the catalog gives source ${id} the URL ${quote(url)}, which cannot be crawled`;
  throw new StartFailure('configuration', `${what}; repair it, or remove the source from the catalog`);
}
