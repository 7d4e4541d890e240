import { behindOf, cursorsAt, cursorsAtHead, type TopicStorage } from './topics.ts';
import type { Configured, Message, Outcome, SinkKind, SinkKinds, Texts } from './sink-kind.ts';
import { waitOf } from './sink-runner.ts';
import { changedSettings, checkFields, refuse } from './sink-settings.ts';
import type { Manager, Seal } from '../accounts/keys.ts';
import { findOne } from '../accounts/lookup.ts';
import type { Outside } from '../outside.ts';
import type { Draft, SinkRecord } from '../storage/catalog.ts';
import {
  type AttemptRecord,
  NEW_SINK,
  type Parked,
  type StoredError,
  type TopicCursor,
} from '../storage/deliveries.ts';
import type {
  ParkedMessage,
  SinkChange,
  SinkCreation,
  SinkError,
  SinkKindReport,
  SinkLogEntry,
  SinkReplay,
  SinkReplayReport,
  SinkReport,
  SinkTestReport,
} from '../../shared/api/notify.ts';
import type { SinkTotals, UnhealthySink } from '../../shared/api/status.ts';
import { SINK_DEAD_MS, SINK_PROBLEM_FAILURES, SINKS } from '../../shared/limits.ts';

interface SinksDeps {
  readonly storage: TopicStorage;
  readonly seal: Seal;
  readonly kinds: SinkKinds;
  readonly outside: Outside;
  /** Of the daemon's machine, IANA. */
  readonly zone: string;
  readonly loops: {
    sync(): void;
    wake(sinkId: string): void;
    attempt(sink: SinkRecord, message: Message): Promise<Outcome>;
  };
}

type Asked = { readonly before?: number; readonly atMost: number };

/**
 * What the operator asks of sinks. Each belongs to the organization whose matches and changes it carries, and is the operator's: nothing
 * of it is charged to that organization's credit (docs/decisions/0023-sinks.md).
 */
export class Sinks {
  readonly #deps: SinksDeps;

  constructor(deps: SinksDeps) {
    this.#deps = deps;
  }

  async kinds(): Promise<SinkKindReport[]> {
    const { kinds } = this.#deps;
    const loaded = await Promise.all(kinds.names.map((name) => kinds.load(name)));
    return loaded.map(({ name: kind, fields }) => ({ kind, fields: fields.map(fieldReport) }));
  }

