import type { DatabaseSync } from 'node:sqlite';
import type { CatalogData } from '../../catalog.ts';
import { EVENT_OVERHEAD_BYTES } from '../../event-log.ts';
import { CHANGE_OVERHEAD_BYTES } from '../../recent-changes.ts';
import { partitionOf } from '../crawl/frontier-rows.ts';
import { FLAG, wholeUrl } from '../../frontier-coding.ts';

/** A database that rows are missing from, on its way to one that a daemon can go on with. */
export class Repair {
  readonly database: DatabaseSync;
  readonly catalog: CatalogData;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Rows that were whole, and meant nothing without others that are lost; by table. */
  readonly dropped = new Map<string, number>();

  constructor(database: DatabaseSync, catalog: CatalogData, now: number) {
    this.database = database;
    this.catalog = catalog;
    this.now = now;
  }

  all<Row>(sql: string, ...values: (number | string)[]): Row[] {
    return this.database.prepare(sql).all(...values) as unknown as Row[];
  }

  /** One by one: for tables that may be too large for the memory. */
  each<Row>(sql: string, ...values: (number | string)[]): Iterable<Row> {
    return this.database.prepare(sql).iterate(...values) as unknown as Iterable<Row>;
  }

  run(sql: string, ...values: (number | string | null)[]): void {
    this.database.prepare(sql).run(...values);
  }

  /** Takes rows out, and counts them. */
  drop(table: string, where: string): void {
    const { changes } = this.database.prepare(`DELETE FROM ${table} WHERE ${where}`).run();
    this.dropped.set(table, (this.dropped.get(table) ?? 0) + Number(changes));
  }
}

/**
 * The event log once more as it has to be: offsets without gaps, none of them given twice. It begins a new partition, so that
 * every id of before is recognized, and resumes from the oldest event; that is what lets offsets be given anew here.
 */
export function repairLog(repair: Repair): void {
  adoptTaps(repair);
  refuseImpossible(repair);
  const taps = JSON.stringify(repair.catalog.taps.map(({ id }) => id));
  // One that was removed meanwhile, or of an older catalog: its events are swept like those of any other.
  repair.run('UPDATE taps SET id = NULL WHERE id NOT IN (SELECT value FROM json_each(?))', taps);
  repair.drop('events', 'tap NOT IN (SELECT key FROM taps)');
  repair.drop('charged', 'tap NOT IN (SELECT key FROM taps)');
  for (const { key, head } of repair.all<{ key: number; head: number }>('SELECT key, head FROM taps')) {
    closeGaps(repair, key, head);
  }
  const bytes = `octet_length(query_ids) + octet_length(document) + ${EVENT_OVERHEAD_BYTES}`;
  repair.run('INSERT OR IGNORE INTO log (id, partition, last_at) VALUES (1, 0, 0)');
  repair.run(
    `UPDATE log SET partition = max(partition + 1, ?), last_at = max(last_at, (SELECT coalesce(max(at), 0) FROM events)),
      bytes = (SELECT coalesce(sum(${bytes}), 0) FROM events)`,
    Math.floor(repair.now / 1_000),
  );
}

/** Ids of events have ten and fifteen digits: clients could not resume with longer ones. */
const MOST_PARTITIONS = 9_000_000_000;
const MOST_OFFSETS = 900_000_000_000_000;
/** Further ahead of now no clock has been, and what is so is not trimmed before its time has come. */
const AHEAD_MS = 24 * 3_600_000;

/** Numbers that stand in a row without being of a log: all that comes later would go on from them. */
function refuseImpossible(repair: Repair): void {
  const { now } = repair;
  repair.drop('events', `offset NOT BETWEEN 0 AND ${MOST_OFFSETS}`);
  repair.drop('charged', `first < 0 OR next NOT BETWEEN first AND ${MOST_OFFSETS}`);
  repair.run(`UPDATE taps SET head = 0 WHERE head NOT BETWEEN 0 AND ${MOST_OFFSETS}`);
  repair.run('UPDATE events SET at = ? WHERE at > ?', now, now + AHEAD_MS);
  repair.run('UPDATE log SET last_at = ? WHERE last_at > ?', now, now + AHEAD_MS);
  repair.run(`UPDATE log SET partition = 0 WHERE partition NOT BETWEEN 0 AND ${MOST_PARTITIONS}`);
}

