import { LINKS_PER_DOMAIN } from '../../../../shared/limits.ts';
import type { DomainLinks } from '../../../../shared/page/domain.ts';
import type { OwnGraph } from '../../ratings.ts';
import { columnsOf } from '../connection/columns.ts';
import type { Database, Transaction } from '../connection/database.ts';

/** What a page says of other domains. */
export interface PageLinks extends DomainLinks {
  readonly page: number;
}

/** Domains that one transaction counts the links to. */
const DOMAINS_A_STEP = 200;

/**
 * Which domain links to which, on PostgreSQL. A row is a link of a page, so that the graph is always that of the pages as they
 * were last read: a link that has gone takes its vote along, unless another page of its domain has it too.
 */
export class GraphStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Within the transaction of a group of visits, which are of different pages. Most pages link to where they did, which one
   * statement finds out for all of them. Links beyond those its domain may keep are left out.
   */
  async link(transaction: Transaction, given: readonly PageLinks[]): Promise<void> {
    if (given.length === 0) return;
    const before = await linksBefore(transaction, given);
    const changed = given.filter(({ page, from, to }) => !isSame(before.get(page), { from, to }));
    if (changed.length === 0) return;
    const keys = await keysOf(transaction, changed, before);
    const sources = new Set(changed.flatMap(({ page, from }) => [from, before.get(page)?.from ?? from]));
    const counts = await lockedCounts(
      transaction,
      [...sources].map((name) => keyIn(keys, name)),
    );
    const change = new GraphChange(keys, counts);
    for (const links of changed) change.replace(links, before.get(links.page));
    await change.write(transaction);
  }

  /** Within the transaction that removes the pages. */
  async unlink(transaction: Transaction, pages: readonly number[]): Promise<void> {
    if (pages.length > 0) await transaction.query(UNLINK, [pages]);
  }

  /** Counts who refers to each domain, some at a time; domains without any link are forgotten, if they had none before. */
  async count(at: number): Promise<void> {
    let [domains, links] = [0, 0];
    for (let cursor = 0; ;) {
      const after = cursor;
      const some = await this.#database.transaction(async (transaction) => {
        const [counted] = await transaction.query<Counted>(COUNT, [after, DOMAINS_A_STEP]);
        await transaction.query(FORGET_IDLE, [after, counted?.last ?? after]);
        return counted;
      });
      if (typeof some?.last !== 'number') break;
      cursor = some.last;
      domains += some.domains;
      links += some.links;
    }
    await this.#database.query(SAVE_OWN, [at, domains, links]);
  }

  async own(): Promise<OwnGraph | undefined> {
    const [own] = await this.#database.query<OwnGraph>('SELECT at, domains, links FROM graph');
    return own;
  }
}

interface Counted {
  readonly last: number | null;
  readonly domains: number;
  readonly links: number;
}

type Keys = ReadonlyMap<string, number>;

async function linksBefore(transaction: Transaction, given: readonly PageLinks[]): Promise<Map<number, DomainLinks>> {
  const rows = await transaction.query<{ page: number; from: string; to: string }>(BEFORE, [
    given.map(({ page }) => page),
  ]);
  return new Map(rows.map(({ page, from, to }) => [page, { from, to: to.split(' ') }]));
}

function isSame(before: DomainLinks | undefined, { from, to }: DomainLinks): boolean {
  if (!before) return to.length === 0;
  if (before.from !== from || before.to.length !== to.length) return false;
  const known = new Set(before.to);
  return to.every((name) => known.has(name));
}

/** Of all domains that a change has to do with; they have a row from then on. */
async function keysOf(
  transaction: Transaction,
  changed: readonly PageLinks[],
  before: ReadonlyMap<number, DomainLinks>,
): Promise<Keys> {
  const wanted = new Set(changed.flatMap(({ from, to }) => [from, ...to]));
  const former = changed.flatMap(({ page }) => {
    const links = before.get(page);
    return links ? [links.from, ...links.to] : [];
  });
  const known = await transaction.query<DomainRow>(KEYS, [[...new Set([...wanted, ...former])]]);
  const keys = new Map(known.map(({ name, key }) => [name, key]));
  const idle = new Set(known.filter(({ isIdle }) => isIdle).map(({ name }) => name));
  const missing = [...wanted].filter((name) => idle.has(name) || !keys.has(name));
  if (missing.length === 0) return keys;
  for (const { name, key } of await transaction.query<DomainRow>(ADD_DOMAINS, [missing])) keys.set(name, key);
  return keys;
}

interface DomainRow {
  readonly name: string;
  readonly key: number;
  readonly isIdle: boolean;
}

function keyIn(keys: Keys, name: string): number {
  const key = keys.get(name);
  if (key === undefined) throw new Error(`the domain ${name} has no row`);
  return key;
}

async function lockedCounts(transaction: Transaction, sources: readonly number[]): Promise<Map<number, number>> {
  const rows = await transaction.query<{ key: number; links: number }>(LOCK_SOURCES, [sources]);
  return new Map(rows.map(({ key, links }) => [key, links]));
}

interface Link {
  readonly page: number;
  readonly source: number;
  readonly target: number;
}

