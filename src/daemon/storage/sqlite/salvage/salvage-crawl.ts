import { CHANGE_OVERHEAD_BYTES } from '../../recent-changes.ts';
import { FLAG, partitionOf, wholeUrl } from '../crawl/frontier-rows.ts';
import type { Mending } from './salvage-mending.ts';

/** The frontier and what is known of its pages: each page has its host and a source, and all that is counted is counted anew. */
export function mendCrawl(mending: Mending): void {
  adoptHosts(mending);
  adoptSources(mending);
  settleHolders(mending);
  dropOfPages(mending);
  mending.run(`INSERT INTO visited (page, visited_at, full_at, failures, theta, info, pull, answers)
    SELECT page, at, 0, 0, 0, 0.5, 0, '' FROM versions WHERE page NOT IN (SELECT page FROM visited)`);
  mending.run(`UPDATE pages SET flags = (flags & ~${FLAG.shared | FLAG.visited})
    | iif(EXISTS (SELECT 1 FROM holdings WHERE page = pages.key), ${FLAG.shared}, 0)
    | iif(EXISTS (SELECT 1 FROM visited WHERE page = pages.key), ${FLAG.visited}, 0)`);
  mendGraph(mending);
  mendBeside(mending);
  countSources(mending);
}

/** A host whose row is lost is told by a page of its own that was read: its whole URL stands with its version. */
function adoptHosts(mending: Mending): void {
  const pages = mending.each<{
    host: number;
    short: string;
    url: string;
  }>(`SELECT host, pages.url AS short, versions.url
    FROM pages JOIN versions ON versions.page = pages.key WHERE host NOT IN (SELECT key FROM hosts)`);
  for (const { host, short, url } of pages) {
    const name = URL.parse(url)?.host ?? '';
    if (wholeUrl(short, name) !== url || short === url) continue;
    mending.run('INSERT OR IGNORE INTO hosts (key, name, partition) VALUES (?, ?, ?)', host, name, partitionOf(name));
  }
}

/** A source whose row is lost is told by its first page: its URL is that of the catalog's. */
function adoptSources(mending: Mending): void {
  const pages = mending.each<{ source: number; url: string; host: string }>(`SELECT source, url, hosts.name AS host
    FROM pages JOIN hosts ON hosts.key = pages.host WHERE depth = 0 AND source NOT IN (SELECT key FROM sources)`);
  const insert = `INSERT OR IGNORE INTO sources (key, id, every_ms, max_pages, is_paused) VALUES (?, ?, ?, ?, ?)`;
  for (const { source, url, host } of pages) {
    const record = mending.catalog.sources.find((one) => one.url === wholeUrl(url, host));
    if (record === undefined) continue;
    const every = (record.everySeconds ?? 0) * 1_000;
    mending.run(insert, source, record.id, every, record.maxPages, Number(record.paused));
  }
}

/** A page of a source that nobody knows any more goes to the next of its holders, or out. */
function settleHolders(mending: Mending): void {
  mending.drop('holdings', 'source NOT IN (SELECT key FROM sources) OR page NOT IN (SELECT key FROM pages)');
  mending.run(`UPDATE pages SET (source, depth) =
      (SELECT source, depth FROM holdings WHERE page = pages.key ORDER BY source LIMIT 1)
    WHERE source NOT IN (SELECT key FROM sources) AND EXISTS (SELECT 1 FROM holdings WHERE page = pages.key)`);
  mending.run('DELETE FROM holdings WHERE source = (SELECT source FROM pages WHERE key = holdings.page)');
  mending.drop('pages', 'source NOT IN (SELECT key FROM sources) OR host NOT IN (SELECT key FROM hosts)');
  mending.drop('holdings', 'page NOT IN (SELECT key FROM pages)');
}

