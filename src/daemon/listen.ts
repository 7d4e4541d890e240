import { createHash } from 'node:crypto';
import { chmod, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartFailure } from './start-failure.ts';

/** What both servers can do, whichever framework they are made with. */
export interface Listener {
  listen(where: { host: string; port: number; backlog: number } | { path: string }): Promise<string>;
}

/**
 * Connections that the kernel keeps until we take them, where it allows as many: of those that come to a full line it lets
 * the next packet wait for one, three and seven seconds, and a flood would fill Node's 511 at once.
 */
const BACKLOG = 4_096;

/** Listens on the public address; answers it as a URL. */
export async function listenPublic(server: Listener, host: string, port: number): Promise<string> {
  try {
    return await server.listen({ host, port, backlog: BACKLOG });
  } catch (error) {
    throw new StartFailure('environment', refusal(error as NodeJS.ErrnoException, host, port), { cause: error });
  }
}

function refusal(error: NodeJS.ErrnoException, host: string, port: number): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is in use; stop what uses it, or choose another with --port (0 takes a free one)`;
    case 'EACCES':
      return `port ${port} on ${host} needs more rights than this process has; choose one above 1023 with --port`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine; choose another with --listen`;
    default:
      return `cannot listen on ${host}:${port}: ${error.message}`;
  }
}

/** Bytes of a socket's path: the kernel cuts a longer one without a word (108 on Linux, 104 on macOS, with the NUL). */
const SOCKET_PATH_BYTES = 103;

/**
 * The operator's socket. Its directory is 0700 and the process's umask 077, so that there is no moment in which
 * others could open it; 0600 is set besides. A path too long for a socket moves to the temporary directory, under a
 * name that only this data directory has.
 */
export async function listenSocket(server: Listener, dataDir: string): Promise<string> {
  const path = socketPath(dataDir, process.platform);
  if (await answers(path)) throw new StartFailure('environment', `another process answers on ${path}`);
  if (process.platform === 'win32') {
    await server.listen({ path });
    return path;
  }
  await rm(path, { force: true });
  await server.listen({ path });
  await chmod(path, 0o600);
  return path;
}

/** Windows has no such file: a named pipe is there, which ends with its process, and which its user alone can write to. */
export function socketPath(dataDir: string, platform: NodeJS.Platform): string {
  const path = join(dataDir, 'admin.sock');
  if (platform !== 'win32' && Buffer.byteLength(path) <= SOCKET_PATH_BYTES) return path;
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  if (platform === 'win32') return String.raw`\\.\pipe\hydrant-${name}`;
  return join(tmpdir(), `hydrant-${name}.sock`);
}

/** A socket file outlives a killed daemon; only one that answers belongs to a living one. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path);
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', () => resolve(false));
  });
}
