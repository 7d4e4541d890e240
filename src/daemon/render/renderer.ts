import type { Browser } from 'puppeteer-core';
import type { Guard } from '../fetch/address-guard.ts';
import type { Connect } from '../fetch/connector.ts';
import { type Fetched, type FetchFailure, FetchProblem, type MayFollow, type MayLoad } from '../fetch/fetched.ts';
import type { Outside } from '../outside.ts';
import { BrowserProcess, Profiles } from './browser-process.ts';
import { EgressProxy } from './egress-proxy.ts';
import { PageVisit } from './page-visit.ts';
import { type BrowserWish, browserFor, type Driver, driver } from './readiness.ts';
import { RequestGate } from './request-gate.ts';
import { RENDER_IDLE_MS, RENDER_WIRE_BYTES, RENDERED_PAGES } from '../../shared/limits.ts';

/**
 * Pages as a browser shows them, for who asks for it: the one place that has a browser. It is started when the first page is
 * asked for, ends when there was none for five minutes, and is followed by another one after a hundred pages, or when it
 * dies. Until then nothing is loaded and nothing runs.
 *
 * Nothing waits here: as many pages as there are places may be under way, and `enter` says when to come back.
 */
export class Renderer {
  readonly #deps: RendererDeps;
  readonly #profiles: Profiles;
  #proxy: Promise<EgressProxy> | undefined;
  #running: Promise<Running> | undefined;
  #current: Running | undefined;
  #underWay = 0;
  /** The latest time that was given to somebody who was refused. */
  #slot = 0;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(deps: RendererDeps) {
    this.#deps = deps;
    this.#profiles = new Profiles(deps.profilesNote);
  }

  /** What a process that was killed has left is removed. */
  sweep(): Promise<void> {
    return this.#profiles.sweep();
  }

  /** Why no page can be rendered here, with what to do; undefined: it can. Nothing is started for it. */
  async refusal(): Promise<string | undefined> {
    return (await browserFor(this.#deps)).refusal;
  }

  /** A place for a page, until it is left; or when there may be one. */
  enter(): { readonly opensAt?: undefined; readonly leave: () => void } | { readonly opensAt: number } {
    const now = this.#deps.outside.now();
    const { pages } = this.#deps;
    if (this.#underWay >= pages) {
      const last = this.#slot > now + MOST_AHEAD_MS ? now : Math.max(now, this.#slot);
      this.#slot = Math.min(last + PACE_MS / pages, now + MOST_AHEAD_MS);
      return { opensAt: this.#slot };
    }
    this.#underWay += 1;
    let isInside = true;
    return {
      leave: () => {
        if (isInside) this.#underWay -= 1;
        isInside = false;
      },
    };
  }

  /** Never rejects. */
  async render(order: RenderOrder, signal: AbortSignal): Promise<Fetched> {
    if (signal.aborted || this.#isClosed) return calledOff();
    clearTimeout(this.#idle);
    let running: Running | undefined;
    try {
      running = await this.#browser();
      running.pages += 1;
      running.underWay += 1;
      running.watchMemory(true);
      return await this.#inTime(running, order, signal);
    } catch (error) {
      if (signal.aborted) return calledOff();
      if (error instanceof FetchProblem) return error.toFailure();
      this.#deps.onError('a page could not be rendered', error);
      return { outcome: 'failed', reason: 'render', detail: 'the browser failed; the daemon’s log has the reason' };
    } finally {
      if (running) await this.#after(running);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    await this.#stop();
    (await this.#proxy?.catch(() => undefined))?.close();
  }

  /** The page, or the end that comes first: the browser's, the page's own, that of its time, or that of the caller. */
  async #inTime(running: Running, order: RenderOrder, signal: AbortSignal): Promise<Fetched> {
    const { promise: ended, reject: end } = Promise.withResolvers<never>();
    ended.catch(() => undefined);
    const over = new AbortController();
    const callOff = (): void => end(new FetchProblem('aborted', 'the page was called off'));
    signal.addEventListener('abort', callOff, { once: true });
    const timer = setTimeout(() => end(stuck(order.withinMs)), order.withinMs + BESIDE_MS);
    const killed = running.killedForMemory();
    const endedBy = (what: string): void => end(problemOfEnd(what, running.killedForMemory() > killed));
    void running.gone.then(() => endedBy('the browser ended while it rendered the page'));
    const visit = this.#visit(running, order, {
      signal: over.signal,
      onCrash: () => endedBy('the page made its part of the browser crash'),
    }).catch(async (error: unknown) => {
      // A call to what is gone fails before we are told that it is.
      if (!(error instanceof FetchProblem)) await Promise.race([ended, later(TOLD_MS)]);
      throw error;
    });
    try {
      return await Promise.race([visit, ended]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', callOff);
      over.abort();
      // What is left of it fails by itself, now that its context is closed; a browser that does not close it is of no use.
      const isOver = await Promise.race([visit.then(yes, yes), running.gone.then(yes), later(CLOSE_MS)]);
      if (isOver !== true) await this.#end(running);
    }
  }

  async #visit(running: Running, order: RenderOrder, ends: Ends): Promise<Fetched> {
    const { guard, outside, userAgent } = this.#deps;
    const proxy = await this.#open();
    const passage = proxy.admit({ mostBytes: RENDER_WIRE_BYTES, ...(order.connect && { connect: order.connect }) });
    const context = await running.browser.createBrowserContext({
      proxyServer: `http://${this.#deps.proxyHost}:${proxy.port}`,
      proxyBypassList: ['<-loopback>'],
      downloadBehavior: { policy: 'deny' },
    });
    const close = (): void => {
      passage.end();
      void context.close().catch(() => undefined);
    };
    ends.signal.addEventListener('abort', close, { once: true });
    if (ends.signal.aborted) close();
    const { url, withinMs, waitFor, headersFor, mayFollow, mayLoad } = order;
    const now = (): number => outside.now();
    const gate = new RequestGate({ guard, passage, mayFollow, mayLoad, now, signal: ends.signal });
    const named = `${(await running.browser.userAgent()).replace('HeadlessChrome', 'Chrome')} ${userAgent}`;
    const visit = await PageVisit.open(context, {
      ...ends,
      url,
      withinMs,
      waitFor,
      headersFor,
      gate,
      passage,
      now,
      userAgent: named,
    });
    return visit.read();
  }

  async #after(running: Running): Promise<void> {
    running.underWay -= 1;
    if (running.underWay > 0 || this.#isClosed) return;
    running.watchMemory(false);
    if (running.pages >= RENDERED_PAGES) await this.#end(running);
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.#stop(), this.#deps.idleMs ?? RENDER_IDLE_MS).unref();
  }

  #open(): Promise<EgressProxy> {
    const { connect, proxyHost } = this.#deps;
    this.#proxy ??= EgressProxy.open({ connect: connect(), host: proxyHost });
    return this.#proxy;
  }

  #browser(): Promise<Running> {
    if (this.#running) return this.#running;
    this.#running = this.#start().then(
      (running) => {
        this.#current = running;
        void running.gone.then(() => (this.#current === running ? this.#forget() : undefined));
        return running;
      },
      (error: unknown) => {
        this.#forget();
        throw error;
      },
    );
    return this.#running;
  }

  async #start(): Promise<Running> {
    const [{ browser, refusal = '' }, puppeteer] = await Promise.all([browserFor(this.#deps), driver()]);
    if (browser === undefined || !puppeteer) throw new FetchProblem('render', refusal);
    return this.#deps.endpoint === '' ? this.#launch(puppeteer, browser) : attach(puppeteer, browser);
  }

  async #launch(puppeteer: Driver, program: string): Promise<Running> {
    const { hasSandbox } = this.#deps;
    const proxy = await this.#open();
    const child = await BrowserProcess.start({
      browser: program,
      proxyPort: proxy.port,
      hasSandbox,
      profiles: this.#profiles,
    });
    const kill = (): Promise<void> => child.kill();
    const connected = puppeteer.connect({ ...CONNECTION, transport: child.transport });
    connected.catch(() => undefined);
    const late = later(START_MS).then(() => undefined);
    const browser = await Promise.race([connected.catch(() => undefined), child.ended.then(() => undefined), late]);
    if (!browser) {
      await kill();
      throw new FetchProblem('render', `${program} could not be started: ${reasonIn(child.messages)}`);
    }
    closeWorkers(browser);
    return {
      browser,
      // Whatever ended it, nothing of it stays.
      gone: child.ended.then(kill),
      kill,
      killedForMemory: () => child.killedForMemory,
      watchMemory: (isOn) => child.watchMemory(isOn),
      pid: child.pid,
      pages: 0,
      underWay: 0,
    };
  }

  async #stop(): Promise<void> {
    const running = await this.#running?.catch(() => undefined);
    if (running) await this.#end(running);
  }

  /** The next page has another one. */
  async #end(running: Running): Promise<void> {
    if (this.#current === running) this.#forget();
    await running.kill();
  }

  #forget(): void {
    this.#running = undefined;
    this.#current = undefined;
  }

  /** The process group of the browser, where one of this machine runs. For tests and for who measures. */
  async processGroup(): Promise<number | undefined> {
    return (await this.#running?.catch(() => undefined))?.pid;
  }
}

export interface RendererDeps extends BrowserWish {
  readonly outside: Pick<Outside, 'now'>;
  readonly guard: Guard;
  /** The way out, made when it is first needed. */
  readonly connect: () => Connect;
  readonly userAgent: string;
  /** Where the browser reaches the proxy. */
  readonly proxyHost: string;
  /** At a time. */
  readonly pages: number;
  /** The file that says where profiles are. */
  readonly profilesNote?: string;
  readonly idleMs?: number;
  readonly onError: (what: string, error: unknown) => void;
}

export interface RenderOrder {
  readonly url: string;
  readonly withinMs: number;
  readonly waitFor?: string | undefined;
  /** Where the page itself may lead. */
  readonly mayFollow: MayFollow;
  readonly mayLoad: MayLoad;
  /** Headers of one request more, by its URL: what is secret goes to the origins that it is for. */
  readonly headersFor?: ((url: string) => Readonly<Record<string, string>>) | undefined;
  /** Another way out than that of the daemon. */
  readonly connect?: Connect | undefined;
}

interface Running {
  readonly browser: Browser;
  /** Resolved when it is. */
  readonly gone: Promise<void>;
  kill(): Promise<void>;
  /** Processes that were ended for their memory so far. */
  killedForMemory(): number;
  /** Where nothing is rendered, nothing grows. */
  watchMemory(isOn: boolean): void;
  readonly pid: number | undefined;
  pages: number;
  underWay: number;
}

interface Ends {
  readonly signal: AbortSignal;
  readonly onCrash: () => void;
}

/** `protocolTimeout`: for every call to the browser, whatever became of it. */
const CONNECTION = { defaultViewport: { width: 1_280, height: 1_024 }, protocolTimeout: 15_000 };

/**
 * A browser of somebody else. Only the contexts go through the proxy, and its flags are not ours: weaker (docs/rendering.md).
 */
async function attach(puppeteer: Driver, endpoint: string): Promise<Running> {
  const where = endpoint.startsWith('ws') ? { browserWSEndpoint: endpoint } : { browserURL: endpoint };
  const connected = puppeteer.connect({ ...CONNECTION, ...where }).catch(() => undefined);
  const browser = await Promise.race([connected, later(START_MS).then(() => undefined)]);
  if (!browser) throw new FetchProblem('render', `no browser answers at ${withoutLogin(endpoint)} (render-endpoint)`);
  closeWorkers(browser);
  const { promise: gone, resolve } = Promise.withResolvers<void>();
  browser.once('disconnected', () => resolve());
  const kill = async (): Promise<void> => {
    await browser.disconnect().catch(() => undefined);
    resolve();
  };
  const elsewhere = { killedForMemory: () => 0, watchMemory: () => undefined, pid: undefined };
  return { browser, gone, kill, ...elsewhere, pages: 0, underWay: 0 };
}

/** Scripts that go on behind a page, for all pages of a site: no page of ours has any, whatever it does. */
function closeWorkers(browser: Browser): void {
  browser.on('targetcreated', (target) => {
    if (!/^(?:service|shared)_worker$/.test(target.type())) return;
    void target
      .createCDPSession()
      .then((session) => session.send('Runtime.evaluate', { expression: 'close()' }))
      .catch(() => undefined);
  });
}

function withoutLogin(endpoint: string): string {
  return URL.parse(endpoint)?.host ?? 'that address';
}

function calledOff(): FetchFailure {
  return { outcome: 'failed', reason: 'aborted', detail: 'the page was called off' };
}

function stuck(withinMs: number): FetchProblem {
  const most = `${withinMs / 1_000} s`;
  return new FetchProblem('timeout', `the page was not read within ${most}, nor soon after`);
}

function problemOfEnd(what: string, wasMemory: boolean): FetchProblem {
  return wasMemory ? tooMuch() : new FetchProblem('render', what);
}

function tooMuch(): FetchProblem {
  return new FetchProblem('too_large', 'the page takes more memory to be rendered than a page may');
}

/** Of what a browser writes when it does not start, the line that says why. */
function reasonIn(messages: string): string {
  if (/sandbox/i.test(messages)) {
    return 'its sandbox does not work here; allow user namespaces, or see render-sandbox';
  }
  const lines = messages.split('\n').filter((line) => line.trim() !== '');
  return (
    lines
      .at(-1)
      ?.replace(/^\[[^\]]*\]\s*/, '')
      .slice(0, 200) ?? 'it did not answer'
  );
}

const yes = (): true => true;

function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}

const START_MS = 20_000;
/** For what a page needs beside the time to settle: its context, the last reading, and to end. */
const BESIDE_MS = 15_000;
const CLOSE_MS = 3_000;
const TOLD_MS = 1_000;
/** What a page takes about: those who are refused come back one after the other. */
const PACE_MS = 3_000;
const MOST_AHEAD_MS = 5 * 60_000;
