import type { Outside } from '../outside.ts';
import type { DuePage, HostState, TakeQuestion } from '../storage/frontier.ts';
import { hostClass } from '../storage/frontier-rules.ts';
import { type CrawlFigures, CrawlMeter, type Ended } from './crawl-status.ts';
import type { HostLeases } from '../storage/nodes.ts';
import { VisitHistory } from './visit-history.ts';
import type { CrawlHistory } from '../../shared/api/crawl.ts';
import type { Entry } from './ip-gate.ts';
import type { OwnNetwork } from './own-network.ts';
import { type Leaving, Places } from './places.ts';

/**
 * What keeps moving: takes what is due (pages, watches), one of each host, sends it down its path, and comes back when the
 * next one is. It keeps no list but what is under way: what is due, how long a host rests and why, are the supply's to
 * know, and it learns them in the commit that records a visit. A page that was under way when the process died is simply
 * still due.
 *
 * Nothing that happens to a page ends the loop. What throws is ours: the host is let go with a rest, and the log told.
 *
 * Decided against: a pause when the network is in doubt, or calling off what is under way then, since answers are what ends
 * the doubt; and closing a host's connection after its visit, since the next one may be due in a second: where it is not, the path does.
 */
export class Crawler<Due extends DueWork = DuePage> {
  readonly #deps: CrawlerDeps<Due>;
  readonly #meter: CrawlMeter;
  readonly #history: VisitHistory;
  readonly #inFlight = new Map<string, UnderWay>();
  readonly #places: Places;
  /** When it last looked at the clock; before the first time, whatever the clock says is earlier. */
  #lastLook = Infinity;
  /** Nothing that is learnt can be written down (a full disk): nobody is asked in vain before this. */
  #recordsAt = 0;
  readonly #abort = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  readonly #renewing: NodeJS.Timeout | undefined;
  #gathering: NodeJS.Timeout | undefined;
  #asking: Promise<void> | undefined;
  #askAgain = false;
  #stopping = false;

  constructor(deps: CrawlerDeps<Due>) {
    this.#deps = deps;
    this.#meter = new CrawlMeter(deps.outside.now());
    this.#history = new VisitHistory(deps.outside.now());
    this.#places = new Places(deps.concurrency);
    const { hostLeases } = deps;
    if (hostLeases) this.#renewing = setInterval(() => void this.#renew(hostLeases), hostLeases.ms / 2).unref();
  }

  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** Of the visits of the crawl; checks of watches are not among them. */
  get history(): CrawlHistory {
    return this.#history.read(this.#deps.outside.now());
  }

