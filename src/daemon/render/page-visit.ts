import type { BrowserContext, CDPSession, HTTPRequest, HTTPResponse, Page } from 'puppeteer-core';
import { about, expectBody, type Head, timesOf } from '../fetch/answer.ts';
import { type FetchedBody, type FetchFailure, type FetchFailureReason, FetchProblem } from '../fetch/fetched.ts';
import { hashOf } from '../fetch/request-profile.ts';
import { GREETING_HOST, type Passage } from './egress-proxy.ts';
import { CLOSED_DOORS, flattened, isThere, QUIET_MS } from './page-script.ts';
import type { RequestGate } from './request-gate.ts';
import { PAGE_BYTES } from '../../shared/limits.ts';

/**
 * One page in a browser, in a context of its own that nothing outlives: asked for, waited for until it is quiet, and read as
 * the HTML that a reader sees. What comes out is a body as the fetcher brings one.
 *
 * A page is settled when its document is complete and has not changed for half a second, and nothing of it has been under way
 * for as long; or when the element that its owner waits for is there. At the limit it is taken as it is, and called unsettled:
 * half of a page reads as a deletion of the other half. It is unsettled, too, if a part that its text may come from could
 * not be had.
 */
export class PageVisit {
  readonly #options: VisitOptions;
  readonly #page: Page;
  readonly #inFlight = new Map<HTTPRequest, (() => void) | undefined>();
  /** Headers that were added to some request, and go to no other by way of a redirect. */
  readonly #added = new Set<string>();
  readonly #startedAt: number;
  #lastTrafficAt: number;
  #main: { readonly response: HTTPResponse; readonly ms: number } | undefined;
  #trouble: string | undefined;
  #session: CDPSession | undefined;
  #world: number | undefined;

  private constructor(page: Page, options: VisitOptions) {
    this.#page = page;
    this.#options = options;
    this.#startedAt = options.now();
    this.#lastTrafficAt = this.#startedAt;
  }