interface Orphan {
  readonly tap: number;
  readonly queryIds: string;
}

/** A tap whose row is lost is known by its events: they name the rules that they match, and those their tap. */
function adoptTaps(repair: Repair): void {
  const tapOf = new Map(repair.catalog.rules.map(({ id, tapId }) => [id, tapId]));
  const orphans = repair.each<Orphan>(`SELECT tap, query_ids AS queryIds FROM events
    WHERE tap NOT IN (SELECT key FROM taps) ORDER BY seq DESC`);
  const adopt = repair.database.prepare('INSERT OR IGNORE INTO taps (key, id, floor, head) VALUES (?, ?, 0, 0)');
  for (const row of orphans) {
    const ids = JSON.parse(row.queryIds) as unknown;
    const named = Array.isArray(ids)
      ? ids.map((id) => tapOf.get(String(id))).find((id) => id !== undefined)
      : undefined;
    if (named !== undefined) adopt.run(row.tap, named);
  }
}

/** Events move up to the end of the log, the newest first: what is above them has moved already. */
function closeGaps(repair: Repair, tap: number, knownHead: number): void {
  const events = repair.each<Offset>('SELECT offset FROM events WHERE tap = ? ORDER BY offset DESC', tap);
  const offsets = Array.from(events, ({ offset }) => offset);
  const head = Math.max(knownHead, (offsets[0] ?? -1) + 1);
  const last = offsets.at(-1) ?? head;
  if (head - last !== offsets.length) {
    const paid = repair.all<Interval>('SELECT first, next FROM charged WHERE tap = ? ORDER BY first', tap);
    const move = repair.database.prepare('UPDATE events SET offset = ? WHERE tap = ? AND offset = ?');
    for (const [index, offset] of offsets.entries()) move.run(head - 1 - index, tap, offset);
    savePaid(repair, tap, paidAnew(paid, offsets, head));
  }
  repair.run('UPDATE taps SET floor = ?, head = ? WHERE key = ?', head - offsets.length, head, tap);
}

interface Offset {
  readonly offset: number;
}

interface Interval {
  readonly first: number;
  readonly next: number;
}

/**
 * What was paid for, by the new offsets, as intervals that do not touch. `offsets`: the former ones of the events that are
 * left, the newest first.
 */
export function paidAnew(paid: readonly Interval[], offsets: readonly number[], head: number): Interval[] {
  const moved: { first: number; next: number }[] = [];
  for (const [index, offset] of [...offsets.entries()].toReversed()) {
    if (!paid.some(({ first, next }) => offset >= first && offset < next)) continue;
    const place = head - 1 - index;
    const before = moved.at(-1);
    if (before?.next === place) before.next += 1;
    else moved.push({ first: place, next: place + 1 });
  }
  return moved;
}

function savePaid(repair: Repair, tap: number, paid: readonly Interval[]): void {
  repair.run('DELETE FROM charged WHERE tap = ?', tap);
  for (const { first, next } of paid) {
    repair.run('INSERT INTO charged (tap, first, next) VALUES (?, ?, ?)', tap, first, next);
  }
}

/** The frontier and what is known of its pages: each page has its host and a source, and all that is counted is counted anew. */
export function repairCrawl(repair: Repair): void {
  adoptHosts(repair);
  adoptSources(repair);
  settleHolders(repair);
  dropOfPages(repair);
  repair.run(`INSERT INTO visited (page, visited_at, full_at, failures, theta, info, pull, answers)
    SELECT page, at, 0, 0, 0, 0.5, 0, '' FROM versions WHERE page NOT IN (SELECT page FROM visited)`);
  repair.run(`UPDATE pages SET flags = (flags & ~${FLAG.shared | FLAG.visited})
    | iif(EXISTS (SELECT 1 FROM holdings WHERE page = pages.key), ${FLAG.shared}, 0)
    | iif(EXISTS (SELECT 1 FROM visited WHERE page = pages.key), ${FLAG.visited}, 0)`);
  repairGraph(repair);
  repairBeside(repair);
  countSources(repair);
}

