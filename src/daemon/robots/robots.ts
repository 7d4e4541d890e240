import type {
  Fetcher,
  FetchFailure,
  FetchFailureReason,
  HttpAnswer,
  MayFollow,
  MayLoad,
  RobotsAnswer,
} from '../fetch/fetched.ts';
import { quote } from '../fetch/printable.ts';
import type { Outside } from '../outside.ts';
import type { RobotsCopies, RobotsCopy, Unreachable } from '../storage/robots-copies.ts';
import { comparablePath, matches, parseRobots, type RobotsRules, type Rule, wholeLines, written } from './parse.ts';

/**
 * Whether a page may be fetched, by the robots.txt of its host. Nothing is fetched of a host whose file is not known,
 * and asking for it is a request like any other: it takes the turn of the page that needed it. Copies are kept by the
 * storage; the rules of the hosts that were visited last are kept parsed.
 *
 * There is no setting that passes by here: who runs the crawl cannot switch it off.
 */
export class Robots {
  readonly #deps: RobotsDeps;
  readonly #known = new Map<string, Known>();
  readonly #underWay = new Map<string, Promise<Asked>>();
  #cost = 0;
  #refused = 0;

  constructor(deps: RobotsDeps) {
    this.#deps = deps;
  }

  /** Pages that were refused since the start. */
  get refused(): number {
    return this.#refused;
  }

  /** Asks for the file where it is not known, or no longer; then the answer is `fetched`, and the page waits its turn. */
  async ask(href: string, signal: AbortSignal): Promise<Permission> {
    const url = new URL(href);
    const known = await this.#current(url.origin);
    if (known && this.#isFresh(known)) return this.#permission(known, url);
    const { known: fetched, ...came } = await this.#fetch(url.origin, signal);
    const holds = fetched ?? known;
    const permission = fetched && this.#isClosed(fetched) ? this.#permission(fetched, url) : undefined;
    return {
      kind: 'fetched',
      crawlDelayMs: holds ? crawlDelayMs(holds) : 0,
      sitemaps: fetched?.rules.sitemaps ?? [],
      ...came,
      ...(permission?.kind === 'refused' && { refusal: permission }),
    };
  }

  /** What is known without asking the host. */
  async peek(href: string): Promise<Glance> {
    const url = new URL(href);
    const known = await this.#recall(url.origin);
    if (!known) return { kind: 'unknown' };
    const { askedAt, expiresAt } = known.copy;
    const { kind, detail } = this.#verdict(known, url);
    const isCurrent = this.#isFresh(known);
    return { kind, detail, crawlDelayMs: crawlDelayMs(known), askedAt, expiresAt, isFresh: isCurrent };
  }

  /** The sitemaps that the file of this origin names, as it is known without asking the host; undefined: it is not. */
  async sitemaps(href: string): Promise<NamedSitemaps | undefined> {
    const known = await this.#recall(new URL(href).origin);
    return known && { sitemaps: known.rules.sitemaps, readAt: known.copy.askedAt };
  }

  /** For redirects, which may lead to hosts that are not known yet. */
  readonly mayFollow: MayFollow = async (url, signal) => {
    const answer = await this.mayLoad(url, signal);
    return typeof answer === 'number' ? undefined : answer;
  };

  /** For the parts of a page that is rendered. */
  readonly mayLoad: MayLoad = async (url, signal) => {
    let permission = await this.ask(url.href, signal);
    // Twice, should its first asker have been called off meanwhile.
    for (
      let tries = 0;
      permission.kind === 'fetched' && permission.failure?.reason !== 'stale' && tries < 2;
      tries += 1
    ) {
      permission = await this.ask(url.href, signal);
    }
    if (permission.kind === 'allowed') return permission.crawlDelayMs;
    // Nothing was learnt of the page that redirects here, either: it has another turn.
    if (permission.kind === 'fetched' && permission.failure) return permission.failure;
    const detail = permission.kind === 'refused' ? permission.detail : `robots.txt of ${url.host} cannot be fetched`;
    return { outcome: 'failed', reason: 'robots', detail };
  };

  #permission(known: Known, url: URL): Permission {
    const { kind, reason, detail } = this.#verdict(known, url);
    if (kind === 'allowed') return { kind, crawlDelayMs: crawlDelayMs(known) };
    this.#refused += 1;
    return { kind, reason, detail, until: known.copy.expiresAt };
  }

