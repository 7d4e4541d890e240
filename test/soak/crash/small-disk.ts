import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A place for the data that can be full. Where this user may mount, a tmpfs of its own: then a full disk is one, ENOSPC and
 * all. Elsewhere the daemon's files may grow no further (`RLIMIT_FSIZE`), which its writes hear as EFBIG.
 */
export class SmallDisk {
  readonly directory: string;
  readonly kind: 'tmpfs' | 'rlimit';
  readonly #ballast: string;

  constructor() {
    this.directory = mkdtempSync(join(tmpdir(), 'hydrant-crash-'));
    this.#ballast = join(this.directory, 'ballast');
    this.kind = this.#isMounted() ? 'tmpfs' : 'rlimit';
  }

  /** `pid`: who is to have no room. */
  fill(pid: number): void {
    if (this.kind === 'rlimit') this.#limit(pid, '0:unlimited');
    else this.#writeBallast();
  }

  empty(pid: number): void {
    if (this.kind === 'tmpfs') rmSync(this.#ballast, { force: true });
    else if (pid > 0) this.#limit(pid, 'unlimited:unlimited');
  }

  close(): void {
    if (this.kind === 'tmpfs') execFileSync('umount', [this.directory]);
    rmSync(this.directory, { recursive: true, force: true });
  }

  #isMounted(): boolean {
    try {
      const options = ['-t', 'tmpfs', '-o', `size=${BYTES},mode=700`, 'hydrant-crash', this.directory];
      execFileSync('mount', options, { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  }

  #limit(pid: number, bytes: string): void {
    execFileSync('prlimit', [`--pid=${pid}`, `--fsize=${bytes}`]);
  }

  #writeBallast(): void {
    const file = openSync(this.#ballast, 'a');
    try {
      // A large piece that does not fit is written in part; then smaller ones go on.
      for (const bytes of [1_048_576, 4_096]) fillWith(file, Buffer.alloc(bytes));
    } finally {
      closeSync(file);
    }
  }
}

function fillWith(file: number, bytes: Buffer): void {
  try {
    for (;;) writeSync(file, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

/** More than a run of a thousand kills leaves. */
const BYTES = 256 * 1_024 * 1_024;
