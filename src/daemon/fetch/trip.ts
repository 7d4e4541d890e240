import type { Head } from './answer.ts';
import { ChainCookies } from './chain-cookies.ts';
import type { Errand } from './errand.ts';
import { FetchProblem } from './fetch-problem.ts';
import type { HttpAnswer, PageRequest } from './fetched.ts';
import { seconds } from './network-error.ts';
import { quoteUrl } from './printable.ts';

/** One fetch on its way, over its hops. */
export class Trip<Outcome> {
  readonly errand: Errand<Outcome>;
  readonly request: PageRequest;
  readonly signal: AbortSignal;
  readonly visited = new Set<string>();
  readonly cookies = new ChainCookies();
  /** Requests that were begun. */
  hops = 0;
  /** A redirect has set a cookie, and no address was asked for once more with it. */
  #mayRetry: boolean | undefined;
  /** Whether every redirect so far was permanent. */
  isPermanent = true;
  /** Of the bodies so far, on the wire. */
  bytes = 0;
  /** The last one that came. */
  answer: HttpAnswer | undefined;

  constructor(errand: Errand<Outcome>, request: PageRequest, signal: AbortSignal) {
    this.errand = errand;
    this.request = request;
    this.signal = signal;
  }

  /** A redirect came: what it sets is sent from now on. */
  redirected(url: URL, head: Head): void {
    if (this.cookies.take(url, head)) this.#mayRetry ??= true;
  }

  /** Whether an address that was asked for may be asked once more, because there is a cookie now. Once a chain. */
  retry(): boolean {
    const may = this.#mayRetry === true;
    if (may) this.#mayRetry = false;
    return may;
  }
}

/** What one hop comes to: the end, or where the next one goes. */
export type Hop<Outcome> = { readonly outcome: Outcome } | { readonly to: string; readonly isPermanent: boolean };

/** Where a Location leads. Throws where that is no URL. */
export function resolved(target: string, base: URL): string {
  if (!URL.canParse(target, base.href))
    throw new FetchProblem('redirects', `the redirect to ${quoteUrl(target)} leads nowhere`);
  return new URL(target, base).href;
}

/**
 * Where a page that has come wants to lead at once. Undefined where that is no other page: it is the page that is meant, and no
 * redirect that failed.
 */
export function refreshed(target: string, base: URL, { visited }: Pick<Trip<unknown>, 'visited'>): string | undefined {
  if (!URL.canParse(target, base.href)) return undefined;
  const url = new URL(target, base);
  url.hash = '';
  return !/^https?:$/.test(url.protocol) || visited.has(url.href) ? undefined : url.href;
}

export function overdue({ limits }: Errand<unknown>, deadlineMs: number): FetchProblem {
  const deadline = `${seconds(deadlineMs)}, the deadline for one page`;
  return new FetchProblem('timeout', `${limits.name} was not complete within ${deadline}`);
}

export function calledOff(): FetchProblem {
  return new FetchProblem('aborted', 'the fetch was called off');
}
