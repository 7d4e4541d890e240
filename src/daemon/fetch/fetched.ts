/** What one fetch brought: a body, or the reason there is none. It never throws for what a server does. */
export type Fetched = FetchedBody | FetchFailure;

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
  /** SHA-256 of `bytes`, hex. */
  readonly hash: string;
}

export interface FetchFailure {
  readonly outcome: 'failed';
  readonly reason: FetchFailureReason;
  /** A sentence for the operator: what happened, and the figure or name that tells why. */
  readonly detail: string;
}

export type FetchFailureReason =
  | 'private_address'
  | 'bad_url'
  | 'dns'
  | 'tls'
  | 'connect'
  | 'timeout'
  | 'reset'
  | 'too_large'
  | 'undecodable'
  | 'redirects'
  | 'status'
  | 'content_type'
  | 'empty'
  | 'robots'
  | 'aborted';

/** What a server answered when it was asked for its robots.txt. */
export interface RobotsAnswer {
  readonly outcome: 'answered';
  readonly status: number;
  /** Decoded; empty unless the status promises a whole file. One byte more than is read of it where there is more. */
  readonly bytes: Uint8Array;
  /** The Retry-After header, or '' where there was none. */
  readonly retryAfter: string;
}

/** Whether a redirect may be followed to there; else why not. */
export type MayFollow = (url: URL, signal: AbortSignal) => Promise<FetchFailure | undefined>;

export interface Fetcher {
  /** One page, with every limit: address guard, redirects, bytes, and a deadline over all of it. */
  fetch(url: string, signal: AbortSignal, mayFollow?: MayFollow): Promise<Fetched>;
  /** A robots.txt, whatever the status and type of the answer; only its beginning, if it is long. */
  fetchRobots(url: string, signal: AbortSignal): Promise<RobotsAnswer | FetchFailure>;
  close(): Promise<void>;
}
