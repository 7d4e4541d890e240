import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** PostgreSQL's programs, as the tests run them: on a directory of their own, as an ordinary user, on a port of loopback. */

const programs = programsIn();

/** False: the machine has none, and tests that need it are skipped. */
export const hasPostgres = programs !== undefined;
export const WITHOUT_POSTGRES = 'PostgreSQL is not installed (Debian: apt-get install postgresql)';

/** The superuser of a new cluster, to whom it is open. */
export const OWNER = 'hydrant';

/** One of PostgreSQL's programs, to its end. @throws with what it says, where that is no good one */
export async function run(program: string, args: readonly string[]): Promise<void> {
  const user = isRoot() ? ordinaryUser() : {};
  // A server that stays writes to a file: of a pipe nobody would see the end.
  const child = spawn(join(programs ?? '', program), args, { ...user, stdio: ['ignore', 'ignore', 'pipe'], cwd: '/' });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  if (code !== 0) throw new Error(`${program} ended with ${code ?? signal}: ${said}`);
}

/** The files of a new cluster, without care for the disk while they are made. */
export function initialize(data: string): Promise<void> {
  const plain = ['--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C', '--no-sync', '--no-instructions'];
  return run('initdb', ['--pgdata', data, '--username', OWNER, ...plain]);
}

/** Starts the server of `data`, which listens on loopback and in `directory`, where its log is, too. */
export async function startServer(
  data: string,
  directory: string,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: directory, ...settings };
  const options = Object.entries(all).map(([name, value]) => `-c ${name}=${value}`);
  const log = `${data}.log`;
  await run('pg_ctl', ['start', '--pgdata', data, '--log', log, '--wait', '--silent', '--options', options.join(' ')]);
}

/** The process of a server that runs, or was killed. */
export function serverPid(data: string): number | undefined {
  const file = join(data, 'postmaster.pid');
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n', 1)[0]) : undefined;
}

/** An empty directory in which the servers' user may write. */
export function serverDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'hydrant-postgres-'));
  // PostgreSQL refuses to be run by root.
  if (isRoot()) chownSync(directory, ordinaryUser().uid, ordinaryUser().gid);
  return directory;
}

/**
 * Ends the servers of a directory and removes it when this process ends, in whatever way: a shell that waits for the end of its
 * input does it, which is outside of our process group, so that Ctrl-C or a kill of the run does not end it, too. The answer ends them
 * at once.
 */
export function guard(directory: string): () => Promise<void> {
  const shell = spawn('sh', ['-c', GUARD, 'guard', directory], {
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
  });
  shell.unref();
  // A run that is over is not kept by it; a pipe that breaks is its end, which it sees itself.
  shell.stdin.on('error', () => undefined);
  (shell.stdin as typeof shell.stdin & { unref(): void }).unref();
  const ended = new Promise<void>((resolve) => {
    shell.once('exit', () => resolve());
  });
  return async () => {
    shell.ref();
    shell.stdin.end();
    await ended;
  };
}

/** QUIT is PostgreSQL's immediate shutdown. A server that is being started at this moment has a file soon. */
const GUARD = `cat > /dev/null
for file in "$1"/*/postmaster.pid; do
  [ -e "$file" ] || continue
  read -r pid < "$file"
  kill -CONT "$pid"
  kill -QUIT "$pid"
  while kill -0 "$pid" 2> /dev/null; do sleep 0.1; done
done
rm -rf "$1"`;

export function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const server = createServer();
  server.once('error', reject);
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
  });
  return promise;
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
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
