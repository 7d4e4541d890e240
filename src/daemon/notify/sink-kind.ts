import type { Socket } from 'node:net';
import type { MessageType, SinkFailure, SinkKindName } from '../../shared/api/notify.ts';
import type { DiffChunk } from '../../shared/api/match.ts';
import type { Command, Finished } from '../process/command.ts';
import { SINK_DETAIL_BYTES } from '../../shared/limits.ts';

/**
 * What a kind of sink is: how a message becomes a request, and what an answer means. When something is sent, in which order and
 * how often is the engine's business; a kind makes one attempt and keeps nothing.
 *
 * The kinds are in `kinds/`, one file each; `kinds/kinds.ts` exports all of them as `sinkKinds: SinkKinds`.
 */
export interface SinkKind {
  readonly name: SinkKindName;
  readonly fields: readonly SinkField[];
  /** Where a sink sends to, as people see it: never anything secret, nor what may hold a secret (a path of a webhook of Slack). */
  readonly target: (options: Texts) => string;
  /** Makes a text that came from a page harmless in the markup of the kind's messages: fields of a template pass it. */
  readonly escape: (text: string) => string;
  /**
   * What is wrong with options and secrets taken together, as a sentence; undefined where nothing is. Each field alone was checked
   * before.
   */
  readonly fault?: (configured: Configured) => string | undefined;
  /**
   * One attempt. Rejects only by a bug of ours, or when `signal` is aborted; what a receiver does is an outcome.
   * Secrets are in no outcome.
   */
  readonly send: (message: Message, configured: Configured, transport: Transport) => Promise<Outcome>;
}

/** Loaded when a sink of the kind is used: most daemons have one or two of them. */
export interface SinkKinds {
  readonly names: readonly SinkKindName[];
  readonly load: (name: SinkKindName) => Promise<SinkKind>;
}

export type Texts = Readonly<Record<string, string>>;

export interface SinkField {
  /** `url`, `topic`, `token`, …; as the command line and `SinkCreation` name it. */
  readonly name: string;
  readonly isSecret: boolean;
  readonly isRequired: boolean;
  /** It may have line breaks; absent: it may not. */
  readonly isMultiline?: true;
  /** What it is, as a phrase: `the address of the ntfy server`. */
  readonly description: string;
  /** What is wrong with a value, to be put behind the field's name: `must be an http or https URL`; undefined where nothing is. */
  readonly check?: (value: string) => string | undefined;
}

/** A sink as a kind needs it. */
export interface Configured {
  readonly sinkId: string;
  readonly name: string;
  readonly options: Texts;
  /** In clear; for this attempt alone. */
  readonly secrets: Texts;
}

/** One piece of news. */
export interface MessageItem {
  readonly type: Exclude<MessageType, 'digest' | 'test'>;
  /** When it happened, an instant. */
  readonly at: string;
  /** Of the page or watch, or what is wrong: never empty, one line. */
  readonly title: string;
  readonly url?: string;
  /** What came and went, in the order of the page. */
  readonly lines: readonly DiffChunk[];
  readonly labels: MessageLabels;
  /** Other pages with nearly the same text, which are not sent by themselves; `urls` are some of them. */
  readonly alike?: { readonly count: number; readonly urls: readonly string[] };
  /** As it is on the wire of the API, for receivers that are programs: a `Match`, a `WatchNewsItem`, or the problem. */
  readonly payload: unknown;
}

export interface MessageLabels {
  /** The name of the tap. */
  readonly tap?: string;
  /** Tags of the rules that matched; the id of a rule without one. */
  readonly rules?: readonly string[];
  /** The title of the watch, where it has one. */
  readonly watch?: string;
  /** Of the watch. */
  readonly tags?: readonly string[];
}

