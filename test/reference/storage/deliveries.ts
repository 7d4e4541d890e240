import {
  type Attempt,
  type AttemptRecord,
  type Composition,
  type Deliveries,
  type EndedProblem,
  type LoggedAttempt,
  NEW_SINK,
  type NewMessage,
  type Parked,
  type PendingMessage,
  type ProblemEvent,
  type SinkState,
  type StandingProblem,
  type StoredError,
  type TopicCursor,
} from '../../../src/daemon/storage/deliveries.ts';
import { PROBLEM_EVENTS, SINK_LOG_ENTRIES, SINK_PARKED_MESSAGES } from '../../../src/shared/limits.ts';

interface KeptMessage extends NewMessage {
  n: number;
  attempts: number;
  refusals: number;
  parked?: { at: number; error: StoredError };
}

interface KnownSink {
  state: Omit<SinkState, 'parked' | 'pending'>;
  cursors: Map<string, number>;
  messages: KeptMessage[];
  log: AttemptRecord[];
}

type Page = { readonly before?: number; readonly atMost: number };

export class MemoryDeliveries implements Deliveries {
  readonly #sinks = new Map<string, KnownSink>();
  readonly #open = new Map<string, StandingProblem>();
  #events: ProblemEvent[] = [];
  #messages = 0;
  #lastEvent = 0;

