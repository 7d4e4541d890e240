import type { Fetched, Fetcher, FetchFailure, FetchFailureReason, RobotsAnswer } from '../fetch/fetched.ts';
import type { Outside } from '../outside.ts';

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

interface OwnNetworkDeps {
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
  detail: 'hosts that answered recently do not answer either: the network of this machine may be down',
  isNetworkDoubt: true,
};
const SILENCE: ReadonlySet<FetchFailureReason> = new Set(['dns', 'connect', 'timeout']);
const UNASKED: ReadonlySet<FetchFailureReason> = new Set(['private_address', 'bad_url', 'robots', 'aborted']);

/**
 * Whether one network can be reached: the web, or those that the operator opened. Hosts that answered lately are its
 * witnesses. A host that gave no answer at all is only blamed once somebody else has answered after it: mostly that is
 * another visit within a second; where nobody is asked just then, a witness is, by a TCP connection that is closed at once.
 * Witnesses take turns, the quickest way ends the question for all who wait for it, and nothing is asked without a silence.
 *
 * Only if the witnesses are silent, too, is the network in doubt. Then no host is blamed: whatever was under way is tried
 * again. The first answer of anyone ends it.
 *
 * Who has no witness, since nobody has ever answered, blames the host: else a list of dead hosts would be tried without end.
 *
 * Decided against: a host of our own choice, which nobody has asked for being asked; and a pause of the crawl, in which
 * those who could end the doubt are not asked.
 */
class Reachability {
  readonly #deps: ReachabilityDeps;
  /** By origin. */
  readonly #witnesses = new Map<string, Witness>();
  #question: Question | undefined;
  #doubtedSince: number | undefined;
  #epoch = 0;
  #heard = 0;

  constructor(deps: ReachabilityDeps) {
    this.#deps = deps;
  }

  /** Since when no witness answers, ms since 1970; undefined without a doubt. */
  get doubtedSince(): number | undefined {
    return this.#doubtedSince;
  }

  /** Doubts that are over: a request that began before the last one ended says nothing of its host. */
  get epoch(): number {
    return this.#epoch;
  }

  get hasAnswered(): boolean {
    return this.#heard > 0;
  }

  /** Makes the origin a witness, as one that answered in a former life of the process. */
  remember(origin: string): void {
    this.#witnesses.delete(origin);
    this.#witnesses.set(origin, { probes: 0 });
    for (const oldest of this.#witnesses.keys()) {
      if (this.#witnesses.size <= MOST_WITNESSES) break;
      this.#witnesses.delete(oldest);
    }
  }

  /** Somebody answered; `origin`: who, where that is known. */
  heard(origin?: string): void {
    this.#heard += 1;
    if (origin !== undefined) {
      const known = this.#witnesses.get(origin);
      this.remember(origin);
      if (known) this.#witnesses.set(origin, known);
    }
    if (this.#doubtedSince !== undefined) {
      this.#doubtedSince = undefined;
      this.#epoch += 1;
      this.#deps.onUp();
    }
    this.#settle(false);
  }

  /**
   * An origin gave no answer to a request that was made in `epoch`. True: that may be the network, and says nothing of it.
   * Resolves within seconds; in doubt after one, so that a machine without a route does not try in a tight loop.
   */
  async isOurs(origin: string, epoch: number): Promise<boolean> {
    if (epoch !== this.#epoch) return true;
    if (this.#doubtedSince !== undefined) {
      await after(GRACE_MS);
      return true;
    }
    const question = (this.#question ??= this.#ask());
    question.silent.add(origin);
    const isOurs = await question.answer;
    // A witness that was silent while others answered is none.
    if (!isOurs) this.#witnesses.delete(origin);
    return isOurs;
  }

  #ask(): Question {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const question: Question = { silent: new Set(), answer: promise, resolve };
    setTimeout(() => void this.#probe(question), GRACE_MS);
    return question;
  }

  /** One witness, and two more where that one does not answer at once. */
  async #probe(question: Question): Promise<void> {
    if (this.#question !== question) return;
    const [first, ...others] = this.#candidates(question).slice(0, MOST_PROBES);
    if (first === undefined) {
      // One host alone casts no doubt; where all that ever answer are silent at once, it is not they.
      this.#conclude(question, this.#witnesses.size > 1);
      return;
    }
    const probing = [this.#reach(first)];
    const isQuick = await Promise.race([probing[0], after(SECOND_PROBE_MS)]);
    if (isQuick !== true) probing.push(...others.map((origin) => this.#reach(origin)));
    const answers = await Promise.all(probing);
    this.#conclude(question, !answers.includes(true));
  }

  async #reach(origin: string): Promise<boolean> {
    const witness = this.#witnesses.get(origin);
    if (witness) witness.probes += 1;
    const isThere = await this.#deps.reach(origin);
    // The others need not be waited for.
    if (isThere) this.heard();
    return isThere;
  }

  /** Those that were asked least, and answered last. */
  #candidates({ silent }: Question): string[] {
    const others = [...this.#witnesses].filter(([origin]) => !silent.has(origin)).toReversed();
    return others.toSorted(([, one], [, other]) => one.probes - other.probes).map(([origin]) => origin);
  }

  #conclude(question: Question, isOurs: boolean): void {
    if (this.#question !== question) return;
    if (isOurs && this.#doubtedSince === undefined) {
      this.#doubtedSince = this.#deps.outside.now();
      this.#deps.onDown();
    }
    this.#settle(isOurs);
  }

  #settle(isOurs: boolean): void {
    this.#question?.resolve(isOurs);
    this.#question = undefined;
  }
}

interface ReachabilityDeps {
  readonly outside: { now(): number };
  /** Whether a connection to the origin can be made; false after a few seconds. Never rejects. */
  readonly reach: (origin: string) => Promise<boolean>;
  /** Each once a doubt. */
  readonly onDown: () => void;
  readonly onUp: () => void;
}

interface Witness {
  probes: number;
}

interface Question {
  /** Origins that wait for the answer. */
  readonly silent: Set<string>;
  readonly answer: Promise<boolean>;
  readonly resolve: (isOurs: boolean) => void;
}

function after(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms));
}

/** How long another visit has to answer before a witness is asked. */
const GRACE_MS = 1_000;
const SECOND_PROBE_MS = 1_000;
const MOST_PROBES = 3;
const MOST_WITNESSES = 16;
