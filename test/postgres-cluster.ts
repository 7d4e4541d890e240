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
 * its own, copied from one that has the schema already.
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

/** The URL of a new database that has the schema. */
export async function freshDatabase(): Promise<string> {
  const server = await startedCluster();
  const name = `test_${process.pid}_${(databases += 1)}`;
  await administer(server, `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
  return `${server}/${name}`;
}

let databases = 0;

/** The URL of a new database with nothing in it. */
export async function emptyDatabase(options = ''): Promise<string> {
  const server = await startedCluster();
  const name = `test_${process.pid}_${(databases += 1)}`;
  await administer(server, `CREATE DATABASE ${name} ${options}`);
  return `${server}/${name}`;
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
  await database.close();
  return server;
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
