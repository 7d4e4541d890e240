import { HOST_CLASSES } from '../../frontier.ts';
import { hostClass } from '../../frontier-rules.ts';
import { columnsOf, packedBytes, storable } from '../connection/columns.ts';
import type { Queryable, Transaction } from '../connection/database.ts';
import type { HostRow, PageRow } from './rows.ts';
import type { Counts, WorkingSet } from './working-set.ts';

/** Who writes: its counters, and the group of visits that this is, if it is one. */
export interface Writer {
  readonly node: string;
  readonly group?: string;
}

/** Writes what has changed in the set, each table by one statement; of what has not changed there is none. */
export async function flush(transaction: Transaction, set: WorkingSet, writer: Writer): Promise<void> {
  await insertHosts(transaction, set);
  await insertPages(transaction, [...set.newPages]);
  await updatePages(transaction, [...set.changedPages]);
  await writeHoldings(transaction, set);
  await writeVisited(transaction, set);
  await writeVersions(transaction, set);
  await writeBands(transaction, set);
  await removePages(transaction, [...set.removedPages]);
  await writePatterns(transaction, set);
  await writeBoilerplate(transaction, set);
  await updateHosts(transaction, [...set.changedHosts]);
  await deleteBoilerplate(transaction, [...set.leftHosts]);
  await count(transaction, set.counts, writer);
}

/** Keys for rows to come: they never come back, whatever becomes of the transaction. */
export async function reserveKeys(from: Queryable, table: 'hosts' | 'pages', howMany: number): Promise<number[]> {
  if (howMany === 0) return [];
  const rows = await from.query<{ key: number }>(
    `SELECT nextval(pg_get_serial_sequence($1, 'key')) AS key FROM generate_series(1, $2::integer)`,
    [table, howMany],
  );
  return rows.map(({ key }) => key);
}

/** By name: two that add the same hosts wait for one another, and not each for the other. */
async function insertHosts(transaction: Transaction, { newHosts }: WorkingSet): Promise<void> {
  if (newHosts.size === 0) return;
  await transaction.query(
    `INSERT INTO hosts (key, name) SELECT key, name FROM unnest($1::bigint[], $2::text[]) AS added (key, name) ORDER BY name`,
    columnsOf(
      [...newHosts],
      ({ key }) => key,
      ({ name }) => name,
    ),
  );
}

async function insertPages(transaction: Transaction, pages: readonly PageRow[]): Promise<void> {
  if (pages.length === 0) return;
  await transaction.query(
    `INSERT INTO pages (key, host, hash, url, bucket, due, source, depth, urgency, kind, flags)
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::smallint[], $6::bigint[], $7::bigint[],
      $8::integer[], $9::smallint[], $10::smallint[], $11::smallint[])`,
    columnsOf(
      pages,
      ({ key }) => key,
      ({ host }) => host,
      ({ hash }) => hash,
      ({ url }) => storable(url),
      ({ bucket }) => bucket,
      ({ due }) => due,
      ({ source }) => source,
      ({ depth }) => depth,
      ({ urgency }) => urgency,
      ({ kind }) => kind,
      ({ flags }) => flags,
    ),
  );
}

async function updatePages(transaction: Transaction, pages: readonly PageRow[]): Promise<void> {
  if (pages.length === 0) return;
  await transaction.query(
    `UPDATE pages SET due = changed.due, source = changed.source, depth = changed.depth, urgency = changed.urgency,
      kind = changed.kind, flags = changed.flags
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::integer[], $5::smallint[], $6::smallint[], $7::smallint[])
      AS changed (key, due, source, depth, urgency, kind, flags)
    WHERE pages.key = changed.key`,
    columnsOf(
      pages,
      ({ key }) => key,
      ({ due }) => due,
      ({ source }) => source,
      ({ depth }) => depth,
      ({ urgency }) => urgency,
      ({ kind }) => kind,
      ({ flags }) => flags,
    ),
  );
}

async function writeHoldings(transaction: Transaction, set: WorkingSet): Promise<void> {
  const { newHoldings, changedHoldings, removedHoldings } = set;
  if (removedHoldings.size > 0) {
    await transaction.query(
      `DELETE FROM holdings USING unnest($1::bigint[], $2::bigint[]) AS gone (source, page)
      WHERE holdings.source = gone.source AND holdings.page = gone.page`,
      columnsOf(
        [...removedHoldings],
        ({ source }) => source,
        ({ page }) => page,
      ),
    );
  }
  const written = [...newHoldings, ...changedHoldings];
  if (written.length === 0) return;
  await transaction.query(
    `INSERT INTO holdings (source, page, depth) SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::integer[])
    ON CONFLICT (source, page) DO UPDATE SET depth = excluded.depth`,
    columnsOf(
      written,
      ({ source }) => source,
      ({ page }) => page,
      ({ depth }) => depth,
    ),
  );
}