  static async open(context: BrowserContext, options: VisitOptions): Promise<PageVisit> {
    const page = await context.newPage();
    // Whatever else the page opens, in this context or behind it.
    context.on('targetcreated', (target) => {
      void target
        .page()
        .then((other) => (other === page ? undefined : other?.close()))
        .catch(() => undefined);
    });
    page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined));
    page.on('error', () => options.onCrash());
    const visit = new PageVisit(page, options);
    await visit.#prepare();
    return visit;
  }

  /** @throws {FetchProblem} for every reason there may be for having no page */
  async read(): Promise<FetchedBody> {
    const { withinMs, signal } = this.#options;
    const until = this.#startedAt + withinMs;
    await this.#navigate(withinMs);
    const isSettled = await this.#settled(until);
    signal.throwIfAborted();
    this.#refuseBadAnswer();
    const head = headOf(this.#main?.response);
    const text = await this.#evaluate(flattened(PAGE_BYTES));
    this.#refuseOverrun();
    if (text === undefined)
      throw new FetchProblem('timeout', 'the page does not answer: one of its scripts does not end');
    if (typeof text !== 'string') throw new FetchProblem('too_large', TOO_LARGE);
    const bytes = new Uint8Array(Buffer.from(text));
    if (bytes.length > PAGE_BYTES) throw new FetchProblem('too_large', TOO_LARGE);
    const unsettled = isSettled ? this.#trouble : `it was still changing after ${withinMs / 1_000} s`;
    return { ...(await this.#body(head, bytes)), ...(unsettled !== undefined && { unsettled }) };
  }

  async #prepare(): Promise<void> {
    const page = this.#page;
    const { passage, userAgent } = this.#options;
    await page.setUserAgent({ userAgent });
    await page.setBypassServiceWorker(true);
    // The browser keeps the proxy's login for the context. The driver must not know it, as it would tell it to any site that asks.
    await page.authenticate({ username: passage.user, password: passage.password });
    await page.goto(`http://${GREETING_HOST}/`, { waitUntil: 'domcontentloaded' });
    await page.authenticate(null);
    await page.evaluateOnNewDocument(CLOSED_DOORS);
    await page.setRequestInterception(true);
    page.on('request', (request) => void this.#decide(request));
    page.on('requestfinished', (request) => this.#over(request));
    page.on('requestfailed', (request) => this.#failed(request));
    page.on('response', (response) => this.#answered(response));
    this.#session = await page.createCDPSession();
  }

  async #navigate(timeout: number): Promise<void> {
    const { url } = this.#options;
    try {
      await this.#page.goto(url, { waitUntil: 'domcontentloaded', timeout });
    } catch (error) {
      if (!isTimeout(error)) throw this.#problemOf(error);
      if (!this.#main) throw new FetchProblem('timeout', `${hostOf(url)} did not answer within ${timeout / 1_000} s`);
    }
    this.#refuseBadAnswer();
  }

  async #settled(until: number): Promise<boolean> {
    const { waitFor, now, signal } = this.#options;
    const quiet = waitFor === undefined ? QUIET_MS : isThere(waitFor);
    while (now() < until && !signal.aborted) {
      const found = await this.#evaluate(quiet, until - now());
      if (found === true) return true;
      const isSilent = this.#inFlight.size === 0 && now() - this.#lastTrafficAt >= SILENCE_MS;
      if (typeof found === 'number' && found >= SILENCE_MS && isSilent) return true;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    return false;
  }

  /** In a world of our own, which is made anew when the page has gone elsewhere. Undefined: it had no time to answer. */
  async #evaluate(expression: string, mostMs = GRACE_MS): Promise<unknown> {
    const { promise: late, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), Math.min(mostMs, MOST_CALL_MS));
    try {
      return await Promise.race([this.#evaluateNow(expression), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #evaluateNow(expression: string): Promise<unknown> {
    const session = this.#session;
    if (!session) return undefined;
    for (let tries = 0; tries < 3; tries += 1) {
      try {
        if (this.#world === undefined) {
          const { frameTree } = await session.send('Page.getFrameTree');
          const made = await session.send('Page.createIsolatedWorld', {
            frameId: frameTree.frame.id,
            worldName: 'hydrant',
          });
          this.#world = made.executionContextId;
        }
        const contextId = this.#world;
        const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
          expression,
          contextId,
          returnByValue: true,
        });
        return exceptionDetails ? undefined : result.value;
      } catch {
        this.#world = undefined;
      }
    }
    return undefined;
  }

  async #decide(request: HTTPRequest): Promise<void> {
    const { gate, headersFor } = this.#options;
    const url = request.url();
    // Made here, of what the page has: nobody is asked for them.
    if (/^(?:data|blob|about):/.test(url)) return quietly(request.continue());
    this.#inFlight.set(request, undefined);
    this.#lastTrafficAt = this.#options.now();
    const verdict = await gate.decide({ url, type: request.resourceType(), isMain: this.#isMain(request) });
    if (verdict.kind === 'answer') {
      const { contentType, body } = verdict;
      const headers = { 'access-control-allow-origin': '*' };
      return quietly(request.respond({ status: 200, contentType, body, headers }));
    }
    if (verdict.kind === 'refuse') {
      await quietly(request.abort('blockedbyclient'));
      // Of a download the browser does not say that it is over.
      return this.#over(request);
    }
    if (!this.#inFlight.has(request)) return verdict.leave();
    this.#inFlight.set(request, verdict.leave);
    const headers = headersFor && this.#headersOf(request, headersFor(url));
    await quietly(request.continue(headers ? { headers } : {}));
  }

  #headersOf(request: HTTPRequest, own: Readonly<Record<string, string>>): Record<string, string> {
    for (const name of Object.keys(own)) this.#added.add(name.toLowerCase());
    const given = Object.entries(request.headers()).filter(([name]) => !this.#added.has(name.toLowerCase()));
    return { ...Object.fromEntries(given), ...own };
  }

  #isMain(request: HTTPRequest): boolean {
    return request.isNavigationRequest() && request.frame() === this.#page.mainFrame();
  }

  #over(request: HTTPRequest): void {
    this.#inFlight.get(request)?.();
    this.#inFlight.delete(request);
    this.#lastTrafficAt = this.#options.now();
  }

  #failed(request: HTTPRequest): void {
    this.#over(request);
    const error = request.failure()?.errorText ?? '';
    // Refused by us, or called off by the page itself.
    if (/ERR_(?:BLOCKED_BY_CLIENT|ABORTED)/.test(error) || !TEXT_BEARING.has(request.resourceType())) return;
    this.#trouble ??= `a part of it could not be loaded (${hostOf(request.url())}: ${error.replace('net::', '')})`;
  }

  #answered(response: HTTPResponse): void {
    const request = response.request();
    const status = response.status();
    if (this.#isMain(request)) {
      if (status < 300 || status >= 400) {
        this.#main = { response, ms: Math.max(0, this.#options.now() - this.#startedAt) };
      }
    } else if ((status >= 500 || status === 429) && TEXT_BEARING.has(request.resourceType())) {
      this.#trouble ??= `a part of it could not be loaded (${hostOf(request.url())} answered ${status})`;
    }
  }

  /** @throws {FetchProblem} */
  #refuseBadAnswer(): void {
    if (this.#options.passage.isOver) throw new FetchProblem('too_large', `the page loads more than ${WIRE_MB} MB`);
    const refusal = this.#mainRefusal();
    if (refusal) throw refusal;
    const head = headOf(this.#main?.response);
    expectBody(head);
    const { contentType } = about(head.headers);
    if (!/^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType)) {
      const what = contentType === '' ? 'has no content type' : `is ${contentType.split(';', 1)[0]}`;
      throw new FetchProblem('content_type', `the page ${what}, and only HTML is rendered; check it without rendering`);
    }
  }

  #refuseOverrun(): void {
    const { gate } = this.#options;
    const over = gate.refused.find(({ failure }) => failure.reason === 'too_large');
    if (over) throw new FetchProblem('too_large', over.failure.detail);
    const untold = gate.refused.find(({ failure }) => !FIXED.has(failure.reason));
    if (untold) this.#trouble ??= `a part of it could not be loaded (${untold.failure.detail})`;
  }

  /** What the browser says of a navigation that failed is what we have made it fail with, mostly. */
  #problemOf(error: unknown): unknown {
    return this.#mainRefusal() ?? this.#answerProblem() ?? browserProblem(error, this.#options.url) ?? error;
  }

  #answerProblem(): FetchProblem | undefined {
    if (!this.#main) return undefined;
    try {
      this.#refuseBadAnswer();
      return undefined;
    } catch (error) {
      return error instanceof FetchProblem ? error : undefined;
    }
  }

  #mainRefusal(): FetchProblem | undefined {
    const { gate, passage, url } = this.#options;
    const refused = gate.refused.find(({ isMain }) => isMain)?.failure;
    if (refused) return problemOf(refused);
    // Its answer may be the proxy's.
    const status = this.#main?.response.status() ?? 403;
    if (status !== 403 && status !== 502) return undefined;
    const host = hostOf(this.#main?.response.url() ?? url);
    return passage.refusals.find(({ target, problem }) => hostOf(target) === host && problem.reason !== 'robots')
      ?.problem;
  }

  async #body(head: Head, bytes: Uint8Array): Promise<FetchedBody> {
    const { passage, now, url: asked } = this.#options;
    const url = this.#main?.response.url().split('#', 1)[0] ?? asked;
    return {
      outcome: 'fetched',
      url,
      status: head.status,
      ...about(head.headers),
      contentType: 'text/html; charset=utf-8',
      bytes,
      hash: await hashOf(bytes),
      answer: {
        host: hostOf(url),
        status: head.status,
        ms: this.#main?.ms ?? 0,
        bytes: passage.bytes,
        address: passage.address,
        ...timesOf(head.headers, now()),
      },
    };
  }
}

