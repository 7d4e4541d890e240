import type { DatabaseSync } from 'node:sqlite';
import type { PageState, Validators } from '../../frontier.ts';
import { answersAfter, trustAfter } from '../../frontier-rules.ts';
import type { Visit } from '../../pages.ts';
import type { Likeness } from './duplicate-store.ts';
import { readAnswers, validatorsOf, writeAnswers } from '../../frontier-coding.ts';

/** As the column of the sitemap that hinted at a page is called on people's disks. */
export const HINTED_BY_COLUMN = 'hinter';

/** What visits have left of a page. */
export interface VisitedRow extends Likeness {
  readonly visitedAt: number;
  readonly bodyHash: Uint8Array | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly fullAt: number;
  readonly failures: number;
  readonly doubtedAt: number | null;
  readonly theta: number;
  readonly info: number;
  readonly pull: number;
  readonly answers: string;
  /** The sitemap that said it has changed, until a visit shows whether it had. */
  readonly hintedBy: number | null;
  readonly rights: number;
  readonly wrongs: number;
}

/** What a visit may leave as it was. */
type Kept = Pick<
  VisitedRow,
  'bodyHash' | 'etag' | 'lastModified' | 'fullAt' | 'failures' | 'answers' | 'hintedBy' | 'rights' | 'wrongs'
>;
const NEVER: Kept = {
  bodyHash: null,
  etag: null,
  lastModified: null,
  fullAt: 0,
  failures: 0,
  answers: '',
  hintedBy: null,
  rights: 0,
  wrongs: 0,
};

/** The second table of the frontier: one row for each page that was visited. */
export class VisitedStore {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: DatabaseSync) {
    this.#sql = prepare(database);
  }

  get(page: number): VisitedRow | undefined {
    return this.#sql.get.get(page) as unknown as VisitedRow | undefined;
  }

  /** Writes down the visit; `isForAll`: every source that holds the page knows its links now. */
  save(page: number, before: VisitedRow | undefined, visit: Visit, likeness: Likeness, isForAll: boolean): void {
    const former = before ?? NEVER;
    const hasFailed = visit.outcome === 'failed';
    const bodyHash = visit.bodyHash === undefined ? former.bodyHash : Buffer.from(visit.bodyHash, 'hex');
    const { etag = null, lastModified = null } = validatorsAfter(former, visit);
    const { theta, info, pull } = visit.rate;
    this.#sql.save.run(
      page,
      visit.at,
      isForAll ? bodyHash : null,
      etag,
      lastModified,
      visit.isFull === true ? visit.at : former.fullAt,
      hasFailed ? former.failures + 1 : 0,
      visit.doubtedAt ?? null,
      theta,
      info,
      pull,
      writeAnswers(answersAfter(readAnswers(former.answers), visit)),
      likeness.simhash,
      likeness.site,
      likeness.copyOf,
      likeness.aliasOf,
      hasFailed ? former.hintedBy : null,
      former.rights,
      former.wrongs,
    );
  }

  /** Of the pages from one key to another those that were visited later than now; from now on they were visited now. */
  bringForward(first: number, last: number, now: number): { readonly page: number; readonly visitedAt: number }[] {
    const late = this.#sql.late.all(first, last, now) as unknown as { page: number; visitedAt: number }[];
    if (late.length > 0) this.#sql.bringForward.run(now, first, last);
    return late;
  }

  /** The next visit reads the page whatever its bytes are. */
  forgetBody(page: number): void {
    this.#sql.forgetBody.run(page);
  }

  setHintedBy(page: number, hintedBy: number): void {
    this.#sql.setHintedBy.run(hintedBy, page);
  }

  /** A hint of a sitemap was checked by a visit. */
  judge(sitemap: number, isRight: boolean): void {
    const row = this.get(sitemap);
    if (!row) return;
    const { right, wrong } = trustAfter({ right: row.rights, wrong: row.wrongs }, isRight);
    this.#sql.setTrust.run(right, wrong, sitemap);
  }
}

export function pageState(row: VisitedRow): PageState {
  const { visitedAt, bodyHash, fullAt, failures, doubtedAt, theta, info, pull } = row;
  return {
    visitedAt,
    bodyHash: bodyHash === null ? undefined : Buffer.from(bodyHash).toString('hex'),
    validators: bodyHash === null ? undefined : validatorsOf(row),
    fullAt,
    failures,
    doubtedAt: doubtedAt ?? undefined,
    rate: { theta, info, pull },
  };
}

function validatorsAfter(before: Kept, visit: Visit): Validators {
  if (visit.validators) return visit.validators;
  return visit.bodyHash === undefined ? (validatorsOf(before) ?? {}) : {};
}

function prepare(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  return {
    get: sql(`SELECT visited_at AS visitedAt, body_hash AS bodyHash, etag, last_modified AS lastModified,
        full_at AS fullAt, failures, doubted_at AS doubtedAt, theta, info, pull, answers, simhash, site,
        copy_of AS copyOf, alias_of AS aliasOf, hinter AS hintedBy, rights, wrongs
      FROM visited WHERE page = ?`),
    save: sql(`REPLACE INTO visited (page, visited_at, body_hash, etag, last_modified, full_at, failures, doubted_at,
        theta, info, pull, answers, simhash, site, copy_of, alias_of, hinter, rights, wrongs)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    late: sql('SELECT page, visited_at AS visitedAt FROM visited WHERE page BETWEEN ? AND ? AND visited_at > ?'),
    bringForward: sql(`UPDATE visited SET visited_at = min(visited_at, ?1), full_at = min(full_at, ?1),
      doubted_at = min(doubted_at, ?1) WHERE page BETWEEN ?2 AND ?3 AND visited_at > ?1`),
    forgetBody: sql('UPDATE visited SET body_hash = NULL WHERE page = ?'),
    setHintedBy: sql('UPDATE visited SET hinter = ? WHERE page = ?'),
    setTrust: sql('UPDATE visited SET rights = ?, wrongs = ? WHERE page = ?'),
  };
}
