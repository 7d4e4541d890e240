import { setTimeout as sleep } from 'node:timers/promises';
import type { Status } from '../../src/shared/api/status.ts';
import { RealDaemon } from '../acceptance/real-daemon.ts';
import { Hosts } from './list/hosts.ts';
import { addressOf, ANSWERING, type Kind, mixed, NAMED_AS, type Terms } from './list/kinds.ts';
import {
  AFTER_OUTAGE_MS,
  type Course,
  deadlineMs,
  delaysOf,
  failuresAllowed,
  longestGap,
  tooOften,
} from './list/verdicts.ts';

/** Times in seconds. */
export interface ListTerms {
  readonly hosts: number;
  readonly watches: number;
  readonly every: number;
  /** How long the list is crawled before our own network fails, and after it is back. */
  readonly before: number;
  readonly after: number;
  readonly outage: number;
  /** What a slow host takes to answer, and for how long a throttling one wants to be left alone. */
  readonly slow: number;
  readonly retryAfter: number;
}

const REST_S = 0.1;
/** The shortest that there is for a watch. */
const WATCH_EVERY_MS = 300_000;

/**
 * `npm run soak -- list [minutes]`: feeds and pages of 300 hosts as people have them, of which three in five are not well,
 * and 100 watches over the same hosts; then our own network fails for two minutes.
 */
export async function list(minutes: number): Promise<string[]> {
  const part = (minutes * 60 - 120) / 2;
  const size = { hosts: 300, watches: 100, every: 20, slow: 5, retryAfter: 120 };
  return crawlList({ ...size, before: part, after: part, outage: 120 });
}

/** The first line says what was seen, the others what is wrong with it. */
export async function crawlList(given: ListTerms): Promise<string[]> {
  const everyMs = given.every * 1_000;
  const terms: Terms = {
    kinds: mixed(given.hosts),
    everyMs,
    // Not a multiple of the interval: else each change would be as old as the last one when it is asked for.
    changeMs: Math.round(2.3 * everyMs),
    slowMs: given.slow * 1_000,
    retryAfterMs: given.retryAfter * 1_000,
  };
  const hosts = await Hosts.start(terms);
  const flags = ['--allow-private', '127.0.0.0/8', '--crawl-host-delay', String(REST_S), '--log-level', 'error'];
  const daemon = await RealDaemon.start([...flags, '--crawl-deadline', String(deadlineMs(terms) / 1_000)]);
  try {
    return await new ListSoak(given, terms, hosts, daemon).run();
  } finally {
    await daemon.dispose();
    await hosts.close();
  }
}

class ListSoak {
  readonly #given: ListTerms;
  readonly #terms: Terms;
  readonly #hosts: Hosts;
  readonly #daemon: RealDaemon;
  readonly #wrong: string[] = [];

  constructor(given: ListTerms, terms: Terms, hosts: Hosts, daemon: RealDaemon) {
    this.#given = given;
    this.#terms = terms;
    this.#hosts = hosts;
    this.#daemon = daemon;
  }

  async run(): Promise<string[]> {
    const { before, after } = this.#given;
    const startedAt = Date.now();
    await this.#add();
    await sleep(before * 1_000);
    const outage = await this.#outage();
    await sleep(after * 1_000);
    const status = await this.#status();
    const endedAt = Date.now();
    const books = await this.#hosts.books();
    const sourcePath = (n: number): string => this.#path(n);
    const course = { terms: this.#terms, books, sourcePath, startedAt, endedAt, outage, restMs: REST_S * 1_000 };
    await this.#checkNames(status, endedAt - startedAt - (outage.to - outage.from));
    return [this.#sumUp(course, outage.firstMs), ...this.#wrong, ...tooOften(course)];
  }

  /** Half of all sources are feeds, half are pages. */
  #path(n: number): string {
    return n % 2 === 0 && this.#terms.kinds[n] === 'well' ? '/feed.xml' : '/';
  }

  #watchedPath(n: number): string | undefined {
    const { hosts, watches } = this.#given;
    return Math.floor((n * watches) / hosts) === Math.floor(((n + 1) * watches) / hosts) ? undefined : '/watched';
  }