export interface VisitOptions {
  readonly url: string;
  /** Milliseconds to settle in. */
  readonly withinMs: number;
  /** A selector; with it the page is settled when there is such an element. */
  readonly waitFor?: string | undefined;
  readonly userAgent: string;
  readonly gate: RequestGate;
  readonly passage: Passage;
  /** Headers of one request more, by its URL: secrets go by origin. */
  readonly headersFor?: ((url: string) => Readonly<Record<string, string>>) | undefined;
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** The process of the page has ended. */
  readonly onCrash: () => void;
}

function headOf(response: HTTPResponse | undefined): Head {
  return { status: response?.status() ?? 0, phrase: '', headers: response?.headers() ?? {}, raw: [] };
}

function problemOf({ reason, detail, leadsTo, isUnknownName }: FetchFailure): FetchProblem {
  const more = { ...(leadsTo !== undefined && { leadsTo }), ...(isUnknownName && { isUnknownName }) };
  return new FetchProblem(reason, detail, more);
}

/** Of a URL, or of `host:port` as a proxy is asked for it. */
function hostOf(target: string): string {
  return (URL.parse(target.includes('://') ? target : `https://${target}/`) ?? { host: '' }).host;
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

/** A request that the page has called off meanwhile, or a page that is gone. */
async function quietly(done: Promise<unknown>): Promise<void> {
  await done.catch(() => undefined);
}

const TEXT_BEARING: ReadonlySet<string> = new Set(['document', 'script', 'xhr', 'fetch']);
/** Refusals that are the same at each visit: the page is without those parts for good. */
const FIXED: ReadonlySet<string> = new Set(['robots', 'private_address', 'bad_url', 'moved']);
const SILENCE_MS = 500;
const POLL_MS = 100;
/** For the last call at the limit, and for any call. */
const GRACE_MS = 5_000;
const MOST_CALL_MS = 60_000;
const WIRE_MB = 20;
const TOO_LARGE = `the page has more than ${PAGE_BYTES / 1_024 / 1_024} MiB of HTML when it is rendered`;

/**
 * What the browser's own errors of a navigation mean, as `network-error.ts` tells it of those of Node: a word and a sentence.
 * Undefined for an error that is none of these: the browser is gone, or the page.
 */
function browserProblem(error: unknown, url: string): FetchProblem | undefined {
  const host = URL.parse(url)?.host ?? url;
  const [, code = ''] = /net::ERR_([A-Z0-9_]+)/.exec(error instanceof Error ? error.message : '') ?? [];
  const known = KNOWN.find(([pattern]) => pattern.test(code));
  if (known) return new FetchProblem(known[1], known[2](host, code));
  return code === '' ? undefined : new FetchProblem('reset', `the connection to ${host} failed (${code})`);
}

type Row = readonly [pattern: RegExp, reason: FetchFailureReason, detail: (host: string, code: string) => string];

const KNOWN: readonly Row[] = [
  [/^CERT_|^SSL_/, 'tls', (host, code) => `the browser does not trust the certificate of ${host} (${code})`],
  [/^NAME_/, 'dns', (host) => `no address for ${host}`],
  [/TIMED_OUT$/, 'timeout', (host) => `${host} stopped answering`],
  [/^TOO_MANY_REDIRECTS/, 'redirects', (host) => `${host} redirects without end`],
  [/^UNSAFE_REDIRECT|^(?:UNKNOWN|DISALLOWED)_URL/, 'redirects', (host) => `${host} redirects to what is no web page`],
  [
    /^(?:EMPTY_RESPONSE|CONNECTION_)/,
    'reset',
    (host) => `${host} closed the connection before its answer was complete`,
  ],
  [/^(?:TUNNEL_|PROXY_|ADDRESS_|INTERNET_)/, 'connect', (host, code) => `${host} cannot be reached (${code})`],
];
