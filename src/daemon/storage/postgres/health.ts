import type { DatabaseHealth, HotTable } from '../../../shared/api/database-health.ts';
import { BEHIND_MS } from './catalog/nodes.ts';
import { CONNECTIONS, openDatabase, type Queryable } from './connection/database.ts';
import { endpointsOf } from './connection/endpoints.ts';
import { OLDEST_RELEASE, SCHEMA_VERSION } from './schema/migrations.ts';

/** Beside the pool: those that listen, for changes of the catalog and of heads, and one that a start looks around with. */
const APART = 3;
/** Rewritten at each visit or check, or written at one end and deleted at the other: bloat shows here first. */
const HOT = ['hosts', 'pages', 'visited', 'taps', 'events', 'changes', 'watch_states', 'crawl_counters', 'nodes'];

/**
 * What an operator has to know of the database before nodes depend on it. Nothing is written.
 * @throws {StartFailure} for what is no address; {StorageUnavailable} where it cannot be reached
 */
export async function readHealth(url: string, now: () => number): Promise<DatabaseHealth> {
  const database = openDatabase({ url, connections: 1 }, 'the setting store');
  try {
    const clockAheadMs = await clockOf(database, now);
    const [facts] = await database.query<Facts>(FACTS);
    if (!facts) throw new Error('PostgreSQL answered nothing');
    const replicas = await database.query<DatabaseHealth['replicas'][number]>(REPLICAS);
    const { own, isLoopback, ...rest } = facts;
    return {
      ...rest,
      place: endpointsOf(url)
        .map(({ name }) => name)
        .join(', '),
      isRemote: !isLoopback,
      clockAheadMs,
      replicas,
      schema: own ? await schemaOf(database) : undefined,
      knownSchema: SCHEMA_VERSION,
      oldestRelease: OLDEST_RELEASE,
      nodes: own ? await liveNodes(database) : 0,
      connectionsOfNode: CONNECTIONS + APART,
      hotTables: own ? await database.query<HotTable>(HOT_TABLES, [HOT]) : [],
    };
  } finally {
    await database.close();
  }
}

interface Facts extends Pick<
  DatabaseHealth,
  | 'release'
  | 'version'
  | 'fsync'
  | 'synchronousCommit'
  | 'synchronousStandbys'
  | 'maxConnections'
  | 'connections'
  | 'autovacuum'
  | 'archiveMode'
  | 'isEncrypted'
> {
  readonly own: boolean;
  readonly isLoopback: boolean;
}

/** `synchronous_commit` as connections of this user to this database have it. */
const FACTS = `SELECT current_setting('server_version_num')::integer AS release, current_setting('server_version') AS version,
  current_setting('fsync') = 'on' AS fsync, current_setting('synchronous_commit') AS "synchronousCommit",
  current_setting('synchronous_standby_names') AS "synchronousStandbys",
  current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer AS "maxConnections",
  (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections,
  current_setting('autovacuum') = 'on' AS autovacuum, current_setting('archive_mode') AS "archiveMode",
  coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS "isEncrypted",
  coalesce(inet_client_addr() <<= '127.0.0.0/8' OR inet_client_addr() = '::1', true) AS "isLoopback",
  to_regclass('schema_version') IS NOT NULL AS own`;

/** A role that may not look at replication sees that there are some, and nothing of their states. */
const REPLICAS = `SELECT application_name AS name, state, sync_state AS sync FROM pg_stat_replication ORDER BY application_name`;

const HOT_TABLES = `SELECT relname AS name, n_live_tup AS live, n_dead_tup AS dead,
    floor(extract(epoch FROM clock_timestamp() - greatest(last_autovacuum, last_vacuum)))::bigint AS "vacuumedAgo"
  FROM pg_stat_user_tables WHERE schemaname = current_schema() AND relname = ANY ($1::text[]) ORDER BY relname`;

/** Of several answers the fastest says most: half of what it took is all that it may be wrong. */
async function clockOf(database: Queryable, now: () => number): Promise<number> {
  const looks: { readonly took: number; readonly ahead: number }[] = [];
  for (let look = 0; look < 3; look += 1) {
    const before = now();
    const [row] = await database.query<{ now: number }>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
    );
    const after = now();
    looks.push({ took: after - before, ahead: (row?.now ?? after) - (before + after) / 2 });
  }
  const [best] = looks.toSorted((one, other) => one.took - other.took);
  return Math.round(best?.ahead ?? 0);
}

async function schemaOf(database: Queryable): Promise<number | undefined> {
  const [row] = await database.query<{ version: number }>('SELECT version FROM schema_version');
  return row?.version;
}

async function liveNodes(database: Queryable): Promise<number> {
  const [row] = await database.query<{ live: number }>(
    `SELECT count(*) AS live FROM nodes WHERE seen_at > clock_timestamp() - interval '${BEHIND_MS} milliseconds'`,
  );
  return row?.live ?? 0;
}