  async #add(): Promise<void> {
    const all = [...this.#terms.kinds.keys()];
    const sources = all.map((n) => this.#hosts.urlOf(n, this.#path(n)));
    const terms = ['--every', `${this.#given.every}s`, '--max-pages', '8'];
    await this.#daemon.hydrant(['crawl', 'add', '-', ...terms], sources.join('\n'));
    const watches = all.flatMap((n) => {
      const path = this.#watchedPath(n);
      return path === undefined ? [] : [this.#hosts.urlOf(n, path)];
    });
    await this.#daemon.hydrant(['watch', 'add', '-', '--every', '5m', '--no-wait'], watches.join('\n'));
  }

  async #status(): Promise<Status> {
    return JSON.parse(await this.#daemon.hydrant(['status', '--json'])) as Status;
  }

  /** Everybody falls silent, until the daemon has said so and the time is over. */
  async #outage(): Promise<{ from: number; to: number; firstMs: number }> {
    const blamed = failingHosts(await this.#status());
    const from = Date.now();
    await this.#hosts.fallSilent();
    const end = from + this.#given.outage * 1_000;
    let last = await this.#status();
    for (let isDoubted = false; Date.now() < end || (!isDoubted && Date.now() < end + DOUBT_MS); await sleep(500)) {
      last = await this.#status();
      isDoubted ||= typeof last.crawl.network_doubted_since === 'string';
    }
    if (typeof last.crawl.network_doubted_since !== 'string')
      this.#wrong.push('outage: network_doubted_since is not set');
    const answered = answers(last);
    const to = Date.now();
    await this.#hosts.comeBack();
    let now = last;
    while (answers(now) === answered && Date.now() < to + 2 * AFTER_OUTAGE_MS) now = await this.#status();
    const firstMs = Date.now() - to;
    if (firstMs > AFTER_OUTAGE_MS) this.#wrong.push(`outage: the first visit came ${firstMs} ms after its end`);
    if (now.crawl.network_doubted_since !== null)
      this.#wrong.push('outage: the network is in doubt although a host answers');
    this.#checkBlame(last, blamed, 'during the outage');
    this.#checkBlame(now, blamed, 'after the outage');
    return { from, to, firstMs };
  }

  /** Whoever answers each request is never held for one that does not. */
  #checkBlame(status: Status, before: ReadonlySet<string>, when: string): void {
    const failing = failingHosts(status);
    for (const [n, kind] of this.#terms.kinds.entries()) {
      const name = this.#hosts.nameOf(n);
      if (ANSWERING.has(kind) && failing.has(name)) this.#wrong.push(`${when}: ${kind} ${name} is blamed`);
    }
    const fresh = [...failing].filter((name) => !before.has(name));
    if (before.size > 0 && fresh.length > 0) this.#wrong.push(`${when}: blamed are ${fresh.join(', ')}`);
  }

  async #checkNames(status: Status, activeMs: number): Promise<void> {
    const named = new Map((status.crawl.unhealthy ?? []).map((host) => [host.host, host]));
    const reasonOf = reasonsOfPages(status);
    const allowed = failuresAllowed(activeMs, REST_S * 1_000);
    const reasons = { hosts: new Set<string>(), pages: new Set<string>() };
    for (const [n, kind] of this.#terms.kinds.entries()) {
      const host = named.get(this.#hosts.nameOf(n));
      const url = this.#hosts.urlOf(n, this.#path(n));
      const reason = host?.reason ?? reasonOf.get(url);
      if (reason !== undefined) reasons[host === undefined ? 'pages' : 'hosts'].add(reason);
      if (!isNamedRightly(kind, reason))
        this.#wrong.push(`status names ${kind} ${addressOf(n)} as ${reason ?? 'nothing'}`);
      this.#checkFailures(host?.failures ?? 0, allowed, `${kind} ${addressOf(n)}`);
    }
    const all = asSaid([...reasons.hosts, ...reasons.pages], status);
    await this.#checkSaid(['doctor', '--json'], all);
    await this.#checkSaid(['status'], all);
    await this.#checkSaid(['crawl', 'status'], asSaid([...reasons.hosts], status));
  }

  #checkFailures(failures: number, allowed: number, host: string): void {
    if (failures > allowed) this.#wrong.push(`asked too often: ${host} failed ${failures} times`);
  }