  async openSink(sinkId: string, cursors: readonly TopicCursor[]): Promise<void> {
    if (this.#sinks.has(sinkId)) return;
    const places = new Map(cursors.map(({ topic, position }) => [topic, position]));
    this.#sinks.set(sinkId, { state: NEW_SINK, cursors: places, messages: [], log: [] });
  }

  async removeSink(sinkId: string): Promise<void> {
    this.#sinks.delete(sinkId);
  }

  async retainSinks(sinkIds: readonly string[]): Promise<number> {
    const others = [...this.#sinks.keys()].filter((id) => !sinkIds.includes(id));
    for (const id of others) this.#sinks.delete(id);
    return others.length;
  }

  async sinkState(sinkId: string): Promise<SinkState | undefined> {
    const sink = this.#sinks.get(sinkId);
    if (!sink) return undefined;
    const parked = sink.messages.filter((message) => message.parked).length;
    return structuredClone({ ...sink.state, parked, pending: sink.messages.length - parked });
  }

  async cursors(sinkId: string): Promise<TopicCursor[]> {
    const cursors = [...(this.#sinks.get(sinkId)?.cursors ?? [])];
    return cursors
      .map(([topic, position]) => ({ topic, position }))
      .toSorted((one, two) => (one.topic < two.topic ? -1 : 1));
  }

  async moveCursors(sinkId: string, cursors: readonly TopicCursor[], gone: readonly string[] = []): Promise<void> {
    const sink = this.#sinks.get(sinkId);
    for (const topic of gone) sink?.cursors.delete(topic);
    for (const { topic, position } of cursors) sink?.cursors.set(topic, position);
  }

  async compose(sinkId: string, { messages, moves, dropped, digestedAt }: Composition): Promise<boolean> {
    const sink = this.#sinks.get(sinkId);
    if (!sink || moves.some(({ topic, from }) => (sink.cursors.get(topic) ?? 0) !== from)) return false;
    for (const message of messages) {
      const known = sink.messages.find(({ id }) => id === message.id);
      if (known) again(known);
      else sink.messages.push({ ...message, n: (this.#messages += 1), attempts: 0, refusals: 0 });
    }
    for (const { topic, to } of moves) sink.cursors.set(topic, to);
    const { state } = sink;
    sink.state = { ...state, dropped: state.dropped + dropped, digestedAt: digestedAt ?? state.digestedAt };
    return true;
  }

  async nextMessage(sinkId: string): Promise<PendingMessage | undefined> {
    const next = this.#sorted(sinkId).find(({ parked }) => !parked);
    if (!next) return undefined;
    const { parked: _, ...message } = next;
    return structuredClone(message);
  }

  async recordAttempt(sinkId: string, attempt: Attempt): Promise<void> {
    const sink = this.#sinks.get(sinkId);
    if (!sink) return;
    await this.noteAttempt(sinkId, attempt);
    const { n, at, fate, keepTimes } = attempt;
    const { state } = sink;
    if (fate === 'delivered') {
      sink.messages = sink.messages.filter((message) => message.n !== n);
      const sentTimes = keepTimes === 0 ? [] : [...state.sentTimes, at].slice(-keepTimes);
      const over = { failingSince: undefined, waitUntil: undefined };
      sink.state = { ...state, ...over, sent: state.sent + 1, deliveredAt: at, sentTimes };
      return;
    }
    const { outcome, status, detail = '', waitUntil, isDisabled } = attempt;
    const error = { at, outcome, ...(status !== undefined && { status }), detail } as StoredError;
    const disabledAt = isDisabled ? at : state.disabledAt;
    sink.state = { ...state, failingSince: state.failingSince ?? at, waitUntil, disabledAt, lastError: error };
    const message = sink.messages.find((one) => one.n === n);
    if (!message) return;
    message.attempts += 1;
    if (outcome === 'refused') message.refusals += 1;
    if (fate === 'parked') this.#park(sink, message, error);
  }

  async noteAttempt(sinkId: string, attempt: LoggedAttempt): Promise<void> {
    const sink = this.#sinks.get(sinkId);
    if (!sink) return;
    const { messageId, type, title, at, ms, attempt: nth, outcome, status, detail } = attempt;
    const entry = { messageId, type, title, at, ms, attempt: nth, outcome, n: (sink.log.at(-1)?.n ?? 0) + 1 };
    sink.log.push({ ...entry, ...(status !== undefined && { status }), ...(detail !== undefined && { detail }) });
    sink.log = sink.log.slice(-SINK_LOG_ENTRIES);
  }

  async reviveSink(sinkId: string): Promise<void> {
    const sink = this.#sinks.get(sinkId);
    if (sink) sink.state = { ...sink.state, waitUntil: undefined, disabledAt: undefined };
  }

  async attempts(sinkId: string, { before = Infinity, atMost }: Page): Promise<AttemptRecord[]> {
    const log = this.#sinks.get(sinkId)?.log ?? [];
    return log
      .filter(({ n }) => n < before)
      .toReversed()
      .slice(0, atMost);
  }

  async parkedMessages(sinkId: string, { before = Infinity, atMost }: Page): Promise<Parked[]> {
    const found = this.#sorted(sinkId).filter(({ n }) => n < before);
    return found
      .toReversed()
      .flatMap((message) => toParked(message) ?? [])
      .slice(0, atMost);
  }

  async unparkMessages(sinkId: string): Promise<number> {
    const parked = this.#sorted(sinkId).filter((message) => message.parked);
    for (const message of parked) again(message);
    return parked.length;
  }

  async openProblems(): Promise<StandingProblem[]> {
    return [...this.#open.values()].toSorted((one, two) =>
      one.key === two.key ? one.after - two.after : one.key < two.key ? -1 : 1,
    );
  }

  async recordProblems(at: number, begun: readonly StandingProblem[], over: readonly EndedProblem[]): Promise<number> {
    const before = this.#lastEvent;
    const append = (kind: ProblemEvent['kind'], after: number, problem: string): void => {
      this.#events.push({ n: (this.#lastEvent += 1), at, kind, after, problem });
    };
    for (const one of begun) {
      if (this.#open.has(nameOf(one))) continue;
      this.#open.set(nameOf(one), { ...one });
      append('begun', one.after, one.problem);
    }
    for (const one of over) {
      if (this.#open.delete(nameOf(one)) && one.problem !== null) append('over', one.after, one.problem);
    }
    this.#events = this.#events.slice(-PROBLEM_EVENTS);
    return this.#lastEvent - before;
  }

  async problemEvents(after: number, atMost: number): Promise<ProblemEvent[]> {
    return this.#events.filter(({ n }) => n > after).slice(0, atMost);
  }

  async problemBounds(): Promise<{ floor: number; head: number }> {
    const [first] = this.#events;
    return { floor: first ? first.n - 1 : this.#lastEvent, head: this.#lastEvent };
  }

  async problemCursorAt(at: number): Promise<number> {
    const first = this.#events.find((event) => event.at >= at);
    return first ? first.n - 1 : this.#lastEvent;
  }

  #sorted(sinkId: string): KeptMessage[] {
    return (this.#sinks.get(sinkId)?.messages ?? []).toSorted((one, two) => one.n - two.n);
  }

  #park(sink: KnownSink, message: KeptMessage, error: StoredError): void {
    message.parked = { at: error.at, error };
    const parked = sink.messages.filter((one) => one.parked).toSorted((one, two) => one.n - two.n);
    const gone = parked.slice(0, Math.max(0, parked.length - SINK_PARKED_MESSAGES));
    sink.messages = sink.messages.filter((one) => !gone.includes(one));
    sink.state = { ...sink.state, dropped: sink.state.dropped + gone.length };
  }
}

function toParked({ n, id, type, title, url, parked }: KeptMessage): Parked | undefined {
  if (!parked) return undefined;
  const about = { n, id, type, title, parkedAt: parked.at, error: parked.error };
  return url === undefined ? about : { ...about, url };
}

/** As if it had never been tried. */
function again(message: KeptMessage): void {
  message.attempts = 0;
  message.refusals = 0;
  delete message.parked;
}

function nameOf({ key, after }: Pick<StandingProblem, 'key' | 'after'>): string {
  return `${after} ${key}`;
}
