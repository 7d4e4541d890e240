import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RealDaemon } from './real-daemon.ts';

/** A daemon that has the URL of its database in a file; `like`: another one of the database, whose secret it has. Not started. */
export function daemonOnPostgres(url: string, flags: readonly string[], like?: RealDaemon): RealDaemon {
  const daemon = new RealDaemon(flags);
  const file = join(daemon.dataDir, 'store');
  writeFileSync(file, `${url}\n`, { mode: 0o600 });
  daemon.environment = { HYDRANT_STORE_FILE: file };
  if (like) copyFileSync(join(like.dataDir, 'secret'), join(daemon.dataDir, 'secret'));
  return daemon;
}
