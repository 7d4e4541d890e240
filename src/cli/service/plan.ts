/** What a service is made of, whichever manager runs it. */
export interface ServicePlan {
  /** `user`: runs as who installs it, in his session or, lingering, always. `system`: of the machine, as `account`. */
  readonly scope: 'user' | 'system';
  /** Absolute paths. */
  readonly node: string;
  readonly program: string;
  readonly dataDir: string;
  /** The account that a service of the system runs as. */
  readonly account: string;
}

/** By which our own file is known: another one of that name is not touched. */
export const MARK = 'Made by `hydrant service install`';

/** Bytes of the path of a socket (see `src/daemon/process/listeners.ts`); a longer one moves to the temporary directory. */
const SOCKET_PATH_BYTES = 103;

export function hasLongSocket(dataDir: string): boolean {
  return new TextEncoder().encode(`${dataDir}/admin.sock`).length > SOCKET_PATH_BYTES;
}
