import { copyFile, link, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Adapter } from 'lowdb';
import { faultPoint } from '../../../fault-points.ts';

/**
 * A file that is whole at every moment, also after a power cut: lowdb's adapter for the catalog. lowdb's own one
 * renames without fsync (an empty file after a power cut was reported) and makes it readable for everyone.
 *
 * A write goes to a file beside it, which is fsynced; the present file gets a second name, `.bak`; then the new one
 * takes its place and the directory is fsynced. Between any two of these steps, the name leads to a whole file.
 * Writes must not overlap: the catalog queues them.
 */
export class DurableFile implements Adapter<string> {
  readonly path: string;
  readonly backupPath: string;

  constructor(path: string) {
    this.path = path;
    this.backupPath = `${path}.bak`;
  }

  /** Null when there is none. */
  read(): Promise<string | null> {
    return readIfThere(this.path);
  }

  readBackup(): Promise<string | null> {
    return readIfThere(this.backupPath);
  }

  async write(text: string): Promise<void> {
    const fresh = `${this.path}.tmp`;
    faultPoint('catalog:taken');
    await writeSynced(fresh, text);
    faultPoint('catalog:written');
    await this.#keepFormer();
    faultPoint('catalog:kept');
    await rename(fresh, this.path);
    faultPoint('catalog:renamed');
    await syncDirectory(dirname(this.path));
    faultPoint('catalog:synced');
  }

  async #keepFormer(): Promise<void> {
    // Not `.bak` itself: taking that name away first would leave a moment without a backup.
    const former = `${this.backupPath}.tmp`;
    await rm(former, { force: true });
    try {
      await link(this.path, former);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return;
      if (!NO_HARD_LINKS.has(code)) throw error;
      await copyFile(this.path, former);
      await syncFile(former);
    }
    await rename(former, this.backupPath);
    // POSIX: a rename onto another name of the same file does nothing and leaves both (a crash at this place before).
    await rm(former, { force: true });
  }
}

/** What file systems without hard links (FAT, some network mounts) answer. */
const NO_HARD_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Only its owner may read it. */
export async function writeSynced(path: string, data: string | Uint8Array): Promise<void> {
  // A leftover of a crash may have another mode; opening does not change the mode of a file that is there.
  await rm(path, { force: true });
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(data);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A rename is durable only once the directory is. Windows refuses to flush one (EPERM), and journals names itself. */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
