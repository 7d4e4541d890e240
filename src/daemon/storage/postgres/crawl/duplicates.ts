import { FLAG, siteKey } from '../../frontier-coding.ts';
import { bandsOf, isLike, isNear } from '../../frontier-rules.ts';
import type { Committed, Visit } from '../../pages.ts';
import type { Queryable, Transaction } from '../connection/database.ts';
import type { PageRow, VisitedRow } from './rows.ts';
import { bandsIn, type WorkingSet } from './working-set.ts';

/** What is known of a page's text, and of whom it repeats. */
export type Likeness = Pick<VisitedRow, 'simhash' | 'site' | 'copyOf' | 'aliasOf'>;
type Text = Pick<Likeness, 'simhash' | 'site'>;

export const UNKNOWN: Likeness = { simhash: null, site: null, copyOf: null, aliasOf: null };

/** Pages that have one part of a simhash in common and are looked at: the oldest of them, of which one is the original. */
const CANDIDATES = 200;

/**
 * Near duplicates and aliases among the pages of a group of visits and those that they are compared with. A simhash is found by
 * its four parts: two that differ in three bits at most have one of them in common.
 */
export class Duplicates {
  readonly #set: WorkingSet;
  /** By site and band: pages, oldest first. Of what nobody asks for in this group there is none. */
  readonly #inBand = new Map<string, number[]>();

  private constructor(set: WorkingSet) {
    this.#set = set;
  }

