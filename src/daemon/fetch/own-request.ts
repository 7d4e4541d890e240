/**
 * How one page is asked for otherwise than the crawl asks: what its operator has set to sign in, a method, a body, a route.
 * Headers and body may be secrets. They are for the origin of the page alone – scheme, host and port – and go nowhere else,
 * wherever redirects lead or a page in a browser asks for something.
 */
export interface OwnRequest extends OwnHeaders {
  readonly method: 'GET' | 'POST';
  readonly body: string | undefined;
  /** `http://[user:password@]host:port`, in place of the crawl's. */
  readonly proxy: string | undefined;
  /** In place of the crawl's name; no secret, and sent along redirects. */
  readonly userAgent: string | undefined;
  /** Milliseconds for the page, in place of the crawl's deadline. */
  readonly timeoutMs: number | undefined;
}

export interface OwnHeaders {
  /** As `URL.origin` has it: where the headers may go. */
  readonly origin: string;
  /** By their names, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The headers of the operator's for one request: all of them where it goes to their own origin, else none. For each hop of a
 * chain of redirects and for each request of a page in a browser, by the URL that is asked for.
 */
export function headersFor({ origin, headers }: OwnHeaders, url: string): Readonly<Record<string, string>> {
  const asked = URL.parse(url);
  return asked !== null && /^https?:$/.test(asked.protocol) && asked.origin === origin ? headers : {};
}

/** Of a request, what is sent besides its headers. */
export interface Asking {
  readonly method: 'GET' | 'POST';
  readonly body: string | undefined;
}

/** The request that most are. */
export const GET: Asking = { method: 'GET', body: undefined };

/**
 * The request that a redirect leads to: 301, 302 and 303 make a GET without a body of it, as browsers do; 307 and 308 repeat it.
 * Undefined where it would have to be repeated to another origin.
 */
export function redirectedRequest(asked: Asking, status: number, { from, to }: Hops): Asking | undefined {
  if (asked.method === 'GET' || !REPEATS.has(status)) return GET;
  return from.origin === to.origin ? asked : undefined;
}

interface Hops {
  readonly from: URL;
  readonly to: URL;
}

const REPEATS: ReadonlySet<number> = new Set([307, 308]);

/**
 * Names and values in turn, those of the operator in place of the usual ones of the same name. Cookies that a redirect has set go
 * before his of the same name: the server has just set them.
 */
export function mergedHeaders(usual: readonly string[], own: OwnHeaders['headers']): string[] {
  const merged = new Map<string, string>();
  for (let at = 0; at < usual.length; at += 2) merged.set(usual[at] ?? '', usual[at + 1] ?? '');
  for (const [name, value] of Object.entries(own)) {
    const former = name === 'cookie' ? merged.get(name) : undefined;
    merged.set(name, former === undefined ? value : mergedCookies(value, former));
  }
  return [...merged].flat();
}

function mergedCookies(own: string, set: string): string {
  const cookies = new Map<string, string>();
  for (const pair of `${own}; ${set}`.split(';').map((one) => one.trim())) {
    if (pair !== '') cookies.set(pair.split('=', 1)[0] ?? '', pair);
  }
  return [...cookies.values()].join('; ');
}
