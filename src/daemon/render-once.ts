import { type AddressGuard } from './fetch/address-guard.ts';
import { connectorFor } from './fetch/connector.ts';
import type { Fetched, Fetcher } from './fetch/fetched.ts';
import { userAgent } from './fetch/fetcher.ts';
import type { Resolve } from './fetch/names.ts';
import { outside } from './outside.ts';
import { renderBy } from './composition/render.ts';
import type { OwnRequest } from './fetch/own-request.ts';
import { version } from './process/version.ts';
import { Renderer } from './render/renderer.ts';
import { Robots } from './robots/robots.ts';
import type { DaemonSettings } from './settings.ts';
import type { RobotsCopies, RobotsCopy } from './storage/robots-copies.ts';

/**
 * One page as a browser shows it, for a person who asks: `hydrant watch try --render`. As the daemon would render it, robots.txt
 * of each request included, but for what is known of hosts: that is forgotten at the end.
 */
export async function renderOnce(order: OnceOrder, signal: AbortSignal): Promise<Fetched> {
  const { url, own, render, guard, resolve, fetcher } = order;
  const { renderBrowser, renderEndpoint, renderProxy, renderSandbox } = render.settings;
  const copies = new ForgottenCopies();
  const robots = new Robots({ copies, fetcher, outside, onUnreachable: () => undefined });
  const renderer = new Renderer({
    outside,
    guard,
    connect: () => connectorFor({ guard, resolve, proxy: undefined }),
    userAgent: `(compatible; ${userAgent(version(), '')})`,
    browser: renderBrowser,
    endpoint: renderEndpoint,
    proxyHost: renderProxy,
    hasSandbox: renderSandbox === 'on',
    pages: 1,
    onError: () => undefined,
  });
  const { withinMs, waitFor } = render;
  const { mayFollow, mayLoad } = robots;
  try {
    return await renderBy(renderer)({ url, own, mayFollow, render: { withinMs, waitFor, mayLoad } }, signal);
  } finally {
    await renderer.close();
  }
}

export interface RenderWish {
  readonly withinMs: number;
  readonly waitFor?: string | undefined;
  readonly settings: Pick<DaemonSettings, 'renderBrowser' | 'renderEndpoint' | 'renderProxy' | 'renderSandbox'>;
}

export interface OnceOrder {
  readonly url: string;
  readonly own: OwnRequest | undefined;
  readonly render: RenderWish;
  readonly guard: AddressGuard;
  readonly resolve: Resolve;
  readonly fetcher: Fetcher;
}

/** Those of one page. */
class ForgottenCopies implements RobotsCopies {
  readonly #copies = new Map<string, RobotsCopy>();

  async robotsCopy(origin: string): Promise<RobotsCopy | undefined> {
    return this.#copies.get(origin);
  }

  async saveRobotsCopy(copy: RobotsCopy): Promise<void> {
    this.#copies.set(copy.origin, copy);
  }

  async robotsTotals(): Promise<{ copies: number; bytes: number; unreachable: number }> {
    return { copies: this.#copies.size, bytes: 0, unreachable: 0 };
  }

  async answeredLast(): Promise<readonly string[]> {
    return [];
  }
}