async function writeVisited(transaction: Transaction, set: WorkingSet): Promise<void> {
  await saveVisits(transaction, set);
  if (set.recopied.size > 0) {
    await transaction.query(
      `UPDATE visited SET copy_of = changed.copy_of FROM unnest($1::bigint[], $2::bigint[]) AS changed (page, copy_of)
      WHERE visited.page = changed.page`,
      columnsOf(
        [...set.recopied],
        ({ page }) => page,
        ({ copyOf }) => copyOf,
      ),
    );
  }
  if (set.judged.size > 0) {
    await transaction.query(
      `UPDATE visited SET rights = changed.rights, wrongs = changed.wrongs
      FROM unnest($1::bigint[], $2::integer[], $3::integer[]) AS changed (page, rights, wrongs)
      WHERE visited.page = changed.page`,
      columnsOf(
        [...set.judged],
        ({ page }) => page,
        ({ rights }) => rights,
        ({ wrongs }) => wrongs,
      ),
    );
  }
  if (set.hints.size > 0) {
    await transaction.query(
      `UPDATE visited SET hinted_by = hint.sitemap FROM unnest($1::bigint[], $2::bigint[]) AS hint (page, sitemap)
      WHERE visited.page = hint.page`,
      [[...set.hints.keys()], [...set.hints.values()]],
    );
  }
  if (set.forgottenBodies.size > 0) {
    await transaction.query('UPDATE visited SET body_hash = NULL WHERE page = ANY ($1::bigint[])', [
      [...set.forgottenBodies],
    ]);
  }
}

/** Whose copy a known page is, and how a sitemap's word came true, others' visits write, too: they are not overwritten. */
async function saveVisits(transaction: Transaction, { savedVisits }: WorkingSet): Promise<void> {
  if (savedVisits.size === 0) return;
  await transaction.query(
    `INSERT INTO visited (page, visited_at, full_at, doubted_at, theta, info, pull, site, copy_of, alias_of, hinted_by, failures,
      body_hash, simhash, etag, last_modified, answers)
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::float8[], $6::float8[], $7::float8[],
      $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::integer[], $13::text[], $14::text[], $15::text[],
      $16::text[], $17::text[])
    ON CONFLICT (page) DO UPDATE SET visited_at = excluded.visited_at, full_at = excluded.full_at,
      doubted_at = excluded.doubted_at, theta = excluded.theta, info = excluded.info, pull = excluded.pull,
      site = excluded.site, alias_of = excluded.alias_of, hinted_by = excluded.hinted_by, failures = excluded.failures,
      body_hash = excluded.body_hash, simhash = excluded.simhash, etag = excluded.etag,
      last_modified = excluded.last_modified, answers = excluded.answers`,
    columnsOf(
      [...savedVisits],
      ({ page }) => page,
      ({ visitedAt }) => visitedAt,
      ({ fullAt }) => fullAt,
      ({ doubtedAt }) => doubtedAt,
      ({ theta }) => theta,
      ({ info }) => info,
      ({ pull }) => pull,
      ({ site }) => site,
      ({ copyOf }) => copyOf,
      ({ aliasOf }) => aliasOf,
      ({ hintedBy }) => hintedBy,
      ({ failures }) => failures,
      ({ bodyHash }) => bodyHash,
      ({ simhash }) => simhash,
      ({ etag }) => storable(etag),
      ({ lastModified }) => storable(lastModified),
      ({ answers }) => storable(answers),
    ),
  );
}

async function writeVersions(transaction: Transaction, { newVersions }: WorkingSet): Promise<void> {
  if (newVersions.size === 0) return;
  const versions = [...newVersions.values()];
  const texts = packedBytes(versions.map(({ page }) => page));
  const bodies = packedBytes(versions.map(({ body }) => body));
  await transaction.query(
    `INSERT INTO versions (page, at, extractor, url, content_type, history, text, body)
    SELECT page, at, extractor, url, content_type, history, substring($7::bytea FROM text_start FOR text_length),
      substring($8::bytea FROM body_start FOR body_length)
    FROM unnest($1::bigint[], $2::bigint[], $3::integer[], $4::text[], $5::text[], $6::text[], $9::integer[],
      $10::integer[], $11::integer[], $12::integer[])
      AS new (page, at, extractor, url, content_type, history, text_start, text_length, body_start, body_length)
    ON CONFLICT (page) DO UPDATE SET at = excluded.at, extractor = excluded.extractor, url = excluded.url,
      content_type = excluded.content_type, history = excluded.history, text = excluded.text, body = excluded.body`,
    [
      [...newVersions.keys()],
      ...columnsOf(
        versions,
        ({ at }) => at,
        ({ extractor }) => extractor,
        ({ url }) => storable(url),
        ({ contentType }) => storable(contentType),
        ({ history }) => storable(history),
      ),
      texts.blob,
      bodies.blob,
      texts.starts,
      texts.lengths,
      bodies.starts,
      bodies.lengths,
    ],
  );
}

