import {
  type Discovered,
  type DuePage,
  type FailingPage,
  type Frontier,
  failingSince,
  type FrontierSource,
  type FrontierTotals,
  type HostState,
  type Identity,
  type Lead,
  type MovedPage,
  type PageReport,
  type SourceSummary,
  type Taken,
  type TakeQuestion,
  type UnhealthyHost,
  URGENT,
} from '../../../src/daemon/storage/frontier.ts';
import {
  CLOCK_SLACK_MS,
  hostClass,
  LONGEST_INTERVAL_MS,
  nextClass,
  restAfterClock,
} from '../../../src/daemon/storage/frontier-rules.ts';
import {
  ClassRoom,
  earliest,
  everyMsOf,
  isTakable,
  type KnownHost,
  type KnownPage,
  type KnownSource,
  newSource,
  placesOf,
  readyAt,
  toDuePage,
  visitedNow,
} from './known.ts';
import { Admission } from './admission.ts';
import { failingWatch, isUnhealthy, unhealthy } from './known-watches.ts';
import type { MemoryRatings } from './ratings.ts';

export class MemoryFrontier implements Frontier {
  readonly sourcesById = new Map<string, KnownSource>();
  readonly counters = { visits: 0, changes: 0, failures: 0 };
  /** That of the last lease. */
  lastToken = 0;
  /** Time of the last commit. */
  clock = 0;
  readonly #hosts = new Map<string, KnownHost>();
  readonly #pages = new Map<number, KnownPage>();
  readonly #admission: Admission;
  #nextKey = 1;

  constructor(ratings: MemoryRatings) {
    this.#admission = new Admission(this.#hosts, this.#pages, ratings);
  }

