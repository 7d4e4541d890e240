import path from 'node:path';
import type { Gate } from '../crawl/crawler.ts';
import type { AddressGuard } from '../fetch/address-guard.ts';
import { connectorFor } from '../fetch/connector.ts';
import type { Fetched, PageRequest } from '../fetch/fetched.ts';
import { userAgent } from '../fetch/fetcher.ts';
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
  return ({ url, render, mayFollow = () => Promise.resolve(undefined) }, signal) =>
    render === undefined
      ? Promise.resolve({ outcome: 'failed', reason: 'render', detail: 'it was not asked how to render the page' })
      : renderer.render({ url, ...render, mayFollow }, signal);
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
