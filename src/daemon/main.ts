import { createLog, type Log, LogFile, type LogOutput } from './process/log.ts';
import type { Daemon } from './daemon.ts';
import { isNoRoom } from './problem.ts';
import { outside } from './outside.ts';
import { tuneHeaps } from './process/memory.ts';
import { type DaemonSettings, resolveSettings } from './settings.ts';
import { StartFailure } from './start-failure.ts';

/** What the process gives the daemon; a test gives its own. */
export interface DaemonProcess {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stderr: LogOutput;
  on(event: ProcessEvent, listener: (cause: unknown) => void): unknown;
  /** With whoever started it over IPC; without one there are none of these. */
  readonly channel?: { unref(): void } | null | undefined;
  readonly connected?: boolean | undefined;
  umask(mask: number): unknown;
  exit(code: number): never;
}

export interface DaemonStart {
  /** Starts the process once more with what this plan needs, unless it was; returns where it need not, or cannot. */
  readonly restart?: (memory: DaemonSettings['memory']) => void;
}

type ProcessEvent = NodeJS.Signals | 'uncaughtException' | 'unhandledRejection' | 'disconnect';

/** Milliseconds a shutdown may take. Visits still open are repeated after the next start; nothing is lost. */
const STOP_WITHIN_MS = 10_000;
/** sysexits EX_CONFIG and EX_SOFTWARE. */
const EXIT = { ok: 0, failed: 1, bug: 70, configuration: 78 } as const;

/**
 * The daemon as a process: settings in, signals handled, an exit code out. The first SIGTERM or SIGINT finishes what
 * is under way; a second one leaves at once.
 */
export async function runDaemon(
  flags: Readonly<Record<string, unknown>>,
  host: DaemonProcess,
  { restart }: DaemonStart = {},
): Promise<number> {
  // Files and sockets of the daemon are its own: keys, pages and the operator's socket are in them.
  host.umask(0o077);
  let dataDir = '';
  try {
    const settings = await resolveSettings(flags, host.env);
    dataDir = settings.dataDir;
    restart?.(settings.memory);
    tuneHeaps(settings.memory);
    const log = await createLog(
      { level: settings.logLevel, format: settings.logFormat },
      host.stderr,
      logFile(settings, host),
    );
    const stopped = Promise.withResolvers<number>();
    // After the restart: it need not be loaded twice.
    const starting = import('./daemon.ts').then(({ startDaemon }) =>
      startDaemon({ settings, outside, log, environment: host.env, onFatal: (error) => leave(host, log, error) }),
    );
    onSignals(host, log, starting, stopped.resolve);
    await starting;
    return await stopped.promise;
  } catch (error) {
    const failure = failureOf(error, dataDir);
    if (failure === undefined) throw error;
    host.stderr.write(`hydrantd: ${failure.message}\n`);
    return failure.kind === 'configuration' ? EXIT.configuration : EXIT.failed;
  }
}

function logFile({ logFile: path, logFileBytes: most }: DaemonSettings, host: DaemonProcess): LogFile | undefined {
  if (path === '') return undefined;
  return new LogFile(path, most, (what) => host.stderr.write(`hydrantd: ${path}: ${what}\n`));
}

/** From the first moment on: a daemon that is told to stop while it starts stops as soon as it can do so cleanly. */
function onSignals(host: DaemonProcess, log: Log, starting: Promise<Daemon>, resolve: (code: number) => void): void {
  let stopping = false;
  const stop = (reason: string): void => {
    if (stopping) host.exit(EXIT.failed);
    stopping = true;
    log.info(`${reason}: finishing what is in progress (again to stop at once)`);
    const late = setTimeout(() => {
      log.error(`not done within ${STOP_WITHIN_MS / 1_000} s; stopping now. Visits in progress will be repeated.`);
      host.exit(EXIT.failed);
    }, STOP_WITHIN_MS);
    stopOf(starting).then(
      () => {
        clearTimeout(late);
        log.info('stopped');
        resolve(EXIT.ok);
      },
      (error: unknown) => leave(host, log, error),
    );
  };
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) host.on(signal, () => stop(signal));
  host.on('SIGINT', () => {
    // The terminal has written `^C` where the next line is to begin.
    if (host.stderr.isTTY === true) host.stderr.write('\n');
    stop('SIGINT');
  });
  // A daemon that was started over IPC is part of its parent (hydrant demo), and this is how a SIGKILL of that is heard.
  if (host.connected === false) stop('the parent process has ended');
  else host.on('disconnect', () => stop('the parent process has ended'));
  host.channel?.unref();
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    host.on(event, (cause) => leave(host, log, cause));
  }
}

/** A full disk or a missing right can stop any step of the start; what the system says of it names the file. */
function failureOf(error: unknown, dataDir: string): StartFailure | undefined {
  if (error instanceof StartFailure) return error;
  if (isNoRoom(error)) {
    const what = `cannot start: the disk is full, or a quota or limit of the process is used up (${(error as Error).message})`;
    return new StartFailure('environment', `${what}; free some space for ${dataDir}, then start again`, {
      cause: error,
    });
  }
  if (!(error instanceof Error) || !('syscall' in error)) return undefined;
  return new StartFailure('environment', `cannot start: ${error.message}`, { cause: error });
}

/** A start that fails is reported by whoever waits for it; then there is nothing to stop. */
async function stopOf(starting: Promise<Daemon>): Promise<void> {
  const daemon = await starting.catch(() => undefined);
  await daemon?.stop();
}

/**
 * A bug, or a disk that is gone: leaving at once is safe, since all that was acknowledged is on disk, and going on
 * in a state nobody foresaw is not.
 */
function leave(host: DaemonProcess, log: Log, cause: unknown): never {
  log.fatal({ err: cause }, 'hydrantd cannot go on');
  return host.exit(EXIT.bug);
}
