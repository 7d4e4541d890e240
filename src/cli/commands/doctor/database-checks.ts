import { grouped } from '../../../shared/grouped.ts';
import type { DatabaseHealth, HotTable } from '../../../shared/api/database-health.ts';
import { count } from '../../../shared/text/plural.ts';
import { duration } from '../../text/time.ts';
import { fail, type Finding, ok, type Patient, warn } from './finding.ts';

/** Beyond this somebody has set a clock, or nobody sets it. */
const CLOCK_MS = 2_000;
/** Of a table with fewer dead rows nobody notices anything. */
const DEAD_ROWS = 50_000;

/** The PostgreSQL database that a daemon with these settings would use; nothing where it uses a data directory. */
export async function database({ settings, upkeep }: Patient): Promise<Finding[]> {
  if (settings instanceof Error || settings.store === '') return [];
  try {
    return examined(await upkeep.databaseHealth(settings.store));
  } catch (error) {
    const says = error instanceof Error ? error.message : String(error);
    return [
      fail('database', says, 'check that PostgreSQL runs, and the host, port, user and password of the setting store'),
    ];
  }
}

function examined(health: DatabaseHealth): Finding[] {
  return [
    ...release(health),
    ...durability(health),
    ...transport(health),
    ...clock(health),
    ...connections(health),
    ...vacuum(health),
  ];
}

function release({ place, release: found, oldestRelease, version, schema, knownSchema }: DatabaseHealth): Finding[] {
  if (found < oldestRelease)
    return [fail('database', `PostgreSQL ${version} at ${place} is too old`, 'use PostgreSQL 15 or newer')];
  if (schema !== undefined && schema > knownSchema) {
    const says = `schema ${schema} at ${place}, and this version of hydrant knows ${knownSchema}`;
    return [fail('database', says, 'run the newer version of hydrant that the other nodes run')];
  }
  const words = schema === undefined ? 'empty: the first start makes its tables' : `schema ${schema}`;
  const older = schema !== undefined && schema < knownSchema ? `; the next start takes it to ${knownSchema}` : '';
  return [ok('database', `PostgreSQL ${version} at ${place}, ${words}${older}`)];
}

/** What is promised of what was acknowledged. */
function durability({
  fsync,
  synchronousCommit: commit,
  synchronousStandbys: names,
  replicas,
}: DatabaseHealth): Finding[] {
  const name = 'durability';
  if (!fsync) return [fail(name, 'fsync is off: a crash of the server may damage the database', 'fsync = on')];
  if (commit === 'off') {
    const says = 'synchronous_commit is off: a crash of the server takes events along that clients have seen';
    return [fail(name, says, 'synchronous_commit = on')];
  }
  if (names === '') {
    const says = `nothing waits for a replica (${count(replicas.length, 'replica')}): a server that is lost for good takes its last commits along`;
    return [
      warn(name, says, "add a replica and set synchronous_standby_names, such as 'ANY 1 (*)'; see docs/scaling.md"),
    ];
  }
  if (commit === 'local') {
    const says = 'synchronous_commit is local: no commit waits for the replicas of synchronous_standby_names';
    return [warn(name, says, 'synchronous_commit = on')];
  }
  // Who may not look at replication sees null.
  const waited = replicas.filter(({ sync }) => sync === null || sync === 'sync' || sync === 'quorum');
  if (waited.length === 0) {
    const says = `synchronous_standby_names is ${names}, and no such replica is connected: commits wait until one is`;
    return [fail(name, says, 'start the replica, or change synchronous_standby_names')];
  }
  return [ok(name, `each commit waits for a replica: ${waited.map((replica) => replica.name).join(', ')}`)];
}

function transport({ isRemote, isEncrypted }: DatabaseHealth): Finding[] {
  if (!isRemote || isEncrypted) return [];
  const says = 'the connection to PostgreSQL is not encrypted: whoever is between reads tokens and pages';
  return [warn('transport', says, 'add ?sslmode=verify-full to the URL, and sslrootcert=<file> for a CA of your own')];
}

function clock({ clockAheadMs }: DatabaseHealth): Finding[] {
  const off = Math.abs(clockAheadMs);
  if (off < CLOCK_MS) return [ok('shared clock', `${off} ms from that of PostgreSQL`)];
  const side = clockAheadMs > 0 ? 'ahead of' : 'behind';
  const says = `the clock of PostgreSQL is ${duration(off)} ${side} that of this machine; all daemons go by it`;
  return [warn('shared clock', says, 'let both synchronize with NTP: timedatectl set-ntp true')];
}

function connections({
  maxConnections: most,
  connections: now,
  connectionsOfNode: each,
  nodes,
}: DatabaseHealth): Finding[] {
  const wanted = each * (Math.max(nodes, 1) + 1);
  const says = `${now} of ${most} connections in use; a daemon takes up to ${each}`;
  if (wanted <= most && now + each <= most) return [ok('connections', says)];
  const fix = `max_connections = ${Math.max(100, 2 * wanted)}, which needs a restart of PostgreSQL`;
  return [warn('connections', `${says}, so there is no room for one more beside ${count(nodes, 'daemon')}`, fix)];
}

function vacuum({ autovacuum, hotTables }: DatabaseHealth): Finding[] {
  if (!autovacuum) {
    const says = 'autovacuum is off: the tables of hosts, pages and events only grow';
    return [fail('vacuum', says, 'autovacuum = on')];
  }
  const bloated = hotTables.filter(({ live, dead }) => dead > DEAD_ROWS && dead > live);
  if (bloated.length === 0) return hotTables.length === 0 ? [] : [ok('vacuum', deadWords(hotTables))];
  const names = bloated.map(({ name }) => name);
  const says = `more dead than living rows: ${bloated.map(bloatWords).join(', ')}`;
  const fix = `psql -c 'VACUUM (ANALYZE) ${names.join(', ')}', and give autovacuum more: autovacuum_vacuum_cost_limit = 2000`;
  return [warn('vacuum', says, fix)];
}

function deadWords(tables: readonly HotTable[]): string {
  const dead = tables.reduce((sum, table) => sum + table.dead, 0);
  return `${grouped(dead)} dead rows in the tables that are written most`;
}

function bloatWords({ name, live, dead, vacuumedAgo: ago }: HotTable): string {
  const when = ago === null ? 'never vacuumed' : `vacuumed ${duration(ago * 1_000)} ago`;
  return `${name} (${grouped(dead)} dead, ${grouped(live)} living, ${when})`;
}
