import { chmod, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { createSecureContext } from 'node:tls';
import { faultPoint } from '../fault-points.ts';
import { timestamp } from '../outside.ts';
import type { DaemonSettings } from '../settings.ts';
import { DAEMON_NOTICE, type DaemonNotice } from '../../shared/daemon-notice.ts';
import { StartFailure } from '../start-failure.ts';
import { OWN_FILES } from '../../shared/limits.ts';

interface Listeners {
  readonly notice: DaemonNotice;
  /** Takes no new request, waits for those under way, and takes the notice away. */
  close(): Promise<void>;
}

interface Server extends Listener {
  close(): Promise<void>;
}

/** What the operator has beside the public port. */
interface OperatorListeners {
  readonly admin: Server;
  /** A port for the figures, if one is set. */
  readonly metrics?: { readonly server: Server; readonly host: string; readonly port: number };
}

/**
 * Opens the public port and the operator's listeners, then writes the notice by which the command line finds them.
 * The notice comes last: who finds it finds a daemon that answers.
 */
export async function openListeners(plan: {
  readonly settings: DaemonSettings;
  readonly version: string;
  readonly startedAt: number;
  readonly server: Server;
  readonly operator: (url: string) => OperatorListeners;
}): Promise<Listeners> {
  const { settings, server } = plan;
  const opened: Server[] = [server];
  const close = async (): Promise<void> => {
    await Promise.all(opened.map((listener) => listener.close()));
  };
  try {
    const url = await listenPublic(server, settings.listen, settings.port);
    const { admin, metrics } = plan.operator(url);
    opened.push(admin);
    if (metrics) {
      opened.push(metrics.server);
      await listenPublic(metrics.server, metrics.host, metrics.port);
    }
    const socket = await listenSocket(admin, settings.dataDir);
    faultPoint('start:listening');
    const startedAt = timestamp(plan.startedAt);
    const kept = settings.logFile === '' ? {} : { log_file: settings.logFile };
    const notice = { pid: process.pid, version: plan.version, url, socket, started_at: startedAt, ...kept };
    const path = join(settings.dataDir, DAEMON_NOTICE);
    await writeWhole(path, `${JSON.stringify(notice, null, 2)}\n`);
    faultPoint('start:told');
    return {
      notice,
      close: async () => {
        await close();
        await rm(path, { force: true });
        await rm(socket, { force: true });
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Written beside and renamed: who looks meanwhile sees the former notice or none, never half of one. */
async function writeWhole(path: string, text: string): Promise<void> {
  const beside = `${path}.new`;
  await writeFile(beside, text, { mode: 0o600 });
  await rename(beside, path);
}

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
  if (await answers(path)) throw new StartFailure('environment', `another process is listening on ${path}`);
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

/** Files that this process may have open, and connections are files. Node has raised it as far as it may be. */
export function openFilesLimit(): number {
  // Otherwise it looks up names of addresses, which takes seconds where a name server does not answer.
  const report = Object.assign(process.report, { excludeNetwork: true });
  return readLimit(report.getReport()) ?? Infinity;
}

function readLimit(report: unknown): number | undefined {
  const { userLimits } = report as { userLimits?: { open_files?: { soft?: unknown } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : undefined;
}

/** Connections of the public port: as many as wanted, and no more than leave the daemon its own files. */
export function connectionsAllowed(wanted: number, openFiles: number): number {
  return Math.min(wanted, Math.max(openFiles - OWN_FILES, Math.floor(openFiles / 2)));
}

/** What the public server proves itself with, in PEM form. */
interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/**
 * Reads the certificate files of the settings; undefined when none are set, and the server speaks plain HTTP.
 * @throws {StartFailure} when only one is set, or they cannot be read, or are not a pair.
 */
export async function readCertificate(
  settings: Pick<DaemonSettings, 'tlsCert' | 'tlsKey'>,
): Promise<Certificate | undefined> {
  const { tlsCert, tlsKey } = settings;
  if (tlsCert === '' && tlsKey === '') return undefined;
  if (tlsCert === '') throw wrong('tls-key is set and tls-cert is not; HTTPS needs both');
  if (tlsKey === '') throw wrong('tls-cert is set and tls-key is not; HTTPS needs both');
  const certificate: Certificate = { cert: await read('tls-cert', tlsCert), key: await read('tls-key', tlsKey) };
  try {
    createSecureContext(certificate);
  } catch (error) {
    throw wrong(`${tlsCert} and ${tlsKey} are not a certificate and its key: ${(error as Error).message}`, error);
  }
  return certificate;
}

async function read(name: string, path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw wrong(`${name}: ${path} cannot be read: ${error.code ?? error.message}`, error);
  });
}

function wrong(message: string, cause?: unknown): StartFailure {
  return new StartFailure('configuration', message, { cause });
}
