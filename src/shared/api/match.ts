/**
 * The payload of an `update` event (spec: Resources, Match). Null values and empty arrays are left out, never
 * sent; clients test for presence.
 */
export interface Match {
  readonly tap_id: string;
  readonly query_ids: readonly string[];
  /** An instant, with fractional seconds: `2026-02-13T08:06:32.123Z`. */
  readonly matched_at: string;
  readonly document: MatchDocument;
}

export interface MatchDocument {
  readonly url: string;
  readonly title?: string;
  /** The page's own wall clock, without a zone: `2026-02-13T08:06:32`. */
  readonly publish_time?: string;
  readonly diff?: { readonly chunks: readonly DiffChunk[] };
  readonly page_category?: readonly string[];
  readonly page_types?: readonly string[];
  readonly language?: string;
  readonly domain_rating?: number;
}

export interface DiffChunk {
  readonly typ: 'ins' | 'del';
  readonly text: string;
}