  get figures(): CrawlFigures {
    const now = this.#deps.outside.now();
    const inFlight = [...this.#inFlight.values()].map(({ host, url, since }) => ({ host, url, ms: now - since }));
    const oldestMs = inFlight.length === 0 ? undefined : Math.max(...inFlight.map(({ ms }) => ms));
    return { ...this.#meter.read(now), inFlight, oldestMs, networkDoubtedSince: this.#deps.network.doubtedSince };
  }

  /** Something may be due that was not: a new source, a freed place. */
  wake(): void {
    if (this.#stopping) return;
    this.#askAgain = true;
    this.#asking ??= this.#turn();
  }

  /** Takes no new page; waits for those under way, and calls off what is not done after `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    const calledOff = setTimeout(() => this.#abort.abort(), graceMs);
    await this.#asking;
    await Promise.all([...this.#inFlight.values()].map(({ done }) => done));
    clearTimeout(this.#timer);
    clearTimeout(this.#gathering);
    clearInterval(this.#renewing);
    clearTimeout(calledOff);
  }

  async #turn(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      while (this.#askAgain && !this.#stopping) {
        this.#askAgain = false;
        this.#sleep(await this.#takeDue());
      }
    } catch (error) {
      this.#deps.onError('the frontier could not be read', error);
      this.#sleep(FAULT_PAUSE_MS);
    } finally {
      this.#asking = undefined;
    }
  }

  /** Starts what is due; answers how long nothing else will be, in milliseconds. */
  async #takeDue(): Promise<number> {
    const { outside, supply } = this.#deps;
    const now = outside.now();
    // What was scheduled by a clock that was ahead would wait until this one has caught up: hours, or a year. And what came
    // due in one moment, since the clock was set or the machine has slept, need not come all at once.
    if (now < this.#lastLook - CLOCK_JITTER_MS || now > this.#lastLook + CLOCK_LEAP_MS) await supply.bringForward(now);
    this.#lastLook = now;
    const pauseMs = this.#faultMs(now);
    const { free: atMost, freeOf: most } = this.#places;
    const idleMs = this.#deps.hostLeases ? SHARED_IDLE_MS : IDLE_MS;
    if (pauseMs > 0 || atMost <= 0) return Math.min(idleMs, pauseMs || idleMs);
    const except = [...this.#inFlight.keys()];
    const leaseMs = this.#deps.hostLeases?.ms ?? LEASE_MS;
    const { pages, nextAt, pull } = await supply.take({ now, atMost, leaseMs, except, most });
    this.#deps.onPull?.(pull);
    for (const page of pages) this.#begin(page, now);
    return Math.min(idleMs, (nextAt ?? Infinity) - now);
  }

  /** How long no visit could be recorded. A clock that was set back does not make it longer. */
  #faultMs(now: number): number {
    const ms = this.#recordsAt - now;
    return ms > 0 && ms <= FAULT_PAUSE_MS ? ms : 0;
  }

  /** At half time, so that one may fail. */
  async #renew(hostLeases: HostLeases): Promise<void> {
    const held = [...this.#inFlight.values()].filter((one) => one.lease !== undefined);
    if (held.length === 0) return;
    const now = this.#deps.outside.now();
    const tokens = held.map(({ host, lease = 0 }) => ({ host, lease }));
    let kept: ReadonlySet<string>;
    try {
      kept = new Set(await hostLeases.renew(tokens, now + hostLeases.ms));
    } catch {
      // What cannot be renewed is over in time, and is not asked for after that.
      return;
    }
    for (const one of held) one.heldSince = kept.has(one.host) ? now : -Infinity;
  }

  /** The process was paused, or the database away: somebody else may be asking the host. */
  #hasLost(host: string): boolean {
    const { hostLeases, outside } = this.#deps;
    const underWay = this.#inFlight.get(host);
    return hostLeases !== undefined && underWay !== undefined && outside.now() >= underWay.heldSince + hostLeases.ms;
  }

  #begin(due: Due, heldSince: number): void {
    const { host, url, lease } = due;
    // The lease is what keeps this from happening. Should it fail, the host is still asked once at a time.
    if (this.#inFlight.has(host)) return;
    const since = this.#deps.outside.now();
    this.#places.take(host, hostClass(due.hostState));
    const looking = setInterval(() => {
      if (this.#isWaiting(host)) this.#releaseSlot(host, 'answer');
      else this.#places.comeBack(host);
    }, QUICK_ANSWER_MS);
    const done = this.#serve(due).finally(() => {
      clearInterval(looking);
      this.#inFlight.delete(host);
      this.#places.end(host);
      this.#freed();
    });
    this.#inFlight.set(host, { host, url, lease, since, heldSince, done, isLocated: false });
  }

  /** Its name is looked up, or it lets us wait. */
  #isWaiting(host: string): boolean {
    return this.#inFlight.get(host)?.isLocated === false || this.#deps.isWaiting?.(host) === true;
  }

  #releaseSlot(host: string, why: Leaving): void {
    if (!this.#places.leave(host, why)) return;
    this.#deps.supply.releaseSlot(host);
    this.#freed();
  }

  /** A place is free. Where others crawl, too, what is due is asked of the database for several of them at once. */
  #freed(): void {
    if (!this.#deps.hostLeases) this.wake();
    else this.#gathering ??= setTimeout(() => this.#gathered(), GATHER_MS).unref();
  }

  #gathered(): void {
    this.#gathering = undefined;
    this.wake();
  }

  async #serve(due: Due): Promise<void> {
    const { gate, visit, outside } = this.#deps;
    try {
      const entry = await gate.enter(new URL(due.url).hostname, due);
      if (entry.opensAt !== undefined) return await this.#putOff(due, entry.opensAt);
      try {
        if (this.#stopping || this.#hasLost(due.host)) return await this.#putOff(due, 0);
        const underWay = this.#inFlight.get(due.host);
        if (underWay) underWay.isLocated = true;
        const meter = this.#meterOf(due);
        // Those that fail wait for few places on purpose, and nobody is late whose host rests.
        const since = Math.max(due.due, due.hostState.notBefore);
        if (hostClass(due.hostState) !== 'failing') this.#begun(meter, outside.now() - since);
        const isOver = (): void => {
          entry.leave();
          this.#places.comeBack(due.host);
          this.#releaseSlot(due.host, 'commit');
        };
        const { report } = await visit(due, this.#abort.signal, isOver);
        meter.ended(report, outside.now());
        if (report && meter === this.#meter) this.#history.ended(report, outside.now());
      } finally {
        entry.leave();
      }
    } catch (error) {
      this.#meterOf(due).fault();
      this.#deps.onError(`the visit of ${due.url} could not be recorded; the page stays due`, error);
      await this.#letGo(due);
    }
  }

  #begun(meter: CrawlMeter, lateMs: number): void {
    meter.began(lateMs);
    if (meter === this.#meter) this.#history.began(lateMs, this.#deps.outside.now());
  }

  async #putOff(due: Due, until: number): Promise<void> {
    const { hostState } = due;
    this.#meterOf(due).putOff();
    await this.#deps.supply.release(due, { ...hostState, notBefore: Math.max(hostState.notBefore, until) });
  }

  /** A visit that could not be recorded stays due. Where that cannot be written either, the lease keeps the host. */
  async #letGo(due: Due): Promise<void> {
    const { url, hostState } = due;
    const notBefore = Math.max(hostState.notBefore, this.#deps.outside.now() + FAULT_REST_MS);
    try {
      await this.#deps.supply.release(due, { ...hostState, notBefore });
    } catch (error) {
      this.#recordsAt = this.#deps.outside.now() + FAULT_PAUSE_MS;
      this.#deps.onError(`the host of ${url} could not be released; its lease expires by itself`, error);
    }
  }

  #meterOf(due: Due): CrawlMeter {
    return this.#deps.meterOf?.(due) ?? this.#meter;
  }

  #sleep(ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#stopping) this.#timer = setTimeout(() => this.wake(), Math.max(ms, LEAST_WAIT_MS));
  }
}

