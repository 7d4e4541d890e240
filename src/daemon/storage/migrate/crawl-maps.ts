import { HOST_CLASS } from '../sqlite/crawl/frontier-rows.ts';
import { BOILERPLATE_TABLE } from '../sqlite/crawl/host-store.ts';
import { HINTED_BY_COLUMN } from '../sqlite/crawl/visited-store.ts';
import { columns, type TableMap } from './table-map.ts';

/** Rows that are a row a node in PostgreSQL come from a node of this name, which no daemon has. */
export const MIGRATED = '(migrated)';

const LAST = ['at', 'url', 'outcome', 'reason', 'detail', 'status'].map((name) => `last_${name}`);
const DROPPED = ['dropped_max_pages', 'dropped_host', 'dropped_pattern'];
const COUNTED = ['visits', 'changes', 'failures', 'pages', 'unvisited', 'hosts', 'pull', ...DROPPED];

/** Null stays null, which `hex` of SQLite makes an empty text of. */
const hexOf = (column: string): string => `iif(${column} IS NULL, NULL, lower(hex(${column})))`;
const bytesOf = (column: string): string => `decode(${column}, 'hex')`;

/**
 * A page from before identities were kept has a hash of its whole URL, below zero, which others may have, too. In PostgreSQL it
 * gets one that is its own; when it is found again it is found as a new page.
 */
const IDENTITY = 'iif(pages.hash < 0, -4294967297 - pages.key, pages.hash)';

/** The frontier and the pages. What of hosts only one of both keeps is made when all is copied (`to-postgres.ts`, `from-postgres.ts`). */
export const crawlMaps: readonly TableMap[] = [
  {
    name: 'hosts',
    both: columns(`
      key name ready watch_ready pages watches is_counted turn foreign_day foreign_urls not_before backoff
      backoff_at backoff_reason failures response_ms day fetches bytes
    `),
    toPostgres: { class: HOST_CLASS },
    toSqlite: { partition: '0', is_old: '0' },
    sequence: { column: 'key' },
  },
  {
    name: 'sources',
    both: columns('key id every_ms max_pages is_paused todo pages full_at left_day left_pages tombstones'),
    toPostgres: { apart: 'apart' },
    toSqlite: {
      apart: 'sources.apart + (SELECT coalesce(sum(apart), 0) FROM source_counts WHERE source = sources.key)',
      visits: '(SELECT coalesce(sum(visits), 0) FROM source_counts WHERE source = sources.key)',
      ...Object.fromEntries(LAST.map((column) => [column, `last.${column}`])),
    },
    from: {
      postgres: `sources LEFT JOIN LATERAL (SELECT * FROM source_counts
        WHERE source = sources.key AND last_url IS NOT NULL ORDER BY last_at DESC LIMIT 1) AS last ON true`,
    },
    sequence: { column: 'key' },
  },
  {
    name: 'source_counts',
    sqlite: 'sources',
    only: 'postgres',
    both: ['visits', 'last_url', 'last_outcome', 'last_reason', 'last_detail', 'last_status'],
    toPostgres: { source: 'key', node: `'${MIGRATED}'`, last_at: 'coalesce(last_at, 0)' },
    from: { sqlite: 'sources WHERE visits > 0 OR last_at IS NOT NULL' },
  },
  {
    name: 'pages',
    both: ['key', 'host', 'url', 'due', 'urgency', 'kind', 'depth', 'source', 'bucket', 'flags'],
    toPostgres: { hash: IDENTITY },
    toSqlite: { hash: 'hash' },
    sequence: { column: 'key' },
  },
  { name: 'holdings', both: ['source', 'page', 'depth'] },
  {
    name: 'visited',
    both: columns(`
      page visited_at full_at doubted_at theta info pull site copy_of alias_of failures rights wrongs etag
      last_modified answers
    `),
    toPostgres: { hinted_by: HINTED_BY_COLUMN, body_hash: hexOf('body_hash'), simhash: hexOf('simhash') },
    toSqlite: { [HINTED_BY_COLUMN]: 'hinted_by', body_hash: bytesOf('body_hash'), simhash: bytesOf('simhash') },
  },
  {
    name: 'versions',
    both: ['page', 'at', 'extractor', 'url', 'content_type', 'history', 'text', 'body'],
    isWide: true,
  },
  { name: 'boilerplate', sqlite: BOILERPLATE_TABLE, both: ['host', 'seen'], isWide: true },
  { name: 'bands', both: ['site', 'band', 'page'] },
  { name: 'patterns', both: ['host', 'bucket', 'pages', 'fruitful'] },
  { name: 'retired', both: ['hash', 'source', 'at'] },
  {
    name: 'crawl_counters',
    sqlite: 'counters',
    both: [],
    toPostgres: {
      node: `'${MIGRATED}'`,
      clock: 'clock',
      ...Object.fromEntries(COUNTED.map((column) => [column, column])),
    },
    toSqlite: {
      id: '1',
      clock: 'coalesce(max(clock), 0)',
      ...Object.fromEntries(COUNTED.map((column) => [column, `coalesce(sum(${column}), 0)`])),
      watch_checks: '(SELECT coalesce(sum(checks), 0) FROM watch_counters)',
      watch_changes: '(SELECT coalesce(sum(changes), 0) FROM watch_counters)',
      watch_texts: '(SELECT count(*) FROM watch_texts)',
      watch_text_bytes: '(SELECT coalesce(sum(octet_length(packed)), 0) FROM watch_texts)',
    },
  },
  { name: 'rating_lists', both: ['key', 'state', 'name', 'at', 'domains'], sequence: { column: 'key' } },
  { name: 'ratings', both: ['list', 'domain', 'rating'] },
  { name: 'domains', both: ['key', 'name', 'links', 'referring'], sequence: { column: 'key' } },
  { name: 'links', both: ['page', 'target', 'source'] },
  { name: 'graph', both: ['id', 'at', 'domains', 'links'] },
  {
    name: 'robots',
    both: ['origin', 'key', 'asked_at', 'expires_at', 'bytes', 'file', 'since', 'reason', 'detail'],
    isWide: true,
    sequence: { column: 'key' },
  },
  {
    name: 'robots_totals',
    both: [],
    toPostgres: { node: `'${MIGRATED}'`, copies: 'copies', bytes: 'bytes' },
    toSqlite: { id: '1', copies: 'coalesce(sum(copies), 0)', bytes: 'coalesce(sum(bytes), 0)' },
  },
];
