import { MIGRATED } from './crawl-maps.ts';
import { columns, type TableMap } from './table-map.ts';

/** As `watch-rows.ts` writes it: of an entry that failed, `more` is the key of its failure. */
const FAILED = 'code % 4 = 3';

/** Entries that failed, in an order that both databases give: in PostgreSQL each has a failure of its own, in SQLite equal ones are one. */
const NUMBERED = `(SELECT watch, n, row_number() OVER (ORDER BY watch, n) AS key, more FROM watch_checks WHERE ${FAILED}) AS failed`;
const EQUAL = `(SELECT key, min(key) OVER (PARTITION BY reason, detail, status) AS first FROM watch_failures) AS equal`;

/**
 * Changes have a number of their organization in PostgreSQL, and one of all in SQLite. There, what two organizations have numbered alike
 * moves up: in the order of each organization, never below the number that somebody may have kept.
 */
const RENUMBERED = `(SELECT organization, cursor, n + max(cursor - n) OVER (ORDER BY cursor, organization) AS renumbered
  FROM (SELECT organization, cursor, row_number() OVER (ORDER BY cursor, organization) AS n FROM watch_changes) AS counted)
  AS fresh`;

/** Watches, their histories and texts; and the cursors of sinks, which may be those of changes. */
export const watchMaps: readonly TableMap[] = [
  { name: 'watch_organizations', both: ['id', 'watches', 'is_held', 'todo'] },
  {
    name: 'watches',
    both: columns('key id organization member url target every_ms jitter_ms created_at options title tags'),
    toPostgres: { target_hash: 'sha256(target)' },
    sequence: { column: 'key' },
  },
  {
    name: 'watch_states',
    both: columns(`
      watch host parked checks changes seen checked_at succeeded_at failures failing_since changed_n
      changed_at body_hash etag last_modified full_at doubted_at doubt since_baseline
    `),
    toPostgres: { due: 'due' },
    // Of a check that was not finished: what was asked for meanwhile.
    toSqlite: { due: 'coalesce(asked_due, due)' },
  },
  {
    name: 'watch_failures',
    both: ['reason', 'detail', 'status'],
    toPostgres: { key: 'failed.key' },
    from: { sqlite: `${NUMBERED} JOIN watch_failures ON watch_failures.key = failed.more` },
    only: 'postgres',
    sequence: { column: 'key' },
  },
  {
    name: 'watch_failures',
    both: [],
    toSqlite: { key: 'min(key)', refs: 'count(*)', reason: 'reason', detail: 'detail', status: 'status' },
    from: { postgres: 'watch_failures GROUP BY reason, detail, status' },
    only: 'sqlite',
  },
  {
    name: 'watch_checks',
    both: ['watch', 'n', 'at', 'code', 'status'],
    toPostgres: { more: `iif(${FAILED}, failed.key, watch_checks.more)` },
    toSqlite: { more: `CASE WHEN ${FAILED} THEN equal.first ELSE watch_checks.more END` },
    from: {
      sqlite: `watch_checks LEFT JOIN ${NUMBERED} ON failed.watch = watch_checks.watch AND failed.n = watch_checks.n`,
      postgres: `watch_checks LEFT JOIN ${EQUAL} ON ${FAILED} AND equal.key = watch_checks.more`,
    },
  },
  {
    name: 'watch_changes',
    both: ['organization', 'watch', 'n', 'inserted', 'deleted', 'title', 'packed'],
    toPostgres: { cursor: 'watch_changes.cursor' },
    toSqlite: { cursor: 'fresh.renumbered' },
    from: {
      postgres: `watch_changes JOIN ${RENUMBERED}
        ON fresh.organization = watch_changes.organization AND fresh.cursor = watch_changes.cursor`,
    },
    isWide: true,
    sequence: {
      column: 'cursor',
      postgres: {
        read: 'SELECT coalesce(max(cursor), 0) AS highest FROM watch_cursors',
        // Whoever reads an organization's changes, and has seen none of them yet, may hold the number of another one's.
        write: `INSERT INTO watch_cursors (organization, cursor) SELECT organization, $1 FROM (
            SELECT id AS organization FROM catalog WHERE kind = 'organizations' UNION
            SELECT id FROM watch_organizations UNION SELECT organization FROM watch_changes) AS known`,
      },
    },
  },
  { name: 'watch_texts', both: ['key', 'hash', 'packed'], isWide: true, sequence: { column: 'key' } },
  { name: 'watch_versions', both: ['watch', 'n', 'at', 'text'] },
  {
    name: 'watch_baselines',
    both: ['watch', 'url', 'content_type', 'extractor', 'reading', 'at', 'history', 'page', 'body'],
    isWide: true,
  },
  { name: 'watch_explanations', both: ['watch', 'n', 'explanation'], isWide: true },
  {
    name: 'watch_counters',
    sqlite: 'counters',
    only: 'postgres',
    both: [],
    toPostgres: { node: `'${MIGRATED}'`, checks: 'watch_checks', changes: 'watch_changes' },
  },
  {
    name: 'sink_cursors',
    both: ['sink', 'topic'],
    toPostgres: { position: 'sink_cursors.position' },
    toSqlite: {
      position: `CASE WHEN topic = 'watches' THEN greatest(sink_cursors.position, (SELECT max(renumbered) FROM ${RENUMBERED}
        WHERE fresh.cursor <= sink_cursors.position AND fresh.organization = (SELECT catalog.doc ->> 'organizationId'
          FROM catalog JOIN sinks ON sinks.id = catalog.id WHERE catalog.kind = 'sinks' AND sinks.key = sink_cursors.sink)))
        ELSE sink_cursors.position END`,
    },
  },
];
