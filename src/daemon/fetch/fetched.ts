import type { OwnRequest } from './own-request.ts';

/** What one fetch brought: a body, that it is the one we have, or the reason there is none. It never throws for what a server does. */
export type Fetched = FetchedBody | NotModified | FetchFailure;

/** What the last server that was asked said, whatever came of it. */
export interface HttpAnswer {
  /** `hostname[:port]` of that server: another one than was asked for, after a redirect. */
  readonly host: string;
  readonly status: number;
  /** Milliseconds from the request (on a connection that stood) to the end of the answer. */
  readonly ms: number;
  /** Bytes of the body on the wire, all hops together. */
  readonly bytes: number;
  /** The address that was connected to. */
  readonly address: string;
  /** Retry-After, as milliseconds from now; at most a day. */
  readonly retryAfterMs?: number;
  /** Cache-Control max-age (or Expires), milliseconds; at most a day. */
  readonly maxAgeMs?: number;
  /** Date: when it was made, by the clock of the server, milliseconds since 1970. */
  readonly madeAt?: number;
}

/** As the server wrote them, to be sent back verbatim; each at most 1,000 bytes, else left out. */
export interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
}

/** 304 to a request with validators. */
export interface NotModified {
  readonly outcome: 'not_modified';
  readonly url: string;
  readonly answer: HttpAnswer;
  /** Those of the answer, else those that were sent. */
  readonly validators: Validators;
}

export interface FetchedBody {
  readonly outcome: 'fetched';
  /** The address the body came from, after redirects. */
  readonly url: string;
  readonly status: number;
  readonly contentType: string;
  /** Decoded (gzip, br, zstd, deflate), within the limit. */
  readonly bytes: Uint8Array;
  /** What the headers say of the content, where they do; each cut to a few hundred characters. */
  readonly headers?: { readonly rating?: string; readonly robots?: string; readonly contentLanguage?: string };
  /** SHA-256 of `bytes`, cut to 16 bytes, hex. */
  readonly hash: string;
  readonly answer: HttpAnswer;
  /** Of the URL that was asked for; none where a redirect led elsewhere, since it is that URL that is asked again. */
  readonly validators?: Validators;
  /** Where each redirect on the way was permanent (301, 308): the URL that is to be asked from now on. */
  readonly movedTo?: string;
  /** With `withExchange`: the last request and answer as an archive keeps them, without headers and body of the operator's. */
  readonly exchange?: Exchange;
  /** Of a page that was rendered and may not have been complete: why, as a sentence's rest. */
  readonly unsettled?: string;
}

/**
 * Heads with their CRLFs, without the empty line; latin1. The body is `wire`: as it came, encoded (Content-Encoding), but
 * without the framing of `Transfer-Encoding: chunked`, although the head tells of it.
 */
export interface Exchange {
  readonly requestHead: string;
  readonly responseHead: string;
  readonly wire: Uint8Array;
}

export interface FetchFailure {
  readonly outcome: 'failed';
  readonly reason: FetchFailureReason;
  /** A sentence for the operator: what happened, and the figure or name that tells why. */
  readonly detail: string;
  /** Where a server answered at all. */
  readonly answer?: HttpAnswer;
  /** Of `moved`: where to. */
  readonly leadsTo?: string;
  /** Of `dns`: a name server says that there is no such name. */
  readonly isUnknownName?: true;
  /** Of `connect`: the connection was refused, which somebody has to do. */
  readonly isRefused?: true;
  /** Of `aborted`: no host answers; see `crawl/own-network.ts`. */
  readonly isNetworkDoubt?: true;
}

export type FetchFailureReason =
  | 'private_address'
  | 'bad_url'
  | 'dns'
  | 'tls'
  | 'connect'
  | 'timeout'
  | 'reset'
  /** The server closed a kept connection just as it was used: nothing was learnt, and the page is to be asked for again. */
  | 'stale'
  | 'too_large'
  | 'undecodable'
  | 'redirects'
  /** To another host, whose turn it is not: `leadsTo`. */
  | 'moved'
  | 'status'
  /** Of who is signed in: 401, 403, or a page to sign in. */
  | 'signed_out'
  | 'content_type'
  | 'empty'
  | 'robots'
  /** The browser that was to render it: it could not be started, or has died. */
  | 'render'
  | 'aborted';

/** What a server answered when it was asked for its robots.txt. */
export interface RobotsAnswer {
  readonly outcome: 'answered';
  /** Decoded; empty unless the status promises a whole file. One byte more than is read of it where there is more. */
  readonly bytes: Uint8Array;
  readonly answer: HttpAnswer;
}

/** What is asked for: a sitemap may have 50 MiB and be a gzip file, a page 5 MiB. */
export interface PageRequest {
  readonly url: string;
  readonly isSitemap?: boolean;
  readonly validators?: Validators | undefined;
  readonly mayFollow?: MayFollow;
  readonly withExchange?: boolean;
  /** What its operator has set for this page. */
  readonly own?: OwnRequest | undefined;
  /** To be read as a browser shows it; without, as the server sends it. */
  readonly render?: RenderRequest | undefined;
}

export interface RenderRequest {
  /** Milliseconds to settle in. */
  readonly withinMs: number;
  /** A selector: it has settled when there is such an element. */
  readonly waitFor?: string | undefined;
  /** The crawl delay of the host in milliseconds where its robots.txt allows the URL, else why not. */
  readonly mayLoad: MayLoad;
}

export type MayLoad = (url: URL, signal: AbortSignal) => Promise<FetchFailure | number>;

/** Whether a redirect may be followed to there; else why not. */
export type MayFollow = (url: URL, signal: AbortSignal) => Promise<FetchFailure | undefined>;

export interface Fetcher {
  /** One page, with every limit: address guard, redirects, bytes, and a deadline over all of it. */
  fetch(request: PageRequest, signal: AbortSignal): Promise<Fetched>;
  /** A robots.txt, whatever the status and type of the answer; only its beginning, if it is long. */
  fetchRobots(url: string, signal: AbortSignal): Promise<RobotsAnswer | FetchFailure>;
  /** All addresses of a host, from the cache while they are fresh; empty when there are none, or it is not allowed. Never rejects. */
  locate(hostname: string): Promise<readonly string[]>;
  /**
   * Whether a connection to the origin can be made now; it is closed at once, and nothing is asked of the host. False after
   * five seconds at most. Never rejects.
   */
  reach(origin: string): Promise<boolean>;
  /**
   * Whether a request waits for the host, `hostname[:port]`: for its connection, for its answer, or for more than the first
   * 64 KiB of it. It holds little but a socket then.
   */
  isWaiting(host: string): boolean;
  /** The host's turn is over: its connection need not be kept. `hostname[:port]`. */
  rest(host: string): void;
  close(): Promise<void>;
}

/**
 * A fetch that comes to nothing, on its way up to the fetcher, which turns it into a `FetchFailure`. Streams and
 * connectors can only fail by an error; outside this module nobody sees it.
 */
export class FetchProblem extends Error {
  override readonly name = 'FetchProblem' as const;
  readonly reason: FetchFailureReason;
  readonly #more: More;

  constructor(reason: FetchFailureReason, detail: string, more: More = {}) {
    super(detail);
    this.reason = reason;
    this.#more = more;
  }

  toFailure(answer?: HttpAnswer): FetchFailure {
    return { outcome: 'failed', reason: this.reason, detail: this.message, ...this.#more, ...(answer && { answer }) };
  }
}

/** What goes with some reasons. */
type More = Pick<FetchFailure, 'leadsTo' | 'isUnknownName' | 'isRefused'>;