  #isClosed({ copy }: Known): boolean {
    return closedBy(copy, this.#deps.outside.now()) !== undefined;
  }

  #verdict({ copy, rules }: Known, url: URL): Verdict {
    const name = `robots.txt of ${url.host}`;
    const closed = closedBy(copy, this.#deps.outside.now());
    if (closed)
      return { kind: 'refused', reason: closed.reason, detail: `${name} cannot be fetched: ${closed.detail}` };
    if (!copy.file) return { kind: 'allowed', reason: 'robots', detail: `there is no ${name}` };
    const { isAllowed, rule } = decide(rules, url);
    const by = rule ? ` in line ${rule.line}: ${sentence(rule)}` : '';
    if (isAllowed) return { kind: 'allowed', reason: 'robots', detail: `${name} allows it${by}` };
    return { kind: 'refused', reason: 'robots', detail: `${name} disallows it${by}` };
  }

  #isFresh({ copy }: Known): boolean {
    return isFresh(copy, this.#deps.outside.now());
  }

  /** Of one that is over, another node may have a newer one by now. */
  async #current(origin: string): Promise<Known | undefined> {
    const known = await this.#recall(origin);
    if (known === undefined || this.#isFresh(known)) return known;
    const kept = await this.#deps.copies.robotsCopy(origin);
    // It may have been asked for here, meanwhile.
    const latest = this.#known.get(origin) ?? known;
    return kept && kept.askedAt > latest.copy.askedAt ? this.#remember(kept) : latest;
  }

  async #recall(origin: string): Promise<Known | undefined> {
    const known = this.#known.get(origin);
    if (known) {
      // The last one of the map is the one that was used last.
      this.#known.delete(origin);
      this.#known.set(origin, known);
      return known;
    }
    const copy = await this.#deps.copies.robotsCopy(origin);
    return copy && this.#remember(copy);
  }

  /** One request a host at a time, however many pages wait for it. */
  #fetch(origin: string, signal: AbortSignal): Promise<Asked> {
    const underWay = this.#underWay.get(origin) ?? this.#request(origin, signal);
    this.#underWay.set(origin, underWay);
    return underWay.finally(() => this.#underWay.delete(origin));
  }

  async #request(origin: string, signal: AbortSignal): Promise<Asked> {
    const answer = await this.#deps.fetcher.fetchRobots(`${origin}/robots.txt`, signal);
    const came: Came = answer.outcome === 'failed' ? { failure: answer } : { answer: answer.answer };
    // Our doing and not the host's: nothing was learnt.
    if (signal.aborted || (answer.outcome === 'failed' && NOT_LEARNT.has(answer.reason))) return came;
    const former = await this.#deps.copies.robotsCopy(origin);
    const copy = copyOf(origin, answer, former, this.#deps.outside.now());
    await this.#deps.copies.saveRobotsCopy(copy);
    if (copy.unreachable) this.#deps.onUnreachable(new URL(origin).host, copy.unreachable.detail);
    return { known: this.#remember(copy), ...came };
  }

  #remember({ file, ...copy }: RobotsCopy): Known {
    const rules = parseRobots(file ?? new Uint8Array(), AGENT);
    // Whether there is a file is all that is asked of the copy from now on; its bytes are with the storage.
    const known = { copy: { ...copy, file: file && new Uint8Array() }, rules, cost: costOf(rules) };
    this.#forget(copy.origin);
    this.#known.set(copy.origin, known);
    this.#cost += known.cost;
    for (const origin of this.#known.keys()) {
      if (this.#cost <= MOST_COST || origin === copy.origin) break;
      this.#forget(origin);
    }
    return known;
  }

  #forget(origin: string): void {
    this.#cost -= this.#known.get(origin)?.cost ?? 0;
    this.#known.delete(origin);
  }
}

