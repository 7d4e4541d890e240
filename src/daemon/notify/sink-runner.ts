import { setImmediate as nextTurn } from 'node:timers/promises';
import { composePage, Gathering } from './compose.ts';
import { type Topic, type TopicPage, TopicReader, type Topics, topicsOf, type TopicStorage } from './topics.ts';
import { type DigestTimes, digestAfter, parseDigest, parseQuiet, parseRate, quietUntil, quotaAt } from './schedule.ts';
import { type Configured, cutDetail, type Message, type Outcome, type SinkKind, type Transport } from './sink-kind.ts';
import { parseTemplate, renderTemplate } from './template.ts';
import { faultPoint } from '../fault-points.ts';
import { type Outside, randomOf } from '../outside.ts';
import type { SinkRecord } from '../storage/catalog.ts';
import type { Attempt, Composition, PendingMessage, SinkState } from '../storage/deliveries.ts';
import { SINK_REFUSALS } from '../../shared/limits.ts';
import type { SinkWaiting } from '../../shared/api/notify.ts';

export interface RunnerDeps {
  readonly storage: TopicStorage;
  readonly outside: Outside;
  readonly kindOf: (name: SinkRecord['kind']) => Promise<SinkKind>;
  /** With its secrets in clear. @throws {Error} where they cannot be read. */
  readonly configured: (sink: SinkRecord) => Configured;
  readonly transport: (signal: AbortSignal) => Promise<Transport>;
  readonly onError: (what: string, error: unknown) => void;
}

/** What a sink does next: at once, or at a time (undefined: when it is woken). */
export type Next =
  | { readonly kind: 'again' }
  | { readonly kind: 'wait'; readonly until: number | undefined; readonly why?: SinkWaiting['why'] };

const AGAIN: Next = { kind: 'again' };

/** Milliseconds until the next attempt after so many that failed; the last one from then on. */
const BACKOFF_MS = [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000] as const;
/** The same of a message that is refused, which holds up those behind it. */
const REFUSED_MS = [5_000, 10_000, 20_000, 40_000] as const;
/** A receiver that asks for less is taken at its word this often. */
const RETRY_AFTER_TRIES = 3;
const LEAST_RETRY_MS = 1_000;
/** No wait is longer: one that seems to be was noted by a clock that was ahead. */
const LONGEST_WAIT_MS = 26 * 3_600_000;
/** Of one attempt, all that a kind does in it together. */
const ATTEMPT_MS = 60_000;

/**
 * One sink, a step at a time: make messages of what is in its logs, or send the oldest one that waits. Everything that it knows is
 * durable between two steps, so that it may end after any of them, and goes on wherever it was.
 *
 * A message is sent before the next one is, so that each tap's come in its order. Reading is ahead of sending by a few messages and
 * no more: the rest stays in the log, which waits for nobody.
 */
export class SinkRunner {
  readonly #deps: RunnerDeps;
  readonly #sinkId: string;
  /** What came of an attempt and could not be written: a full disk must not send the same message again and again. */
  #unrecorded: Attempt | undefined;
  /** Which topic is read first: each has its turn. */
  #turn = 0;

  constructor(sinkId: string, deps: RunnerDeps) {
    this.#sinkId = sinkId;
    this.#deps = deps;
  }