/** What is sent. */
export interface Message {
  /** The same in every attempt, also after a restart; of ASCII letters, digits, `_` and `-`, at most 100 of them. */
  readonly id: string;
  readonly type: MessageType;
  /** Of its newest item, or when it was made. */
  readonly at: string;
  /** One line. */
  readonly title: string;
  readonly url?: string;
  /** What it is about. A digest has several, oldest first; `notice` and `test` have none, and a title that says it all. */
  readonly items: readonly MessageItem[];
  /** Further pieces of news that are not in `items`: `and 37 more`. */
  readonly more: number;
  /** By the sink's template, escaped by the kind: sent as the text of the message, as it is. */
  readonly text?: string;
}

export type Outcome =
  | { readonly outcome: 'delivered'; readonly status?: number; readonly detail?: string }
  | {
      readonly outcome: SinkFailure;
      readonly status?: number;
      /** What happened, for people; cut to `SINK_DETAIL_BYTES`. */
      readonly detail: string;
      /** Of `unavailable`: as the receiver asked for it. */
      readonly retryAfterMs?: number;
    };

/** How a kind reaches the world; nothing else may. All of it is bounded in time and bytes. */
export interface Transport {
  readonly signal: AbortSignal;
  /** Milliseconds since 1970: for the time stamp of a signature. */
  readonly now: () => number;
  /**
   * One request: metadata addresses are refused, the operator's private networks are not; no redirect is followed; 20 s for all
   * of it. Never rejects for what a server or a network does.
   */
  readonly http: (request: HttpRequest) => Promise<HttpReply>;
  /** A TCP connection by the same guard, for SMTP: to be handed to a library, which makes TLS of it. */
  readonly connect: (host: string, port: number) => Promise<Socket | Failure>;
  /** A process of the operator's, 20 s; it is killed after that. */
  readonly run: (command: Command) => Promise<Finished | Failure>;
}

export interface HttpRequest {
  readonly method: 'POST' | 'PUT';
  /** http or https, without a user or password. */
  readonly url: string;
  /** `content-length`, `host` and `user-agent` are added. */
  readonly headers: Texts;
  readonly body: string;
}

export type HttpReply = Answered | Failure;

export interface Answered {
  readonly status: number;
  /** `Retry-After`, as milliseconds from now; at most a day. */
  readonly retryAfterMs?: number;
  /** The beginning of the body as text, at most 16 KiB of it. */
  readonly body: string;
}

/** There is no answer. */
export interface Failure {
  /** Why, as a sentence without the URL: `ntfy.lan refused the connection`. */
  readonly failure: string;
  /** No attempt can help before the configuration changes: the address is refused by our own guard. */
  readonly isFinal?: boolean;
}

export function isFailure(reply: object): reply is Failure {
  return 'failure' in reply;
}

/**
 * What an answer by HTTP means where a kind has nothing better to say: 2xx is delivered; 410 is gone; 408, 425, 429 and 5xx are
 * tried again; everything else, redirects too, is refused.
 */
export function outcomeOf(reply: HttpReply): Outcome {
  if (isFailure(reply)) return { outcome: 'unavailable', detail: cutDetail(reply.failure) };
  const { status, body, retryAfterMs } = reply;
  const detail = cutDetail(body);
  if (status >= 200 && status < 300) return { outcome: 'delivered', status, detail };
  if (status === 410) return { outcome: 'gone', status, detail };
  if (status >= 500 || TRY_AGAIN.has(status)) {
    return { outcome: 'unavailable', status, detail, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  }
  return { outcome: 'refused', status, detail };
}

const TRY_AGAIN: ReadonlySet<number> = new Set([408, 425, 429]);

/** The beginning of a text, in one line that can be shown anywhere. */
export function cutDetail(text: string): string {
  const line = text.replaceAll(UNPRINTABLE, ' ').replaceAll(/\s+/g, ' ').trim();
  const bytes = Buffer.from(line);
  if (bytes.length <= SINK_DETAIL_BYTES) return line;
  return new TextDecoder().decode(bytes.subarray(0, SINK_DETAIL_BYTES), { stream: true });
}

/** Control characters, halves of a pair, and what turns the direction of what stands beside it. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu;