interface RobotsDeps {
  readonly copies: RobotsCopies;
  readonly fetcher: Pick<Fetcher, 'fetchRobots'>;
  readonly outside: Pick<Outside, 'now'>;
  /** A robots.txt that could not be had, and why. */
  readonly onUnreachable: (host: string, detail: string) => void;
}

export type Permission =
  | { readonly kind: 'allowed'; readonly crawlDelayMs: number }
  | Refused
  /** The host was asked for its robots.txt, and for nothing else. */
  | Met;

/** A word, a sentence, and when it is worth asking again. */
export interface Refused {
  readonly kind: 'refused';
  readonly reason: string;
  readonly detail: string;
  readonly until: number;
}

export interface Met {
  readonly kind: 'fetched';
  readonly crawlDelayMs: number;
  /** Addresses of its sitemaps, as written, each once. */
  readonly sitemaps: readonly string[];
  /** What was answered, or why nothing was that is of use. */
  readonly answer?: HttpAnswer;
  readonly failure?: FetchFailure;
  /** It cannot be had, and there is no copy: the page has had its turn. When the host has rested, it is asked anew. */
  readonly refusal?: Refused;
}

export interface NamedSitemaps {
  /** Addresses, as written, each once. */
  readonly sitemaps: readonly string[];
  /** When the file was asked for, ms since 1970. */
  readonly readAt: number;
}

/** What a robots.txt that was fetched once says of a page. */
type Glance =
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'allowed' | 'refused';
      /** A sentence, with the line that decides. */
      readonly detail: string;
      readonly crawlDelayMs: number;
      readonly askedAt: number;
      readonly expiresAt: number;
      /** Whether it still holds; if not, the file is fetched anew before the page. */
      readonly isFresh: boolean;
    };

interface Verdict {
  readonly kind: 'allowed' | 'refused';
  readonly reason: string;
  readonly detail: string;
}

type Came = Pick<Met, 'answer' | 'failure'>;

interface Asked extends Came {
  readonly known?: Known;
}

interface Known {
  readonly copy: RobotsCopy;
  readonly rules: RobotsRules;
  readonly cost: number;
}

const NOT_LEARNT: ReadonlySet<FetchFailureReason> = new Set(['aborted', 'stale']);
/** Our product token, in robots.txt as in the User-Agent. */
const AGENT = 'hydrant';
/** Longer ones are taken for it: a site of a thousand pages at an hour each is never seen to the end. */
const MOST_CRAWL_DELAY_MS = 60_000;
/** About 32 MB: some ten thousand hosts as they are, or sixty with the longest files. */
const MOST_COST = 32 * 1_024 * 1_024;

function crawlDelayMs({ rules }: Known): number {
  return Math.min((rules.crawlDelay ?? 0) * 1_000, MOST_CRAWL_DELAY_MS);
}

/** Bytes of memory, roughly. */
function costOf({ rules, sitemaps }: RobotsRules): number {
  const ofRules = rules.reduce((sum, { pattern }) => sum + 200 + pattern.length + 40 * pattern.pieces.length, 0);
  return 500 + ofRules + sitemaps.reduce((sum, sitemap) => sum + 40 + sitemap.length, 0);
}

function sentence({ allows, pattern }: Rule): string {
  return quote(`${allows ? 'Allow' : 'Disallow'}: ${written(pattern)}`);
}

/**
 * What an answer means (RFC 9309, 2.3.1). Found: its rules hold for a day. Not there (4xx, or too many redirects):
 * everything is allowed. Anything else – 5xx, 429, no answer at all – is no permission: the last file that came goes on
 * holding, and where there was none, nothing is fetched. After 30 days of that the host is taken for one without a file.
 */
