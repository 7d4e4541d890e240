import { afterEach, describe, expect, test } from 'vitest';
import { corpusIsHere } from '../fixtures/listed-versions.ts';
import { ownSeries, realSeries, type Series } from '../fixtures/series.ts';
import { PageHosts } from './page-hosts.ts';
import { WatchedUrls } from './watched-urls.ts';
import type { PlacedHunk } from '../../src/shared/api/watch.ts';

/** Successive versions of pages, each checked once by the real daemon, and read over HTTP with a key. */
describe('every changed version is one entry with a change, every unchanged one none', () => {
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const thing of open.splice(0)) await thing.close();
  });

  /** What is wrong: nothing, if all is well. */
  async function replay(series: readonly Series[]): Promise<string[]> {
    const hosts = await PageHosts.start(series, series.length);
    const urls = await WatchedUrls.start();
    open.push(urls, hosts);
    const ids = await urls.add(hosts.urls);
    const pages = series.map((page, index) => new CheckedPage(page, ids[index] ?? '', urls));
    const most = Math.max(...series.map(({ versions }) => versions.length));
    for (let version = 1; version < most; version += 1) {
      const more = pages.filter(({ count }) => version < count);
      await urls.check(...more.map(({ id }) => id));
      await Promise.all(more.map((page) => page.noteNoise()));
    }
    return (await Promise.all(pages.map((page) => page.complaints()))).flat();
  }

  test('generated pages', async () => {
    expect(await replay(ownSeries(12, 5, 7))).toEqual([]);
  });

  test.skipIf(!corpusIsHere)('real pages with real revisions (skipped where the corpus is not at hand)', async () => {
    expect(await replay(realSeries())).toEqual([]);
  });
});

type Noise = readonly { readonly before: string; readonly after: string }[];

/** A page, and what its watch says of each version. */
class CheckedPage {
  readonly id: string;
  readonly #page: Series;
  readonly #urls: WatchedUrls;
  /** By check: what differed and did not count. */
  readonly #noise = new Map<number, Noise>();

  constructor(page: Series, id: string, urls: WatchedUrls) {
    this.#page = page;
    this.id = id;
    this.#urls = urls;
  }

  get count(): number {
    return this.#page.versions.length;
  }

  async noteNoise(): Promise<void> {
    const { check, findings } = await this.#urls.explanation(this.id);
    this.#noise.set(check.n, findings?.noise ?? []);
  }

  async complaints(): Promise<string[]> {
    const entries = await this.#urls.entries(this.id);
    if (entries.length !== this.count) return [`${this.#page.id}: ${entries.length} entries of ${this.count} checks`];
    const found = entries.map(async ({ has_changes: has, diff }, index) => {
      const isChange = this.#page.versions[index]?.isChange === true;
      if (has !== isChange) return `#${index}: ${has ? 'a change' : 'no change'}`;
      return has
        ? this.#flaw(index + 1, JSON.stringify(diff))
        : diff === null
          ? undefined
          : `#${index}: a diff of none`;
    });
    return (await Promise.all(found)).filter((said) => said !== undefined).map((said) => `${this.#page.id}${said}`);
  }

  /** What is wrong with the diff of a change. */
  async #flaw(n: number, diff: string): Promise<string | undefined> {
    const [before, { lines }, detail] = await Promise.all([
      this.#urls.version(this.id, n - 1),
      this.#urls.version(this.id, n),
      this.#urls.detail(this.id, n),
    ]);
    const hunks = detail.hunks ?? [];
    if (diff !== JSON.stringify({ hunks: hunks.map(wireBlocks) })) return `#${n - 1}: another diff by HTTP`;
    const old = replaced(lines, hunks, { at: 'after', from: 'ins', to: 'del' });
    const again = old && replaced(old, hunks, { at: 'before', from: 'del', to: 'ins' });
    if (!old || again?.join('\n') !== lines.join('\n')) return `#${n - 1}: its hunks do not apply`;
    return this.#isOld(old, before, n) ? undefined : `#${n - 1}: its old lines are not those of the version before`;
  }

  /**
   * Whether these are the lines of the version before, but for their order and what changes by itself. What changed by
   * itself in checks after that version is not in its text: then it is not known what the lines were.
   */
  #isOld(
    old: readonly string[],
    before: { readonly n: number; readonly lines: readonly string[] },
    n: number,
  ): boolean {
    if (before.n !== n - 1) return true;
    const noise = this.#noise.get(n) ?? [];
    const sides = [
      [...old, ...noise.map((pair) => pair.before)],
      [...before.lines, ...noise.map((pair) => pair.after)],
    ];
    return new Set(sides.map((lines) => lines.sort().join('\n'))).size === 1;
  }
}

/** Changed links are lines of the diff as the API gives it. */
function wireBlocks({ blocks, links = [] }: PlacedHunk): unknown[] {
  const side = (of: 'before' | 'after'): string[] => links.map((link) => `${link.text} -> ${link[of]}`);
  return links.length === 0 ? [...blocks] : [...blocks, { del: side('before') }, { ins: side('after') }];
}

interface Direction {
  readonly at: 'before' | 'after';
  readonly from: 'ins' | 'del';
  readonly to: 'ins' | 'del';
}

/** As a reader of the diff would do it who knows no more of it than is written down. Undefined: it is not of these lines. */
function replaced(lines: readonly string[], hunks: readonly PlacedHunk[], way: Direction): string[] | undefined {
  const made = [...lines];
  for (const hunk of hunks.toReversed()) {
    const side = (kind: 'ins' | 'del'): string[] =>
      hunk.blocks.flatMap((block) => [...(block.ctx ?? []), ...(block[kind] ?? [])]);
    const taken = side(way.from);
    const gone = made.splice(hunk[way.at] - 1, taken.length, ...side(way.to));
    if (gone.join('\n') !== taken.join('\n')) return undefined;
  }
  return made;
}
