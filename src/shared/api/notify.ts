import { type Static, Type } from 'typebox';
import {
  SINK_NAME_LENGTH,
  SINK_OPTION_LENGTH,
  SINK_OPTIONS,
  SINK_PROBLEM_FAILURES,
  SINK_TAPS,
  SINK_TEMPLATE_LENGTH,
  TAG_LENGTH,
  TAP_NAME_LENGTH,
  WATCH_TAGS,
} from '../limits.ts';
import { NAME_PATTERN } from './name-pattern.ts';
import { MESSAGE_TYPES, type MessageType, SINK_KINDS, type SinkKindName } from './notify-values.ts';

export { MESSAGE_TYPES, SINK_KINDS, type MessageType, type SinkKindName };

/**
 * Sinks on the wire of the operator's socket: where matches, changes of watches and problems are sent to. Nothing of
 * them is in the public API, and no key of an organization can make one: whoever makes one says where the daemon connects to.
 *
 * | route | body | answer |
 * | --- | --- | --- |
 * | `GET /admin/sink-kinds` | | `{ data: SinkKindReport[] }` |
 * | `GET /admin/sinks` | | `{ data: SinkReport[] }`, by name |
 * | `POST /admin/sinks` | `SinkCreation` | 201 `{ data: SinkReport }` |
 * | `GET /admin/sinks/:sink` | | `{ data: SinkReport }`; `:sink` is its id or its name, here and below |
 * | `PATCH /admin/sinks/:sink` | `SinkChange` | `{ data: SinkReport }` |
 * | `DELETE /admin/sinks/:sink` | | 204 |
 * | `POST /admin/sinks/:sink/test` | | `{ data: SinkTestReport }`: 200 whatever came back |
 * | `POST /admin/sinks/:sink/pause`, `/resume` | | `{ data: SinkReport }` |
 * | `POST /admin/sinks/:sink/replay` | `SinkReplay` | `{ data: SinkReplayReport }` |
 * | `GET /admin/sinks/:sink/log?limit=&before=` | | `{ data: SinkLogEntry[] }`, newest first |
 * | `GET /admin/sinks/:sink/parked?limit=&before=` | | `{ data: ParkedMessage[] }`, newest first |
 *
 * All of them are about the organization that the request names, as the other routes of the operator are.
 */

/** `GET /admin/sink-kinds`: what each kind is told when a sink of it is made. */
export interface SinkKindReport {
  readonly kind: SinkKindName;
  readonly fields: readonly SinkFieldReport[];
}

export interface SinkFieldReport {
  /** `url`, `topic`, `token`, … */
  readonly name: string;
  /** It goes into `secrets`, is kept sealed, and is never shown again. */
  readonly is_secret: boolean;
  readonly is_required: boolean;
  /** What it is, as a phrase: `the address of the ntfy server`. */
  readonly description: string;
}

const Texts = Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: SINK_OPTION_LENGTH }), {
  maxProperties: SINK_OPTIONS,
});

/** A secret that is null is forgotten. */
const SecretsChange = Type.Record(
  Type.String({ maxLength: 64 }),
  Type.Union([Type.String({ maxLength: SINK_OPTION_LENGTH }), Type.Null()]),
  { maxProperties: SINK_OPTIONS },
);

/** Of which watches it carries changes: all, those with one of the tags, or none. */
export const SinkWatches = Type.Union([
  Type.Literal('all'),
  Type.Literal('none'),
  Type.Object({
    tags: Type.Array(Type.String({ minLength: 1, maxLength: TAG_LENGTH }), { minItems: 1, maxItems: WATCH_TAGS }),
  }),
]);
export type SinkWatches = Static<typeof SinkWatches>;

/** `after`: failures in a row after which a source or a watch is a problem. */
export const SinkProblems = Type.Union([
  Type.Null(),
  Type.Object({ after: Type.Integer({ minimum: 1, maximum: SINK_PROBLEM_FAILURES.most }) }),
]);
export type SinkProblems = Static<typeof SinkProblems>;

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) => Type.Union([type, Type.Null()]);

/** What it carries and when; each as `SinkReport` has it. */
const settings = {
  /** Names or ids of taps; none: no matches. Absent at creation: `all`, those included that are made later. */
  taps: Type.Optional(
    Type.Union([
      Type.Literal('all'),
      Type.Array(Type.String({ minLength: 1, maxLength: TAP_NAME_LENGTH }), { maxItems: SINK_TAPS }),
    ]),
  ),
  /** A query of the rule language: of the matches of these taps only those are carried that it matches, too. */
  query: Type.Optional(orNull(Type.String({ minLength: 1 }))),
  /** Absent at creation: `all`. */
  watches: Type.Optional(SinkWatches),
  /** Absent at creation: after `SINK_PROBLEM_FAILURES.default` failures. */
  problems: Type.Optional(SinkProblems),
  /** How often everything is sent as one message: every `1h` (`m`, `h`, `d`; 5m to 7d), or daily at `08:00` in `zone`. */
  digest: Type.Optional(orNull(Type.String({ maxLength: 16 }))),
  /** `22:00-07:00` in `zone`: nothing is sent then; it waits. */
  quiet: Type.Optional(orNull(Type.String({ maxLength: 16 }))),
  /** An IANA time zone, `Europe/Berlin`. Absent at creation: that of the daemon's machine. */
  zone: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  /** Messages in `20/h` (`m`, `h`, `d`): what comes beyond it is counted in one message, `and 37 more`. */
  at_most: Type.Optional(orNull(Type.String({ maxLength: 16 }))),
  /**
   * The text of a message with `{title}`, `{url}`, `{lines}`, `{tap}`, `{rules}`, `{tags}`, `{type}`, `{time}`, `{more}`,
   * each escaped as the kind needs it; `{{` and `}}` are braces. Null: the kind's own text.
   */
  template: Type.Optional(orNull(Type.String({ minLength: 1, maxLength: SINK_TEMPLATE_LENGTH }))),
};