  /** By name. */
  async list(organizationId: string): Promise<SinkReport[]> {
    const own = this.#own(organizationId).toSorted((one, other) => (one.name < other.name ? -1 : 1));
    return Promise.all(own.map((sink) => this.#report(sink)));
  }

  async show(organizationId: string, wanted: string): Promise<SinkReport> {
    return this.#report(this.#find(organizationId, wanted));
  }

  /** @throws {Problem} invalid_field, invalid_query, unknown_filter, not_found */
  async add({ organizationId }: Pick<Manager, 'organizationId'>, creation: SinkCreation): Promise<SinkReport> {
    const { storage, outside, seal, zone, loops } = this.#deps;
    const { name, kind, options = {}, secrets = {}, ...settings } = creation;
    const { data } = storage.catalog;
    const id = outside.uuid();
    const record: SinkRecord = {
      id,
      organizationId,
      name: name.trim(),
      kind,
      options,
      secretsSealed: mapped(secrets, (value) => seal.seal(value)),
      ...changedSettings({ ...CARRIES_ALL, zone }, settings, data, organizationId),
      paused: false,
      createdAt: new Date(outside.now()).toISOString(),
    };
    checkFields(await this.#kindOf(kind), { sinkId: id, name: record.name, options, secrets });
    // Before it is in the catalog: what it carries begins here.
    const begins = await cursorsAtHead(record, storage);
    await storage.deliveries.openSink(id, begins);
    try {
      await storage.catalog.update((draft) => {
        if (draft.sinks.length >= SINKS)
          refuse('name', `There are ${SINKS} sinks, and more cannot be; remove one first.`);
        refuseTaken(draft.sinks, record);
        draft.sinks.push(structuredClone(record) as Draft<SinkRecord>);
      });
    } catch (error) {
      await storage.deliveries.removeSink(id);
      throw error;
    }
    // A node that was started meanwhile may have taken it for what a crash has left.
    await storage.deliveries.openSink(id, begins);
    loops.sync();
    return this.#report(record);
  }

  /** @throws {Problem} invalid_field, invalid_query, unknown_filter, not_found */
  async edit(organizationId: string, wanted: string, change: SinkChange): Promise<SinkReport> {
    const { storage, seal, loops, outside } = this.#deps;
    const before = this.#find(organizationId, wanted);
    const { name = before.name, options = before.options, secrets = {}, ...settings } = change;
    const after: SinkRecord = {
      ...before,
      name: name.trim(),
      options,
      secretsSealed: withSecrets(before.secretsSealed, secrets, seal),
      ...changedSettings(before, settings, storage.catalog.data, organizationId),
    };
    const clear = this.configured(after);
    checkFields(await this.#kindOf(after.kind), clear);
    const { added, gone } = await this.#topicsChanged(before, after);
    await storage.deliveries.moveCursors(before.id, added);
    await storage.catalog.update((draft) => {
      const sink = draft.sinks.find(({ id }) => id === before.id);
      if (!sink) refuse('id', 'The sink was removed meanwhile.');
      refuseTaken(draft.sinks, after);
      // What was changed beside it stays: it was paused, maybe.
      Object.assign(sink, structuredClone(after), { paused: sink.paused });
    });
    await storage.deliveries.moveCursors(before.id, [], gone);
    if (after.digest !== before.digest) {
      const at = outside.now();
      await storage.deliveries.compose(before.id, { messages: [], moves: [], dropped: 0, at, digestedAt: at });
    }
    if (change.options !== undefined || change.secrets !== undefined) await storage.deliveries.reviveSink(before.id);
    loops.sync();
    return this.show(organizationId, before.id);
  }

  async remove(organizationId: string, wanted: string): Promise<void> {
    const { storage, loops } = this.#deps;
    const { id } = this.#find(organizationId, wanted);
    await storage.catalog.update((draft) => {
      draft.sinks = draft.sinks.filter((sink) => sink.id !== id);
    });
    loops.sync();
    await storage.deliveries.removeSink(id);
  }

  /** At once, whatever waits or is quiet; paused ones, too. */
  async test(organizationId: string, wanted: string): Promise<SinkTestReport> {
    const { storage, outside, loops } = this.#deps;
    const sink = this.#find(organizationId, wanted);
    const startedAt = outside.now();
    const message: Message = {
      id: `msg_${outside.uuid()}`,
      type: 'test',
      at: new Date(startedAt).toISOString(),
      title: `A test of the sink ${sink.name}: hydrant reaches you here`,
      items: [],
      more: 0,
    };
    const { outcome, status, detail } = await loops.attempt(sink, message);
    const at = outside.now();
    const ms = Math.max(0, at - startedAt);
    const answer = { outcome, ...(status !== undefined && { status }) };
    const logged = { messageId: message.id, type: message.type, title: message.title, at, ms, attempt: 1 };
    const said = detail === undefined || detail === '' ? {} : { detail };
    await storage.deliveries.noteAttempt(sink.id, { ...logged, ...answer, ...said });
    return { ...answer, detail: detail ?? '', ms, message_id: message.id };
  }

  async pause(organizationId: string, wanted: string): Promise<SinkReport> {
    return this.#setPaused(organizationId, wanted, true);
  }

  /** It is tried at once, also where it was disabled or waited after a failure. */
  async resume(organizationId: string, wanted: string): Promise<SinkReport> {
    await this.#deps.storage.deliveries.reviveSink(this.#find(organizationId, wanted).id);
    return this.#setPaused(organizationId, wanted, false);
  }

  async replay(organizationId: string, wanted: string, replay: SinkReplay): Promise<SinkReplayReport> {
    const { storage, loops } = this.#deps;
    const sink = this.#find(organizationId, wanted);
    if ('parked' in replay) {
      const replayed = await storage.deliveries.unparkMessages(sink.id);
      loops.wake(sink.id);
      return { replayed };
    }
    const at = Date.parse(replay.since);
    if (Number.isNaN(at))
      refuse('since', `${JSON.stringify(replay.since)} is no instant; write it like 2026-11-24T08:00:00Z.`);
    const before = await behindOf(sink, storage);
    const known = new Map((await storage.deliveries.cursors(sink.id)).map(({ topic, position }) => [topic, position]));
    const earlier = (await cursorsAt(sink, storage, at)).filter(
      ({ topic, position }) => position < (known.get(topic) ?? 0),
    );
    await storage.deliveries.moveCursors(sink.id, earlier);
    const replayed = (await behindOf(sink, storage)) - before;
    loops.wake(sink.id);
    return { replayed: Math.max(0, replayed) };
  }

  async log(organizationId: string, wanted: string, asked: Asked): Promise<SinkLogEntry[]> {
    const sink = this.#find(organizationId, wanted);
    return (await this.#deps.storage.deliveries.attempts(sink.id, asked)).map(logEntry);
  }

  async parked(organizationId: string, wanted: string, asked: Asked): Promise<ParkedMessage[]> {
    const sink = this.#find(organizationId, wanted);
    return (await this.#deps.storage.deliveries.parkedMessages(sink.id, asked)).map(parkedMessage);
  }

  /** With its secrets in clear. @throws {Problem} invalid_field, where they were sealed with the secret of another instance. */
  configured({ id: sinkId, name, options, secretsSealed }: SinkRecord): Configured {
    const secrets = mapped(secretsSealed, (sealed, secret) => {
      try {
        return this.#deps.seal.open(sealed);
      } catch {
        const how = 'the file `secret` of the data directory is not the one that it was sealed with';
        return refuse(`secrets.${secret}`, `${secret} of the sink ${name} cannot be read: ${how}; set it again.`);
      }
    });
    return { sinkId, name, options, secrets };
  }

  /** Of all organizations. */
  async totals(): Promise<SinkTotals> {
    const reports = await Promise.all(this.#deps.storage.catalog.data.sinks.map((sink) => this.#report(sink)));
    const sum = (name: keyof SinkReport['counts']): number =>
      reports.reduce((all, { counts }) => all + counts[name], 0);
    return {
      sinks: reports.length,
      paused: reports.filter(({ state }) => state === 'paused').length,
      sent: sum('sent'),
      parked: sum('parked'),
      dropped: sum('dropped'),
      behind: sum('behind'),
      unhealthy: reports.flatMap(unhealthy),
    };
  }

  async #setPaused(organizationId: string, wanted: string, paused: boolean): Promise<SinkReport> {
    const { storage, loops } = this.#deps;
    const { id } = this.#find(organizationId, wanted);
    await storage.catalog.update((draft) => {
      const sink = draft.sinks.find((one) => one.id === id);
      if (sink) sink.paused = paused;
    });
    loops.wake(id);
    return this.show(organizationId, id);
  }

  /** Logs that are carried from now on, each at its end; and those that are not any more. */
  async #topicsChanged(before: SinkRecord, after: SinkRecord): Promise<{ added: TopicCursor[]; gone: string[] }> {
    const { storage } = this.#deps;
    const [former, latter] = [await cursorsAtHead(before, storage), await cursorsAtHead(after, storage)];
    const without = (some: readonly TopicCursor[], others: readonly TopicCursor[]): TopicCursor[] =>
      some.filter(({ topic }) => !others.some((other) => other.topic === topic));
    return { added: without(latter, former), gone: without(former, latter).map(({ topic }) => topic) };
  }

  async #kindOf(name: SinkRecord['kind']): Promise<SinkKind> {
    return this.#deps.kinds.load(name);
  }

  #own(organizationId: string): readonly SinkRecord[] {
    return this.#deps.storage.catalog.data.sinks.filter((sink) => sink.organizationId === organizationId);
  }

  #find(organizationId: string, wanted: string): SinkRecord {
    return findOne('sink', this.#own(organizationId), wanted);
  }

  async #report(sink: SinkRecord): Promise<SinkReport> {
    const { storage, outside } = this.#deps;
    const state = (await storage.deliveries.sinkState(sink.id)) ?? NEW_SINK;
    const taps = sink.taps === 'all' ? 'all' : storage.catalog.data.taps.filter(({ id }) => sink.taps.includes(id));
    const now = outside.now();
    const { failingSince } = state;
    const isDead = failingSince !== undefined && now - failingSince >= SINK_DEAD_MS;
    const status = sink.paused ? 'paused' : state.disabledAt === undefined ? 'active' : 'disabled';
    const waiting = status === 'active' ? waitOf(sink, state, now) : undefined;
    const { sent, parked, dropped } = state;
    return {
      id: sink.id,
      name: sink.name,
      kind: sink.kind,
      options: sink.options,
      secrets: Object.keys(sink.secretsSealed).toSorted(),
      target: (await this.#kindOf(sink.kind)).target(sink.options),
      taps: taps === 'all' ? taps : taps.map(({ id, name }) => ({ id, name })),
      query: sink.query,
      watches: sink.watches,
      problems: sink.problems,
      digest: sink.digest,
      quiet: sink.quiet,
      zone: sink.zone,
      at_most: sink.atMost,
      template: sink.template,
      created_at: sink.createdAt,
      state: status,
      waiting: waiting ? { until: instant(waiting.until), why: waiting.why } : null,
      failing_since: instantOrNull(failingSince),
      dead_since: isDead ? instant(failingSince) : null,
      counts: { sent, behind: state.pending + (await behindOf(sink, storage)), parked, dropped },
      last_delivery_at: instantOrNull(state.deliveredAt),
      last_error: state.lastError ? errorReport(state.lastError) : null,
    };
  }
}

const CARRIES_ALL = {
  taps: 'all',
  query: null,
  watches: 'all',
  problems: { after: SINK_PROBLEM_FAILURES.default },
  digest: null,
  quiet: null,
  atMost: null,
  template: null,
} as const;

function refuseTaken(sinks: readonly Pick<SinkRecord, 'id' | 'organizationId' | 'name'>[], sink: SinkRecord): void {
  const { id, organizationId, name } = sink;
  const isTaken = sinks.some((one) => one.id !== id && one.organizationId === organizationId && one.name === name);
  if (isTaken) refuse('name', `There is a sink ${name} already; choose another name, or edit that one.`);
}

function withSecrets(sealed: Texts, change: NonNullable<SinkChange['secrets']>, seal: Seal): Texts {
  const kept = { ...sealed };
  for (const [name, value] of Object.entries(change)) {
    if (value === null) delete kept[name];
    else kept[name] = seal.seal(value);
  }
  return kept;
}

function mapped(texts: Texts, change: (value: string, name: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, change(value, name)]));
}

function fieldReport({
  name,
  isSecret,
  isRequired,
  description,
}: SinkKind['fields'][number]): SinkKindReport['fields'][number] {
  return { name, is_secret: isSecret, is_required: isRequired, description };
}

function unhealthy(report: SinkReport): UnhealthySink[] {
  const { id, name, kind, state, failing_since: since, dead_since: deadSince, last_error: error } = report;
  if (state === 'paused' || since === null) return [];
  const how = state === 'disabled' ? state : deadSince === null ? 'failing' : 'dead';
  return [{ id, name, kind, state: how, since, detail: error?.detail ?? '' }];
}

function logEntry({
  n,
  at,
  messageId,
  type,
  title,
  attempt,
  outcome,
  status,
  detail,
  ms,
}: AttemptRecord): SinkLogEntry {
  const answer = { ...(status !== undefined && { status }), ...(detail !== undefined && { detail }) };
  return { n, at: instant(at), message_id: messageId, type, title, attempt, outcome, ...answer, ms };
}

function parkedMessage({ n, id, type, title, url, parkedAt, error }: Parked): ParkedMessage {
  const about = { n, message_id: id, type, title, ...(url !== undefined && { url }) };
  return { ...about, parked_at: instant(parkedAt), error: errorReport(error) };
}

function errorReport({ at, outcome, status, detail }: StoredError): SinkError {
  return { at: instant(at), outcome, ...(status !== undefined && { status }), detail };
}

function instantOrNull(ms: number | undefined): string | null {
  return ms === undefined ? null : instant(ms);
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}