  async #checkSaid(words: readonly string[], all: readonly string[]): Promise<void> {
    const { stdout } = await this.#daemon.run('hydrant', words);
    const missing = all.filter((one) => !stdout.includes(one));
    if (missing.length > 0) this.#wrong.push(`\`hydrant ${words.join(' ')}\` says nothing of ${missing.join(', ')}`);
  }

  #sumUp(course: Course, firstMs: number): string {
    const { everyMs, kinds } = this.#terms;
    const delays = delaysOf(course, (n) => this.#path(n), everyMs);
    const watched = delaysOf(course, (n) => this.#watchedPath(n), WATCH_EVERY_MS);
    for (const [what, some, interval] of [
      ['sources', delays, everyMs],
      ['watches', watched, WATCH_EVERY_MS],
    ] as const) {
      const late = some.filter((ms) => ms > 2 * interval).length;
      const share = late / Math.max(1, some.length);
      if (share > 0.02)
        this.#wrong.push(`${late} of ${some.length} changes of ${what} were not seen within two intervals`);
    }
    if (delays.length === 0) this.#wrong.push('no change was there to be seen');
    const gap = longestGap(course);
    if (gap > 2 * everyMs) this.#wrong.push(`the whole crawl paused for ${gap} ms`);
    for (const [n, kind] of kinds.entries()) {
      const path = this.#watchedPath(n);
      if (kind !== 'well' || path === undefined) continue;
      if (!course.books[n]?.some((ask) => ask.path === path))
        this.#wrong.push(`watch of ${addressOf(n)} was never checked`);
    }
    const well = kinds.filter((kind) => kind === 'well').length;
    const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
    return [
      `${kinds.length} hosts, ${well} of them well, every ${seconds(everyMs)}, ${seconds(course.endedAt - course.startedAt)} in all`,
      `${delays.length} changes seen after ${seconds(quantile(delays, 0.5))} (p50), ${seconds(quantile(delays, 0.98))} (p98), ${seconds(quantile(delays, 0.99))} (p99)`,
      `${watched.length} of watches after ${seconds(quantile(watched, 0.99))} (p99)`,
      `longest gap of all ${seconds(gap)}`,
      `outage of ${seconds(course.outage.to - course.outage.from)}, first visit ${seconds(firstMs)} after its end`,
    ].join('; ');
  }
}

function reasonsOfPages({ crawl }: Status): ReadonlyMap<string, string> {
  const failing = (crawl.failing ?? []).map(({ url, reason }) => [url, reason] as const);
  return new Map([...(crawl.moved ?? []).map(({ url }) => [url, 'moved'] as const), ...failing]);
}

/** How the commands begin to tell of each reason; of what has moved they tell its address. */
function asSaid(reasons: readonly string[], { crawl }: Status): string[] {
  const [moved] = crawl.moved ?? [];
  return reasons.map((reason) => (reason === 'moved' ? `${moved?.url} to ${moved?.to}` : `${reason}: `));
}

function isNamedRightly(kind: Kind, reason: string | undefined): boolean {
  const expected = NAMED_AS[kind];
  return reason === undefined ? expected === undefined : expected?.includes(reason) === true;
}

function failingHosts({ crawl }: Status): Set<string> {
  return new Set((crawl.unhealthy ?? []).filter(({ failures }) => failures > 0).map(({ host }) => host));
}

/** Visits that brought something. */
function answers({ crawl }: Status): number {
  return crawl.visits - crawl.failures;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

/** A connection has five seconds to be made, and so have the witnesses that are asked then; each is given as much again. */
const DOUBT_MS = 30_000;
