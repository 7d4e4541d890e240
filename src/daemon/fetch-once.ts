import { isIP } from 'node:net';
import {
  AddressGuard,
  bareHost,
  contains,
  embeddedV4,
  isLocalName,
  OPENABLE_NETWORKS,
  parseAddress,
  parseNetwork,
} from './fetch/address-guard.ts';
import type { Fetched } from './fetch/fetched.ts';
import type { OwnRequest } from './fetch/own-request.ts';
import { createFetcher, userAgent } from './fetch/fetcher.ts';
import { type Resolve, systemResolve } from './fetch/names.ts';
import type { OnceOrder, RenderWish } from './render-once.ts';
import type { NotAsked, OnceRequest } from './sign-in-once.ts';
import { version } from './process/version.ts';

/**
 * One page, fetched as the crawl does it (limits, redirects, deadline, name), for a person who asks: `hydrant extract`,
 * `diff` and `match`. Whoever types an address of his own network means it, so the private network that he has typed is
 * open here, and no other: a page of the web could redirect there, and its text would be told as that page's. To a program,
 * which may have the URL from a page, none is open.
 */
export async function fetchPage(
  url: string,
  signal: AbortSignal,
  asker: 'person' | 'program' = 'person',
  { render, request }: OnceWay = {},
): Promise<Fetched | NotAsked> {
  const guard = new AddressGuard({ allowPrivate: asker === 'person' ? await meantNetworks(url, systemResolve) : [] });
  const fetcher = createFetcher({
    guard,
    userAgent: userAgent(version(), ''),
    deadlineMs: DEADLINE_MS,
    resolve: systemResolve,
  });
  try {
    const fetch = (own?: OwnRequest): Promise<Fetched> =>
      render
        ? rendered({ url, own, render, guard, resolve: systemResolve, fetcher }, signal)
        : fetcher.fetch({ url, own }, signal);
    if (!request) return withAdvice(await fetch(), asker);
    const { fetchSignedIn } = await import('./sign-in-once.ts');
    const found = await fetchSignedIn(url, { request, fetch }, signal);
    return withAdvice(found, asker);
  } finally {
    await fetcher.close();
  }
}

interface OnceWay {
  /** As a browser shows it. */
  readonly render?: RenderWish;
  /** Asked for as a watch with this request would ask. */
  readonly request?: OnceRequest | undefined;
}

async function rendered(order: OnceOrder, signal: AbortSignal): Promise<Fetched> {
  const { renderOnce } = await import('./render-once.ts');
  return renderOnce(order, signal);
}

/** Longer than the crawl's own deadline: a slow page delays nobody but the one who waits for it. */
const DEADLINE_MS = 60_000;

/** The private networks that the host of a URL is in: none for one of the web. */
export async function meantNetworks(url: string, resolve: Resolve): Promise<readonly string[]> {
  if (!URL.canParse(url)) return [];
  const host = bareHost(new URL(url).hostname);
  const found = isIP(host) === 0 ? await resolve(host).catch(() => []) : [{ address: host }];
  // Of a name that can only be a private network's, the fetch is to say why it has no address.
  if (found.length === 0) return isLocalName(host) ? OPENABLE_NETWORKS : [];
  const networks = found.map(({ address }) => networkOf(address));
  // A name of the web may give a private address besides its own.
  return networks.flatMap((network) => (networks.includes(undefined) ? [] : (network ?? [])));
}

/** The private network of an address. */
function networkOf(text: string): string | undefined {
  const parsed = parseAddress(text);
  const address = parsed && (embeddedV4(parsed) ?? parsed);
  return OPENABLE_NETWORKS.find((candidate) => {
    const network = parseNetwork(candidate);
    return network !== undefined && address !== undefined && contains(network, address);
  });
}

/** The gate speaks to who starts the daemon; here nobody has to allow anything. */
function withAdvice(fetched: Fetched | NotAsked, asker: 'person' | 'program'): Fetched | NotAsked {
  if (fetched.outcome !== 'failed' || fetched.reason !== 'private_address') return fetched;
  const [what = ''] = fetched.detail.split('; start hydrantd with');
  const advice = asker === 'person' ? 'to visit it, give its URL directly' : 'only public addresses are visited here';
  return { ...fetched, detail: `${what}; ${advice}` };
}
