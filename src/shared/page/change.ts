import type { PageHistory } from './history.ts';

/** What one visit found different from the last: the values the query fields and the delivered diff are made of. */
export interface Change {
  /**
   * Runs in the order of the page: an `ins` chunk is a run of inserted segments, a `del` chunk a run of deleted
   * ones, joined by a newline. An edited sentence is a `del` and then an `ins`. A run of more than some 4,000
   * characters is several chunks, parted between segments. Empty when only links or the title differ.
   */
  readonly chunks: readonly Chunk[];
  /** Anchor texts of links that came and went (a link is its target and its text). */
  readonly addedAnchors: readonly string[];
  readonly removedAnchors: readonly string[];
  /** Of the links that came and went, those that have kept their text and lead elsewhere; absent: none. */
  readonly links?: readonly LinkChange[];
  readonly titleChanged: boolean;
}

/** Of two versions that differ in nothing that counts. */
export const NO_CHANGE: Change = { chunks: [], addedAnchors: [], removedAnchors: [], titleChanged: false };

/** A link that leads elsewhere under the same text. Targets are as the page has them: http(s), absolute. */
export interface LinkChange {
  readonly text: string;
  readonly before: string;
  readonly after: string;
}

export interface Chunk {
  readonly typ: 'ins' | 'del';
  readonly text: string;
}

export interface Comparison {
  /** Undefined where nothing differs that counts. */
  readonly change: Change | undefined;
  /** What differs and does not count, with the reason. */
  readonly ignored: readonly Ignored[];
  /** To be kept with the new version. */
  readonly history: PageHistory;
  /**
   * The change of the text for readers, made when it is asked for, and a last hunk of the links that lead elsewhere under the
   * same text (`Read more -> https://example.org/a`); empty when nothing but the title and other links differs.
   */
  readonly hunks: () => DiffHunk[];
  /** The same, with their places. */
  readonly placedHunks: () => PlacedHunk[];
}

export interface Ignored {
  readonly before: string;
  readonly after: string;
  /** `relative time`, `counter, clock`, `rotates`, `link rotates`: some words for the operator. */
  readonly reason: string;
}

/**
 * A part of a page around what changed in it, as people read a diff: blocks of lines that stayed (`ctx`), went (`del`)
 * or came (`ins`), in the order of the page (spec, Crawl entry). A line is a segment.
 */
export type DiffHunk = readonly Block[];

export type Block =
  | { readonly ctx: readonly string[] }
  | { readonly del: readonly string[] }
  | { readonly ins: readonly string[] };

/**
 * A hunk with the lines (from 1) on which it begins in the new text, and in the old one as the hunks have it: the new text
 * with all hunks taken back. That differs from the text that was compared only in what is no change.
 */
export interface PlacedHunk {
  readonly before: number;
  readonly after: number;
  readonly blocks: DiffHunk;
  /** In place of blocks: links are no lines of either text. */
  readonly links?: readonly LinkChange[];
}