async function writeBands(transaction: Transaction, { newBands, removedBands }: WorkingSet): Promise<void> {
  if (removedBands.size > 0) {
    await transaction.query(
      `DELETE FROM bands USING unnest($1::bigint[], $2::integer[], $3::bigint[]) AS gone (site, band, page)
      WHERE bands.site = gone.site AND bands.band = gone.band AND bands.page = gone.page`,
      columnsOf(
        [...removedBands],
        ({ site }) => site,
        ({ band }) => band,
        ({ page }) => page,
      ),
    );
  }
  if (newBands.size === 0) return;
  await transaction.query(
    `INSERT INTO bands (site, band, page) SELECT * FROM unnest($1::bigint[], $2::integer[], $3::bigint[])
    ON CONFLICT DO NOTHING`,
    columnsOf(
      [...newBands],
      ({ site }) => site,
      ({ band }) => band,
      ({ page }) => page,
    ),
  );
}

async function removePages(transaction: Transaction, removed: readonly PageRow[]): Promise<void> {
  if (removed.length === 0) return;
  const keys = [removed.map(({ key }) => key)];
  await transaction.query('DELETE FROM versions WHERE page = ANY ($1::bigint[])', keys);
  await transaction.query('DELETE FROM visited WHERE page = ANY ($1::bigint[])', keys);
  await transaction.query('DELETE FROM pages WHERE key = ANY ($1::bigint[])', keys);
}

/** Only hosts whose pages are counted by pattern have such rows. */
async function writePatterns(transaction: Transaction, { patterns, hosts }: WorkingSet): Promise<void> {
  const counted = [...patterns.values()].filter(({ host }) => hosts.get(host)?.isCounted === true);
  if (counted.length === 0) return;
  await transaction.query(
    `INSERT INTO patterns (host, bucket, pages, fruitful)
    SELECT * FROM unnest($1::bigint[], $2::smallint[], $3::integer[], $4::integer[])
    ON CONFLICT (host, bucket) DO UPDATE SET pages = patterns.pages + excluded.pages,
      fruitful = patterns.fruitful + excluded.fruitful`,
    columnsOf(
      counted,
      ({ host }) => host,
      ({ bucket }) => bucket,
      ({ pages }) => pages,
      ({ fruitful }) => fruitful,
    ),
  );
}

async function writeBoilerplate(transaction: Transaction, { newBoilerplate }: WorkingSet): Promise<void> {
  if (newBoilerplate.size === 0) return;
  const { blob, starts, lengths } = packedBytes([...newBoilerplate.values()]);
  await transaction.query(
    `INSERT INTO boilerplate (host, seen)
    SELECT host, substring($2::bytea FROM start FOR length)
    FROM unnest($1::bigint[], $3::integer[], $4::integer[]) AS new (host, start, length)
    ON CONFLICT (host) DO UPDATE SET seen = excluded.seen`,
    [[...newBoilerplate.keys()], blob, starts, lengths],
  );
}

async function deleteBoilerplate(transaction: Transaction, hosts: readonly number[]): Promise<void> {
  if (hosts.length === 0) return;
  await transaction.query(
    `DELETE FROM boilerplate USING hosts WHERE boilerplate.host = hosts.key AND hosts.key = ANY ($1::bigint[])
      AND hosts.pages = 0 AND hosts.watches = 0`,
    [hosts],
  );
}

/** The earliest due time of the pages of a host that are not parked: four looks at the end of an index. */
const EARLIEST = `SELECT min(due) AS due FROM (${[0, 1, 2, 3]
  .map((urgency) => `(SELECT due FROM pages WHERE host = changed.key AND urgency = ${urgency} ORDER BY due LIMIT 1)`)
  .join(' UNION ALL ')}) AS first`;

