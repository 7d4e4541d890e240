/** What a running daemon writes into its data directory, so that the CLI finds it: `<data-dir>/daemon.json`. */
export interface DaemonNotice {
  readonly pid: number;
  readonly version: string;
  /** The public address. */
  readonly url: string;
  /** The admin socket: normally in the data directory, elsewhere where that path is too long for a socket. */
  readonly socket: string;
  readonly started_at: string;
  /** Where its log is kept, if it is. */
  readonly log_file?: string;
}
export const DAEMON_NOTICE = 'daemon.json';

/**
 * On the operator's socket: for which organization a request acts, by id, name or a beginning of the id, percent-encoded.
 * Without it, the only one there is. In a file without schemas, since the command line needs nothing else of them.
 */
export const ORGANIZATION_HEADER = 'hydrant-organization';

/** Whether a process of this machine has the id; of another user's, too. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
