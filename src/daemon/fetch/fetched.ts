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
  | 'aborted';

export interface Fetcher {
  /** One page, with every limit: address guard, redirects, bytes, and a deadline over all of it. */
  fetch(url: string, signal: AbortSignal): Promise<Fetched>;
  close(): Promise<void>;
}
