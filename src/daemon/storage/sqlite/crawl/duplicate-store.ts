import type { DatabaseSync } from 'node:sqlite';
import { bandsOf, isLike, isNear } from '../../frontier-rules.ts';
import type { Committed, Visit } from '../../pages.ts';
import { FLAG, siteKey } from '../../frontier-coding.ts';

interface Text {
  /** Eight bytes. */
  readonly simhash: Uint8Array | null;
  readonly site: number | null;
}

/** What is known of a page's text, and of whom it repeats. */
export interface Likeness extends Text {
  readonly copyOf: number | null;
  readonly aliasOf: number | null;
}

export interface Said {
  readonly target: number | null;
  readonly isCanonical: boolean;
}

export const UNKNOWN: Likeness = { simhash: null, site: null, copyOf: null, aliasOf: null };
/** Pages that have one part of a simhash in common and are looked at: the oldest of them, of which one is the original. */
const CANDIDATES = 200;

/**
 * Near duplicates and aliases, in SQL. A simhash is found by its four parts: two that differ in three bits at most have
 * one of them in common.
 */
export class DuplicateStore {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: DatabaseSync) {
    this.#sql = prepare(database);
  }

  /**
   * What a visit that did not fail makes of it; writes down the simhash where others look for it. `target`: the page that
   * it says it is. `isCanonical`: another page has said that it is this one, which then speaks for those that repeat it.
   */
  after(page: number, before: Likeness, visit: Visit, { target, isCanonical }: Said): Likeness {
    const { fingerprint, isNamed, kind } = visit;
    const text = this.#text(page, before, fingerprint);
    if (isNamed) return { ...text, aliasOf: null, copyOf: null };
    // A visit that read nothing has not seen what the page says of itself.
    const said = kind === undefined ? before.aliasOf : target;
    const like = before.simhash === null ? this.#original(page, text, isCanonical) : before.copyOf;
    const aliasOf = said !== null && said !== page && this.#isLike(text, said) ? said : null;
    const copyOf = like !== null && this.#isAlike(text, like) ? like : null;
    const likeness = { ...text, aliasOf, copyOf };
    if (isCanonical && fingerprint && !repeats(likeness)) this.#speakFor(page, text);
    return likeness;
  }

  #text(page: number, before: Likeness, fingerprint: Visit['fingerprint']): Text {
    if (!fingerprint) return { simhash: before.simhash, site: before.site };
    const simhash = new Uint8Array(Buffer.from(fingerprint.simhash, 'hex'));
    const text = { simhash, site: siteKey(fingerprint.group) };
    this.#index(page, before, text);
    return text;
  }

  /** Whether the page was the copy of one that nobody has named, and is none from now on. */
  release(page: number): boolean {
    return Number(this.#sql.release.run(page).changes) > 0;
  }

  /** The page is gone. */
  forget(page: number): void {
    const row = this.#sql.likeness.get(page) as Text | undefined;
    if (row?.simhash && row.site !== null) {
      for (const band of bandsOf(hex(row.simhash))) this.#sql.deleteBand.run(row.site, band, page);
    }
  }

  #index(page: number, before: Text, { simhash, site }: Text): void {
    if (!simhash || site === null) return;
    if (before.simhash && hex(before.simhash) === hex(simhash) && before.site === site) return;
    if (before.simhash) this.forget(page);
    for (const band of bandsOf(hex(simhash))) this.#sql.addBand.run(site, band, page);
  }

  /** The oldest page of the site that says the same and speaks for itself. */
  #original(page: number, text: Text, isCanonical: boolean): number | null {
    const rivals = this.#rivals(page, text).filter((rival) => !isCanonical || this.#isCanonical(rival));
    return rivals.find((rival) => this.#isAlike(text, rival)) ?? null;
  }

  /** Pages that were there first and say the same, and that nobody has named, are its duplicates. */
  #speakFor(page: number, text: Text): void {
    for (const rival of this.#rivals(page, text)) {
      if (!this.#isCanonical(rival) && this.#isAlike(text, rival)) this.#sql.copy.run(page, rival);
    }
  }

  #isCanonical(page: number): boolean {
    return this.#sql.isCanonical.get(page) !== undefined;
  }

  #rivals(page: number, { simhash, site }: Text): number[] {
    if (!simhash || site === null) return [];
    const found = bandsOf(hex(simhash)).flatMap((band) => {
      const rows = this.#sql.inBand.all(site, band, page) as unknown as { page: number }[];
      return rows.map((row) => row.page);
    });
    return [...new Set(found)].toSorted((one, other) => one - other);
  }

  #isAlike({ simhash, site }: Text, other: number): boolean {
    const its = this.#speaking(other);
    if (!simhash || !its?.simhash || its.site !== site) return false;
    return isNear(hex(simhash), hex(its.simhash));
  }

  #isLike({ simhash }: Text, other: number): boolean {
    const its = this.#sql.isVisited.get(other) && this.#speaking(other);
    return its !== undefined && isLike(simhash ? hex(simhash) : undefined, its.simhash ? hex(its.simhash) : undefined);
  }

  /** A change of a copy where its original has had none since the copy's last one. */
  isOwnNews(page: number, { copyOf }: Likeness, { version }: Visit): boolean {
    if (!version) return false;
    const [last, its] = [page, copyOf].map((key) => this.#sql.changedAt.get(key) as { at: number } | undefined);
    return last !== undefined && !(its !== undefined && its.at > last.at);
  }

  /** Of a page that was there at its last visit, and is itself no copy: its changes are reported. */
  #speaking(page: number): Text | undefined {
    return this.#sql.speaking.get(page) as Text | undefined;
  }
}

export function repeats({ aliasOf, copyOf }: Likeness): Committed['withheld'] {
  if (aliasOf !== null) return 'alias';
  return copyOf === null ? undefined : 'duplicate';
}

function hex(simhash: Uint8Array): string {
  return Buffer.from(simhash).toString('hex');
}

function prepare(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  return {
    likeness: sql('SELECT simhash, site FROM visited WHERE page = ?'),
    addBand: sql('INSERT OR IGNORE INTO bands (site, band, page) VALUES (?, ?, ?)'),
    deleteBand: sql('DELETE FROM bands WHERE site = ? AND band = ? AND page = ?'),
    inBand: sql(`SELECT page FROM bands WHERE site = ? AND band = ? AND page <> ? ORDER BY page LIMIT ${CANDIDATES}`),
    isVisited: sql('SELECT 1 FROM pages WHERE key = ? AND urgency >= 0'),
    isCanonical: sql(`SELECT 1 FROM pages WHERE key = ? AND flags & ${FLAG.canonical}`),
    copy: sql('UPDATE visited SET copy_of = ? WHERE page = ?'),
    release: sql(`UPDATE visited SET copy_of = NULL WHERE page = ? AND copy_of IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM pages WHERE key = visited.copy_of AND flags & ${FLAG.canonical})`),
    changedAt: sql('SELECT at FROM versions WHERE page = ?'),
    // Pages are not updated when the one goes that they repeat: a key that is nobody's is no copy.
    speaking: sql(`SELECT simhash, site FROM visited WHERE page = ? AND failures = 0
      AND NOT EXISTS (SELECT 1 FROM pages WHERE key = visited.copy_of)
      AND NOT EXISTS (SELECT 1 FROM pages WHERE key = visited.alias_of)`),
  };
}
