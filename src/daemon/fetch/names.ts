import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { open, stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import { FetchProblem } from './fetched.ts';
import { CACHED_NAMES, HOSTS_FILE_BYTES } from '../../shared/limits.ts';

/** All addresses of a host. Rejects, or answers with none, for a name that has none. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** The system's resolver, for a person at a terminal: with search domains, mDNS and whatever else is configured. */
export const systemResolve: Resolve = (hostname) => systemLookup(hostname, { all: true });

/**
 * The crawl's own look-ups. A name comes in, its addresses go out: those of the hosts file, or those that a name
 * server gave, for as long as it said they hold. At least 30 seconds, or each page would cost a look-up; at most an
 * hour, or a site that has moved would be asked for at its old address all day. That there is none holds five
 * minutes; that nobody answered, half a minute.
 *
 * Decided against getaddrinfo, which the system's resolver means: it occupies threads that disk and zlib need too, and
 * does not tell how long an answer holds. So search domains, mDNS and split DNS by plug-in do not hold here; the hosts
 * file and the name servers of the system do.
 */
export class Names {
  readonly #now: () => number;
  readonly #hosts: Pick<HostsFile, 'addresses'>;
  readonly #lookup: Lookup;
  readonly #most: number;
  /** The one asked for last at the end. */
  readonly #known = new Map<string, Known>();

  constructor({ now, lookup = nameServers(), hosts = new HostsFile({ now }), most = CACHED_NAMES }: NamesOptions) {
    this.#now = now;
    this.#lookup = lookup;
    this.#hosts = hosts;
    this.#most = most;
  }

  readonly resolve: Resolve = async (hostname) => {
    const name = hostname.toLowerCase().replace(/\.$/, '');
    const local = await this.#hosts.addresses(name);
    if (local) return local;
    if (name === 'localhost' || name.endsWith('.localhost')) return LOOPBACK;
    const known = this.#known.get(name);
    this.#known.delete(name);
    const fresh = known && this.#holds(known) ? known : this.#ask(name);
    this.#known.set(name, fresh);
    this.#forget();
    return await fresh.addresses;
  };

  /** Not when the clock was ahead as it was asked for, either. */
  #holds({ until }: Known): boolean {
    const left = until - this.#now();
    return until === Infinity || (left > 0 && left <= MOST_MS);
  }

  /** One look-up a name at a time, for all who wait for it. */
  #ask(name: string): Known {
    const asked: Known = { addresses: this.#found(name, (ms) => (asked.until = this.#now() + ms)), until: Infinity };
    // Who asked hears of it; nobody else has to.
    asked.addresses.catch(() => undefined);
    return asked;
  }

  async #found(name: string, holdFor: (ms: number) => void): Promise<readonly ResolvedAddress[]> {
    const answers = await Promise.all([this.#family(name, 4), this.#family(name, 6)]);
    const addresses = answers.flatMap(({ found }) => found);
    const failure = answers.find(({ error }) => error !== undefined && !NONE.has(error))?.error;
    if (addresses.length > 0) {
      const ttl = Math.min(...addresses.map(({ ttl }) => ttl)) * 1_000;
      // Half an answer is good enough for now.
      holdFor(failure === undefined ? Math.min(Math.max(ttl, LEAST_MS), MOST_MS) : LEAST_MS);
      return addresses.map(({ address, family }) => ({ address, family }));
    }
    holdFor(failure === undefined ? NONE_MS : LEAST_MS);
    throw problem(name, failure);
  }

  async #family(name: string, family: 4 | 6): Promise<Answered> {
    try {
      const found = (await this.#lookup(name, family)).slice(0, MOST_ADDRESSES);
      return { found: found.map(({ address, ttl }) => ({ address, ttl, family })), error: undefined };
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'EBADRESP';
      return { found: [], error: code };
    }
  }

  #forget(): void {
    for (const name of this.#known.keys()) {
      if (this.#known.size <= this.#most) return;
      this.#known.delete(name);
    }
  }
}

export interface NamesOptions {
  readonly now: () => number;
  /** The system's name servers unless given. */
  readonly lookup?: Lookup;
  readonly hosts?: Pick<HostsFile, 'addresses'>;
  /** Names that are remembered. */
  readonly most?: number;
}

/** The addresses of one family; `ttl` in seconds. Rejects with a code of `node:dns`. */
export type Lookup = (name: string, family: 4 | 6) => Promise<readonly { address: string; ttl: number }[]>;

/** Asks these name servers (`address[:port]`), or those of the system. */
export function nameServers(servers?: readonly string[]): Lookup {
  let resolver = newResolver(servers);
  return async (name, family) => {
    const asked = resolver;
    try {
      return await withinTime(family === 4 ? asked.resolve4(name, { ttl: true }) : asked.resolve6(name, { ttl: true }));
    } catch (error) {
      // The machine may have moved to another network since its name servers were read.
      if (isSilence(error) && asked === resolver) resolver = newResolver(servers);
      throw error;
    }
  };
}

function newResolver(servers?: readonly string[]): Resolver {
  const resolver = new Resolver({ timeout: TRY_MS, tries: 2 });
  if (servers) resolver.setServers(servers);
  return resolver;
}

/** c-ares asks each server in turn, and a machine may have many. */
async function withinTime<T>(looking: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const silence = Object.assign(new Error('no answer'), { code: 'ETIMEOUT' });
  const timer = setTimeout(() => reject(silence), LOOKUP_MS);
  try {
    return await Promise.race([looking, promise]);
  } finally {
    clearTimeout(timer);
  }
}

interface Known {
  readonly addresses: Promise<readonly ResolvedAddress[]>;
  /** Milliseconds since 1970; infinite while it is being looked up. */
  until: number;
}

interface Answered {
  readonly found: readonly (ResolvedAddress & { readonly ttl: number })[];
  readonly error: string | undefined;
}

const LOOPBACK: readonly ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** Of one family; four are tried. An answer may have four thousand, and its zone as many names as it likes. */
const MOST_ADDRESSES = 8;
const LEAST_MS = 30_000;
const MOST_MS = 3_600_000;
const NONE_MS = 300_000;
/** Less than a connection may take with its look-up, so that the reason is told. */
const LOOKUP_MS = 4_000;
const TRY_MS = 1_500;

/** No such name; no address of this family. */
const NONE = new Set(['ENOTFOUND', 'ENODATA']);
const SILENCE = new Set(['ETIMEOUT', 'ECONNREFUSED', 'ECANCELLED', 'ENETUNREACH', 'EHOSTUNREACH']);

function isSilence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && SILENCE.has(String(error.code));
}

function problem(name: string, code: string | undefined): FetchProblem {
  if (code === undefined) return new FetchProblem('dns', `no address for ${name}`, { isUnknownName: true });
  if (SILENCE.has(code)) return new FetchProblem('dns', `no name server answered for ${name}`);
  return new FetchProblem('dns', `the look-up of ${name} failed (${code})`);
}

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

interface HostsFileOptions {
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
      hosts.set(key, [...(hosts.get(key) ?? []), { address, family }].slice(0, MOST_OF_A_NAME));
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
const MOST_OF_A_NAME = 16;