  async putSource(given: FrontierSource, seeds: readonly Lead[], at: number): Promise<void> {
    const { id, everyMs, maxPages, isPaused } = given;
    const terms = { everyMs, maxPages, isPaused };
    const known = this.sourcesById.get(id);
    const source = known ?? newSource(this.#nextKey++, id, terms);
    this.sourcesById.set(id, source);
    const isResumed = source.isPaused && !isPaused;
    const isShorter = everyMs !== undefined && everyMs < (source.everyMs ?? Infinity);
    if (maxPages > source.maxPages) source.fullAt = undefined;
    Object.assign(source, terms);
    // First of all: what the new terms say holds for them too.
    this.#admission.take(source, structuredClone(seeds), at, { isSeed: true });
    for (const page of source.pages) {
      page.host.earliest = 'stale';
      if (isShorter && page.state) page.due = Math.min(page.due, page.state.visitedAt + everyMs);
      // While it was paused, the others' visits did not look for its links.
      if (given.isWider === true || (isResumed && page.holders.size > 1)) forgetBody(page);
    }
  }

  async removeSource(sourceId: string): Promise<void> {
    const source = this.sourcesById.get(sourceId);
    if (!source) return;
    this.sourcesById.delete(sourceId);
    for (const page of source.pages) {
      page.holders.delete(source);
      page.host.earliest = 'stale';
      if (page.holders.size === 0) this.#admission.forget(page);
    }
    this.#admission.forgetSource(source, this.clock);
  }

  async sources(): Promise<SourceSummary[]> {
    return [...this.sourcesById.values()].map((source) => {
      const seeds = [...source.pages].filter((page) => page.holders.get(source) === 0);
      const { id, visits, last } = source;
      return { id, pages: placesOf(source).taken, visits, nextDue: earliest(seeds.map((page) => page.due)), last };
    });
  }

  async take(question: TakeQuestion): Promise<Taken> {
    const { now, atMost, leaseMs, except } = question;
    const pages: DuePage[] = [];
    const room = new ClassRoom(question);
    for (const host of this.open(now, readyAt)) {
      if (pages.length >= atMost) break;
      if (except.includes(host.name) || room.isFull(host)) continue;
      const { page, isContest } = mostUrgent(host, now);
      if (!page) continue;
      room.take(host);
      const token = (this.lastToken += 1);
      host.lease = { holder: page.id, token, since: now, until: now + leaseMs, isContest };
      pages.push({ ...toDuePage(page), lease: token });
    }
    const known = [...this.#pages.values()].filter(isTakable);
    const pull = known.reduce((sum, page) => sum + (page.state?.rate.pull ?? 0), 0);
    return { pages, nextAt: this.nextAt(question, room, readyAt), pull };
  }

  async release(pageId: number, state: HostState, lease?: number): Promise<void> {
    if (!this.isFenced(pageId, lease)) this.rest(pageId, structuredClone(state));
  }

  /** Whether the lease that was given with this token is over, or another one has taken its place. */
  isFenced(pageId: number, token: number | undefined): boolean {
    if (token === undefined) return false;
    const host = this.#pages.get(pageId)?.host ?? this.#leasedFor(pageId);
    return host?.lease?.token !== token;
  }

  async offer(found: readonly Discovered[], at: number): Promise<number> {
    return this.discover(structuredClone(found), at);
  }

  async prioritize(identity: Identity, at: number): Promise<boolean> {
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
      const notBefore = restAfterClock(host.state, now);
      if (notBefore !== undefined) host.state = { ...host.state, notBefore };
    }
    const late = [...this.#pages.values()].filter((page) => page.due > now + (everyMsOf(page) ?? LONGEST_INTERVAL_MS));
    for (const page of this.#pages.values())
      if (page.state && page.state.visitedAt > now) visitedNow(page, page.state, now);
    for (const page of late) page.due = now;
    for (const source of this.sourcesById.values()) {
      if (source.last) source.last = { ...source.last, at: Math.min(source.last.at, now) };
      if (source.fullAt !== undefined) source.fullAt = Math.min(source.fullAt, now);
    }
    this.#admission.bringForward(now);
    return late.length;
  }

  async tidy(now: number): Promise<void> {
    this.#admission.forgetEmptyHosts(now);
  }

  async frontierTotals(now: number): Promise<FrontierTotals> {
    const [pages, hosts] = [[...this.#pages.values()], [...this.#hosts.values()]];
    return {
      ...this.counters,
      pages: pages.length,
      unvisited: pages.filter((page) => !page.state).length,
      hosts: hosts.length,
      hostsBackingOff: hosts.filter((host) => host.state.backoff > 0).length,
      hostsLeased: hosts.filter((host) => host.lease).length,
      oldestLease: earliest(hosts.flatMap((host) => host.lease?.since ?? [])),
      oldestDue: this.longestWait(now, readyAt),
      dropped: { ...this.#admission.dropped },
    };
  }

  async unhealthyHosts(atMost: number): Promise<readonly UnhealthyHost[]> {
    const hosts = [...this.#hosts.values()].filter(isUnhealthy).map(unhealthy);
    const order = ({ readyAt: at = Infinity }: UnhealthyHost): number => at;
    return hosts.toSorted((one, other) => order(one) - order(other)).slice(0, atMost);
  }

  async failingPages(atMost: number): Promise<readonly FailingPage[]> {
    const seeds = this.#seeds().flatMap(({ id, page }) => failingSeed(id, page) ?? []);
    const watches = [...this.#hosts.values()]
      .flatMap(({ watches: some }) => Array.from(some))
      .toSorted((one, other) => one.key - other.key);
    return [...seeds, ...watches.flatMap((watch) => failingWatch(watch) ?? [])].slice(0, atMost);
  }

  async movedPages(atMost: number): Promise<readonly MovedPage[]> {
    const moved = this.#seeds().flatMap(({ id, page: { url, answers } }) => {
      const { at = 0, movedTo } = answers[0] ?? {};
      return movedTo === undefined ? [] : [{ id, url, movedTo, at }];
    });
    return moved.slice(0, atMost);
  }

  /** The own URLs of sources that are not paused. */
  #seeds(): { readonly id: string; readonly page: KnownPage }[] {
    return [...this.sourcesById.values()].flatMap((source) => {
      const own = [...source.pages].filter((page) => page.holders.get(source) === 0);
      return source.isPaused ? [] : own.map((page) => ({ id: source.id, page }));
    });
  }

  page(id: number): KnownPage | undefined {
    return this.#pages.get(id);
  }

  host(name: string): KnownHost | undefined {
    return this.#hosts.get(name);
  }

  find({ host, hash }: Identity): KnownPage | undefined {
    return this.#admission.find(host, hash);
  }

  /** How many pages are new. `hintedBy`: the page that says so. */
  discover(found: readonly Discovered[], at: number, hintedBy?: KnownPage): number {
    const before = this.#admission.added;
    for (const { sourceId, leads } of found) {
      const source = this.sourcesById.get(sourceId);
      if (source && this.#admission.take(source, leads, at, { hintedBy })) this.#admission.forgetEmptyHosts(this.clock);
    }
    return this.#admission.added - before;
  }

  /** The lease of a page that is gone is found by its id. */
  rest(pageId: number, state: HostState): void {
    this.endLease(pageId, this.#pages.get(pageId)?.host, state);
  }

  /**
   * Ends the lease that was given for this page or watch, and keeps what its host can bear, where that was seen. `known`:
   * its host, unless it is gone itself.
   */
  endLease(holder: number | string, known: KnownHost | undefined, state: HostState | undefined): void {
    const host = known ?? this.#leasedFor(holder);
    if (!host) return;
    host.state = state ?? host.state;
    if (host.lease?.holder !== holder) return;
    if (host.lease.isContest) host.turn = (host.turn + 1) % 10;
    host.lease = undefined;
  }

  #leasedFor(holder: number | string): KnownHost | undefined {
    return [...this.#hosts.values()].find((host) => host.lease?.holder === holder);
  }

  /** Watches share hosts with pages. */
  hostFor(name: string): KnownHost {
    return this.#admission.host(name);
  }

  forgetEmptyHosts(): void {
    this.#admission.forgetEmptyHosts(this.clock);
  }

  /** All pages of the same site whose main text is known. */
  fingerprinted(group: string): KnownPage[] {
    return [...this.#pages.values()].filter((page) => page.fingerprint?.group === group);
  }

  /** Hosts that may be asked, longest-waiting first. `readyOf`: from when on something of a host can be taken. */
  open(now: number, readyOf: ReadyOf): KnownHost[] {
    const open = [...this.#hosts.values()].flatMap((host) => {
      const ready = readyOf(host) ?? Infinity;
      return ready <= now && (host.lease?.until ?? 0) <= now ? [{ host, ready }] : [];
    });
    return open
      .toSorted((one, other) => one.ready - other.ready || one.host.key - other.host.key)
      .map(({ host }) => host);
  }

  /** Since when the host waits that has waited longest, but for failing ones. */
  longestWait(now: number, readyOf: ReadyOf): number | undefined {
    const host = this.open(now, readyOf).find(({ state }) => hostClass(state) !== 'failing');
    return host && readyOf(host);
  }

  nextAt({ now, except }: TakeQuestion, room: ClassRoom, readyOf: ReadyOf): number | undefined {
    const others = [...this.#hosts.values()].filter((host) => !except.includes(host.name) && room.isWanted(host));
    const times = others.flatMap((host) => {
      const time = Math.max(readyOf(host) ?? Infinity, host.lease?.until ?? 0);
      return time <= now && room.isFull(host) ? [] : [time];
    });
    const next = earliest(times) ?? Infinity;
    return next <= now || next === Infinity ? undefined : next;
  }
}

type ReadyOf = (host: KnownHost) => number | undefined;

/** The next visit reads the page whatever its bytes are. */
function forgetBody(page: KnownPage): void {
  if (page.state) page.state = { ...page.state, bodyHash: undefined };
}

function failingSeed(id: string, { url, state, answers }: KnownPage): FailingPage | undefined {
  const [newest] = answers;
  if (newest === undefined || state === undefined || state.failures === 0) return undefined;
  const { at, reason = 'failed', status, detail } = newest;
  const { failures } = state;
  return { kind: 'source', id, url, reason, status, detail, failures, at, since: failingSince(answers, failures) };
}

function mostUrgent(host: KnownHost, now: number): { page: KnownPage | undefined; isContest: boolean } {
  const due = [...host.pages.values()].filter((page) => page.due <= now && isTakable(page));
  const next = nextClass((urgency) => due.some((page) => page.urgency === urgency), host.turn);
  const [page] = due.filter((one) => one.urgency === next?.urgency).toSorted(inOrder);
  return { page, isContest: next?.isContest ?? false };
}

function inOrder(one: KnownPage, other: KnownPage): number {
  return other.urgency - one.urgency || one.due - other.due || one.id - other.id;
}
