import { type Static, Type } from 'typebox';
import { SAVED_MATCHES_A_PAGE, SAVED_NOTE_LENGTH } from '../limits.ts';

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
  /** Only with `compat-legacy-match-payload`: the page's content, cut between blocks at 64 Ki characters. */
  readonly markdown?: string;
}

export interface DiffChunk {
  readonly typ: 'ins' | 'del';
  readonly text: string;
}

const text = (description: string) => Type.Optional(Type.String({ description }));
const texts = (description: string) => Type.Optional(Type.Array(Type.String(), { minItems: 1, description }));

/** The same for the document of the API. */
export const MatchSchema = Type.Object(
  {
    tap_id: Type.String({ description: 'The tap whose rule matched.' }),
    query_ids: Type.Array(Type.String(), { minItems: 1, description: 'Ids of all rules that matched.' }),
    matched_at: Type.String({ description: 'ISO-8601 instant, with fractional seconds.' }),
    document: Type.Object({
      url: Type.String(),
      title: text('The page’s title.'),
      publish_time: text('ISO-8601 local date and time, without a zone.'),
      diff: Type.Optional(
        Type.Object({
          chunks: Type.Array(
            Type.Object({
              typ: Type.Union([Type.Literal('ins'), Type.Literal('del')], { description: 'Inserted or deleted.' }),
              text: Type.String(),
            }),
            { minItems: 1 },
          ),
        }),
      ),
      page_category: texts('Category labels.'),
      page_types: texts('Type labels.'),
      language: text('Language code.'),
      domain_rating: Type.Optional(Type.Number({ minimum: 0, maximum: 100, description: 'Of the page’s domain.' })),
      markdown: text('Only with compat-legacy-match-payload: the page, at most 64 KiB of it.'),
    }),
    query_id: text('Only with compat-legacy-match-payload: the first of query_ids.'),
  },
  { title: 'Match', description: 'Values that are absent are left out, never null or empty.' },
);

/** A match that somebody kept, whole, beyond the day that the log keeps it. */
export interface SavedMatch {
  readonly id: string;
  readonly url: string;
  readonly title: string | null;
  readonly tap: { readonly id: string; readonly name: string };
  /** The rules that matched, as they were when it was saved; one that was gone by then has its id alone. */
  readonly rules: readonly SavedMatchRule[];
  readonly matched_at: string;
  readonly saved_at: string;
  readonly saved_by: string;
  readonly note: string | null;
  readonly document: MatchDocument;
}

export interface SavedMatchRule {
  readonly id: string;
  readonly value?: string;
  readonly tag?: string;
}

const note = Type.String({ maxLength: SAVED_NOTE_LENGTH });

/** `tap`: its name or id. `event`: the id of its `update` event, `0-42`. */
export const SavedMatchCreation = Type.Object({ tap: Type.String(), event: Type.String(), note: Type.Optional(note) });
export type SavedMatchCreation = Static<typeof SavedMatchCreation>;

export const SavedMatchNote = Type.Object({ note });
export type SavedMatchNote = Static<typeof SavedMatchNote>;

/** `q`: words that must all be in the address, the title, the note or the text. `after`: the last id of a former answer. */
export const SavedMatchQuestion = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 1_000 })),
  after: Type.Optional(Type.String()),
  limit: Type.Optional(Type.String({ pattern: `^[1-9]\\d{0,2}$`, description: `At most ${SAVED_MATCHES_A_PAGE}.` })),
});
export type SavedMatchQuestion = Static<typeof SavedMatchQuestion>;
