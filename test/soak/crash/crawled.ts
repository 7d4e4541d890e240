import { CrashSite } from './site.ts';
import type { ToldEvent } from './told.ts';
import { VersionedPage } from './versioned-page.ts';

/** A page in so many versions of a hub leads somewhere new. */
const VERSIONS_A_LEAF = 10;
const HOSTS = 5;

/** The crawled site: a page has its next version as soon as somebody was told of the one on show. */
export class Crawled {
  readonly site: CrashSite;
  readonly #byName: Map<string, VersionedPage>;
  #isResting = false;

  static async start(): Promise<Crawled> {
    return new Crawled(await CrashSite.start('page', { hosts: HOSTS, pagesAHost: 4, from: 40 }));
  }

  private constructor(site: CrashSite) {
    this.site = site;
    this.#byName = new Map(site.pages.map((page) => [page.name, page]));
  }

  /** Those of which a source follows the links. */
  get hubs(): readonly VersionedPage[] {
    return this.site.pages.slice(0, HOSTS);
  }

  get plain(): readonly VersionedPage[] {
    return this.site.pages.slice(HOSTS, HOSTS * 4);
  }

  /** Pages of elsewhere, whose events come by the same tap. */
  know(pages: readonly VersionedPage[]): void {
    for (const page of pages) this.#byName.set(page.name, page);
  }

  page(name: string): VersionedPage | undefined {
    return this.#byName.get(name);
  }

  get all(): IterableIterator<VersionedPage> {
    return this.#byName.values();
  }

  /** From now on nothing new is shown. */
  rest(): void {
    this.#isResting = true;
  }

  hear({ name, version }: ToldEvent): void {
    const page = this.#byName.get(name);
    if (page === undefined) return;
    const isNewest = page.see(version);
    if (this.#isResting || !isNewest || page.isStill || !this.site.pages.includes(page)) return;
    if (this.hubs.includes(page) && page.version % VERSIONS_A_LEAF === VERSIONS_A_LEAF - 1) this.#grow(page);
    page.publish();
  }

  #grow(hub: VersionedPage): void {
    const name = `${hub.name}leaf${'x'.repeat(hub.links.length % 20)}${hub.links.length}`;
    const leaf = this.site.add(new VersionedPage(name, `${hub.url}/${hub.links.length}`, true));
    this.#byName.set(name, leaf);
    hub.links.push(leaf.url);
  }
}
