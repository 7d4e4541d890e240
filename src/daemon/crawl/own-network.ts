import type { Fetched, Fetcher, FetchFailure, FetchFailureReason, RobotsAnswer } from '../fetch/fetched.ts';
import type { Outside } from '../outside.ts';

/**
 * Whether it is us. When a cable is pulled, every host fails: punished one by one, all of them would be left alone for
 * hours after it is back. So three hosts in a row of which none gives any answer, with no answer of another one between,
 * cast doubt on our own network. Then the crawl pauses and tries one host after 10 s, 20 s and so on, up to 5 minutes. The
 * first answer of anyone, also of a request that was under way, ends it.
 *
 * It stands before the fetcher: what goes in is its results, what comes out are the same, but that a silence in doubt has
 * become `aborted`, which everyone takes for our own doing: nothing is learnt, nothing recorded, the page stays due. The one
 * try that each pause ends with is believed, whatever comes of it. So a crawl of nothing but dead hosts goes on, slowly.
 *
 * Decided against: asking a host of our own choice whether the network is there. There is none that would not mind.
 */
export class OwnNetwork {
  readonly #deps: OwnNetworkDeps;
  readonly #silent = new Set<string>();
  #doubt: Doubt | undefined;

  constructor(deps: OwnNetworkDeps) {
    this.#deps = deps;
  }

  /** Since when nobody has answered, ms since 1970; undefined without a doubt. */
  get doubtedSince(): number | undefined {
    return this.#doubt?.since;
  }

  /** How long no page is to be taken; 0 in doubt, when the time has come for one. */
  pauseMs(now: number): number {
    const doubt = this.#doubt;
    if (!doubt) return 0;
    // A pause that is longer than any was begun by a clock that was ahead.
    if (doubt.until > now + MOST_PAUSE_MS) doubt.until = now;
    return Math.max(0, doubt.until - now);
  }

  /** The fetcher as the crawl is to use it. */
  watch(fetcher: Fetcher): Fetcher {
    return {
      fetch: (request, signal) => this.#listen(request.url, () => fetcher.fetch(request, signal)),
      fetchRobots: (url, signal) => this.#listen(url, () => fetcher.fetchRobots(url, signal)),
      locate: (hostname) => fetcher.locate(hostname),
      rest: (host) => fetcher.rest(host),
      close: () => fetcher.close(),
    };
  }

  async #listen<Result extends Fetched | RobotsAnswer>(
    url: string,
    ask: () => Promise<Result>,
  ): Promise<Result | FetchFailure> {
    const isTry = this.#doubt !== undefined && this.pauseMs(this.#deps.outside.now()) === 0;
    const result = await ask();
    const heard = hearing(result);
    if (heard === 'answer') this.#believe();
    return heard === 'silence' && this.#disbelieves(new URL(url).host, isTry) ? OURS : result;
  }

  #believe(): void {
    const doubt = this.#doubt;
    this.#doubt = undefined;
    this.#silent.clear();
    if (doubt?.isTold === true) this.#deps.onUp();
  }

  #disbelieves(host: string, isTry: boolean): boolean {
    const now = this.#deps.outside.now();
    if (!this.#doubt) {
      this.#silent.add(host);
      if (this.#silent.size < SILENT_HOSTS) return false;
      this.#silent.clear();
      this.#doubt = { since: now, until: now + FIRST_PAUSE_MS, pauseMs: FIRST_PAUSE_MS, isTold: false };
      return true;
    }
    if (!isTry) return true;
    const pauseMs = Math.min(2 * this.#doubt.pauseMs, MOST_PAUSE_MS);
    // Three dead links in a row are chance; with a fourth after a pause, it is worth somebody's while to look.
    if (!this.#doubt.isTold) this.#deps.onDown();
    this.#doubt = { ...this.#doubt, until: now + pauseMs, pauseMs, isTold: true };
    return false;
  }
}

export interface OwnNetworkDeps {
  readonly outside: Pick<Outside, 'now'>;
  /** Each once a doubt. */
  readonly onDown: () => void;
  readonly onUp: () => void;
}

interface Doubt {
  readonly since: number;
  until: number;
  readonly pauseMs: number;
  readonly isTold: boolean;
}

/** Whether somebody out there said anything. What we refuse or call off ourselves says nothing either way. */
function hearing(result: Fetched | RobotsAnswer): 'answer' | 'silence' | 'nothing' {
  if (result.outcome !== 'failed' || result.answer) return 'answer';
  // A name server may have said so long ago; and whoever has links to a thousand dead names is not to stop the crawl.
  if (result.isUnknownName === true) return 'nothing';
  if (SILENCE.has(result.reason)) return 'silence';
  return UNASKED.has(result.reason) ? 'nothing' : 'answer';
}

const OURS: FetchFailure = {
  outcome: 'failed',
  reason: 'aborted',
  detail: 'no host can be reached: the network of this machine is in doubt',
};
const SILENCE: ReadonlySet<FetchFailureReason> = new Set(['dns', 'connect', 'timeout']);
const UNASKED: ReadonlySet<FetchFailureReason> = new Set(['private_address', 'bad_url', 'robots', 'aborted']);
const SILENT_HOSTS = 3;
const FIRST_PAUSE_MS = 10_000;
const MOST_PAUSE_MS = 5 * 60_000;
