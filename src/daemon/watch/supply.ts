import type { Leased, Supply } from '../crawl/crawler.ts';
import {
  type DuePage,
  type Frontier,
  HOST_CLASSES,
  type HostLimits,
  type HostState,
  type Taken,
  type TakeQuestion,
  UNLIMITED,
} from '../storage/frontier.ts';
import { hostClass } from '../storage/frontier-rules.ts';
import type { DueWatch, Watches } from '../storage/watches.ts';
import type { Quota } from './quota.ts';

export type Due = DueWatch | DuePage;

/**
 * What is due, watches and pages: watches first, since somebody has said when. As long as any are active, a quarter of the
 * places is kept free of pages for them, so that a crawl of slow hosts makes no check late; and watches of slow hosts
 * leave an eighth, so that the crawl does not stand still.
 *
 * A watch that is taken has its check of the month reserved, and whoever ends the lease ends the reservation: `release`
 * gives it back, `checked` counts it. A watch with no check left is not handed on; the quota holds its organization.
 */
export class WatchSupply implements Supply<Due> {
  readonly #deps: WatchSupplyDeps;
  /** Whose check is reserved, by the watch. */
  readonly #reserved = new Map<string, string>();
  /** Hosts that are under way for a watch. */
  #hosts = new Set<string>();
  /** Hosts of which a visit or check under way has released its slot. */
  #released = new Set<string>();
  #last: LastLook = { at: 0, again: 0, isWatching: false, isFull: false };
  #mustLook = false;
  /** Until when it looks more often: a host was behind with its watches, or all were late and come bit by bit. */
  #hasteUntil = 0;
  #pull = 0;
  /** When pages were looked for in vain, and until when nobody need look again. */
  #lastEmptyPoll = { at: 0, again: 0 };

  constructor(deps: WatchSupplyDeps) {
    this.#deps = deps;
  }

  async take(question: TakeQuestion): Promise<Omit<Taken, 'pages'> & { readonly pages: readonly Due[] }> {
    const mine: DueWatch[] = [];
    try {
      const nextAt = await this.#takeWatches(question, mine);
      const pages = await this.#takePages(question, mine);
      return { ...pages, pages: [...mine, ...pages.pages], nextAt: earliest(nextAt, pages.nextAt) };
    } catch (error) {
      // Nobody has heard of them: their leases would keep the hosts, and their checks would be gone.
      await Promise.allSettled(mine.map((due) => this.release(due, due.hostState)));
      throw error;
    }
  }

  release({ id, lease }: Leased<Due>, host: HostState): Promise<void> {
    if (typeof id === 'number') return this.#deps.frontier.release(id, host, lease);
    this.#giveBack(id);
    return this.#deps.watches.releaseWatch(id, host, lease);
  }

  /** `counted`: what the commit has answered; undefined when it counted nothing: the watch is gone, or the month used up. */
  checked(id: string, month: string, counted: number | undefined): void {
    const organizationId = this.#reserved.get(id);
    if (organizationId === undefined) return;
    this.#reserved.delete(id);
    if (counted === undefined) void this.#deps.quota.recount(organizationId);
    else this.#deps.quota.settle(organizationId, month, counted);
  }

  releaseSlot(host: string): void {
    this.#released.add(host);
  }

  /** The next `take` looks whenever the last one was: somebody waits for what is due. */
  lookNow(): void {
    this.#mustLook = true;
    this.#lastEmptyPoll = { at: 0, again: 0 };
  }

  /** Answers as `Frontier.bringForward`. */
  async bringForward(now: number): Promise<number> {
    const { frontier, watches } = this.#deps;
    const { active } = await watches.watchTotals(now);
    const spreadMs = Math.min(active * APART_MS, MOST_SPREAD_MS);
    const moved = await watches.rescheduleWatches(now, spreadMs);
    if (moved > 0) this.#hasteUntil = now + spreadMs;
    this.lookNow();
    return frontier.bringForward(now);
  }

