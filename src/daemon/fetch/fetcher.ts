import type { AddressGuard } from './address-guard.ts';
import { type Answer, conditionsOf, isPermanent, redirectTarget, timesOf } from './answer.ts';
import type { Connection, Request } from './connection.ts';
import { Connections } from './connections.ts';
import { allowedAddresses, type Connect, connectorFor } from './connector.ts';
import {
  ExchangeRecord,
  headersOf,
  PAGE,
  type Reading,
  type RequestProfile,
  ROBOTS_TXT,
  SITEMAP,
} from './request-profile.ts';
import {
  type Fetched,
  type Fetcher,
  type FetchFailure,
  FetchProblem,
  type HttpAnswer,
  type PageRequest,
  type RobotsAnswer,
} from './fetched.ts';
import { GET, headersFor, mergedHeaders } from './own-request.ts';
import { Names, type Resolve } from './names.ts';
import { networkProblem } from './network-error.ts';
import { quote } from './printable.ts';
import { calledOff, type Hop, overdue, RedirectChain, refreshed, resolved } from './redirect-chain.ts';
import { bareHost, checkUrl } from './address-guard.ts';
import { outside, type Outside } from '../outside.ts';
import { StartFailure } from '../start-failure.ts';
import { OPEN_HOSTS } from '../../shared/limits.ts';

/**
 * The module that talks to the web, and trusts nothing it says. In comes a URL; out comes a body, decoded and within
 * its limit, or that it has not changed, or the one reason why there is none.
 *
 * Every hop goes the same way: the gate (url-gate: is this a URL to fetch at all), the host's one connection
 * (connections), made to addresses that may be reached (connector), the headers (response: do they promise a page), the
 * body (body: does it stay within its limit). Redirects are followed by hand so that each target passes the gate again,
 * and the caller's own question: may it be followed, by the robots.txt of its host. One deadline spans it all, because
 * every other timer starts anew with each byte that a server drips.
 *
 * Connections are kept for seconds only, since a host is given its pages one after the other and then none for long. A
 * fetch that is called off or overdue takes its connection along: that is the one thing that ends a server's drip. A
 * kept connection that the server closes as it is used would look like a failure of the page: it is `stale`, and the
 * page has another turn. Decided against undici's Agent, which keeps a pool for each origin and opens a second
 * connection where two want one; HTTP/2, which would change nothing for one request at a time.
 */
export function createFetcher(options: FetcherOptions): Fetcher {
  return new HttpFetcher(options);
}

export interface FetcherOptions {
  readonly guard: AddressGuard;
  readonly userAgent: string;
  /** Milliseconds for one page, from the look-up to the last byte, redirects included. A sitemap has 60 s at least. */
  readonly deadlineMs: number;
  /** The crawl's own look-ups unless given. */
  readonly resolve?: Resolve;
  /** `http://[user:password@]host:port`; without one, the web is reached directly. */
  readonly proxy?: string | undefined;
  /** Renders what is to be rendered. Never rejects. */
  readonly render?: (request: PageRequest, signal: AbortSignal) => Promise<Fetched>;
  readonly outside?: Pick<Outside, 'now'>;
}

/** Hops after the first request. */
const MOST_REDIRECTS = 5;

/** `hydrant/0.1.0 (+https://example.com/bot)`; without a contact, the version alone. */
export function userAgent(version: string, contact: string): string {
  // A line break would end the header and begin another; characters beyond ASCII have no agreed meaning there.
  if (!/^[\x20-\x7e]*$/.test(contact) || /[()]/.test(contact)) {
    const problem = `${quote(contact)} cannot be sent; write a URL or mail address in ASCII, without brackets`;
    throw new StartFailure('configuration', `crawl-contact: ${problem}`);
  }
  return contact === '' ? `hydrant/${version}` : `hydrant/${version} (+${contact})`;
}

class HttpFetcher implements Fetcher {
  readonly #guard: AddressGuard;
  readonly #deadlineMs: number;
  readonly #resolve: Resolve;
  readonly #connections: Connections;
  readonly #connect: Connect;
  readonly #now: () => number;
  readonly #render: FetcherOptions['render'];
  readonly #headers: ReadonlyMap<RequestProfile<unknown>, readonly string[]>;
  readonly #underWay = new Map<AbortController, Promise<unknown>>();
  #closed = false;