const Name = Type.String({ minLength: 1, maxLength: SINK_NAME_LENGTH, pattern: NAME_PATTERN });

/** `POST /admin/sinks`. It begins with what comes from now on. */
export const SinkCreation = Type.Object({
  name: Name,
  kind: Type.Enum(SINK_KINDS),
  /** Of the kind: `SinkKindReport.fields` that are no secrets. */
  options: Type.Optional(Texts),
  /** Of the kind: those that are. */
  secrets: Type.Optional(Texts),
  ...settings,
});
export type SinkCreation = Static<typeof SinkCreation>;

/** `PATCH /admin/sinks/:sink`: what is absent stays. `options` replaces all options; a secret that is not named stays. */
export const SinkChange = Type.Object({
  name: Type.Optional(Name),
  options: Type.Optional(Texts),
  secrets: Type.Optional(SecretsChange),
  ...settings,
});
export type SinkChange = Static<typeof SinkChange>;

/** A sink as its operator sees it. Times are instants. */
export interface SinkReport {
  readonly id: string;
  readonly name: string;
  readonly kind: SinkKindName;
  readonly options: Readonly<Record<string, string>>;
  /** The names of those that are set. */
  readonly secrets: readonly string[];
  /** Where it sends to, without anything secret: `https://ntfy.sh/alerts`. */
  readonly target: string;
  /** A tap that was removed is left out. */
  readonly taps: 'all' | readonly { readonly id: string; readonly name: string }[];
  readonly query: string | null;
  readonly watches: SinkWatches;
  readonly problems: SinkProblems;
  readonly digest: string | null;
  readonly quiet: string | null;
  readonly zone: string;
  readonly at_most: string | null;
  readonly template: string | null;
  readonly created_at: string;
  /**
   * `paused`: by the operator. `disabled`: its receiver answered 410 Gone. Both are ended by `resume`; what comes meanwhile
   * waits as long as the log keeps it.
   */
  readonly state: 'active' | 'paused' | 'disabled';
  /** Why nothing is sent now although something may be there; null while it sends as things come. */
  readonly waiting: SinkWaiting | null;
  /** The first of the failures in a row; null when the last attempt was none. */
  readonly failing_since: string | null;
  /** `failing_since`, once that is three days ago. It is still tried. */
  readonly dead_since: string | null;
  readonly counts: SinkCounts;
  readonly last_delivery_at: string | null;
  readonly last_error: SinkError | null;
}

export interface SinkWaiting {
  readonly until: string;
  /** `failure`: it is tried again then. The other three are the settings of these names. */
  readonly why: 'failure' | 'quiet' | 'digest' | 'at_most';
}

export interface SinkCounts {
  /** Messages that were delivered; each once, however often it was tried. */
  readonly sent: number;
  /** Events of the logs that are not looked at yet, whether they will be carried or not. */
  readonly behind: number;
  /** Messages that were refused and are kept aside: `GET /admin/sinks/:sink/parked`. */
  readonly parked: number;
  /** Events that were deleted from the logs before they were sent. Each was counted in a message. */
  readonly dropped: number;
}

export interface SinkError {
  readonly at: string;
  readonly outcome: SinkFailure;
  /** The HTTP status (SMTP reply code, exit code), where there was an answer. */
  readonly status?: number;
  /** What happened, and the first KiB of the answer. */
  readonly detail: string;
}

/** `refused`: the receiver does not want this message. `unavailable`: it is tried again. `gone`: it wants none any more. */
export type SinkFailure = 'refused' | 'unavailable' | 'gone';

/** `POST /admin/sinks/:sink/test`: a real message was sent, and this came back. It is in the log, and not in the counts. */
export interface SinkTestReport {
  readonly outcome: 'delivered' | SinkFailure;
  readonly status?: number;
  readonly detail: string;
  readonly ms: number;
  readonly message_id: string;
}

/**
 * `POST /admin/sinks/:sink/replay`. `since`: everything that is still kept from this instant on is sent once more, each
 * with the id it had. `parked`: the messages that were kept aside are tried again. One of the two.
 */
export const SinkReplay = Type.Union([
  Type.Object({ since: Type.String({ minLength: 1, maxLength: 40, description: 'An ISO-8601 instant.' }) }),
  Type.Object({ parked: Type.Literal(true) }),
]);
export type SinkReplay = Static<typeof SinkReplay>;

export interface SinkReplayReport {
  /** Events that will be looked at again, or messages that will be tried again. */
  readonly replayed: number;
}

/** One attempt. `GET /admin/sinks/:sink/log`; `before`: the `n` of the last entry of a former answer. */
export interface SinkLogEntry {
  readonly n: number;
  readonly at: string;
  readonly message_id: string;
  readonly type: MessageType;
  readonly title: string;
  /** From 1. */
  readonly attempt: number;
  readonly outcome: 'delivered' | SinkFailure;
  readonly status?: number;
  readonly detail?: string;
  readonly ms: number;
}

/** A message that was refused, whole in the database until it is replayed or pushed out by newer ones. */
export interface ParkedMessage {
  readonly n: number;
  readonly message_id: string;
  readonly type: MessageType;
  readonly title: string;
  readonly url?: string;
  readonly parked_at: string;
  readonly error: SinkError;
}
