import { PAGE_LINKS, URL_LENGTH } from '../../limits.ts';
import type { TreeSize } from './tree.ts';

/** What the links of one page lead to. A page may name one target a thousand times. */
export class Targets {
  readonly #base: string;
  /** That of the base, if it is one of http(s): `https://www.example.com`. */
  readonly #origin: string | undefined;
  readonly #known = new Map<string, string | undefined>();
  readonly #origins = new Map<string, boolean>();

  readonly #size: Pick<TreeSize, 'targets'>;

  /** `base` is the page's `<base>` as written. */
  constructor(pageUrl: string, base: string | undefined, size: Pick<TreeSize, 'targets'> = { targets: 0 }) {
    this.#size = size;
    this.#base = (base === undefined ? undefined : resolved(base, pageUrl)) ?? pageUrl;
    this.#origin = resolved('/', this.#base)?.slice(0, -1);
  }

  /** As `resolved` has it; undefined too for what comes after very many others, most of which led nowhere. */
  resolve(href: string): string | undefined {
    const known = this.#known.get(href);
    if (known !== undefined || this.#known.has(href)) return known;
    if (this.#size.targets === RESOLVED) return undefined;
    this.#size.targets += 1;
    const target = this.#plain(href) ?? resolved(href, this.#base);
    this.#known.set(href, target);
    return target;
  }

  /** Most targets are what the parser of URLs, the dearest part of a link, would make of them. */
  #plain(href: string): string | undefined {
    if (this.#origin === undefined || href.length > PLAIN_LENGTH) return undefined;
    const found = PLAIN.exec(href);
    if (!found) return undefined;
    const [, origin] = found;
    if (origin === undefined) return this.#origin + href;
    return this.#isNormal(origin) ? href : undefined;
  }

  /** Whether the parser leaves an origin as it is written: no capitals, no port that goes without saying. */
  #isNormal(origin: string): boolean {
    let isNormal = this.#origins.get(origin);
    if (isNormal === undefined) {
      isNormal = resolved('/', origin) === `${origin}/`;
      this.#origins.set(origin, isNormal);
    }
    return isNormal;
  }
}

/**
 * A path and query behind an origin or none, of characters that the parser leaves alone (WHATWG URL, path and
 * special-query percent-encode sets). No part of the path begins with a dot, which may be a step up, and none is empty,
 * which may be the mark of a host.
 */
const PLAIN =
  /^(https?:\/\/[\w.:-]+)?(?=\/)(?:\/[\w~!$&()*+,;=:@-][\w.~!$&()*+,;=:@-]*)*\/?(?:\?[\w.~!$&()*+,;=:@/?%-]*)?$/;
/** Targets that are resolved for one page: those that are no addresses of pages cost as much as those that are kept. */
const RESOLVED = 4 * PAGE_LINKS;
/** So short that no origin makes it too long to be visited. */
const PLAIN_LENGTH = URL_LENGTH / 4;

/** The same form for every writing of a URL; undefined for other schemes and what is too long to be visited. */
export function resolved(href: string, base: string): string | undefined {
  if (href.length > 2 * URL_LENGTH) return undefined;
  const url = URL.parse(href, base);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return undefined;
  // Cut off by hand: the setter parses all of it again.
  const { href: whole } = url;
  const hash = whole.indexOf('#');
  const target = hash === -1 ? whole : whole.slice(0, hash);
  return target.length > URL_LENGTH ? undefined : target;
}