  constructor({ guard, userAgent, deadlineMs, proxy, resolve, render, ...options }: FetcherOptions) {
    const clock = options.outside ?? outside;
    const now = (): number => clock.now();
    this.#guard = guard;
    this.#deadlineMs = deadlineMs;
    this.#render = render;
    this.#now = now;
    this.#resolve = resolve ?? new Names({ now }).resolve;
    this.#headers = new Map([PAGE, SITEMAP, ROBOTS_TXT].map((profile) => [profile, headersOf(profile, userAgent)]));
    this.#connect = connectorFor({ guard, resolve: this.#resolve, proxy });
    this.#connections = new Connections({ connect: this.#connect, now, most: OPEN_HOSTS });
  }

  fetch(request: PageRequest, signal: AbortSignal): Promise<Fetched> {
    if (request.render && this.#render) return this.#render(request, signal);
    return this.#run(request.isSitemap === true ? SITEMAP : PAGE, request, signal);
  }

  fetchRobots(url: string, signal: AbortSignal): Promise<RobotsAnswer | FetchFailure> {
    return this.#run(ROBOTS_TXT, { url }, signal);
  }

  async locate(hostname: string): Promise<readonly string[]> {
    try {
      const addresses = await allowedAddresses(bareHost(hostname), this.#guard, this.#resolve);
      return addresses.map(({ address }) => address);
    } catch {
      return [];
    }
  }

  reach(origin: string): Promise<boolean> {
    const { hostname, port, protocol } = new URL(origin);
    const end = new AbortController();
    const promise = new Promise<boolean>((resolve) => {
      // Without TLS, whatever the scheme: that the machine answers is enough.
      const to = { hostname, host: hostname, protocol: 'http:', port: port || (protocol === 'https:' ? '443' : '80') };
      this.#connect(end.signal, () => undefined)(to, (error, socket) => {
        socket?.on('error', () => undefined).destroy();
        resolve(error === null);
      });
    });
    this.#underWay.set(end, promise);
    return promise.finally(() => this.#underWay.delete(end));
  }

  isWaiting(host: string): boolean {
    return this.#connections.isWaiting(host);
  }

  rest(host: string): void {
    this.#connections.rest(host);
  }

  /** Calls off what is under way. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const end of this.#underWay.keys()) end.abort(calledOff());
    await Promise.allSettled(this.#underWay.values());
    await this.#connections.destroy();
  }

  async #run<Outcome>(
    profile: RequestProfile<Outcome>,
    request: PageRequest,
    signal: AbortSignal,
  ): Promise<Outcome | FetchFailure> {
    if (signal.aborted || this.#closed) return calledOff().toFailure();
    const end = new AbortController();
    const onAbort = (): void => end.abort(calledOff());
    const deadlineMs = request.own?.timeoutMs ?? Math.max(this.#deadlineMs, profile.leastDeadlineMs);
    const timer = setTimeout(() => end.abort(overdue(profile, deadlineMs)), deadlineMs);
    signal.addEventListener('abort', onAbort, { once: true });
    const chain = new RedirectChain(profile, request, end.signal);
    const outcome = this.#follow(chain);
    this.#underWay.set(end, outcome);
    try {
      return await outcome;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      this.#underWay.delete(end);
      void chain.route?.destroy();
    }
  }

  /** By the page's own proxy they are the chain's alone, and end with it. */
  #connectionsOf(chain: RedirectChain<unknown>): Connections {
    const proxy = chain.request.own?.proxy;
    if (proxy === undefined) return this.#connections;
    const connect = connectorFor({ guard: this.#guard, resolve: this.#resolve, proxy });
    return (chain.route ??= new Connections({ connect, now: this.#now, most: 1 }));
  }

  async #follow<Outcome>(chain: RedirectChain<Outcome>): Promise<Outcome | FetchFailure> {
    try {
      for (let next = chain.request.url; chain.hops <= MOST_REDIRECTS;) {
        const url = await this.#gate(next, chain);
        chain.begin(url);
        const hop = await this.#hop(chain, url);
        if ('outcome' in hop) return hop.outcome;
        chain.isPermanent &&= hop.isPermanent;
        next = hop.to;
      }
      throw new FetchProblem('redirects', `there are more than ${MOST_REDIRECTS} redirects`);
    } catch (error) {
      if (error instanceof FetchProblem) return error.toFailure(chain.answer);
      throw error;
    }
  }

  /** Where the next hop goes, if it may. */
  async #gate(text: string, chain: RedirectChain<unknown>): Promise<URL> {
    const { request, signal } = chain;
    const isRedirect = chain.hops > 0;
    const checked = checkUrl(text, this.#guard);
    if (!checked.ok)
      throw new FetchProblem(checked.reason, isRedirect ? `redirected: ${checked.detail}` : checked.detail);
    const { url } = checked;
    url.hash = '';
    if (chain.isKnown(url) && !chain.retry())
      throw new FetchProblem('redirects', `the redirects form a loop, back to ${quote(url.href)}`);
    const refusal = isRedirect ? await request.mayFollow?.(url, signal) : undefined;
    signal.throwIfAborted();
    if (refusal) {
      const { reason, detail, leadsTo } = refusal;
      throw new FetchProblem(
        reason,
        `redirected to ${quote(url.href)}: ${detail}`,
        leadsTo === undefined ? {} : { leadsTo },
      );
    }
    return url;
  }

  async #hop<Outcome>(chain: RedirectChain<Outcome>, url: URL): Promise<Hop<Outcome>> {
    const { signal } = chain;
    const connections = this.#connectionsOf(chain);
    const connection = await connections.borrow(url, signal);
    const hangUp = (): void => void connection.destroy(signal.reason as Error);
    signal.addEventListener('abort', hangUp, { once: true });
    let body: Answer | undefined;
    try {
      signal.throwIfAborted();
      const conditions = chain.hops === 1 ? conditionsOf(chain.request.validators ?? {}) : [];
      const usual = [...(this.#headers.get(chain.profile) ?? []), ...conditions, ...chain.cookies.headersFor(url)];
      const request = requestTo(url, usual, chain);
      body = await connection.ask(request);
      return await this.#read(chain, { url, request, connection, body, isConditional: conditions.length > 0 });
    } catch (error) {
      throw signal.aborted ? signal.reason : (networkProblem(error, url, body !== undefined) ?? error);
    } finally {
      signal.removeEventListener('abort', hangUp);
      void connections.giveBack(connection, url.host, body);
    }
  }

  async #read<Outcome>(chain: RedirectChain<Outcome>, visit: Visit): Promise<Hop<Outcome>> {
    const { url, request, connection, body } = visit;
    const head = await body.head;
    const bytesBefore = chain.bytes;
    const answer = (): HttpAnswer => ({
      host: url.host,
      status: head.status,
      ms: Math.max(0, this.#now() - body.startedAt),
      bytes: bytesBefore + body.wireBytes,
      address: connection.address,
      ...timesOf(head.headers, this.#now()),
    });
    const record = chain.request.withExchange === true ? new ExchangeRecord() : undefined;
    const isFirst = chain.hops === 1;
    let refresh: string | undefined;
    const reading: Reading = {
      url,
      head,
      body,
      sent: visit.isConditional ? chain.request.validators : undefined,
      isFirst,
      movedTo: !isFirst && chain.isPermanent ? url.href : undefined,
      record,
      exchange: () => record?.exchange(url, request, head),
      wasReset: () => connection.reset,
      leadOn: (target) => {
        refresh = target;
      },
      answer,
    };
    try {
      const target = redirectTarget(head);
      if (target !== undefined) {
        const to = resolved(target, url);
        chain.redirected(url, new URL(to), head);
        return { to, isPermanent: isPermanent(head) };
      }
      const outcome = await chain.profile.read(reading);
      const to = refresh === undefined ? undefined : refreshed(refresh, url, chain);
      if (to === undefined) return { outcome };
      chain.asking = GET;
      return { to, isPermanent: false };
    } finally {
      chain.answer = answer();
      chain.bytes += body.wireBytes;
    }
  }
}

/** What of a page's own is for this address: headers and body for its own origin alone. */
function requestTo(url: URL, usual: readonly string[], { request: { own }, asking }: RedirectChain<unknown>): Request {
  const path = url.pathname + url.search;
  if (!own) return { path, headers: usual };
  const { 'content-type': type, ...others } = headersFor(own, url.href);
  const secrets = { ...others, ...(type !== undefined && asking.body !== undefined && { 'content-type': type }) };
  const named = own.userAgent === undefined ? {} : { 'user-agent': own.userAgent };
  return {
    path,
    headers: mergedHeaders(usual, { ...named, ...secrets }),
    method: asking.method,
    body: asking.body,
    patienceMs: own.timeoutMs,
    ownNames: Object.keys(secrets),
  };
}

interface Visit {
  readonly url: URL;
  readonly request: Request;
  readonly connection: Connection;
  readonly body: Answer;
  readonly isConditional: boolean;
}
