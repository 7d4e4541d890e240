import { type Static, Type } from 'typebox';
import { SOURCE_DEPTH, SOURCE_EVERY_SECONDS, SOURCE_PAGES, SOURCES_A_REQUEST, URL_LENGTH } from '../limits.ts';

const Every = Type.Integer({ minimum: 1, maximum: SOURCE_EVERY_SECONDS });
const Depth = Type.Integer({ minimum: 0, maximum: SOURCE_DEPTH });
const MaxPages = Type.Integer({ minimum: 1, maximum: SOURCE_PAGES });

const terms = {
  /**
   * `page`: this URL alone, and the entries of a feed or sitemap. `prefix`: what lies below its directory. `host`,
   * `domain`: every page that links lead to there. `any`: anywhere.
   */
  scope: Type.Optional(
    Type.Union([
      Type.Literal('page'),
      Type.Literal('prefix'),
      Type.Literal('host'),
      Type.Literal('domain'),
      Type.Literal('any'),
    ]),
  ),
  /** Links from the URL at most; absent: as far as the scope goes, with `any` 2. */
  depth: Type.Optional(Depth),
  /** Seconds between two visits of a page; absent: each page by how often it changes. */
  every_seconds: Type.Optional(Every),
  /** Pages held at once: in a full source one goes for each that comes. Absent: 1,000, with `any` 100. */
  max_pages: Type.Optional(MaxPages),
  /** What is there at first is no news. */
  baseline: Type.Optional(Type.Boolean()),
};

/** Where a crawl starts, how far it goes from there, and how often it comes back. */
export const SourceCreation = Type.Object({ url: Type.String({ minLength: 1, maxLength: URL_LENGTH }), ...terms });
export type SourceCreation = Static<typeof SourceCreation>;

/** Many at once. A URL that cannot be crawled is told in the answer and keeps none of the others out. */
export const SourceBatch = Type.Object({
  sources: Type.Array(Type.Object({ url: Type.String(), ...terms }), { minItems: 1, maxItems: SOURCES_A_REQUEST }),
});
export type SourceBatch = Static<typeof SourceBatch>;

/** What became of each: `index` counts from 0 in the order of the request. */
export interface SourceBatchReport {
  readonly added: readonly Source[];
  /** There was one with this URL and scope already, or the request names it twice; it stays as it is. */
  readonly known: readonly { readonly index: number; readonly id: string; readonly url: string }[];
  readonly refused: readonly { readonly index: number; readonly url: string; readonly message: string }[];
}

/** What is absent stays as it is. */
export const SourceChange = Type.Object({
  depth: Type.Optional(Type.Union([Depth, Type.Null()])),
  every_seconds: Type.Optional(Type.Union([Every, Type.Null()])),
  max_pages: Type.Optional(MaxPages),
  paused: Type.Optional(Type.Boolean()),
});
export type SourceChange = Static<typeof SourceChange>;

export interface Source {
  readonly id: string;
  readonly url: string;
  readonly scope: NonNullable<SourceCreation['scope']>;
  /** Null: as far as the scope goes. */
  readonly depth: number | null;
  /** Null: each page by how often it changes. */
  readonly every_seconds: number | null;
  readonly max_pages: number;
  readonly baseline: boolean;
  readonly paused: boolean;
  readonly created_at: string;
  /** Pages known so far, and visits made. */
  readonly pages: number;
  readonly visits: number;
  /** The newest visit of any of its pages; null before the first. */
  readonly last_visit: SourceVisit | null;
  /** The next visit of its URL; null when it is paused or not known yet. */
  readonly next_visit_at: string | null;
}

export interface SourceVisit {
  readonly url: string;
  readonly at: string;
  readonly outcome: 'changed' | 'unchanged' | 'failed';
  /** Only when it failed: the reason in a word. */
  readonly reason?: string;
  /** In a sentence, why it failed, or why what was read of a feed or sitemap is not all of it. */
  readonly detail?: string;
  /** The HTTP status, where there was an answer. */
  readonly status?: number;
}
