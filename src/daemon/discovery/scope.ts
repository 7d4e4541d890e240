import { ownedDomain } from '../../shared/page/domain.ts';
import type { SourceScope } from '../storage/catalog.ts';
import { canonicalUrl } from '../../shared/page/canonical-url.ts';
import { withoutWww } from './canonical.ts';

/** How far a source goes: its catalog record, and where the page stands in it. */
export interface Terms {
  readonly id: string;
  readonly url: string;
  readonly scope: SourceScope;
  /** Links from the seed at most; null: as far as the scope goes. */
  readonly maxDepth: number | null;
  /** URLs that the source may have. */
  readonly maxPages: number;
  readonly depth: number;
}

type Limits = Pick<Terms, 'url' | 'scope'>;

/**
 * Whether a source goes to a URL (both canonical): `page` to its own only; `prefix` to what lies below the directory of
 * its seed (`/news/today.html` and `/news/` are of `/news/`); `host` to its `hostname[:port]`; `domain` to all hosts of
 * its registrable domain, where a private suffix is one (`a.github.io` and `b.github.io` are two); `any` everywhere.
 * `http:` and `https:` are one, since sites mix them, and so is a host with `www.` and without: one of the two redirects
 * to the other as a rule, and a source that began on it would find nothing.
 */
export function inScope(url: string, terms: Limits): boolean {
  return scopeOf(terms)(new URL(url));
}

/** The same for many URLs of one source. */
export function scopeOf(terms: Limits): (url: URL) => boolean {
  const seed = new URL(canonicalUrl(terms.url) ?? terms.url);
  switch (terms.scope) {
    case 'page':
      return (url) => url.href === seed.href;
    case 'prefix': {
      const isOnHost = sameHostAs(seed);
      const directory = seed.pathname.slice(0, seed.pathname.lastIndexOf('/') + 1);
      return (url) => isOnHost(url) && url.pathname.startsWith(directory);
    }
    case 'host':
      return sameHostAs(seed);
    case 'domain': {
      const domain = ownedDomain(seed.hostname);
      return (url) => ownedDomain(url.hostname) === domain;
    }
    case 'any':
      return () => true;
  }
}

function sameHostAs(seed: URL): (url: URL) => boolean {
  const host = withoutWww(seed.host);
  return (url) => withoutWww(url.host) === host;
}
