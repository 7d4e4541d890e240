import type {
  ParkedMessage,
  SinkChange,
  SinkCounts,
  SinkCreation,
  SinkError,
  SinkFieldReport,
  SinkKindReport,
  SinkLogEntry,
  SinkReplay,
  SinkReplayReport,
  SinkReport,
  SinkTestReport,
  SinkWaiting,
} from '../../shared/api/notify.ts';
import { MESSAGE_TYPES, SINK_KINDS } from '../../shared/api/notify-values.ts';
import { isObject } from '../../shared/page/json-value.ts';
import { type Asking, type Check, flag, listOf, number, oneOf, optional, orNull, shaped, text } from './shape.ts';

/** Which entries of a sink's log are asked for. */
export interface EntriesAsked {
  readonly limit: number;
  /** The `n` of the last one of a former answer. */
  readonly before?: number;
}

/** The endpoints of sinks, one method each. @throws as `Client` */
export class SinkEndpoints {
  readonly #asking: Asking;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  async kinds(): Promise<SinkKindReport[]> {
    return this.#asking.ask(listOf(isKind), 'GET', '/admin/sink-kinds');
  }

  /** By name. */
  async list(): Promise<SinkReport[]> {
    return this.#asking.ask(listOf(isSink), 'GET', '/admin/sinks');
  }

  async add(creation: SinkCreation): Promise<SinkReport> {
    return this.#asking.ask(isSink, 'POST', '/admin/sinks', creation);
  }

  async change(id: string, change: SinkChange): Promise<SinkReport> {
    return this.#asking.ask(isSink, 'PATCH', pathOf(id), change);
  }

  async remove(id: string): Promise<void> {
    await this.#asking.tell('DELETE', pathOf(id));
  }

  /** Sends a real message. */
  async test(id: string): Promise<SinkTestReport> {
    return this.#asking.ask(isTest, 'POST', `${pathOf(id)}/test`);
  }

  async pause(id: string): Promise<SinkReport> {
    return this.#asking.ask(isSink, 'POST', `${pathOf(id)}/pause`);
  }

  async resume(id: string): Promise<SinkReport> {
    return this.#asking.ask(isSink, 'POST', `${pathOf(id)}/resume`);
  }

  async replay(id: string, asked: SinkReplay): Promise<SinkReplayReport> {
    return this.#asking.ask(isReplay, 'POST', `${pathOf(id)}/replay`, asked);
  }

  /** Attempts, newest first. */
  async log(id: string, asked: EntriesAsked): Promise<SinkLogEntry[]> {
    return this.#asking.ask(listOf(isLogEntry), 'GET', `${pathOf(id)}/log?${queryOf(asked)}`);
  }

  /** Messages that were refused and are kept aside, newest first. */
  async parked(id: string, asked: EntriesAsked): Promise<ParkedMessage[]> {
    return this.#asking.ask(listOf(isParked), 'GET', `${pathOf(id)}/parked?${queryOf(asked)}`);
  }
}

function pathOf(id: string): string {
  return `/admin/sinks/${encodeURIComponent(id)}`;
}

function queryOf({ limit, before }: EntriesAsked): string {
  return `limit=${limit}${before === undefined ? '' : `&before=${before}`}`;
}

/** What the answers about sinks must look like: see `shape.ts`. */
const failures = ['refused', 'unavailable', 'gone'] as const;
const outcome = oneOf('delivered', ...failures);
const texts: Check = listOf((value: unknown): value is string => text(value));
const textsByName: Check = (value) => isObject(value) && Object.values(value).every((one) => text(one));

const isField = shaped<SinkFieldReport>({ name: text, is_secret: flag, is_required: flag, description: text });
const isKind = shaped<SinkKindReport>({ kind: text, fields: listOf(isField) });

const isTapOfSink = shaped<{ readonly id: string; readonly name: string }>({ id: text, name: text });
const isTags = shaped<{ readonly tags: readonly string[] }>({ tags: texts });
const isProblems = shaped<{ readonly after: number }>({ after: number });
const isError = shaped<SinkError>({
  at: text,
  outcome: oneOf(...failures),
  status: optional(number),
  detail: text,
});

const isSink = shaped<SinkReport>({
  id: text,
  name: text,
  kind: oneOf(...SINK_KINDS),
  options: textsByName,
  secrets: texts,
  target: text,
  taps: (value) => value === 'all' || listOf(isTapOfSink)(value),
  query: orNull(text),
  watches: (value) => value === 'all' || value === 'none' || isTags(value),
  problems: orNull(isProblems),
  digest: orNull(text),
  quiet: orNull(text),
  zone: text,
  at_most: orNull(text),
  template: orNull(text),
  created_at: text,
  state: oneOf('active', 'paused', 'disabled'),
  waiting: orNull(shaped<SinkWaiting>({ until: text, why: oneOf('failure', 'quiet', 'digest', 'at_most') })),
  failing_since: orNull(text),
  dead_since: orNull(text),
  counts: shaped<SinkCounts>({ sent: number, behind: number, parked: number, dropped: number }),
  last_delivery_at: orNull(text),
  last_error: orNull(isError),
});

const isTest = shaped<SinkTestReport>({
  outcome,
  status: optional(number),
  detail: text,
  ms: number,
  message_id: text,
});

const isReplay = shaped<SinkReplayReport>({ replayed: number });

const isLogEntry = shaped<SinkLogEntry>({
  n: number,
  at: text,
  message_id: text,
  type: oneOf(...MESSAGE_TYPES),
  title: text,
  attempt: number,
  outcome,
  status: optional(number),
  detail: optional(text),
  ms: number,
});

const isParked = shaped<ParkedMessage>({
  n: number,
  message_id: text,
  type: oneOf(...MESSAGE_TYPES),
  title: text,
  url: optional(text),
  parked_at: text,
  error: isError,
});
