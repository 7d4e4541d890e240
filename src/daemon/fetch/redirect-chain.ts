import type { Head } from './answer.ts';
import type { Connections } from './connections.ts';
import type { RequestProfile } from './request-profile.ts';
import { FetchProblem, type HttpAnswer, type PageRequest } from './fetched.ts';
import { seconds } from './network-error.ts';
import { type Asking, GET, redirectedRequest } from './own-request.ts';
import { quoteUrl } from './printable.ts';

/** One fetch on its way, over its hops. */
export class RedirectChain<Outcome> {
  readonly profile: RequestProfile<Outcome>;
  readonly request: PageRequest;
  readonly signal: AbortSignal;
  readonly visited = new Set<string>();
  readonly cookies = new ChainCookies();
  /** Connections by a proxy of the page's own. */
  route: Connections | undefined;
  /** What the next hop asks for besides its address. */
  asking: Asking;
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

  constructor(profile: RequestProfile<Outcome>, request: PageRequest, signal: AbortSignal) {
    this.profile = profile;
    this.request = request;
    this.signal = signal;
    this.asking = request.own ?? GET;
  }

  /** A redirect came: what it sets is sent from now on. @throws {FetchProblem} where it leads a body to somebody else */
  redirected(url: URL, to: URL, head: Head): void {
    if (this.cookies.take(url, head)) this.#mayRetry ??= true;
    const next = redirectedRequest(this.asking, head.status, { from: url, to });
    if (next === undefined) {
      const why = `the request is for ${quoteUrl(url.origin)} alone`;
      throw new FetchProblem('redirects', `redirected to ${quoteUrl(to.href)} with its method and body: ${why}`);
    }
    this.asking = next;
  }

  /** Whether the address was asked for before, in the same way. */
  isKnown(url: URL): boolean {
    return this.visited.has(this.#keyOf(url));
  }

  begin(url: URL): void {
    this.visited.add(this.#keyOf(url));
    this.hops += 1;
  }

  /** A form that is sent leads back to its own address often, to be asked for without it. */
  #keyOf({ href }: URL): string {
    return this.asking.method === 'GET' ? href : `${this.asking.method} ${href}`;
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
export function refreshed(
  target: string,
  base: URL,
  { visited }: Pick<RedirectChain<unknown>, 'visited'>,
): string | undefined {
  if (!URL.canParse(target, base.href)) return undefined;
  const url = new URL(target, base);
  url.hash = '';
  return !/^https?:$/.test(url.protocol) || visited.has(url.href) ? undefined : url.href;
}

export function overdue({ limits }: RequestProfile<unknown>, deadlineMs: number): FetchProblem {
  const deadline = `${seconds(deadlineMs)}, the deadline for one page`;
  return new FetchProblem('timeout', `${limits.name} was not complete within ${deadline}`);
}

export function calledOff(): FetchProblem {
  return new FetchProblem('aborted', 'the fetch was cancelled');
}

/**
 * The cookies of one chain of redirects, for the host that set them: some servers set one, lead back to the same address, and
 * look for it. They live as long as the chain. Nothing is kept for the next visit, and no other host is sent any: a crawl
 * that comes back as whoever it was would be told what a reader of that kind is told.
 */
class ChainCookies {
  /** Of each origin, by name. */
  readonly #origins = new Map<string, Map<string, string>>();

  /** Takes what a redirect sets; whether a cookie is new, or has another value. */
  take(url: URL, { headers }: Pick<Head, 'headers'>): boolean {
    const lines = [headers['set-cookie'] ?? []].flat();
    const jar = this.#origins.get(url.origin) ?? new Map<string, string>();
    this.#origins.set(url.origin, jar);
    let isNew = false;
    for (const line of lines) {
      const cookie = cookieOf(line);
      if (cookie === undefined) continue;
      const { name, value, isOver } = cookie;
      if (isOver) jar.delete(name);
      else if (jar.size < MOST_COOKIES || jar.has(name)) {
        isNew ||= jar.get(name) !== value;
        jar.set(name, value);
      }
    }
    return isNew;
  }

  /** Name and value of the header, in turn; nothing where there is no cookie. */
  headersFor(url: URL): readonly string[] {
    const jar = this.#origins.get(url.origin);
    if (!jar || jar.size === 0) return [];
    return ['cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; ')];
  }
}

function cookieOf(
  line: string,
): { readonly name: string; readonly value: string; readonly isOver: boolean } | undefined {
  const [pair = '', ...attributes] = line.split(';');
  const equals = pair.indexOf('=');
  const [name, value] = [pair.slice(0, Math.max(0, equals)).trim(), pair.slice(equals + 1).trim()];
  if (line.length > MOST_CHARACTERS || !TOKEN.test(name) || !VALUE.test(value)) return undefined;
  return { name, value, isOver: attributes.some((attribute) => /^\s*max-age\s*=\s*(?:-|0+\s*$)/i.test(attribute)) };
}

const MOST_COOKIES = 20;
/** As browsers have it, name, value and attributes together. */
const MOST_CHARACTERS = 4_096;
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;
/** Visible ASCII but for what ends a value. */
const VALUE = /^[\x20-\x3a\x3c-\x7e]*$/;
