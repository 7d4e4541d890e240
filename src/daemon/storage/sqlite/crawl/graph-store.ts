import type { DatabaseSync } from 'node:sqlite';
import { LINKS_PER_DOMAIN } from '../../../../shared/limits.ts';
import type { DomainLinks } from '../../../../shared/page/domain.ts';
import type { OwnGraph } from '../../ratings.ts';

/**
 * Which domain links to which, in SQL. A row is a link of a page, so that the graph is always that of the pages as they
 * were last read: a link that has gone takes its vote along, unless another page of its domain has it too.
 */
export class GraphStore {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: DatabaseSync) {
    this.#sql = prepare(database);
  }

  /** Within the transaction of the visit. Links beyond those its domain may keep are left out. */
  link(page: number, { from, to }: DomainLinks): void {
    this.unlink(page);
    if (to.length === 0) return;
    const source = this.#keyOf(from);
    const { links } = this.#sql.linksOf.get(source) as { links: number };
    const kept = to.slice(0, Math.max(0, LINKS_PER_DOMAIN - links));
    for (const target of kept) this.#sql.addLink.run(this.#keyOf(target), source, page);
    this.#sql.countLinks.run(kept.length, source);
  }

  unlink(page: number): void {
    const { source } = (this.#sql.sourceOf.get(page) as { source: number } | undefined) ?? {};
    if (source === undefined) return;
    const { changes } = this.#sql.deleteLinks.run(page);
    this.#sql.countLinks.run(-Number(changes), source);
  }

  referring(domain: string): number {
    const row = this.#sql.referring.get(domain) as { referring: number } | undefined;
    return row?.referring ?? 0;
  }

  /**
   * Counts who refers to the next domains after `cursor`, at most `atMost`; domains without any link are forgotten.
   * Undefined when there is none left.
   */
  countSome(cursor: number, atMost: number): Counted | undefined {
    const rows = this.#sql.next.all(cursor, atMost) as unknown as DomainRow[];
    for (const { key, links, referring } of rows) {
      if (links === 0 && referring === 0) this.#sql.deleteDomain.run(key);
      else this.#sql.setReferring.run(referring, key);
    }
    const last = rows.at(-1);
    const referred = rows.filter(({ referring }) => referring > 0);
    const links = referred.reduce((sum, { referring }) => sum + referring, 0);
    return last && { cursor: last.key, domains: referred.length, links };
  }

  saveOwn({ at, domains, links }: OwnGraph): void {
    this.#sql.saveOwn.run(at, domains, links);
  }

  own(): OwnGraph | undefined {
    const row = this.#sql.own.get() as OwnGraph | undefined;
    return row && { ...row };
  }

  #keyOf(name: string): number {
    const known = this.#sql.key.get(name) as { key: number } | undefined;
    return known?.key ?? Number(this.#sql.addDomain.run(name).lastInsertRowid);
  }
}

export interface Counted {
  readonly cursor: number;
  readonly domains: number;
  readonly links: number;
}

interface DomainRow {
  readonly key: number;
  readonly links: number;
  readonly referring: number;
}

function prepare(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  return {
    key: sql('SELECT key FROM domains WHERE name = ?'),
    addDomain: sql('INSERT INTO domains (name) VALUES (?)'),
    deleteDomain: sql('DELETE FROM domains WHERE key = ?'),
    linksOf: sql('SELECT links FROM domains WHERE key = ?'),
    countLinks: sql('UPDATE domains SET links = links + ? WHERE key = ?'),
    addLink: sql('INSERT OR IGNORE INTO links (target, source, page) VALUES (?, ?, ?)'),
    sourceOf: sql('SELECT source FROM links WHERE page = ? LIMIT 1'),
    deleteLinks: sql('DELETE FROM links WHERE page = ?'),
    referring: sql('SELECT referring FROM domains WHERE name = ?'),
    next: sql(`SELECT key, links, (SELECT count(DISTINCT source) FROM links WHERE target = domains.key) AS referring
      FROM domains WHERE key > ? ORDER BY key LIMIT ?`),
    setReferring: sql('UPDATE domains SET referring = ?1 WHERE key = ?2 AND referring <> ?1'),
    own: sql('SELECT at, domains, links FROM graph'),
    saveOwn: sql('REPLACE INTO graph (id, at, domains, links) VALUES (1, ?, ?, ?)'),
  };
}