function isMissingIn(links: readonly Link[]): (link: Link) => boolean {
  const known = new Set(links.map(({ source, target }) => `${source} ${target}`));
  return ({ source, target }) => !known.has(`${source} ${target}`);
}

/** The rows that replacing the links of some pages adds and removes, and what each domain has then. */
class GraphChange {
  readonly #keys: Keys;
  /** Links of each domain that is locked. */
  readonly #counts: Map<number, number>;
  readonly #added: Link[] = [];
  readonly #removed: Link[] = [];

  constructor(keys: Keys, counts: Map<number, number>) {
    this.#keys = keys;
    this.#counts = counts;
  }

  replace({ page, from, to }: PageLinks, before: DomainLinks | undefined): void {
    const former = before ? this.#linksOf({ page, ...before }) : [];
    for (const { source } of former) this.#count(source, -1);
    const source = keyIn(this.#keys, from);
    const room = Math.max(0, LINKS_PER_DOMAIN - (this.#counts.get(source) ?? 0));
    const links = this.#linksOf({ page, from, to: [...new Set(to)].slice(0, room) });
    this.#count(source, links.length);
    this.#removed.push(...former.filter(isMissingIn(links)));
    this.#added.push(...links.filter(isMissingIn(former)));
  }

  async write(transaction: Transaction): Promise<void> {
    const pairs = [({ page }: Link) => page, ({ target }: Link) => target] as const;
    if (this.#removed.length > 0) await transaction.query(DELETE_LINKS, columnsOf(this.#removed, ...pairs));
    if (this.#added.length > 0) {
      await transaction.query(
        ADD_LINKS,
        columnsOf(this.#added, ...pairs, ({ source }) => source),
      );
    }
    await transaction.query(SET_COUNTS, [[...this.#counts.keys()], [...this.#counts.values()]]);
  }

  #linksOf({ page, from, to }: PageLinks): Link[] {
    const source = keyIn(this.#keys, from);
    return to.map((name) => ({ page, source, target: keyIn(this.#keys, name) }));
  }

  #count(source: number, links: number): void {
    this.#counts.set(source, (this.#counts.get(source) ?? 0) + links);
  }
}

/** Names of domains have no spaces, and a list is read faster than an array. */
const BEFORE = `SELECT page, source.name AS "from", string_agg(target.name, ' ') AS "to"
  FROM links JOIN domains AS source ON source.key = links.source JOIN domains AS target ON target.key = links.target
  WHERE page = ANY($1::bigint[]) GROUP BY page, source.name`;

const KEYS = 'SELECT name, key, idle_since IS NOT NULL AS "isIdle" FROM domains WHERE name = ANY($1::text[])';

const ADD_DOMAINS = `INSERT INTO domains (name) SELECT name FROM unnest($1::text[]) AS name ORDER BY name
  ON CONFLICT (name) DO UPDATE SET idle_since = NULL RETURNING name, key`;

const LOCK_SOURCES = 'SELECT key, links FROM domains WHERE key = ANY($1::bigint[]) ORDER BY key FOR NO KEY UPDATE';

const DELETE_LINKS = `DELETE FROM links USING unnest($1::bigint[], $2::bigint[]) AS gone (page, target)
  WHERE links.page = gone.page AND links.target = gone.target`;

const ADD_LINKS = `INSERT INTO links (page, target, source)
  SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[])`;

const SET_COUNTS = `UPDATE domains SET links = counted.links
  FROM unnest($1::bigint[], $2::integer[]) AS counted (key, links)
  WHERE domains.key = counted.key AND domains.links <> counted.links`;

const UNLINK = `WITH gone AS (
    DELETE FROM links WHERE page = ANY($1::bigint[]) RETURNING source
  ), sums AS (
    SELECT source, count(*) AS links FROM gone GROUP BY source
  ), locked AS (
    SELECT key FROM domains WHERE key IN (SELECT source FROM sums) ORDER BY key FOR NO KEY UPDATE
  )
  UPDATE domains SET links = domains.links - sums.links FROM locked, sums
  WHERE domains.key = locked.key AND sums.source = locked.key`;

const COUNT = `WITH portion AS (
    SELECT key FROM domains WHERE key > $1 ORDER BY key LIMIT $2
  ), counted AS (
    SELECT key, (SELECT count(DISTINCT source) FROM links WHERE target = portion.key) AS referring FROM portion
  ), written AS (
    UPDATE domains SET referring = counted.referring,
      idle_since = CASE WHEN links = 0 AND counted.referring = 0 THEN coalesce(idle_since, now()) END
    FROM counted WHERE domains.key = counted.key AND (domains.referring <> counted.referring
      OR (idle_since IS NULL) = (links = 0 AND counted.referring = 0))
  )
  SELECT max(key) AS last, count(*) FILTER (WHERE referring > 0) AS domains, coalesce(sum(referring), 0) AS links FROM counted`;

const FORGET_IDLE = `DELETE FROM domains WHERE key > $1 AND key <= $2 AND idle_since < now() - interval '1 hour'`;

const SAVE_OWN = `INSERT INTO graph (id, at, domains, links) VALUES (1, $1, $2, $3)
  ON CONFLICT (id) DO UPDATE SET at = excluded.at, domains = excluded.domains, links = excluded.links`;