  /** Into `mine`; answers when to look for more. */
  async #takeWatches(question: TakeQuestion, mine: DueWatch[]): Promise<number | undefined> {
    const { now, atMost, except } = question;
    this.#hosts = new Set(except.filter((host) => this.#hosts.has(host)));
    this.#released = new Set(except.filter((host) => this.#released.has(host)));
    const { at, again, isWatching } = this.#last;
    if (!this.#mustLook && now >= at && now < again) return isWatching ? again : undefined;
    const places = Math.min(atMost, this.#placesForWatches());
    // Until one of them ends, which wakes the crawler, there is no place for another.
    return places > 0 ? this.#lookForWatches({ ...question, atMost: places }, mine) : undefined;
  }

  async #lookForWatches(question: TakeQuestion, mine: DueWatch[]): Promise<number | undefined> {
    const { now } = question;
    // Those who wait since a look that this one goes on with wait for the next one.
    if (this.#mustLook || !this.#last.isFull) this.#deps.onLook?.();
    // Before it looks: what is added while it does may have come too late for it.
    this.#mustLook = false;
    const { watches, nextAt } = await this.#deps.watches.takeWatches(question);
    for (const watch of watches) if (await this.#reserve(watch)) mine.push(watch);
    for (const { host } of mine) this.#hosts.add(host);
    // Where more may be due than there was room for, the places that are free in a moment are for them.
    const isFull = isUsedUp(question, mine);
    const isHere = watches.length > 0 || nextAt !== undefined || this.#hosts.size > 0;
    const pauseMs = this.#pauseMs(watches, now);
    this.#last = { at: now, again: now + (isFull ? FULL_LOOK_MS : pauseMs), isWatching: isHere, isFull };
    return mine.length < watches.length ? now + pauseMs : nextAt;
  }

  /** Until the next look, after one that has found these. A clock that was set back makes no haste longer. */
  #pauseMs(found: readonly DueWatch[], now: number): number {
    if (found.some((watch) => isBehind(watch, now))) this.#hasteUntil = now + HASTE_MS;
    const hasteMs = this.#hasteUntil - now;
    return hasteMs > 0 && hasteMs <= MOST_SPREAD_MS ? HASTY_LOOK_MS : LOOK_MS;
  }

  #placesForWatches(): number {
    const { concurrency } = this.#deps;
    const underWay = [...this.#hosts].filter((host) => !this.#released.has(host));
    return concurrency - Math.floor(concurrency * KEPT_OF_PAGES) - underWay.length;
  }

  async #takePages(question: TakeQuestion, mine: readonly DueWatch[]): Promise<Taken> {
    const atMost = this.#placesForPages(question, mine.length);
    // Until something ends, which wakes the crawler, there is no place for one.
    if (atMost <= 0) return { pages: [], nextAt: undefined, pull: this.#pull };
    const { now } = question;
    const { at, again } = this.#lastEmptyPoll;
    if (now >= at && now < again) return { pages: [], nextAt: again, pull: this.#pull };
    const except = [...question.except, ...mine.map(({ host }) => host)];
    // Before it looks, as for watches; what is prioritized meanwhile is looked for once more.
    const before = this.#lastEmptyPoll;
    const most = withoutTaken(question.most ?? UNLIMITED, mine);
    const taken = await this.#deps.frontier.take({ ...question, atMost, except, most });
    this.#pull = taken.pull;
    if (before === this.#lastEmptyPoll && this.#isEmptyPoll(question, mine, taken))
      this.#lastEmptyPoll = { at: now, again: now + EMPTY_POLL_MS };
    return taken;
  }

  /** No page is due, and none is under way that could lead to one: a host that a check leaves free can wait for a moment. */
  #isEmptyPoll({ except }: TakeQuestion, mine: readonly DueWatch[], { pages, nextAt }: Taken): boolean {
    return pages.length === 0 && nextAt === undefined && except.length === this.#hosts.size - mine.length;
  }

  #placesForPages({ atMost, except }: TakeQuestion, taken: number): number {
    const free = atMost - taken;
    if (!this.#last.isWatching) return free;
    const { concurrency } = this.#deps;
    const kept = Math.min(Math.max(1, Math.floor(concurrency * KEPT)), concurrency - 1);
    const pagesUnderWay = except.filter((host) => !this.#hosts.has(host) && !this.#released.has(host)).length;
    return Math.min(free, concurrency - kept - pagesUnderWay);
  }

  async #reserve(watch: DueWatch): Promise<boolean> {
    if (this.#deps.quota.reserve(watch.organizationId)) {
      this.#reserved.set(watch.id, watch.organizationId);
      return true;
    }
    await this.#deps.watches.releaseWatch(watch.id, watch.hostState, watch.lease);
    return false;
  }

  #giveBack(id: string): void {
    const organizationId = this.#reserved.get(id);
    if (organizationId === undefined) return;
    this.#reserved.delete(id);
    this.#deps.quota.giveBack(organizationId);
  }
}

export interface WatchSupplyDeps {
  readonly frontier: Pick<Frontier, 'take' | 'release' | 'bringForward'>;
  readonly watches: Pick<Watches, 'takeWatches' | 'releaseWatch' | 'rescheduleWatches' | 'watchTotals'>;
  readonly quota: Pick<Quota, 'reserve' | 'settle' | 'giveBack' | 'recount'>;
  /** Places in all, as the crawler has them. */
  readonly concurrency: number;
  /** What else is for the storage had best go now: it is woken once for both. */
  readonly onLook?: () => void;
}

/** When watches were looked for, when the next time is, whether any are active, and whether there was room for all. */
interface LastLook {
  readonly at: number;
  readonly again: number;
  readonly isWatching: boolean;
  readonly isFull: boolean;
}

/** A host that has several due at once is asked for one after the other, and each waits for a look. */
function isBehind({ due, hostState }: DueWatch, now: number): boolean {
  return now >= due + IN_TIME_MS && hostClass(hostState) !== 'failing';
}

/** Whether all that there was room for is taken, or all of a class. */
function isUsedUp({ atMost, most = UNLIMITED }: TakeQuestion, taken: readonly DueWatch[]): boolean {
  if (taken.length >= atMost) return true;
  const left = withoutTaken(most, taken);
  return HOST_CLASSES.some((one) => most[one] > 0 && left[one] === 0);
}

function withoutTaken(most: HostLimits, taken: readonly DueWatch[]): HostLimits {
  const left = { ...most };
  for (const { hostState } of taken) left[hostClass(hostState)] = Math.max(0, left[hostClass(hostState)] - 1);
  return left;
}

function earliest(one: number | undefined, other: number | undefined): number | undefined {
  const at = Math.min(one ?? Infinity, other ?? Infinity);
  return Number.isFinite(at) ? at : undefined;
}

/** Of the places: those that pages leave free, and those that watches do. */
const KEPT = 1 / 4;
const KEPT_OF_PAGES = 1 / 8;
/**
 * Between two looks for due watches: those that become due meanwhile share one transaction, and their checks another. They
 * are asked for together, too: a request that comes alone finds cold caches, and takes two to three times the processor time
 * (docs/performance.md).
 */
export const LOOK_MS = 1_000;
/** A check that begins within this is as punctual as looks are. */
export const IN_TIME_MS = 2 * LOOK_MS;
/** Between two looks while a host is behind, */
const HASTY_LOOK_MS = 250;
/** and for so long after one was: longer than hosts rest. */
const HASTE_MS = 5_000;
/** Before the places that have become free are filled: each look is a message, and most checks take no longer. */
const FULL_LOOK_MS = 25;
/** Between two looks for pages where there were none: one may wait for a host that a check leaves free. */
const EMPTY_POLL_MS = 1_000;
/** Late watches are given places: fifty a second, and all within five minutes, the shortest interval there is. */
const APART_MS = 20;
const MOST_SPREAD_MS = 5 * 60_000;
