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
