import { Client, type Dispatcher } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import { guardedConnector, systemResolve, type AbortableConnector, type Resolve } from './connector.ts';
import { type Connection, type Errand, headersOf, PAGE, ROBOTS_TXT } from './errand.ts';
import { FetchProblem } from './fetch-problem.ts';
import type { Fetched, Fetcher, FetchFailure, MayFollow, RobotsAnswer } from './fetched.ts';
import { HEADER_BYTES, HEADERS_MS, IDLE_MS, networkProblem, seconds } from './network-error.ts';
import { quote } from './printable.ts';
import { redirectTarget } from './response.ts';
import { checkUrl } from './url-gate.ts';
import { StartFailure } from '../start-failure.ts';

/**
 * The room that talks to the web, and trusts nothing it says. In comes a URL; out comes a body, decoded and within
 * its limit, or the one reason why there is none.
 *
 * Every hop goes the same way: the gate (url-gate: is this a URL to fetch at all), the connector (connector: are
 * these addresses to reach), the headers (response: do they promise a page), the body (body: does it stay within its
 * limit). Redirects are followed by hand so that each target passes the gate again, and the caller's own question: may
 * it be followed, by the robots.txt of its host. One deadline spans it all, because every other timer starts anew with each byte that a server drips.
 *
 * A hop has a connection of its own and takes it along when it ends, well or badly. Decided against keeping
 * connections alive: hosts are visited with a rest between, pools of a hundred thousand origins are memory that
 * nobody frees, and a connection that a server has just closed looks like a failure of the page. TLS sessions are
 * resumed, which saves most of what a new connection costs. HTTP/2 would change nothing for one request at a time.
 */
export function createFetcher(options: FetcherOptions): Fetcher {
  return new HttpFetcher(options);
}

export interface FetcherOptions {
  readonly guard: AddressGuard;
  readonly userAgent: string;
  /** Milliseconds for one fetch, from the look-up to the last byte, redirects included. */
  readonly deadlineMs: number;
  /** The system's resolver unless given. */
  readonly resolve?: Resolve;
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
  readonly #connect: AbortableConnector;
  readonly #userAgent: string;
  readonly #underWay = new Map<AbortController, Promise<unknown>>();
  #closed = false;

  constructor({ guard, userAgent, deadlineMs, resolve = systemResolve }: FetcherOptions) {
    this.#guard = guard;
    this.#deadlineMs = deadlineMs;
    this.#connect = guardedConnector(guard, resolve);
    this.#userAgent = userAgent;
  }

  fetch(url: string, signal: AbortSignal, mayFollow?: MayFollow): Promise<Fetched> {
    return this.#run(PAGE, url, signal, mayFollow);
  }

  fetchRobots(url: string, signal: AbortSignal): Promise<RobotsAnswer | FetchFailure> {
    return this.#run(ROBOTS_TXT, url, signal);
  }

  async #run<Answer>(
    errand: Errand<Answer>,
    url: string,
    signal: AbortSignal,
    mayFollow?: MayFollow,
  ): Promise<Answer | FetchFailure> {
    if (signal.aborted || this.#closed) return calledOff().toFailure();
    const end = new AbortController();
    const onAbort = (): void => end.abort(calledOff());
    const timer = setTimeout(() => end.abort(this.#overdue(errand)), this.#deadlineMs);
    signal.addEventListener('abort', onAbort, { once: true });
    const answer = this.#follow(errand, url, end.signal, mayFollow);
    this.#underWay.set(end, answer);
    try {
      return await answer;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      this.#underWay.delete(end);
    }
  }

  /** Calls off what is under way. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const end of this.#underWay.keys()) end.abort(calledOff());
    await Promise.allSettled(this.#underWay.values());
  }

  async #follow<Answer>(
    errand: Errand<Answer>,
    text: string,
    signal: AbortSignal,
    mayFollow?: MayFollow,
  ): Promise<Answer | FetchFailure> {
    const visited = new Set<string>();
    try {
      for (let next = text; visited.size <= MOST_REDIRECTS;) {
        const url = this.#gate(next, visited.size > 0);
        if (visited.has(url.href))
          throw new FetchProblem('redirects', `the redirects lead in a circle, back to ${quote(url.href)}`);
        const refusal = visited.size > 0 ? await mayFollow?.(url, signal) : undefined;
        signal.throwIfAborted();
        if (refusal) throw new FetchProblem(refusal.reason, `redirected to ${quote(url.href)}: ${refusal.detail}`);
        visited.add(url.href);
        const answer = await this.#hop(errand, url, signal);
        if ('answer' in answer) return answer.answer;
        next = answer.to;
      }
      throw new FetchProblem('redirects', `there are more than ${MOST_REDIRECTS} redirects`);
    } catch (error) {
      if (error instanceof FetchProblem) return error.toFailure();
      throw error;
    }
  }

  #gate(text: string, redirected: boolean): URL {
    const checked = checkUrl(text, this.#guard);
    if (!checked.ok)
      throw new FetchProblem(checked.reason, redirected ? `redirected: ${checked.detail}` : checked.detail);
    checked.url.hash = '';
    return checked.url;
  }

  async #hop<Answer>(errand: Errand<Answer>, url: URL, signal: AbortSignal): Promise<Hop<Answer>> {
    const connection: Connection = { reset: undefined };
    const client = new Client(url.origin, {
      connect: this.#connect(signal, (error) => {
        connection.reset = error;
      }),
      allowH2: false,
      maxHeaderSize: HEADER_BYTES,
      headersTimeout: HEADERS_MS,
      bodyTimeout: IDLE_MS,
    });
    // undici listens to a request's own signal only once it is connected; destroying the client ends it at any time.
    const hangUp = (): void => void client.destroy();
    signal.addEventListener('abort', hangUp, { once: true });
    try {
      signal.throwIfAborted();
      const { pathname, search } = url;
      const headers = headersOf(errand, this.#userAgent);
      const request = { path: pathname + search, method: 'GET', headers, reset: true } as const;
      return await answerOf(errand, url, await client.request(request), connection);
    } catch (error) {
      throw signal.aborted ? signal.reason : (networkProblem(error, url) ?? error);
    } finally {
      signal.removeEventListener('abort', hangUp);
      await client.destroy();
    }
  }

  #overdue({ name }: Errand<unknown>): FetchProblem {
    const deadline = `${seconds(this.#deadlineMs)}, the deadline for one page`;
    return new FetchProblem('timeout', `${name} was not complete within ${deadline}`);
  }
}

type Hop<Answer> = { readonly answer: Answer } | { readonly to: string };

async function answerOf<Answer>(
  errand: Errand<Answer>,
  url: URL,
  response: Dispatcher.ResponseData,
  connection: Connection,
): Promise<Hop<Answer>> {
  const { statusCode, headers, body } = response;
  try {
    const target = redirectTarget(statusCode, headers);
    if (target !== undefined) return { to: resolved(target, url) };
    return { answer: await errand.read(url, response, connection) };
  } finally {
    // What was not read is not wanted. Without a listener the error of a destroyed body would end the process.
    body.on('error', () => undefined).destroy();
  }
}

function resolved(target: string, base: URL): string {
  if (!URL.canParse(target, base.href))
    throw new FetchProblem('redirects', `the redirect to ${quote(target)} leads nowhere`);
  return new URL(target, base).href;
}

function calledOff(): FetchProblem {
  return new FetchProblem('aborted', 'the fetch was called off');
}
