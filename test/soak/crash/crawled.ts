import { type Attend, CrashSite } from './site.ts';
import type { ToldEvent } from './told.ts';
import { VersionedPage } from './versioned-page.ts';

/** A page in so many versions of a hub leads somewhere new. */
const VERSIONS_A_LEAF = 10;
const HOSTS = 5;
const PAGES_A_HOST = 4;

/** The crawled site: a page has its next version as soon as somebody was told of the one on show. */
export class Crawled {
  readonly site: CrashSite;
  readonly #byName: Map<string, VersionedPage>;
  readonly #hosts: number;
  /** Pages whose version on show somebody was told of while nothing new is shown. */
  readonly #heard = new Set<VersionedPage>();
  #isResting = false;

  static async start({ hosts = HOSTS, attend }: { hosts?: number; attend?: Attend } = {}): Promise<Crawled> {
    const shape = { hosts, pagesAHost: PAGES_A_HOST, from: 40, ...(attend && { attend }) };
    return new Crawled(await CrashSite.start('page', shape), hosts);
  }

  private constructor(site: CrashSite, hosts: number) {
    this.site = site;
    this.#hosts = hosts;
    this.#byName = new Map(site.pages.map((page) => [page.name, page]));
  }

  /** Those of which a source follows the links. */
  get hubs(): readonly VersionedPage[] {
    return this.site.pages.slice(0, this.#hosts);
  }

  get plain(): readonly VersionedPage[] {
    return this.site.pages.slice(this.#hosts, this.#hosts * PAGES_A_HOST);
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

  /** What has been heard meanwhile is over: its pages go on. */
  goOn(): void {
    this.#isResting = false;
    for (const page of this.#heard) this.#next(page);
    this.#heard.clear();
  }

  hear({ name, version }: ToldEvent): void {
    const page = this.#byName.get(name);
    if (page === undefined) return;
    const isNewest = page.see(version);
    if (!isNewest || page.isStill || !this.site.pages.includes(page)) return;
    if (this.#isResting) this.#heard.add(page);
    else this.#next(page);
  }

  #next(page: VersionedPage): void {
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
