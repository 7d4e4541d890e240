import { checkUrl, type Guard } from '../fetch/address-guard.ts';
import type { FetchFailure, MayFollow, MayLoad } from '../fetch/fetched.ts';
import type { Passage } from './egress-proxy.ts';
import { HostTurns } from './host-turns.ts';
import { RENDER_REQUESTS } from '../../shared/limits.ts';

/**
 * What becomes of each request of a page, before the browser makes it: the document and its redirects, scripts, calls of an API.
 * All that the fetcher would ask of a URL is asked of each: is it one to fetch at all (`checkUrl`), does the robots.txt of its
 * host allow it, is it the host's turn. What has no text is answered here, and nobody is asked for it: pictures, styles. What a
 * page needs for no text – frames, media, pings, icons, what is loaded ahead – is refused.
 */
export class RequestGate {
  readonly #deps: GateDeps;
  readonly #turns: HostTurns;
  readonly #refused: GateRefusal[] = [];
  #requests = 0;
  #navigations = 0;

  constructor(deps: GateDeps) {
    this.#deps = deps;
    this.#turns = new HostTurns(deps.now);
  }

  /** Requests that were let through, or would have been. */
  get requests(): number {
    return this.#requests;
  }

  /** Of requests that the page's text may come from, those that were refused; of no more than a hundred. */
  get refused(): readonly GateRefusal[] {
    return this.#refused;
  }

  /** Resolved when it is the request's turn. Never rejects. */
  async decide(request: GateRequest): Promise<Verdict> {
    const { type, isMain } = request;
    const answer = STANDING_IN.get(type);
    if (answer) return { kind: 'answer', ...answer };
    if (!READ.has(type) || (type === 'document' && !isMain)) return { kind: 'refuse' };
    const failure = await this.#failureOf(request);
    if (typeof failure !== 'object') return this.#let(request, failure);
    if (this.#refused.length < MOST_REFUSALS) this.#refused.push({ url: request.url, isMain, failure });
    return { kind: 'refuse' };
  }

  async #let({ url }: GateRequest, crawlDelayMs: number): Promise<Verdict> {
    const parsed = new URL(url);
    try {
      const leave = await this.#turns.enter(parsed.host, crawlDelayMs, this.#deps.signal);
      this.#deps.passage.allow(parsed);
      return { kind: 'let', leave };
    } catch {
      return { kind: 'refuse' };
    }
  }

  /** The crawl delay of its host where it may be made, else why not. */
  async #failureOf({ url: text, isMain }: GateRequest): Promise<FetchFailure | number> {
    const { guard, mayFollow, mayLoad, signal } = this.#deps;
    const checked = checkUrl(withoutFragment(text), guard);
    if (!checked.ok) return { outcome: 'failed', reason: checked.reason, detail: checked.detail };
    this.#requests += 1;
    if (this.#requests > RENDER_REQUESTS) {
      return { outcome: 'failed', reason: 'too_large', detail: `the page makes more than ${RENDER_REQUESTS} requests` };
    }
    if (isMain) {
      this.#navigations += 1;
      const isFirst = this.#navigations === 1;
      if (this.#navigations > MOST_NAVIGATIONS) {
        const detail = `the page leads on more than ${MOST_NAVIGATIONS - 1} times`;
        return { outcome: 'failed', reason: 'redirects', detail };
      }
      // The address itself has passed robots.txt before its turn came; where it leads may be elsewhere.
      const failure = isFirst ? undefined : await mayFollow(checked.url, signal);
      if (failure) {
        return { ...failure, detail: `redirected to ${checked.url.href}: ${failure.detail}` };
      }
    }
    return mayLoad(checked.url, signal);
  }
}

export interface GateDeps {
  readonly guard: Guard;
  readonly passage: Pick<Passage, 'allow'>;
  /** Whether the page itself may lead to there. */
  readonly mayFollow: MayFollow;
  readonly mayLoad: MayLoad;
  readonly now: () => number;
  /** The end of the page. */
  readonly signal: AbortSignal;
}

export interface GateRequest {
  readonly url: string;
  /** As the DevTools protocol names types, in lower case. */
  readonly type: string;
  /** Whether it is for the page itself, and not for a frame or a part. */
  readonly isMain: boolean;
}

export interface GateRefusal {
  readonly url: string;
  readonly isMain: boolean;
  readonly failure: FetchFailure;
}

export type Verdict =
  /** `leave`: when it is over. */
  | { readonly kind: 'let'; readonly leave: () => void }
  | { readonly kind: 'answer'; readonly contentType: string; readonly body: Buffer | string }
  | { readonly kind: 'refuse' };

/** Behind the first one: as many as the fetcher follows. */
const MOST_NAVIGATIONS = 6;
const MOST_REFUSALS = 100;

const READ: ReadonlySet<string> = new Set(['document', 'script', 'xhr', 'fetch', 'preflight']);

/** A page may wait for its styles, or say that a picture is missing. */
const STANDING_IN = new Map([
  ['stylesheet', { contentType: 'text/css', body: '' }],
  [
    'image',
    {
      contentType: 'image/gif',
      body: Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
    },
  ],
]);

function withoutFragment(url: string): string {
  return url.split('#', 1)[0] ?? '';
}
