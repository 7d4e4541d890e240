import { URGENT, type Identity, type Lead, type PageKind, type Urgency } from '../storage/frontier.ts';
import { canonical, canonicalUrl, hostOf, identityOf, withoutWww } from './canonical.ts';
import { patternOf, trapOf } from './traps.ts';

/** What a lead says beside its URL. */
export interface Given {
  /** The host of the seed of its source. */
  readonly seedHost: string;
  readonly depth: number;
  readonly kind: PageKind;
  readonly urgency: Urgency;
  readonly changedAt?: number | undefined;
  readonly isBaseline: boolean;
}

/** A URL that could be visited, with all that does not depend on who found it. */
export interface Target extends Identity {
  readonly url: URL;
  readonly pattern: number;
}

/** Undefined for what is no page to visit, and for what looks like a trap. */
export function targetOf(text: string): Target | undefined {
  const url = canonical(text);
  if (url === undefined || trapOf(url) !== undefined) return undefined;
  return { url, ...identityOf(url), pattern: patternOf(url) };
}

export function leadTo(target: Target, given: Given): Lead {
  const { seedHost, changedAt, ...said } = given;
  const { url, host, hash, pattern } = target;
  const changed = changedAt === undefined ? {} : { changedAt };
  return {
    url: url.href,
    host,
    hash,
    pattern,
    ...said,
    ...changed,
    isForeign: withoutWww(host) !== withoutWww(seedHost),
  };
}

/** A URL that the operator gave: no trap, however it looks. Undefined for what is no page to visit. */
export function seedLead(url: string, isBaseline: boolean): Lead | undefined {
  const seed = canonical(url);
  if (seed === undefined) return undefined;
  const said = { depth: 0, kind: 'hub', urgency: URGENT.none, isForeign: false, isBaseline } as const;
  return { url: seed.href, ...identityOf(seed), pattern: patternOf(seed), ...said };
}

/** The host of a source's seed, for `Given`. */
export function seedHostOf(terms: { readonly url: string }): string {
  return hostOf(canonicalUrl(terms.url) ?? terms.url);
}