/** A host whose row is lost is known by a page of its own that was read: its whole URL stands with its version. */
function adoptHosts(repair: Repair): void {
  const pages = repair.each<{
    host: number;
    short: string;
    url: string;
  }>(`SELECT host, pages.url AS short, versions.url
    FROM pages JOIN versions ON versions.page = pages.key WHERE host NOT IN (SELECT key FROM hosts)`);
  for (const { host, short, url } of pages) {
    const name = URL.parse(url)?.host ?? '';
    if (wholeUrl(short, name) !== url || short === url) continue;
    repair.run('INSERT OR IGNORE INTO hosts (key, name, partition) VALUES (?, ?, ?)', host, name, partitionOf(name));
  }
}

/** A source whose row is lost is known by its first page: its URL is that of the catalog's. */
function adoptSources(repair: Repair): void {
  const pages = repair.each<{ source: number; url: string; host: string }>(`SELECT source, url, hosts.name AS host
    FROM pages JOIN hosts ON hosts.key = pages.host WHERE depth = 0 AND source NOT IN (SELECT key FROM sources)`);
  const insert = `INSERT OR IGNORE INTO sources (key, id, every_ms, max_pages, is_paused) VALUES (?, ?, ?, ?, ?)`;
  for (const { source, url, host } of pages) {
    const record = repair.catalog.sources.find((one) => one.url === wholeUrl(url, host));
    if (record === undefined) continue;
    const every = (record.everySeconds ?? 0) * 1_000;
    repair.run(insert, source, record.id, every, record.maxPages, Number(record.paused));
  }
}

/** A page of a source that nobody knows any more goes to the next of its holders, or out. */
function settleHolders(repair: Repair): void {
  repair.drop('holdings', 'source NOT IN (SELECT key FROM sources) OR page NOT IN (SELECT key FROM pages)');
  repair.run(`UPDATE pages SET (source, depth) =
      (SELECT source, depth FROM holdings WHERE page = pages.key ORDER BY source LIMIT 1)
    WHERE source NOT IN (SELECT key FROM sources) AND EXISTS (SELECT 1 FROM holdings WHERE page = pages.key)`);
  repair.run('DELETE FROM holdings WHERE source = (SELECT source FROM pages WHERE key = holdings.page)');
  repair.drop('pages', 'source NOT IN (SELECT key FROM sources) OR host NOT IN (SELECT key FROM hosts)');
  repair.drop('holdings', 'page NOT IN (SELECT key FROM pages)');
}

function dropOfPages(repair: Repair): void {
  for (const table of ['versions', 'visited', 'bands', 'links']) {
    repair.drop(table, 'page NOT IN (SELECT key FROM pages)');
  }
  repair.drop('furniture', 'host NOT IN (SELECT key FROM hosts)');
  repair.run('DELETE FROM patterns');
  repair.run(`INSERT INTO patterns (host, bucket, pages, fruitful)
    SELECT host, bucket, count(*), sum((flags & ${FLAG.fruitful}) / ${FLAG.fruitful})
    FROM pages WHERE host IN (SELECT key FROM hosts WHERE is_counted <> 0) GROUP BY host, bucket`);
}

function repairGraph(repair: Repair): void {
  repair.drop('links', 'target NOT IN (SELECT key FROM domains) OR source NOT IN (SELECT key FROM domains)');
  repair.run('UPDATE domains SET links = 0');
  repair.run(`UPDATE domains SET links = counted.links
    FROM (SELECT source, count(*) AS links FROM links GROUP BY source) AS counted WHERE counted.source = domains.key`);
  repair.drop('ratings', 'list NOT IN (SELECT key FROM rating_lists)');
  repair.run('UPDATE rating_lists SET domains = (SELECT count(*) FROM ratings WHERE list = rating_lists.key)');
}

