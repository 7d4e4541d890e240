import { open, stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { ResolvedAddress } from './names.ts';
import { HOSTS_FILE_BYTES } from '../../shared/limits.ts';

/**
 * The names of the machine's hosts file, so that those of a home network work in the crawl as they do elsewhere. Read
 * when a name is first asked for, and again when the file has changed; looked after at most every few seconds.
 */
export class HostsFile {
  readonly #path: string;
  readonly #now: () => number;
  #names: Hosts = new Map();
  #version = '';
  #lookedAt = -Infinity;
  #looking: Promise<void> | undefined;

  constructor({ now, path = SYSTEM_PATH }: HostsFileOptions) {
    this.#now = now;
    this.#path = path;
  }

  /** Undefined for a name that the file does not have. In lower case, without a dot at its end. */
  async addresses(name: string): Promise<readonly ResolvedAddress[] | undefined> {
    if (Math.abs(this.#now() - this.#lookedAt) >= LOOK_MS) {
      this.#looking ??= this.#look();
      await this.#looking;
    }
    return this.#names.get(name);
  }

  async #look(): Promise<void> {
    try {
      const { mtimeMs, size } = await stat(this.#path);
      const version = `${mtimeMs} ${size}`;
      if (version !== this.#version) this.#names = parseHosts(await beginningOf(this.#path));
      this.#version = version;
    } catch {
      // A machine without a hosts file has no names in it.
      this.#names = new Map();
      this.#version = '';
    } finally {
      this.#lookedAt = this.#now();
      this.#looking = undefined;
    }
  }
}

export interface HostsFileOptions {
  readonly now: () => number;
  /** The system's unless given. */
  readonly path?: string;
}

type Hosts = ReadonlyMap<string, readonly ResolvedAddress[]>;

/** `address name name… # comment`, a line each (hosts(5)); what is no such line is passed over. */
export function parseHosts(text: string): Hosts {
  const hosts = new Map<string, ResolvedAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names) {
      const key = name.toLowerCase().replace(/\.$/, '');
      hosts.set(key, [...(hosts.get(key) ?? []), { address, family }].slice(0, MOST_ADDRESSES));
    }
  }
  return hosts;
}

async function beginningOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HOSTS_FILE_BYTES), 0, HOSTS_FILE_BYTES, 0);
    const text = buffer.toString('utf8', 0, bytesRead);
    // The last line of a file that is longer may be half a name.
    return bytesRead < HOSTS_FILE_BYTES ? text : text.slice(0, text.lastIndexOf('\n'));
  } finally {
    await file.close();
  }
}

const SYSTEM_PATH = process.platform === 'win32' ? String.raw`C:\Windows\System32\drivers\etc\hosts` : '/etc/hosts';
const LOOK_MS = 5_000;
const MOST_ADDRESSES = 16;
