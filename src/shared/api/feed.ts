import { type Static, Type } from 'typebox';
import { FEED_NAME_LENGTH, TAG_LENGTH } from '../limits.ts';
import { NAME_PATTERN } from './name-pattern.ts';

/**
 * Feeds that are read by their address, on the wire of the operator's socket.
 *
 * | route | body | answer |
 * | --- | --- | --- |
 * | `GET /admin/feeds` | | `{ data: FeedReport[] }`, oldest first |
 * | `POST /admin/feeds` | `FeedCreation` | 201 `FeedCreated` |
 * | `DELETE /admin/feeds/:id` | | 204; `:id` is an id, a name or the beginning of an id |
 */
export interface FeedReport {
  readonly id: string;
  readonly name: string;
  readonly kind: FeedKind;
  /** The id of the tap or of the watch, or the tag itself. */
  readonly of: string;
  /** The tap's name, the watch's URL, or the tag; null: the watch is gone. */
  readonly of_name: string | null;
  /** `svcf_` and the first four characters: enough to recognize its address by. */
  readonly prefix: string;
  readonly created_at: string;
}

const FeedKind = Type.Union([Type.Literal('tap'), Type.Literal('watch'), Type.Literal('tag')]);
export type FeedKind = Static<typeof FeedKind>;

export const FeedCreation = Type.Object({
  kind: FeedKind,
  /** Of a tap its id or name, of a watch its id, or a tag, which no watch needs to have yet. */
  of: Type.String({ minLength: 1, maxLength: TAG_LENGTH }),
  /** Absent: the name of what it is of. */
  name: Type.Optional(Type.String({ minLength: 1, maxLength: FEED_NAME_LENGTH, pattern: NAME_PATTERN })),
});
export type FeedCreation = Static<typeof FeedCreation>;

/** The addresses hold the secret and are in this answer alone. */
export interface FeedCreated {
  readonly data: FeedReport;
  /** As the daemon's own port has them; a proxy before it may have others. */
  readonly addresses: { readonly atom: string; readonly json: string };
}
