import type {
  Discovered,
  DuePage,
  Frontier,
  FrontierSource,
  FrontierTotals,
  HostState,
  Identity,
  Lead,
  PageReport,
  SourceSummary,
  Taken,
  TakeQuestion,
} from '../frontier.ts';
import { URGENT } from '../frontier.ts';
import { CLOCK_SLACK_MS, LONGEST_INTERVAL_MS, LONGEST_REST_MS, nextClass } from '../frontier-rules.ts';
import {
  earliest,
  everyMsOf,
  isTakable,
  type KnownHost,
  type KnownPage,
  type KnownSource,
  readyAt,
  toDuePage,
} from './known.ts';
import { Intake } from './intake.ts';
import type { MemoryRatings } from './ratings.ts';

export class MemoryFrontier implements Frontier {
  readonly sourcesById = new Map<string, KnownSource>();
  readonly counters = { visits: 0, changes: 0, failures: 0 };
  /** Time of the last commit. */
  clock = 0;
  readonly #hosts = new Map<string, KnownHost>();
  readonly #pages = new Map<number, KnownPage>();
  readonly #ratings: MemoryRatings;
  readonly #intake: Intake;
  #nextKey = 1;

  constructor(ratings: MemoryRatings) {
    this.#ratings = ratings;
    this.#intake = new Intake(this.#hosts, this.#pages, ratings);
  }