  /**
   * With all that is looked at when these visits are decided. Sites whose texts are compared are locked: of two pages that say the
   * same and are first visited at once, one has to see the other.
   */
  static async of(transaction: Transaction, set: WorkingSet, visits: readonly Visit[]): Promise<Duplicates> {
    const duplicates = new Duplicates(set);
    const texts = visits.flatMap(({ pageId, fingerprint }) => {
      const isCompared = fingerprint !== undefined && duplicates.#isCompared(pageId, visits);
      return isCompared ? [{ page: pageId, simhash: fingerprint.simhash, site: siteKey(fingerprint.group) }] : [];
    });
    await duplicates.#loadBands(transaction, texts);
    const known = [...set.pages.keys()].flatMap((key) => {
      const { copyOf = null, aliasOf = null, hintedBy = null } = set.visited.get(key) ?? {};
      return [copyOf, aliasOf, hintedBy];
    });
    await set.loadPages(transaction, [...[...duplicates.#inBand.values()].flat(), ...known.filter(isKey)]);
    // A page that repeats another one says nothing itself, as long as that other one is there.
    const repeated = [...set.visited.values()].flatMap(({ copyOf, aliasOf }) => [copyOf, aliasOf].filter(isKey));
    await set.loadPages(transaction, repeated);
    return duplicates;
  }

  /**
   * What a visit that did not fail makes of the page. `target`: the page that it says it is. A page that another one has said it
   * is speaks for those that repeat it.
   */
  after(page: PageRow, before: Likeness, visit: Visit, target: PageRow | undefined): Likeness {
    const { fingerprint, isNamed, kind } = visit;
    const isCanonical = (page.flags & FLAG.canonical) !== 0;
    const text = this.#text(page.key, before, fingerprint);
    if (isNamed) return { ...text, aliasOf: null, copyOf: null };
    // A visit that read nothing has not seen what the page says of itself.
    const said = kind === undefined ? before.aliasOf : (target?.key ?? null);
    const like = before.simhash === null ? this.#original(page.key, text, isCanonical) : before.copyOf;
    const aliasOf = this.#aliasOf(page.key, text, said);
    const copyOf = like !== null && this.#isAlike(text, like) ? like : null;
    const likeness = { ...text, aliasOf, copyOf };
    if (isCanonical && fingerprint && !repeats(likeness)) this.#speakFor(page.key, text);
    return likeness;
  }

  /** Whether the page was the copy of one that nobody has named, and is none from now on. */
  release(page: number): boolean {
    const visited = this.#set.visited.get(page);
    if (!visited || visited.copyOf === null || this.#isCanonical(visited.copyOf)) return false;
    visited.copyOf = null;
    this.#set.recopied.add(visited);
    return true;
  }

  /** A change of a copy where its original has had none since the copy's last one. */
  isOwnNews(page: number, { copyOf }: Likeness, { version }: Visit): boolean {
    if (!version) return false;
    const last = this.#set.versionsAt.get(page);
    const its = copyOf === null ? undefined : this.#set.versionsAt.get(copyOf);
    return last !== undefined && !(its !== undefined && its > last);
  }

  /** Its text is known for the first time, or others are compared with it. */
  #isCompared(page: number, visits: readonly Visit[]): boolean {
    if ((this.#set.visited.get(page)?.simhash ?? null) === null) return true;
    const row = this.#set.pages.get(page);
    if (!row) return false;
    return (row.flags & FLAG.canonical) !== 0 || visits.some(({ sameAs }) => sameAs?.hash === row.hash);
  }

  async #loadBands(transaction: Transaction, texts: readonly (Text & { readonly page: number })[]): Promise<void> {
    if (texts.length === 0) return;
    const bands = texts.flatMap(bandsIn);
    await transaction.query(
      'SELECT pg_advisory_xact_lock(site) FROM (SELECT DISTINCT site FROM unnest($1::bigint[]) AS site ORDER BY site) AS sites',
      [bands.map(({ site }) => site)],
    );
    for (const { site, band } of bands) this.#inBand.set(`${site} ${band}`, []);
    for (const { site, band, page } of await pagesIn(transaction, bands))
      this.#inBand.get(`${site} ${band}`)?.push(page);
  }

  #text(page: number, before: Likeness, fingerprint: Visit['fingerprint']): Text {
    if (!fingerprint) return { simhash: before.simhash, site: before.site };
    const text = { simhash: fingerprint.simhash, site: siteKey(fingerprint.group) };
    if (before.simhash === text.simhash && before.site === text.site) return text;
    for (const band of bandsIn({ page, ...before })) {
      this.#set.removedBands.add(band);
      const known = this.#inBand.get(`${band.site} ${band.band}`);
      if (known)
        this.#inBand.set(
          `${band.site} ${band.band}`,
          known.filter((one) => one !== page),
        );
    }
    for (const band of bandsIn({ page, ...text })) {
      this.#set.newBands.add(band);
      this.#inBand.get(`${band.site} ${band.band}`)?.push(page);
    }
    return text;
  }

  /** The page that it says it is, where that is another one that reads like it. */
  #aliasOf(page: number, text: Text, said: number | null): number | null {
    return said !== null && said !== page && this.#isLike(text, said) ? said : null;
  }

  /** The oldest page of the site that says the same and speaks for itself. */
  #original(page: number, text: Text, isCanonical: boolean): number | null {
    const rivals = this.#rivals(page, text).filter((rival) => !isCanonical || this.#isCanonical(rival));
    return rivals.find((rival) => this.#isAlike(text, rival)) ?? null;
  }

  /** Pages that were there first and say the same, and that nobody has named, are its duplicates. */
  #speakFor(page: number, text: Text): void {
    for (const rival of this.#rivals(page, text)) {
      const visited = this.#set.visited.get(rival);
      if (!visited || this.#isCanonical(rival) || !this.#isAlike(text, rival)) continue;
      visited.copyOf = page;
      this.#set.recopied.add(visited);
    }
  }

  #isCanonical(page: number): boolean {
    return ((this.#set.pages.get(page)?.flags ?? 0) & FLAG.canonical) !== 0;
  }

  #rivals(page: number, { simhash, site }: Text): number[] {
    if (simhash === null || site === null) return [];
    const found = bandsOf(simhash).flatMap((band) => this.#inBand.get(`${site} ${band}`) ?? []);
    return [...new Set(found)].filter((rival) => rival !== page).toSorted((one, other) => one - other);
  }

  #isAlike({ simhash, site }: Text, other: number): boolean {
    const its = this.#speaking(other);
    return (
      simhash !== null && its !== undefined && its.simhash !== null && its.site === site && isNear(simhash, its.simhash)
    );
  }

  #isLike({ simhash }: Text, other: number): boolean {
    const isVisited = (this.#set.pages.get(other)?.urgency ?? -1) >= 0;
    const its = isVisited ? this.#speaking(other) : undefined;
    return its !== undefined && isLike(simhash ?? undefined, its.simhash ?? undefined);
  }

  /** Of a page that was there at its last visit, and is itself no copy: its changes are reported. */
  #speaking(page: number): Text | undefined {
    const visited = this.#set.visited.get(page);
    if (!visited || visited.failures > 0) return undefined;
    const isRepeating = [visited.copyOf, visited.aliasOf].some((key) => key !== null && this.#set.pages.has(key));
    return isRepeating ? undefined : visited;
  }
}

export function repeats({ aliasOf, copyOf }: Likeness): Committed['withheld'] {
  if (aliasOf !== null) return 'alias';
  return copyOf === null ? undefined : 'duplicate';
}

function isKey(key: number | null): key is number {
  return key !== null;
}

async function pagesIn(
  from: Queryable,
  bands: readonly { readonly site: number; readonly band: number }[],
): Promise<{ site: number; band: number; page: number }[]> {
  return from.query(
    `SELECT wanted.site, wanted.band, found.page
    FROM (SELECT DISTINCT site, band FROM unnest($1::bigint[], $2::integer[]) AS each (site, band)) AS wanted
      CROSS JOIN LATERAL (SELECT page FROM bands WHERE bands.site = wanted.site AND bands.band = wanted.band
        ORDER BY page LIMIT ${CANDIDATES + 1}) AS found`,
    [bands.map(({ site }) => site), bands.map(({ band }) => band)],
  );
}
