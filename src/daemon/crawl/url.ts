import { URL_LENGTH } from '../../shared/limits.ts';

/**
 * The form of a URL by which two links are known to mean one page: parsed and written again by the WHATWG rules
 * (lower-case host, default port dropped, dots resolved), without the fragment. Undefined for what is no page to
 * visit: not http(s), too long, or with a user name or password, which a fetch refuses.
 */
export function canonicalUrl(text: string): string | undefined {
  if (text.length > URL_LENGTH || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  url.hash = '';
  return url.href.length > URL_LENGTH ? undefined : url.href;
}

/** `hostname[:port]`, as politeness counts hosts. */
export function hostOf(url: string): string {
  return new URL(url).host;
}
