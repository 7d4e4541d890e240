import path from 'node:path';
import type { Gate } from '../crawl/crawler.ts';
import type { AddressGuard } from '../fetch/address-guard.ts';
import { connectorFor } from '../fetch/connector.ts';
import type { Fetched, PageRequest } from '../fetch/fetched.ts';
import { userAgent } from '../fetch/fetcher.ts';
import { headersFor, type OwnRequest } from '../fetch/own-request.ts';
import { Names } from '../fetch/names.ts';
import type { Outside } from '../outside.ts';
import type { Log } from '../process/log.ts';
import { version } from '../process/version.ts';
import { Renderer } from '../render/renderer.ts';
import type { DaemonSettings } from '../settings.ts';

/** The renderer's part of the composition root. Nothing of it runs before the first page that is to be rendered. */
export function composeRenderer({ settings, outside, log, guard }: RenderDeps): Renderer {
  const now = (): number => outside.now();
  const renderer = new Renderer({
    outside,
    guard,
    connect: () =>
      connectorFor({ guard, resolve: new Names({ now }).resolve, proxy: settings.crawlProxy || undefined }),
    userAgent: `(compatible; ${userAgent(version(), settings.crawlContact)})`,
    browser: settings.renderBrowser,
    endpoint: settings.renderEndpoint,
    proxyHost: settings.renderProxy,
    hasSandbox: settings.renderSandbox === 'on',
    pages: settings.renderPages,
    profilesNote: path.join(settings.dataDir, 'render-profiles'),
    onError: (what, error) => log.error({ err: error }, what),
  });
  void renderer
    .sweep()
    .catch((error: unknown) => log.warn({ err: error }, 'profiles of a browser could not be removed'));
  return renderer;
}

export interface RenderDeps {
  readonly settings: DaemonSettings;
  readonly outside: Outside;
  readonly log: Log;
  readonly guard: AddressGuard;
}

/** A request for a rendered page, as the fetcher takes it. */
export function renderBy(renderer: Renderer): (request: PageRequest, signal: AbortSignal) => Promise<Fetched> {
  return async ({ url, render, own, mayFollow = () => Promise.resolve(undefined) }, signal) => {
    if (render === undefined) return unrendered('it was not asked how to render the page');
    if (own === undefined) return renderer.render({ url, ...render, mayFollow }, signal);
    const flag = notOfBrowser(own);
    if (flag !== undefined) return unrendered(`a browser does not ask with ${flag}: take that away, or --render`);
    return renderer.render({ url, ...render, mayFollow, headersFor: (asked) => headersFor(own, asked) }, signal);
  };
}

function unrendered(detail: string): Fetched {
  return { outcome: 'failed', reason: 'render', detail };
}

/** What of a page's own request a browser cannot be given. */
function notOfBrowser({ method, proxy, userAgent: name }: OwnRequest): string | undefined {
  if (method === 'POST') return '--data or --method POST';
  if (proxy !== undefined) return '--proxy';
  return name === undefined ? undefined : '--user-agent';
}

/** What is due and is to be rendered begins when the browser has a place for it; until then its host is not kept waiting. */
export function withPlaces<Due>(
  gate: Gate<Due>,
  renderer: Pick<Renderer, 'enter'>,
  isRendered: (due: Due) => boolean,
): Gate<Due> {
  return {
    enter: async (hostname, due) => {
      const entry = await gate.enter(hostname, due);
      if (entry.opensAt !== undefined || !isRendered(due)) return entry;
      const place = renderer.enter();
      if (place.opensAt !== undefined) {
        entry.leave();
        return place;
      }
      return {
        leave: () => {
          place.leave();
          entry.leave();
        },
      };
    },
  };
}
