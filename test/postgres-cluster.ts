import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../src/daemon/storage/postgres/connection/database.ts';
import { migrate } from '../src/daemon/storage/postgres/schema/migrations.ts';
import { freePort, guard, initialize, OWNER, serverDirectory, startServer } from './postgres-programs.ts';

export { hasPostgres, WITHOUT_POSTGRES } from './postgres-programs.ts';

/**
 * A PostgreSQL of the tests' own: one cluster a run, in a temporary directory, on a random port of loopback, without any care
 * for its disk; started by the first file that needs it, ended with the run (`postgres-run.ts`), also with one that is killed. Each test has a database of
 * its own, copied from one that has the schema already. A copy costs half a second and emptying one a hundredth, so a database that
 * nobody is connected to any more is emptied, and is that of a later test of the file.
 */

/** Where the cluster of this run is, or is to be. */
const DIRECTORY = 'HYDRANT_TEST_POSTGRES';
const TEMPLATE = 'hydrant_template';

/** To be called before the run. The answer ends the cluster, if any file has started it, and removes what it wrote. */
export function prepareCluster(): () => Promise<void> {
  const directory = serverDirectory();
  process.env[DIRECTORY] = directory;
  return guard(directory);
}

let databases = 0;
/** Those of this file that have the schema and are as new. */
const emptied: string[] = [];
/** By URL, what empties it: a first statement costs more than ten later ones. */
const emptiers = new Map<string, Database>();

/** The URL of a database that has the schema, and nothing else. */
export async function freshDatabase(): Promise<string> {
  return emptied.pop() ?? (await emptyDatabase(`TEMPLATE ${TEMPLATE}`));
}

/** The URL of a new database with nothing in it. */
export async function emptyDatabase(options = ''): Promise<string> {
  const server = await startedCluster();
  const name = `test_${process.pid}_${(databases += 1)}`;
  await administer(server, `CREATE DATABASE ${name} ${options}`);
  return `${server}/${name}`;
}

/** Of `freshDatabase`, for another test; one that somebody is still connected to, who would write there, is dropped. */
export async function returnDatabase(url: string): Promise<void> {
  const emptier = emptiers.get(url) ?? new Database({ url, connections: 1 });
  const [others] = await emptier.query<{ connected: number }>(
    `SELECT count(*) AS connected FROM pg_stat_activity
     WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
  );
  if (others?.connected === 0) {
    await emptier.query('SELECT initial.restore()');
    emptiers.set(url, emptier);
    emptied.push(url);
  } else {
    emptiers.delete(url);
    await emptier.close();
    await dropDatabase(url);
  }
}

/** With whoever is connected to it. */
export async function dropDatabase(url: string): Promise<void> {
  const end = url.lastIndexOf('/');
  await administer(url.slice(0, end), `DROP DATABASE ${url.slice(end + 1)} WITH (FORCE)`);
}

/** What has become of the start of the cluster, for all files of the run. */
type Start = { readonly server: string } | { readonly failure: string };

/** `postgres://hydrant@127.0.0.1:port` of the cluster of this run. @throws in each file where it could not be started */
async function startedCluster(): Promise<string> {
  const directory = clusterDirectory();
  const file = join(directory, 'start.json');
  if (isFirst(directory)) {
    const begun = await start(directory).then(
      (server): Start => ({ server }),
      (error: unknown): Start => ({ failure: String(error) }),
    );
    writeFileSync(`${file}.new`, JSON.stringify(begun));
    renameSync(`${file}.new`, file);
  }
  // Another file of this run is starting it.
  while (!existsSync(file)) await sleep(50);
  const begun = JSON.parse(readFileSync(file, 'utf8')) as Start;
  if ('failure' in begun) throw new Error(`the cluster of this run could not be started: ${begun.failure}`);
  return begun.server;
}

/** Of the processes of a run the first to make this directory starts the cluster. */
function isFirst(directory: string): boolean {
  try {
    mkdirSync(join(directory, 'starting'));
    return true;
  } catch {
    return false;
  }
}

async function start(directory: string): Promise<string> {
  const data = join(directory, 'data');
  await initialize(data);
  const port = await freePort();
  await startServer(data, directory, {
    port: String(port),
    max_connections: '300',
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
  });
  const server = `postgres://${OWNER}@127.0.0.1:${port}`;
  await administer(server, `CREATE DATABASE ${TEMPLATE}`);
  const database = new Database({ url: `${server}/${TEMPLATE}` });
  await migrate(database);
  await keepInitialState(database);
  await database.close();
  return server;
}

/** What the schema begins with, and the function that brings a database back to it: DELETE, since TRUNCATE makes new files. */
async function keepInitialState(database: Database): Promise<void> {
  const tables = await database.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  const sequences = await database.query<{ name: string }>(
    `SELECT sequencename AS name FROM pg_sequences WHERE schemaname = 'public'`,
  );
  const names = tables.map(({ name }) => name);
  const statements = [
    ...names.map((name) => `DELETE FROM public.${name}; INSERT INTO public.${name} TABLE initial.${name};`),
    ...sequences.map(({ name }) => `PERFORM setval('public.${name}', 1, false);`),
  ];
  await database.transaction((transaction) =>
    transaction.execute(
      `CREATE SCHEMA initial;
       ${names.map((name) => `CREATE TABLE initial.${name} AS TABLE public.${name};`).join('')}
       CREATE FUNCTION initial.restore() RETURNS void LANGUAGE plpgsql AS 'BEGIN ${statements.join(' ').replaceAll("'", "''")} END'`,
    ),
  );
}

async function administer(server: string, statement: string): Promise<void> {
  const database = new Database({ url: `${server}/postgres`, connections: 1 });
  try {
    await database.query(statement);
  } finally {
    await database.close();
  }
}

function clusterDirectory(): string {
  const directory = process.env[DIRECTORY];
  if (directory === undefined) throw new Error('no run of the tests has prepared a cluster: see test/postgres-run.ts');
  return directory;
}