export function copyOf(
  origin: string,
  answer: RobotsAnswer | FetchFailure,
  former: RobotsCopy | undefined,
  now: number,
): RobotsCopy {
  const meaning = meaningOf(answer);
  if (meaning.kind !== 'unreachable') {
    const file = meaning.kind === 'found' ? wholeLines(meaning.file) : undefined;
    return { origin, askedAt: now, expiresAt: now + FRESH_MS, file, unreachable: undefined };
  }
  const { reason, detail } = meaning;
  const since = sinceWhen(former, now);
  // What we refuse ourselves costs nobody a request, and the operator may open it at the next start.
  const waitMs = OURS.has(reason) ? LEAST_RETRY_MS : waitOf(now - since, meaning.retryAfterMs);
  return { origin, askedAt: now, expiresAt: now + waitMs, file: former?.file, unreachable: { since, reason, detail } };
}

/** Not before it was asked for, either: a clock that was ahead would make it last for a year. */
export function isFresh({ askedAt, expiresAt }: RobotsCopy, now: number): boolean {
  return askedAt <= now && now < expiresAt;
}

/** Why nothing of the host may be fetched; undefined when its rules decide. */
export function closedBy({ file, unreachable }: RobotsCopy, now: number): Unreachable | undefined {
  if (file !== undefined || unreachable === undefined) return undefined;
  return now - unreachable.since >= GIVEN_UP_MS ? undefined : unreachable;
}

type Meaning =
  | { readonly kind: 'found'; readonly file: Uint8Array }
  | { readonly kind: 'none' }
  | { readonly kind: 'unreachable'; readonly reason: string; readonly detail: string; readonly retryAfterMs: number };

function meaningOf(answer: RobotsAnswer | FetchFailure): Meaning {
  if (answer.outcome === 'failed') {
    const { reason, detail } = answer;
    return reason === 'redirects' ? { kind: 'none' } : { kind: 'unreachable', reason, detail, retryAfterMs: 0 };
  }
  const { bytes } = answer;
  const { status, retryAfterMs = 0 } = answer.answer;
  // A part, which nobody asked for, may lack the rule that matters.
  if (status >= 200 && status < 300 && status !== 206) return { kind: 'found', file: bytes };
  if (status >= 400 && status < 500 && status !== 429) return { kind: 'none' };
  return { kind: 'unreachable', reason: 'robots', detail: `the server answered ${status}`, retryAfterMs };
}

/** A daemon that was off, or asked for no page of the host, does not know that it could not be reached all the time. */
function sinceWhen(former: RobotsCopy | undefined, now: number): number {
  if (!former?.unreachable || now < former.askedAt || now - former.askedAt > UNKNOWN_MS) return now;
  return former.unreachable.since;
}

/** As long as it has lasted, so each wait is about twice the one before; a server that names a time is given it. */
function waitOf(lastedMs: number, retryAfterMs: number): number {
  const wait = Math.min(Math.max(lastedMs, LEAST_RETRY_MS), MOST_RETRY_MS);
  return Math.min(Math.max(wait, retryAfterMs), FRESH_MS);
}

const OURS: ReadonlySet<string> = new Set(['private_address', 'bad_url']);
const HOUR_MS = 3_600_000;
/** The longest that RFC 9309, 2.4, lets a copy be used without asking again. */
const FRESH_MS = 24 * HOUR_MS;
const LEAST_RETRY_MS = 60_000;
const MOST_RETRY_MS = 6 * HOUR_MS;
const GIVEN_UP_MS = 30 * FRESH_MS;
const UNKNOWN_MS = 7 * FRESH_MS;

/** Whether the rules let a page be fetched, and the rule that says so; none when no rule is about it. */
interface Decision {
  readonly isAllowed: boolean;
  readonly rule: Rule | undefined;
}

/** The most specific rule that matches decides (RFC 9309, 2.2.2); robots.txt itself is always allowed. */
export function decide({ rules }: Pick<RobotsRules, 'rules'>, url: URL): Decision {
  const path = comparablePath(url);
  if (path === '/robots.txt') return { isAllowed: true, rule: undefined };
  const rule = rules.find(({ pattern }) => matches(pattern, path));
  return { isAllowed: rule?.allows ?? true, rule };
}
