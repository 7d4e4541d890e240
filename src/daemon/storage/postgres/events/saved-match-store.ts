import type { SavedMatch, SavedMatches, SavedQuestion } from '../../saved-matches.ts';
import { storable } from '../connection/columns.ts';
import type { Database } from '../connection/database.ts';

/** Saved matches on PostgreSQL. An organization saves one at a time, so that nobody else takes the last place meanwhile. */
export class SavedMatchStore implements SavedMatches {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  saveMatch(
    match: SavedMatch,
    text: string,
    limit: number,
  ): Promise<{ match: SavedMatch; isNew: boolean } | undefined> {
    const { id, organizationId, url, tapId, tapName, rules, matchedAt, savedAt, savedBy, note, document } = match;
    return this.#database.transaction(async (transaction) => {
      await transaction.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`save ${organizationId}`]);
      const [known] = await transaction.query<SavedMatch>(BY_URL, [organizationId, storable(url)]);
      if (known) return { match: known, isNew: false };
      const [kept] = await transaction.query<{ count: number }>(COUNT, [organizationId]);
      if ((kept?.count ?? 0) >= limit) return undefined;
      const texts = [id, organizationId, url, tapId, tapName, rules, savedBy, note, document, text].map(storable);
      await transaction.query(ADD, [...texts, matchedAt, savedAt]);
      return { match, isNew: true };
    });
  }

  async savedMatch(organizationId: string, id: string): Promise<SavedMatch | undefined> {
    const [match] = await this.#database.query<SavedMatch>(BY_ID, [organizationId, storable(id)]);
    return match;
  }

  async savedMatches({ organizationId, words, atMost, after }: SavedQuestion): Promise<SavedMatch[] | undefined> {
    const before = after === undefined ? Number.MAX_SAFE_INTEGER : await this.#seqOf(organizationId, after);
    if (before === undefined) return undefined;
    return this.#database.query<SavedMatch>(NEWEST, [organizationId, before, words.map(storable), atMost]);
  }

  async noteSavedMatch(organizationId: string, id: string, note: string, text: string): Promise<boolean> {
    const noted = await this.#database.query(NOTE, [organizationId, storable(id), storable(note), storable(text)]);
    return noted.length > 0;
  }

  async removeSavedMatch(organizationId: string, id: string): Promise<boolean> {
    return (await this.#database.query(REMOVE, [organizationId, storable(id)])).length > 0;
  }

  async #seqOf(organizationId: string, id: string): Promise<number | undefined> {
    const [row] = await this.#database.query<{ seq: number }>(SEQ_OF, [organizationId, storable(id)]);
    return row?.seq;
  }
}

const COLUMNS = `id, organization AS "organizationId", url, tap AS "tapId", tap_name AS "tapName", rules,
  matched_at AS "matchedAt", saved_at AS "savedAt", saved_by AS "savedBy", note, document`;

const ONE = 'WHERE organization = $1 AND id = $2';

/** By its hash: a URL may be longer than an entry of an index. */
const BY_URL = `SELECT ${COLUMNS} FROM saved_matches
  WHERE organization = $1 AND hashtextextended(url, 0) = hashtextextended($2, 0) AND url = $2`;

const BY_ID = `SELECT ${COLUMNS} FROM saved_matches ${ONE}`;

const SEQ_OF = `SELECT seq FROM saved_matches ${ONE}`;

const COUNT = 'SELECT count(*) AS count FROM saved_matches WHERE organization = $1';

const ADD = `INSERT INTO saved_matches (id, organization, url, tap, tap_name, rules, saved_by, note, document, words,
  matched_at, saved_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`;

const NEWEST = `SELECT ${COLUMNS} FROM saved_matches WHERE organization = $1 AND seq < $2
  AND NOT EXISTS (SELECT FROM unnest($3::text[]) AS word WHERE strpos(words, word) = 0) ORDER BY seq DESC LIMIT $4`;

const NOTE = `UPDATE saved_matches SET note = $3, words = $4 ${ONE} RETURNING id`;

const REMOVE = `DELETE FROM saved_matches ${ONE} RETURNING id`;
