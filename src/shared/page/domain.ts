import { parse } from 'tldts';

/**
 * The values of the query field `domain`: the host, and every parent of it down to the registrable domain, in lower
 * case. `www.` is kept in the host and absent from the parents. An IP address, a host without a registrable domain
 * (`localhost`) and a public suffix stand alone. Empty for what is no URL with a host.
 *
 * Private entries of the Public Suffix List (`github.io`) do not count as suffixes: whoever asks for `github.io`
 * means all of it.
 */
export function domainsOf(url: string): string[] {
  const hostname = URL.parse(url)?.hostname.replace(/\.$/, '') ?? '';
  if (hostname === '') return [];
  const { domain, isIp } = parse(hostname, { allowPrivateDomains: false });
  if (isIp === true) return [hostname.replace(/^\[|\]$/g, '')];
  if (domain === null) return [hostname];
  const labels = hostname.split('.');
  const parents = labels.map((_, index) => labels.slice(index).join('.')).filter((name) => name.endsWith(domain));
  return parents.filter((name, index) => index === 0 || name === domain || !name.startsWith('www.'));
}
