import { type FetchFailureReason, FetchProblem } from '../fetch/fetched.ts';

/**
 * What the browser's own errors of a navigation mean, as `network-error.ts` tells it of those of Node: a word and a sentence.
 * Undefined for an error that is none of these: the browser is gone, or the page.
 */
export function browserProblem(error: unknown, url: string): FetchProblem | undefined {
  const host = URL.parse(url)?.host ?? url;
  const [, code = ''] = /net::ERR_([A-Z0-9_]+)/.exec(error instanceof Error ? error.message : '') ?? [];
  const known = KNOWN.find(([pattern]) => pattern.test(code));
  if (known) return new FetchProblem(known[1], known[2](host, code));
  return code === '' ? undefined : new FetchProblem('reset', `the connection to ${host} failed (${code})`);
}

type Row = readonly [pattern: RegExp, reason: FetchFailureReason, detail: (host: string, code: string) => string];

const KNOWN: readonly Row[] = [
  [/^CERT_|^SSL_/, 'tls', (host, code) => `the browser does not trust the certificate of ${host} (${code})`],
  [/^NAME_/, 'dns', (host) => `no address for ${host}`],
  [/TIMED_OUT$/, 'timeout', (host) => `${host} stopped answering`],
  [/^TOO_MANY_REDIRECTS/, 'redirects', (host) => `${host} redirects without end`],
  [/^UNSAFE_REDIRECT|^(?:UNKNOWN|DISALLOWED)_URL/, 'redirects', (host) => `${host} redirects to what is no web page`],
  [
    /^(?:EMPTY_RESPONSE|CONNECTION_)/,
    'reset',
    (host) => `${host} closed the connection before its answer was complete`,
  ],
  [/^(?:TUNNEL_|PROXY_|ADDRESS_|INTERNET_)/, 'connect', (host, code) => `${host} cannot be reached (${code})`],
];
