import type { Fetched, Fetcher, FetchFailure, FetchFailureReason, RobotsAnswer } from '../fetch/fetched.ts';
import type { Outside } from '../outside.ts';
import { Reachability } from './reachability.ts';

/**
 * Whether our own network is at fault. When a cable is pulled, every host fails; if each were blamed, all of them would be
 * left alone for hours after it is back. And when hosts are dead, as one in five of any list of feeds is, they are to be punished, and
 * nobody else.
 *
 * It stands before the fetcher: what goes in is its results, what comes out are the same, but that a silence which may be
 * our own network's has become `aborted`, which everyone takes for our own doing: nothing is learnt, nothing recorded, the
 * page stays due, and its host rests for some seconds (`politeness.ts`).
 *
 * Hosts on networks that the operator has opened are a world of their own: a router that answers in the cellar says
 * nothing of the web. Who reaches the web reaches the cellar.
 */
export class OwnNetwork {
  readonly #deps: OwnNetworkDeps;
  readonly #web: Reachability;
  readonly #local: Reachability;

  constructor(deps: OwnNetworkDeps) {
    this.#deps = deps;
    this.#web = new Reachability(deps);
    this.#local = new Reachability(deps);
  }

  /** Since when nobody has answered who used to, ms since 1970; undefined without a doubt. */
  get doubtedSince(): number | undefined {
    return this.#web.doubtedSince ?? this.#local.doubtedSince;
  }

  /** Origins that have answered in a former life of the process. */
  async remember(origins: readonly string[]): Promise<void> {
    await Promise.all(
      origins.map(async (origin) => ((await this.#isLocal(origin)) ? this.#local : this.#web).remember(origin)),
    );
  }

  /** The fetcher as the crawl is to use it. */
  watch(fetcher: Fetcher): Fetcher {
    return {
      fetch: (request, signal) => this.#listen(request.url, () => fetcher.fetch(request, signal)),
      fetchRobots: (url, signal) => this.#listen(url, () => fetcher.fetchRobots(url, signal)),
      locate: (hostname) => fetcher.locate(hostname),
      reach: (origin) => fetcher.reach(origin),
      isWaiting: (host) => fetcher.isWaiting(host),
      rest: (host) => fetcher.rest(host),
      close: () => fetcher.close(),
    };
  }

  async #listen<Result extends Fetched | RobotsAnswer>(
    url: string,
    ask: () => Promise<Result>,
  ): Promise<Result | FetchFailure> {
    const epochs = { web: this.#web.epoch, local: this.#local.epoch };
    const result = await ask();
    const heard = hearing(result);
    if (heard === 'nothing') return result;
    const { origin } = new URL(url);
    const isLocal = await this.#isLocal(origin, result.answer?.address);
    if (heard === 'answer') {
      this.#heard(url, result, isLocal);
      return result;
    }
    // On a network of the operator's own, who refuses is there.
    if (isLocal && result.outcome === 'failed' && result.isRefused === true) return result;
    const isOurs = isLocal ? this.#local.isOurs(origin, epochs.local) : this.#web.isOurs(origin, epochs.web);
    return (await isOurs) ? OURS : result;
  }

  #heard(url: string, { answer }: Fetched | RobotsAnswer, isLocal: boolean): void {
    const { origin, host } = new URL(url);
    // Behind a redirect somebody else has answered.
    const witness = answer?.host === host ? origin : undefined;
    this.#local.heard(isLocal ? witness : undefined);
    if (!isLocal) this.#web.heard(witness);
  }

  async #isLocal(origin: string, address?: string): Promise<boolean> {
    const { isOpened, locate } = this.#deps;
    if (address !== undefined && address !== '') return isOpened(address);
    const addresses = await locate(new URL(origin).hostname);
    return addresses.length > 0 && addresses.every((one) => isOpened(one));
  }
}

export interface OwnNetworkDeps {
  readonly outside: Pick<Outside, 'now'>;
  readonly locate: Fetcher['locate'];
  readonly reach: Fetcher['reach'];
  /** Whether the operator has opened the address by `allow-private`. */
  readonly isOpened: (address: string) => boolean;
  /** Each once a doubt. */
  readonly onDown: () => void;
  readonly onUp: () => void;
}

/**
 * Whether somebody out there said anything just now. What we refuse or call off ourselves says nothing either way. An answer
 * that timed out is a silence, whatever there is of it: it may have come, and ended, before the network did.
 */
function hearing(result: Fetched | RobotsAnswer): 'answer' | 'silence' | 'nothing' {
  if (result.outcome !== 'failed') return 'answer';
  // A name server may have said so long ago; and whoever has links to a thousand dead names is not to stop the crawl.
  if (result.isUnknownName === true) return 'nothing';
  if (SILENCE.has(result.reason)) return 'silence';
  // A connection that is broken off may have been so by a network that goes down.
  if (result.reason === 'reset') return 'nothing';
  return result.answer || !UNASKED.has(result.reason) ? 'answer' : 'nothing';
}

const OURS: FetchFailure = {
  outcome: 'failed',
  reason: 'aborted',
  detail: 'hosts that answered lately do not answer, either: the network of this machine is in doubt',
  isNetworkDoubt: true,
};
const SILENCE: ReadonlySet<FetchFailureReason> = new Set(['dns', 'connect', 'timeout']);
const UNASKED: ReadonlySet<FetchFailureReason> = new Set(['private_address', 'bad_url', 'robots', 'aborted']);
