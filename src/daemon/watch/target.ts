import { hostOf } from '../discovery/canonical.ts';
import { checkUrl, type Guard } from '../fetch/url-gate.ts';

/** What is fetched of a watched URL, and what makes two watches one. */
export interface Target {
  readonly target: string;
  /** `hostname[:port]`, as the frontier names it: one host rests for the crawl and for watches. */
  readonly host: string;
}

export type CheckedTarget =
  | ({ readonly ok: true } & Target)
  | { readonly ok: false; readonly reason: 'bad_url' | 'private_address'; readonly detail: string };

/**
 * By the WHATWG rules (lower-case host, default port dropped, dots resolved), without the fragment, which no server sees,
 * and the dot behind a host. Decided against the crawl's canonical form, which drops tracking parameters too: who watches
 * a URL has it fetched as it was written.
 */
export function targetOf(text: string, guard: Guard): CheckedTarget {
  const checked = checkUrl(text, guard);
  if (!checked.ok) return checked;
  const { url } = checked;
  url.hash = '';
  if (/[^.]\.$/.test(url.hostname)) url.hostname = url.hostname.slice(0, -1);
  return { ok: true, target: url.href, host: hostOf(url.href) };
}