/** After the due times of their pages: `ready` is found by them. What concerns watches alone stays as it is. */
async function updateHosts(transaction: Transaction, hosts: readonly HostRow[]): Promise<void> {
  if (hosts.length === 0) return;
  await transaction.query(
    `UPDATE hosts SET class = changed.class, pages = changed.pages, is_counted = changed.is_counted, turn = changed.turn,
      foreign_day = changed.foreign_day, foreign_urls = changed.foreign_urls, lease_token = changed.lease_token,
      lease_owner = changed.lease_owner, lease_since = changed.lease_since, lease_until = changed.lease_until,
      lease_contest = changed.lease_contest, not_before = changed.not_before, backoff = changed.backoff,
      backoff_at = changed.backoff_at, backoff_reason = changed.backoff_reason, failures = changed.failures,
      response_ms = changed.response_ms, day = changed.day, fetches = changed.fetches, bytes = changed.bytes,
      ready = CASE WHEN earliest.due IS NOT NULL
        THEN greatest(earliest.due, changed.not_before, changed.lease_until) END,
      watch_ready = CASE WHEN hosts.watch_due IS NOT NULL
        THEN greatest(hosts.watch_due, changed.not_before, changed.lease_until) END
    FROM unnest($1::bigint[], $2::smallint[], $3::integer[], $4::boolean[], $5::smallint[], $6::integer[], $7::integer[],
      $8::bigint[], $9::text[], $10::bigint[], $11::bigint[], $12::boolean[], $13::bigint[], $14::integer[], $15::bigint[],
      $16::text[], $17::integer[], $18::float8[], $19::integer[], $20::integer[], $21::bigint[])
      AS changed (key, class, pages, is_counted, turn, foreign_day, foreign_urls, lease_token, lease_owner, lease_since,
        lease_until, lease_contest, not_before, backoff, backoff_at, backoff_reason, failures, response_ms, day, fetches,
        bytes)
      CROSS JOIN LATERAL (${EARLIEST}) AS earliest
    WHERE hosts.key = changed.key`,
    columnsOf(
      hosts,
      ({ key }) => key,
      (host) => HOST_CLASSES.indexOf(hostClass({ ...host, backoffReason: host.backoffReason ?? undefined })),
      ({ pages }) => pages,
      ({ isCounted }) => isCounted,
      ({ turn }) => turn,
      ({ foreignDay }) => foreignDay,
      ({ foreignUrls }) => foreignUrls,
      ({ leaseToken }) => leaseToken,
      ({ leaseOwner }) => leaseOwner,
      ({ leaseSince }) => leaseSince,
      ({ leaseUntil }) => leaseUntil,
      ({ leaseContest }) => leaseContest,
      ({ notBefore }) => notBefore,
      ({ backoff }) => backoff,
      ({ backoffAt }) => backoffAt,
      ({ backoffReason }) => storable(backoffReason),
      ({ failures }) => failures,
      ({ responseMs }) => responseMs,
      ({ day }) => day,
      ({ fetches }) => fetches,
      ({ bytes }) => bytes,
    ),
  );
}

/** A row a node: one for all would make every commit of every node wait for the others' disks. */
async function count(transaction: Transaction, counts: Counts, { node, group }: Writer): Promise<void> {
  if (group === undefined && Object.values(counts).every((sum: number) => sum === 0)) return;
  await transaction.query(
    `INSERT INTO crawl_counters AS sums (node, visits, changes, failures, pages, unvisited, hosts, pull, clock,
      dropped_max_pages, dropped_host, dropped_pattern, last_group)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
    ON CONFLICT (node) DO UPDATE SET visits = sums.visits + excluded.visits, changes = sums.changes + excluded.changes,
      failures = sums.failures + excluded.failures, pages = sums.pages + excluded.pages,
      unvisited = sums.unvisited + excluded.unvisited, hosts = sums.hosts + excluded.hosts,
      pull = sums.pull + excluded.pull, clock = greatest(sums.clock, excluded.clock),
      dropped_max_pages = sums.dropped_max_pages + excluded.dropped_max_pages,
      dropped_host = sums.dropped_host + excluded.dropped_host,
      dropped_pattern = sums.dropped_pattern + excluded.dropped_pattern,
      last_group = coalesce(excluded.last_group, sums.last_group)`,
    [
      node,
      counts.visits,
      counts.changes,
      counts.failures,
      counts.pages,
      counts.unvisited,
      counts.hosts,
      counts.pull,
      counts.clock,
      counts.maxPages,
      counts.hostBudget,
      counts.patternBudget,
      group ?? null,
    ],
  );
}