  async putSource(given: FrontierSource, seeds: readonly Lead[], at: number): Promise<void> {
    const { id, everyMs, maxPages, isPaused } = given;
    const known = this.sourcesById.get(id);
    const fresh = { key: known?.key ?? this.#nextKey++, id, pages: new Set<KnownPage>(), visits: 0, last: undefined };
    const source: KnownSource = known ?? { ...fresh, everyMs, maxPages, isPaused };
    this.sourcesById.set(id, source);
    const isShorter = everyMs !== undefined && everyMs < (source.everyMs ?? Infinity);
    const isResumed = source.isPaused && !isPaused;
    Object.assign(source, { everyMs, maxPages, isPaused });
    for (const page of source.pages) {
      page.host.earliest = 'stale';
      if (isShorter && page.state) page.due = Math.min(page.due, Math.max(at, page.state.visitedAt + everyMs));
      // While it was paused, the others' visits did not look for its links.
      if (isResumed && page.holders.size > 1) forgetBody(page);
    }
    for (const lead of seeds) this.#intake.hold(source, structuredClone(lead), at, { isSeed: true });
  }

  async removeSource(sourceId: string): Promise<void> {
    const source = this.sourcesById.get(sourceId);
    if (!source) return;
    this.sourcesById.delete(sourceId);
    for (const page of source.pages) {
      page.holders.delete(source);
      page.host.earliest = 'stale';
      if (page.holders.size === 0) this.#forget(page);
    }
  }

  async sources(): Promise<SourceSummary[]> {
    return [...this.sourcesById.values()].map((source) => {
      const seeds = [...source.pages].filter((page) => page.holders.get(source) === 0);
      const { id, pages, visits, last } = source;
      return { id, pages: pages.size, visits, nextDue: earliest(seeds.map((page) => page.due)), last };
    });
  }

  async take({ now, atMost, leaseMs, except }: TakeQuestion): Promise<Taken> {
    const pages: DuePage[] = [];
    const held = new Set(except);
    const ready = (): KnownHost[] => [...this.#hosts.values()].filter((host) => !held.has(host.name));
    const open = ready().filter((host) => (readyAt(host) ?? Infinity) <= now);
    for (const host of open.toSorted((one, other) => readyAt(one)! - readyAt(other)! || one.key - other.key)) {
      if (pages.length >= atMost) break;
      if (host.pages.size === 0) this.#hosts.delete(host.name);
      const page = mostUrgent(host, now);
      if (!page) continue;
      host.lease = { pageId: page.id, since: now, until: now + leaseMs };
      pages.push(toDuePage(page));
    }
    const times = ready().flatMap((host) => readyAt(host) ?? []);
    const isMore = times.some((time) => time <= now);
    const pull = [...this.#pages.values()]
      .filter(isTakable)
      .reduce((sum, page) => sum + (page.state?.rate.pull ?? 0), 0);
    return { pages, nextAt: isMore ? undefined : earliest(times), pull };
  }

  async release(pageId: number, state: HostState): Promise<void> {
    this.rest(pageId, structuredClone(state));
  }

  async offer(found: readonly Discovered[], at: number): Promise<number> {
    return this.discover(structuredClone(found), at);
  }

  async hasten(identity: Identity, at: number): Promise<boolean> {
    const page = this.find(identity);
    if (!page) return false;
    page.due = Math.min(page.due, at);
    page.urgency = URGENT.asked;
    page.host.earliest = 'stale';
    return true;
  }

  async look(identity: Identity): Promise<PageReport | undefined> {
    const page = this.find(identity);
    if (!page) return undefined;
    const rivals = isTakable(page) ? [...page.host.pages.values()].filter(isTakable) : [];
    const paused = [...page.holders.keys()].filter((source) => source.isPaused);
    return {
      page: toDuePage(page),
      answers: structuredClone(page.answers),
      pausedSourceIds: paused.toSorted((one, other) => one.key - other.key).map((source) => source.id),
      isHostLeased: page.host.lease !== undefined,
      ahead: Math.min(1_000, rivals.filter((rival) => inOrder(rival, page) < 0).length),
      sameAs: (page.aliasOf ?? page.copyOf)?.url,
    };
  }

  async bringForward(now: number): Promise<number> {
    if (now >= this.clock - CLOCK_SLACK_MS) return 0;
    this.clock = now;
    for (const host of this.#hosts.values()) {
      host.earliest = 'stale';
      if (host.state.notBefore > now + LONGEST_REST_MS) host.state = { ...host.state, notBefore: now };
    }
    const late = [...this.#pages.values()].filter((page) => page.due > now + (everyMsOf(page) ?? LONGEST_INTERVAL_MS));
    for (const page of late) page.due = now;
    return late.length;
  }

  async frontierTotals(now: number): Promise<FrontierTotals> {
    const [pages, hosts] = [[...this.#pages.values()], [...this.#hosts.values()]];
    const open = hosts.filter((host) => host.pages.size > 0 && (readyAt(host) ?? Infinity) <= now);
    return {
      ...this.counters,
      pages: pages.length,
      unvisited: pages.filter((page) => !page.state).length,
      hosts: hosts.length,
      hostsBackingOff: hosts.filter((host) => host.state.backoff > 0).length,
      hostsLeased: hosts.filter((host) => host.lease).length,
      oldestLease: earliest(hosts.flatMap((host) => host.lease?.since ?? [])),
      oldestDue: earliest(open.map((host) => host.earliest as number)),
      dropped: { ...this.#intake.dropped },
    };
  }

  page(id: number): KnownPage | undefined {
    return this.#pages.get(id);
  }

  host(name: string): KnownHost | undefined {
    return this.#hosts.get(name);
  }

  find({ host, hash }: Identity): KnownPage | undefined {
    return this.#intake.find(host, hash);
  }

  /** How many pages are new. `hinter`: the page that says so. */
  discover(found: readonly Discovered[], at: number, hinter?: KnownPage): number {
    const before = this.#pages.size;
    for (const { sourceId, leads } of found) {
      const source = this.sourcesById.get(sourceId);
      if (source) for (const lead of leads) this.#intake.hold(source, lead, at, { hinter });
    }
    return this.#pages.size - before;
  }

  /** The lease of a page that is gone is found by its id. */
  rest(pageId: number, state: HostState): void {
    const leased = [...this.#hosts.values()].find((one) => one.lease?.pageId === pageId);
    const host = leased ?? this.#pages.get(pageId)?.host;
    if (!host) return;
    if (leased) leased.lease = undefined;
    host.state = { ...state };
  }

  /** All pages of the same site whose main text is known. */
  fingerprinted(site: string): KnownPage[] {
    return [...this.#pages.values()].filter((page) => page.fingerprint?.site === site);
  }

  #forget(page: KnownPage): void {
    this.#pages.delete(page.id);
    page.host.pages.delete(page.hash);
    this.#ratings.unlink(page.id);
    if (page.host.pages.size === 0) page.host.furniture = undefined;
    for (const other of this.#pages.values()) {
      if (other.copyOf === page) other.copyOf = undefined;
      if (other.aliasOf === page) other.aliasOf = undefined;
      if (other.hinter === page) other.hinter = undefined;
    }
  }
}

/** The next visit reads the page whatever its bytes are. */
function forgetBody(page: KnownPage): void {
  if (page.state) page.state = { ...page.state, bodyHash: undefined };
}

function mostUrgent(host: KnownHost, now: number): KnownPage | undefined {
  const due = [...host.pages.values()].filter((page) => page.due <= now && isTakable(page));
  const next = nextClass((urgency) => due.some((page) => page.urgency === urgency), host.turn);
  if (next?.isContest) host.turn = (host.turn + 1) % 10;
  return due.filter((page) => page.urgency === next?.urgency).toSorted(inOrder)[0];
}

function inOrder(one: KnownPage, other: KnownPage): number {
  return other.urgency - one.urgency || one.due - other.due || one.id - other.id;
}
