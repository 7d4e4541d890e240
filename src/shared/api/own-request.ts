import { type Static, Type } from 'typebox';
import { OWN_BODY_LENGTH, OWN_COMMAND_LENGTH, OWN_HEADER_LENGTH, OWN_TIMEOUT_SECONDS, URL_LENGTH } from '../limits.ts';

const text = (maxLength: number) => Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()]));

/**
 * How a page is asked for, as its operator sets it: `request` of the orders and edits of watches and sources. What is absent
 * stays as it is, null takes it away. Nobody else can set it, and nothing gives it out again.
 */
export const RequestChange = Type.Object(
  {
    method: Type.Optional(Type.Union([Type.Literal('GET'), Type.Literal('POST'), Type.Null()])),
    /** Values by name; null takes one away. Null instead of them: all of them. Cookies are the header `cookie`. */
    headers: Type.Optional(
      Type.Union([
        Type.Record(Type.String(), Type.Union([Type.String({ maxLength: OWN_HEADER_LENGTH }), Type.Null()])),
        Type.Null(),
      ]),
    ),
    body: text(OWN_BODY_LENGTH),
    /** A program and its arguments, whose output is headers, one a line. */
    headers_from: text(OWN_COMMAND_LENGTH),
    /** `http://[user:password@]host:port` */
    proxy: text(URL_LENGTH),
    user_agent: text(OWN_HEADER_LENGTH),
    timeout_seconds: Type.Optional(
      Type.Union([
        Type.Integer({ minimum: OWN_TIMEOUT_SECONDS.least, maximum: OWN_TIMEOUT_SECONDS.most }),
        Type.Null(),
      ]),
    ),
  },
  { additionalProperties: false },
);
export type RequestChange = Static<typeof RequestChange>;

/** What can be said of it: no value of a header, no body, no login of a proxy, no argument of a command. */
export interface RequestReport {
  readonly method: 'GET' | 'POST';
  /** Names, in lower case. */
  readonly headers: readonly string[];
  readonly body_bytes: number | null;
  /** Its program. */
  readonly headers_from: string | null;
  /** Without its login. */
  readonly proxy: string | null;
  readonly user_agent: string | null;
  readonly timeout_seconds: number | null;
}