function dropOfPages(mending: Mending): void {
  for (const table of ['versions', 'visited', 'bands', 'links']) {
    mending.drop(table, 'page NOT IN (SELECT key FROM pages)');
  }
  mending.drop('furniture', 'host NOT IN (SELECT key FROM hosts)');
  mending.run('DELETE FROM patterns');
  mending.run(`INSERT INTO patterns (host, bucket, pages, fruitful)
    SELECT host, bucket, count(*), sum((flags & ${FLAG.fruitful}) / ${FLAG.fruitful})
    FROM pages WHERE host IN (SELECT key FROM hosts WHERE is_counted <> 0) GROUP BY host, bucket`);
}

function mendGraph(mending: Mending): void {
  mending.drop('links', 'target NOT IN (SELECT key FROM domains) OR source NOT IN (SELECT key FROM domains)');
  mending.run('UPDATE domains SET links = 0');
  mending.run(`UPDATE domains SET links = counted.links
    FROM (SELECT source, count(*) AS links FROM links GROUP BY source) AS counted WHERE counted.source = domains.key`);
  mending.drop('ratings', 'list NOT IN (SELECT key FROM rating_lists)');
  mending.run('UPDATE rating_lists SET domains = (SELECT count(*) FROM ratings WHERE list = rating_lists.key)');
}

/** What is counted along, because adding it up would take a scan. */
function mendBeside(mending: Mending): void {
  mending.run(`REPLACE INTO robots_totals (id, copies, bytes)
    SELECT 1, count(*), coalesce(sum(bytes), 0) FROM robots`);
  mending.run('INSERT OR IGNORE INTO change_totals (id) VALUES (1)');
  mending.run(`UPDATE change_totals SET last_at = max(last_at, (SELECT coalesce(max(at), 0) FROM changes)),
    bytes = (SELECT coalesce(sum(length(change) + length(page) + ${CHANGE_OVERHEAD_BYTES}), 0) FROM changes)`);
}

/** Bit of `sources.todo`: whether a page is parked is looked at anew by the daemon. */
const SETTLE = 1;

function countSources(mending: Mending): void {
  mending.drop('retired', 'source NOT IN (SELECT key FROM sources)');
  mending.run(`UPDATE sources SET todo = todo | ${SETTLE},
    pages = (SELECT count(*) FROM pages WHERE source = sources.key)
      + (SELECT count(*) FROM holdings WHERE source = sources.key),
    apart = (SELECT count(*) FROM pages WHERE source = sources.key AND flags & ${FLAG.apart})
      + (SELECT count(*) FROM holdings JOIN pages ON pages.key = holdings.page
        WHERE holdings.source = sources.key AND flags & ${FLAG.apart}),
    tombstones = (SELECT count(*) FROM retired WHERE source = sources.key)`);
}

/** After pages and watches are settled: how many each host has, and when it can be asked; and the totals of all. */
export function countHosts(mending: Mending): void {
  mending.run(`UPDATE hosts SET pages = (SELECT count(*) FROM pages WHERE host = hosts.key),
    watches = (SELECT count(*) FROM watch_states WHERE host = hosts.key),
    ready = (SELECT max(min(due), hosts.not_before) FROM pages WHERE host = hosts.key AND urgency >= 0),
    watch_ready = (SELECT max(min(due), hosts.not_before) FROM watch_states WHERE host = hosts.key AND parked = 0)`);
  mending.run('INSERT OR IGNORE INTO counters (id) VALUES (1)');
  mending.run(`UPDATE counters SET pages = (SELECT count(*) FROM pages), hosts = (SELECT count(*) FROM hosts),
    unvisited = (SELECT count(*) FROM pages WHERE flags & ${FLAG.visited} = 0),
    pull = (SELECT coalesce(sum(visited.pull), 0) FROM visited JOIN pages ON key = page WHERE urgency >= 0),
    clock = max(clock, (SELECT coalesce(max(last_at), 0) FROM sources)),
    watch_texts = (SELECT count(*) FROM watch_texts),
    watch_text_bytes = (SELECT coalesce(sum(length(packed)), 0) FROM watch_texts)`);
}
