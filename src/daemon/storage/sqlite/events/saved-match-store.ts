import type { DatabaseSync } from 'node:sqlite';
import type { SavedMatch, SavedMatches, SavedQuestion } from '../../saved-matches.ts';
import type { Operations } from '../worker/operation.ts';

export class SavedMatchStore {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: DatabaseSync) {
    this.#sql = prepare(database);
  }

  save(match: SavedMatch, text: string, limit: number): { match: SavedMatch; isNew: boolean } | undefined {
    const { id, organizationId, url, tapId, tapName, rules, matchedAt, savedAt, savedBy, note, document } = match;
    const known = this.#sql.byUrl.get(organizationId, url);
    if (known) return { match: toMatch(known), isNew: false };
    if ((this.#sql.count.get(organizationId) as { count: number }).count >= limit) return undefined;
    const about = [id, organizationId, url, tapId, tapName, rules];
    this.#sql.add.run(...about, matchedAt, savedAt, savedBy, note, document, text);
    return { match, isNew: true };
  }

  match(organizationId: string, id: string): SavedMatch | undefined {
    const row = this.#sql.byId.get(organizationId, id);
    return row && toMatch(row);
  }

  matches({ organizationId, words, atMost, after }: SavedQuestion): SavedMatch[] | undefined {
    const before = after === undefined ? Number.MAX_SAFE_INTEGER : this.#seqOf(organizationId, after);
    if (before === undefined) return undefined;
    return this.#sql.newest.all(organizationId, before, JSON.stringify(words), atMost).map(toMatch);
  }

  note(organizationId: string, id: string, note: string, text: string): boolean {
    return Number(this.#sql.note.run(note, text, organizationId, id).changes) > 0;
  }

  remove(organizationId: string, id: string): boolean {
    return Number(this.#sql.remove.run(organizationId, id).changes) > 0;
  }

  #seqOf(organizationId: string, id: string): number | undefined {
    return (this.#sql.seqOf.get(organizationId, id) as { seq: number } | undefined)?.seq;
  }
}

export function savedMatchOperations(store: SavedMatchStore): Operations<SavedMatches> {
  return {
    saveMatch: { write: (match, text, limit) => store.save(match, text, limit) },
    savedMatch: { read: (organizationId, id) => store.match(organizationId, id) },
    savedMatches: { read: (question) => store.matches(question) },
    noteSavedMatch: { write: (organizationId, id, note, text) => store.note(organizationId, id, note, text) },
    removeSavedMatch: { write: (organizationId, id) => store.remove(organizationId, id) },
  };
}

function toMatch(row: object): SavedMatch {
  return { ...row } as SavedMatch;
}

function prepare(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  const columns = `id, organization AS organizationId, url, tap AS tapId, tap_name AS tapName, rules,
    matched_at AS matchedAt, saved_at AS savedAt, saved_by AS savedBy, note, document`;
  const one = 'WHERE organization = ? AND id = ?';
  return {
    add: sql(`INSERT INTO saved_matches (id, organization, url, tap, tap_name, rules,
      matched_at, saved_at, saved_by, note, document, words) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    byUrl: sql(`SELECT ${columns} FROM saved_matches WHERE organization = ? AND url = ?`),
    byId: sql(`SELECT ${columns} FROM saved_matches ${one}`),
    seqOf: sql(`SELECT seq FROM saved_matches ${one}`),
    count: sql('SELECT count(*) AS count FROM saved_matches WHERE organization = ?'),
    newest: sql(`SELECT ${columns} FROM saved_matches WHERE organization = ? AND seq < ?
      AND NOT EXISTS (SELECT 1 FROM json_each(?) WHERE instr(words, value) = 0) ORDER BY seq DESC LIMIT ?`),
    note: sql(`UPDATE saved_matches SET note = ?, words = ? ${one}`),
    remove: sql(`DELETE FROM saved_matches ${one}`),
  };
}
