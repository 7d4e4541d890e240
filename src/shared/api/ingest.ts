import { type Static, Type } from 'typebox';
import { ARCHIVE_QUESTIONS, URL_LENGTH } from '../limits.ts';

/**
 * `POST /admin/ingest` takes one `response` record of a web archive, as it stands in an unpacked WARC file, from its
 * `WARC/` line to the end of its block, and answers what became of the page in it.
 */
export interface Ingested {
  /** `skipped`: nothing was recorded. The others are how the visit ended. */
  readonly outcome: 'changed' | 'unchanged' | 'failed' | 'skipped';
  /** Matches, over all taps. */
  readonly events: number;
  /**
   * Of what was skipped or failed. `known`: the page was visited then, or later. `future`: the record is of a time that
   * is yet to come. `url`: its URL is none that the crawl would visit. Others: what is wrong with the page.
   */
  readonly reason?: string;
  readonly detail?: string;
}

/** `POST /admin/ingest/known`: which of these records need not be sent, since their pages were visited then or later. */
export const ArchiveQuestion = Type.Object({
  records: Type.Array(Type.Object({ url: Type.String({ maxLength: URL_LENGTH }), at: Type.Number({ minimum: 0 }) }), {
    maxItems: ARCHIVE_QUESTIONS,
  }),
});
export type ArchiveQuestion = Static<typeof ArchiveQuestion>;

/** One answer a record, in their order. */
export interface ArchiveAnswer {
  readonly known: readonly boolean[];
}
