import { type Static, Type } from 'typebox';
import { URL_LENGTH } from '../limits.ts';

/** Where a crawl starts, how far it goes from there, and how often it comes back. */
export const SourceCreation = Type.Object({
  url: Type.String({ minLength: 1, maxLength: URL_LENGTH }),
  /** `page`: this URL alone. `host`: every page of its host that links lead to. */
  scope: Type.Optional(Type.Union([Type.Literal('page'), Type.Literal('host')])),
  /** Seconds between two visits of a page. */
  every_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 30 * 86_400 })),
  /** Pages at most, for the `host` scope. */
  max_pages: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
});
export type SourceCreation = Static<typeof SourceCreation>;

export interface Source {
  readonly id: string;
  readonly url: string;
  readonly scope: 'page' | 'host';
  readonly every_seconds: number;
  readonly max_pages: number;
  readonly created_at: string;
  /** Pages known so far, and visits made. */
  readonly pages: number;
  readonly visits: number;
  /** The newest visit of any of its pages; null before the first. */
  readonly last_visit: SourceVisit | null;
  /** The next visit that is due; null when it has no pages. */
  readonly next_visit_at: string | null;
}

export interface SourceVisit {
  readonly url: string;
  readonly at: string;
  readonly outcome: 'changed' | 'unchanged' | 'failed';
  /** Only when it failed: the reason in a word, and the facts in a sentence. */
  readonly reason?: string;
  readonly detail?: string;
}