/** What is counted along, because adding it up would take a scan. */
function repairBeside(repair: Repair): void {
  repair.run(`REPLACE INTO robots_totals (id, copies, bytes)
    SELECT 1, count(*), coalesce(sum(bytes), 0) FROM robots`);
  repair.run('INSERT OR IGNORE INTO change_totals (id) VALUES (1)');
  repair.run(`UPDATE change_totals SET last_at = max(last_at, (SELECT coalesce(max(at), 0) FROM changes)),
    bytes = (SELECT coalesce(sum(length(change) + length(page) + ${CHANGE_OVERHEAD_BYTES}), 0) FROM changes)`);
  repairSinks(repair);
}

/** Offsets are given anew, so that a sink, like a stream, begins with the oldest event: what it had may come twice. */
function repairSinks(repair: Repair): void {
  for (const table of ['sink_cursors', 'sink_messages', 'sink_attempts']) {
    repair.drop(table, 'sink NOT IN (SELECT key FROM sinks)');
  }
  repair.run(`UPDATE sink_cursors SET position = (SELECT floor FROM taps WHERE 'tap:' || id = topic)
    WHERE topic IN (SELECT 'tap:' || id FROM taps WHERE id IS NOT NULL)`);
}

/** Bit of `sources.todo`: whether a page is parked is looked at anew by the daemon. */
const SETTLE = 1;

function countSources(repair: Repair): void {
  repair.drop('retired', 'source NOT IN (SELECT key FROM sources)');
  repair.run(`UPDATE sources SET todo = todo | ${SETTLE},
    pages = (SELECT count(*) FROM pages WHERE source = sources.key)
      + (SELECT count(*) FROM holdings WHERE source = sources.key),
    apart = (SELECT count(*) FROM pages WHERE source = sources.key AND flags & ${FLAG.apart})
      + (SELECT count(*) FROM holdings JOIN pages ON pages.key = holdings.page
        WHERE holdings.source = sources.key AND flags & ${FLAG.apart}),
    tombstones = (SELECT count(*) FROM retired WHERE source = sources.key)`);
}

/** After pages and watches are settled: how many each host has, and when it can be asked; and the totals of all. */
export function countHosts(repair: Repair): void {
  repair.run(`UPDATE hosts SET pages = (SELECT count(*) FROM pages WHERE host = hosts.key),
    watches = (SELECT count(*) FROM watch_states WHERE host = hosts.key),
    ready = (SELECT max(min(due), hosts.not_before) FROM pages WHERE host = hosts.key AND urgency >= 0),
    watch_ready = (SELECT max(min(due), hosts.not_before) FROM watch_states WHERE host = hosts.key AND parked = 0)`);
  repair.run('INSERT OR IGNORE INTO counters (id) VALUES (1)');
  repair.run(`UPDATE counters SET pages = (SELECT count(*) FROM pages), hosts = (SELECT count(*) FROM hosts),
    unvisited = (SELECT count(*) FROM pages WHERE flags & ${FLAG.visited} = 0),
    pull = (SELECT coalesce(sum(visited.pull), 0) FROM visited JOIN pages ON key = page WHERE urgency >= 0),
    clock = max(clock, (SELECT coalesce(max(last_at), 0) FROM sources)),
    watch_texts = (SELECT count(*) FROM watch_texts),
    watch_text_bytes = (SELECT coalesce(sum(length(packed)), 0) FROM watch_texts)`);
}

/** Watches, each with a state and a host; their histories, and nothing that belongs to none. */
export function repairWatches(repair: Repair): void {
  repair.drop('watch_states', 'watch NOT IN (SELECT key FROM watches WHERE id IS NOT NULL)');
  for (const table of ['watch_checks', 'watch_versions', 'watch_changes', 'watch_baselines', 'watch_explanations']) {
    repair.drop(table, 'watch NOT IN (SELECT key FROM watches)');
  }
  giveStates(repair);
  repairTexts(repair);
  repairFailures(repair);
  repair.run(`UPDATE watch_states SET checks = max(checks,
    (SELECT coalesce(max(n), 0) FROM watch_checks WHERE watch = watch_states.watch),
    (SELECT coalesce(max(n), 0) FROM watch_changes WHERE watch = watch_states.watch),
    (SELECT coalesce(max(n), 0) FROM watch_versions WHERE watch = watch_states.watch))`);
  countOrganizations(repair);
}