interface UnderWay {
  readonly host: string;
  readonly url: string;
  readonly lease: number | undefined;
  readonly since: number;
  /** When its lease was taken or renewed; −∞: it is over. */
  heldSince: number;
  readonly done: Promise<void>;
  /** Its address is known, and has room for it. */
  isLocated: boolean;
}

/** What is due somewhere, and may be asked for now. */
interface DueWork extends Pick<DuePage, 'url' | 'host' | 'due' | 'hostState' | 'lease'> {
  readonly id: number | string;
}

/** What was taken, by what tells it apart. */
export type Leased<Due extends DueWork = DuePage> = Pick<Due, 'id'> & Pick<DueWork, 'lease'>;

/** Who knows what is due; as the frontier says of its pages. */
export interface Supply<Due extends DueWork = DuePage> {
  take(question: TakeQuestion): Promise<{
    readonly pages: readonly Due[];
    readonly nextAt: number | undefined;
    readonly pull: number;
  }>;
  /** Ends the lease without a visit. */
  release(due: Leased<Due>, host: HostState): Promise<void>;
  /** A visit of the host is under way still, but holds up no other. */
  releaseSlot(host: string): void;
  /** At the start, and after the clock was set. */
  bringForward(now: number): Promise<unknown>;
}

/** Whether a visit may begin now, by the name of its host and what it is for. */
export interface Gate<Due> {
  enter(hostname: string, due: Due): Promise<Entry>;
}

export interface CrawlerDeps<Due extends DueWork = DuePage> {
  readonly supply: Supply<Due>;
  /**
   * One request at most, and the commit or release that ends the lease. Without a report the page was not visited: its host
   * was asked for robots.txt, or the visit was called off. `isOver`: nothing but a commit that can wait is left to do; the
   * place is for another, the host is not.
   */
  readonly visit: (
    due: Due,
    signal: AbortSignal,
    isOver: () => void,
  ) => Promise<{ readonly report?: Ended | undefined }>;
  readonly gate: Gate<Due>;
  readonly network: Pick<OwnNetwork, 'doubtedSince'>;
  /** As `Fetcher.isWaiting`. */
  readonly isWaiting?: (host: string) => boolean;
  readonly outside: Pick<Outside, 'now'>;
  readonly concurrency: number;
  /** Where other nodes crawl, too. */
  readonly hostLeases?: HostLeases | undefined;
  /** Where its figures are counted; undefined: in those of the crawl. */
  readonly meterOf?: (due: Due) => CrawlMeter | undefined;
  /** What all pages together pull at the budget of revisits, at each look. */
  readonly onPull?: (pull: number) => void;
  readonly onError: (what: string, error: unknown) => void;
}

/** Clocks are set back by milliseconds all the time. */
const CLOCK_JITTER_MS = 1_000;
/** Far longer than between two looks, and as long as a check may be late without anyone's noticing. */
const CLOCK_LEAP_MS = 3 * 60_000;
/** Without one, a frontier that does not answer would be asked again and again in a tight loop. */
const FAULT_PAUSE_MS = 10_000;
/** What a visit that cannot be recorded (a full disk) has learnt is lost, a crawl-delay included: this is the longest. */
const FAULT_REST_MS = 60_000;
/** Longer than a visit takes. One that takes longer yet is excepted by name as long as this process holds it. */
const LEASE_MS = 5 * 60_000;
/** Longer than most hosts that are well take for an answer, look-up included; how often one that waits is looked at. */
const QUICK_ANSWER_MS = 500;
/** Looking again once in a while costs nothing, and notices a clock that was set. */
const IDLE_MS = 5_000;
/** Of hosts that other nodes have and let go of nobody is told: a small crawl would stay with the node that has it. */
const SHARED_IDLE_MS = 1_000;
const LEAST_WAIT_MS = 5;
/** A look for one page costs the database as much as one for ten; a place that waits for so long is missed by nobody. */
const GATHER_MS = 25;
