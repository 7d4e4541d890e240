import { execFileSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../src/daemon/storage/postgres/connection/database.ts';
import { migrate } from '../src/daemon/storage/postgres/schema/migrations.ts';

/**
 * A PostgreSQL of the tests' own: one cluster a run, in a temporary directory, on a random port of loopback, without any care
 * for its disk; started by the first file that needs it, ended with the run (`postgres-run.ts`). Each test has a database of
 * its own, copied from one that has the schema already. A copy costs half a second and emptying one a hundredth, so a database that
 * nobody is connected to any more is emptied, and is that of a later test of the file.
 */

/** Where the cluster of this run is, or is to be. */
const DIRECTORY = 'HYDRANT_TEST_POSTGRES';
const TEMPLATE = 'hydrant_template';
const OWNER = 'hydrant';

const programs = programsIn();

/** False: the machine has none, and tests that need it are skipped. */
export const hasPostgres = programs !== undefined;
export const WITHOUT_POSTGRES = 'PostgreSQL is not installed (Debian: apt-get install postgresql)';

/** To be called before the run. */
export function prepareCluster(): void {
  process.env[DIRECTORY] = mkdtempSync(join(tmpdir(), 'hydrant-postgres-'));
}

/** Ends the cluster, if any file has started it, and removes what it wrote. */
export function removeCluster(): void {
  const directory = clusterDirectory();
  if (existsSync(join(directory, 'data', 'postmaster.pid'))) {
    run('pg_ctl', ['stop', '--pgdata', join(directory, 'data'), '--mode', 'immediate', '--wait']);
  }
  rmSync(directory, { recursive: true, force: true });
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

/** `postgres://hydrant@127.0.0.1:port` of the cluster of this run. */
async function startedCluster(): Promise<string> {
  const directory = clusterDirectory();
  const ready = join(directory, 'ready');
  if (isFirst(directory)) writeFileSync(ready, await start(directory));
  // Another file of this run is starting it.
  while (!existsSync(ready) || readFileSync(ready, 'utf8') === '') await sleep(50);
  return readFileSync(ready, 'utf8');
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
  // PostgreSQL refuses to be run by root.
  if (process.getuid?.() === 0) chownSync(directory, ordinaryUser().uid, ordinaryUser().gid);
  const plain = ['--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C', '--no-sync', '--no-instructions'];
  run('initdb', ['--pgdata', data, '--username', OWNER, ...plain]);
  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: directory,
    max_connections: '300',
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
  };
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const log = join(directory, 'log');
  run('pg_ctl', ['start', '--pgdata', data, '--log', log, '--wait', '--options', options.join(' ')]);
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

function run(program: string, args: readonly string[]): void {
  const user = process.getuid?.() === 0 ? ordinaryUser() : {};
  // Of a server that stays, the output is a file: a pipe would wait for its end.
  execFileSync(join(programs ?? '', program), args, { ...user, stdio: ['ignore', 'ignore', 'inherit'], cwd: '/' });
}

/** `initdb` asks for the name of whoever runs it, so it has to be one that has a name. */
function ordinaryUser(): { readonly uid: number; readonly gid: number } {
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  const [line = ''] = ['postgres:', 'nobody:'].flatMap((name) => users.filter((user) => user.startsWith(name)));
  const [, , uid, gid] = line.split(':');
  if (uid === undefined || gid === undefined) throw new Error('neither postgres nor nobody is a user of this machine');
  return { uid: Number(uid), gid: Number(gid) };
}

/** Debian keeps the programs of the server out of PATH; of several releases the newest is used. */
function programsIn(): string | undefined {
  const packaged = '/usr/lib/postgresql';
  const releases = existsSync(packaged) ? readdirSync(packaged) : [];
  const newest = releases
    .map(Number)
    .filter(Number.isInteger)
    .toSorted((one, other) => other - one);
  const folders = [
    ...newest.map((release) => join(packaged, String(release), 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'pg_ctl')));
}

function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const server = createServer();
  server.once('error', reject);
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
  });
  return promise;
}