interface Homeless {
  readonly watch: number;
  readonly target: string;
  readonly host: number | null;
}

/** A watch whose state is lost is due now; one whose host is gets it again by its address. */
function giveStates(repair: Repair): void {
  const rows = repair.all<Homeless>(`SELECT key AS watch, target, state.host
    FROM watches LEFT JOIN watch_states AS state ON state.watch = key
    WHERE id IS NOT NULL AND (state.host IS NULL OR state.host NOT IN (SELECT key FROM hosts))`);
  for (const { watch, target, host } of rows) {
    const key = hostKey(repair, URL.parse(target)?.host ?? target);
    if (host !== null) repair.run('UPDATE watch_states SET host = ? WHERE watch = ?', key, watch);
    else repair.run('INSERT INTO watch_states (watch, host, due) VALUES (?, ?, ?)', watch, key, repair.now);
  }
}

function hostKey(repair: Repair, name: string): number {
  repair.run('INSERT OR IGNORE INTO hosts (name, partition) VALUES (?, ?)', name, partitionOf(name));
  return repair.all<{ key: number }>('SELECT key FROM hosts WHERE name = ?', name)[0]?.key ?? 0;
}

/**
 * A check shows the newest text up to it. Where one is lost, older texts would be shown as those of later checks, so they go,
 * too; and a watch that has none left begins with a first reading.
 */
function repairTexts(repair: Repair): void {
  const holes = repair.all<{ watch: number; n: number }>(`SELECT watch, max(n) AS n FROM (
      SELECT watch, n FROM watch_versions WHERE text NOT IN (SELECT key FROM watch_texts)
      UNION ALL SELECT watch, n FROM watch_checks AS entry WHERE code % 4 IN (1, 2)
        AND NOT EXISTS (SELECT 1 FROM watch_versions WHERE watch = entry.watch AND n = entry.n)
    ) GROUP BY watch`);
  for (const { watch, n } of holes) repair.drop('watch_versions', `watch = ${watch} AND n <= ${n}`);
  repair.drop('watch_texts', 'key NOT IN (SELECT text FROM watch_versions)');
  repair.drop('watch_baselines', 'watch NOT IN (SELECT watch FROM watch_versions)');
  // A page that says it has not changed would be believed, and there is nothing to compare with.
  repair.run(`UPDATE watch_states SET body_hash = NULL, etag = NULL, last_modified = NULL
    WHERE watch NOT IN (SELECT watch FROM watch_baselines)`);
}

/** The words of failures, with the number of entries that have them. */
function repairFailures(repair: Repair): void {
  repair.run(`UPDATE watch_checks SET more = NULL
    WHERE code % 4 = 3 AND more NOT IN (SELECT key FROM watch_failures)`);
  repair.run('UPDATE watch_failures SET refs = 0');
  repair.run(`UPDATE watch_failures SET refs = counted.refs FROM
    (SELECT more, count(*) AS refs FROM watch_checks WHERE code % 4 = 3 GROUP BY more) AS counted
    WHERE counted.more = watch_failures.key`);
  repair.drop('watch_failures', 'refs = 0');
}

/** Whether they are held is looked at anew by the daemon. */
function countOrganizations(repair: Repair): void {
  repair.run('UPDATE watch_organizations SET watches = 0, todo = 1');
  repair.run(`INSERT INTO watch_organizations (id, watches, todo)
    SELECT organization, count(*), 1 FROM watches WHERE id IS NOT NULL GROUP BY organization
    ON CONFLICT (id) DO UPDATE SET watches = excluded.watches`);
}
