import { type FileHandle, open, rename } from 'node:fs/promises';
import path from 'node:path';

/**
 * One file while it is written. Its name ends in `.open` until it is closed and on the disk. After a crash the `.open`
 * file is as good as any, but for its last record: what was appended is a row of whole gzip members.
 */
export class WarcFile {
  readonly #handle: FileHandle;
  readonly #directory: string;
  readonly #name: string;
  #bytes = 0;

  private constructor(handle: FileHandle, directory: string, name: string) {
    this.#handle = handle;
    this.#directory = directory;
    this.#name = name;
  }

  /** Never opens what is there already: rejects with EEXIST. */
  static async create(directory: string, name: string): Promise<WarcFile> {
    const handle = await open(path.join(directory, `${name}${OPEN}`), 'wx', FILE_MODE);
    return new WarcFile(handle, directory, name);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** All of it, or nothing: what a full disk left half is taken back. */
  async append(members: Uint8Array): Promise<void> {
    try {
      for (let done = 0; done < members.length;) {
        const { bytesWritten } = await this.#handle.write(members, done, members.length - done, this.#bytes + done);
        done += bytesWritten;
      }
      this.#bytes += members.length;
    } catch (error) {
      await this.#handle.truncate(this.#bytes).catch(() => undefined);
      throw error;
    }
  }

  async close(): Promise<void> {
    try {
      await this.#handle.sync();
    } finally {
      await this.#handle.close();
    }
    const whole = path.join(this.#directory, this.#name);
    await rename(`${whole}${OPEN}`, whole);
    const directory = await open(this.#directory, 'r');
    await directory.sync().catch(() => undefined);
    await directory.close();
  }
}

const OPEN = '.open';
/** Pages may be nobody else's business, as in the data directory. */
const FILE_MODE = 0o600;