  /** @throws what the storage throws */
  async step(signal: AbortSignal): Promise<Next> {
    const { storage, outside } = this.#deps;
    await this.#recordLast();
    const sink = storage.catalog.data.sinks.find(({ id }) => id === this.#sinkId);
    const state = sink && (await this.#state());
    if (!sink || !state || sink.paused || state.disabledAt !== undefined) return { kind: 'wait', until: undefined };
    const now = outside.now();
    const waiting = waitOf(sink, state, now);
    if (waiting) return { kind: 'wait', ...waiting };
    const next = await storage.deliveries.nextMessage(sink.id);
    return next ? this.#send(sink, next, signal) : this.#compose(sink, state, now);
  }

  /** Milliseconds until then; `most` where it is later, or never. */
  msUntil(until: number | undefined, most: number): number {
    return until === undefined ? most : Math.min(most, Math.max(0, until - this.#deps.outside.now()));
  }

  /** Of a sink whose state was lost with the database: it begins with what the new one has. */
  async #state(): Promise<SinkState | undefined> {
    const { deliveries } = this.#deps.storage;
    const state = await deliveries.sinkState(this.#sinkId);
    if (state) return state;
    await deliveries.openSink(this.#sinkId, []);
    return deliveries.sinkState(this.#sinkId);
  }

  async #compose(sink: SinkRecord, state: SinkState, now: number): Promise<Next> {
    const { storage } = this.#deps;
    const known = await topicsOf(sink, storage);
    const topics = known.topics.filter(({ position, floor, head }) => position < Math.max(head, floor));
    const due = digestDue(sink, state);
    if (due === undefined && topics.length === 0) return { kind: 'wait', until: undefined };
    const left = quotaLeft(sink, state, now);
    const isDigest = due !== undefined || left === 1;
    const made = isDigest
      ? await this.#together(sink, { ...known, topics }, now, due === undefined ? undefined : now)
      : await this.#page(sink, { ...known, topics }, now, left);
    if (made) await storage.deliveries.compose(sink.id, made);
    faultPoint('sink:composed');
    return AGAIN;
  }

  /** A page of one topic. With a quota: not more messages than all but the last that there may be. */
  async #page(
    sink: SinkRecord,
    { topics, partition }: Topics,
    now: number,
    left: number,
  ): Promise<Composition | undefined> {
    const reader = new TopicReader(sink, this.#deps.storage);
    const topic = topics[this.#turn % topics.length];
    this.#turn += 1;
    if (!topic) return undefined;
    const page = await reader.page(topic, partition);
    const made = composePage({ sinkId: sink.id, at: now }, topic, page);
    if (made.messages.length < left) return made;
    // More than there may be: all that waits comes in one message, once there is one left.
    return this.#together(sink, { topics, partition }, now, undefined);
  }

  /** All that there is in all topics, as one message. */
  async #together(
    sink: SinkRecord,
    { topics, partition }: Topics,
    now: number,
    digestedAt: number | undefined,
  ): Promise<Composition> {
    const reader = new TopicReader(sink, this.#deps.storage);
    const gathering = new Gathering({ sinkId: sink.id, at: now });
    for (const topic of topics) {
      gathering.finish(topic, await readAll(topic, (at) => reader.page(at, partition), gathering));
    }
    return gathering.composition(digestedAt);
  }

  async #send(sink: SinkRecord, pending: PendingMessage, signal: AbortSignal): Promise<Next> {
    const { outside } = this.#deps;
    const startedAt = outside.now();
    const outcome = await this.attempt(sink, JSON.parse(pending.message) as Message, signal);
    // The daemon ends: whether it has arrived nobody knows, so it is sent again.
    if (signal.aborted) return { kind: 'wait', until: undefined };
    faultPoint('sink:sent');
    const at = outside.now();
    this.#unrecorded = this.#record(sink, pending, outcome, { startedAt, at });
    await this.#recordLast();
    return AGAIN;
  }

  async #recordLast(): Promise<void> {
    if (!this.#unrecorded) return;
    await this.#deps.storage.deliveries.recordAttempt(this.#sinkId, this.#unrecorded);
    this.#unrecorded = undefined;
    faultPoint('sink:recorded');
  }

  /** Never rejects: what a kind throws is a failed attempt. */
  async attempt(sink: SinkRecord, message: Message, signal: AbortSignal): Promise<Outcome> {
    const { kindOf, configured, transport, onError } = this.#deps;
    const deadline = AbortSignal.timeout(ATTEMPT_MS);
    const until = AbortSignal.any([signal, deadline]);
    const ended = Promise.withResolvers<Outcome>();
    const late: Outcome = { outcome: 'unavailable', detail: `it took longer than ${ATTEMPT_MS / 1_000} s` };
    until.addEventListener('abort', () => ended.resolve(late), { once: true });
    try {
      const kind = await kindOf(sink.kind);
      const sent = kind.send(withText(message, sink, kind), configured(sink), await transport(until));
      return shortened(await Promise.race([sent, ended.promise]));
    } catch (error) {
      if (until.aborted) return late;
      onError(`the sink ${sink.name} could not be sent to`, error);
      return { outcome: 'unavailable', detail: 'it failed inside the daemon; its log says how' };
    }
  }

  #record(
    sink: SinkRecord,
    { n, id: messageId, type, title, attempts, refusals }: PendingMessage,
    outcome: Outcome,
    { startedAt, at }: { readonly startedAt: number; readonly at: number },
  ): Attempt {
    const { status, detail } = outcome;
    const logged = {
      n,
      messageId,
      type,
      title,
      at,
      ms: Math.max(0, at - startedAt),
      attempt: attempts + 1,
      outcome: outcome.outcome,
      keepTimes: rateOf(sink)?.messages ?? 0,
      ...(status !== undefined && { status }),
      ...(detail !== undefined && detail !== '' && { detail }),
    };
    switch (outcome.outcome) {
      case 'delivered':
        return { ...logged, fate: 'delivered' };
      case 'gone':
        return { ...logged, fate: 'retry', isDisabled: true };
      case 'unavailable':
        return { ...logged, fate: 'retry', waitUntil: at + this.#backoff(attempts, outcome.retryAfterMs) };
      case 'refused':
        if (refusals + 1 >= SINK_REFUSALS) return { ...logged, fate: 'parked' };
        return { ...logged, fate: 'retry', waitUntil: at + this.#jittered(REFUSED_MS[refusals] ?? REFUSED_MS[3]) };
    }
  }

  #backoff(attempts: number, retryAfterMs: number | undefined): number {
    const usual = this.#jittered(BACKOFF_MS[Math.min(attempts, BACKOFF_MS.length - 1)] ?? BACKOFF_MS[0]);
    if (retryAfterMs === undefined) return usual;
    const asked = this.#jittered(Math.max(LEAST_RETRY_MS, retryAfterMs));
    return attempts < RETRY_AFTER_TRIES ? asked : Math.max(asked, usual);
  }

  /** Later by a fifth at most: receivers that come back are not met by all at once, and none is met too early. */
  #jittered(ms: number): number {
    return Math.round(ms * (1 + randomOf(this.#deps.outside)() / 5));
  }
}

/** Up to where it goes now; how far that is. */
async function readAll(topic: Topic, page: (at: Topic) => Promise<TopicPage>, gathering: Gathering): Promise<number> {
  let { position } = topic;
  while (position < Math.max(topic.head, topic.floor)) {
    const read = await page({ ...topic, position });
    gathering.add(read);
    position = read.next;
    // The log of a day takes a while to read, and there are streams to be served.
    await nextTurn();
  }
  return position;
}

/** Why nothing may be sent now, and until when. */
export function waitOf(
  sink: SinkRecord,
  state: SinkState,
  now: number,
): { readonly until: number; readonly why: SinkWaiting['why'] } | undefined {
  const { waitUntil } = state;
  if (waitUntil !== undefined && waitUntil > now && waitUntil <= now + LONGEST_WAIT_MS) {
    return { until: waitUntil, why: 'failure' };
  }
  const loud = quietEnd(sink, now);
  if (loud !== undefined) return { until: loud, why: 'quiet' };
  const due = state.pending > 0 ? undefined : digestDue(sink, state);
  if (due !== undefined && due > now) return { until: due, why: 'digest' };
  const rate = rateOf(sink);
  const quota = rate && quotaAt(rate, state.sentTimes, now);
  return quota?.left === 0 ? { until: quota.from, why: 'at_most' } : undefined;
}

function quietEnd({ quiet, zone }: SinkRecord, now: number): number | undefined {
  const hours = quiet === null ? undefined : parseQuiet(quiet);
  return hours && quietUntil(hours, zone, now);
}

/** When the next digest is; undefined where there are none. */
function digestDue({ digest, zone, createdAt }: SinkRecord, { digestedAt }: SinkState): number | undefined {
  const times: DigestTimes | undefined = digest === null ? undefined : parseDigest(digest);
  return times && digestAfter(times, zone, digestedAt ?? Date.parse(createdAt));
}

function quotaLeft(sink: SinkRecord, { sentTimes }: SinkState, now: number): number {
  const rate = rateOf(sink);
  return rate ? quotaAt(rate, sentTimes, now).left : Infinity;
}

function rateOf({ atMost }: SinkRecord): ReturnType<typeof parseRate> {
  return atMost === null ? undefined : parseRate(atMost);
}

/** One that a newer version has made may have fields that this one has not: then it is the kind's own text. */
function withText(message: Message, { template }: SinkRecord, { escape }: SinkKind): Message {
  const parsed = template === null ? undefined : parseTemplate(template);
  return parsed?.ok ? { ...message, text: renderTemplate(parsed.template, message, escape) } : message;
}

function shortened(outcome: Outcome): Outcome {
  return outcome.detail === undefined ? outcome : { ...outcome, detail: cutDetail(outcome.detail) };
}
