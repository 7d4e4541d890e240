import { expect } from 'vitest';
import { Seal } from '../../../src/daemon/accounts/keys.ts';
import type { Configured, Message, Outcome, SinkKind, Transport } from '../../../src/daemon/notify/sink-kind.ts';
import { type Next, type RunnerDeps, SinkRunner } from '../../../src/daemon/notify/sink-runner.ts';
import { Sinks } from '../../../src/daemon/notify/sinks.ts';
import type { NewEvent } from '../../../src/daemon/storage/event-log.ts';
import type { Storage } from '../../../src/daemon/storage/storage.ts';
import type { Match, MatchDocument } from '../../../src/shared/api/match.ts';
import type { SinkCreation, SinkReport } from '../../../src/shared/api/notify.ts';
import { seed, visitOf } from '../../fixtures/visits.ts';
import { type House, instanceSecret, openHouse } from '../taps/house.ts';

/** A receiver in memory: it answers what a test has laid ready, then that all is well. */
export class Receiver {
  readonly messages: Message[] = [];
  readonly configured: Configured[] = [];
  readonly answers: Outcome[] = [];
  /** Called before the answer. */
  onMessage: (message: Message) => void = () => undefined;

  readonly kind: SinkKind = {
    name: 'webhook',
    fields: [
      {
        name: 'url',
        isSecret: false,
        isRequired: true,
        description: 'where to',
        check: (url) => (url.startsWith('http') ? undefined : 'must be a URL'),
      },
      { name: 'token', isSecret: true, isRequired: false, description: 'who it is' },
    ],
    target: ({ url = '' }) => url,
    escape: (text) => text.replaceAll('*', String.raw`\*`),
    send: async (message, configured) => {
      this.messages.push(message);
      this.configured.push(configured);
      this.onMessage(message);
      return this.answers.shift() ?? { outcome: 'delivered', status: 200 };
    },
  };

  /** What it has been sent of matches, each by the address of its page. */
  get urls(): string[] {
    return this.messages.flatMap(({ items }) => items.flatMap(({ url }) => url ?? []));
  }

  get titles(): string[] {
    return this.messages.map(({ title }) => title);
  }
}

/** The receiver is in memory. */
const unreachable = (): Promise<never> => Promise.reject(new Error('nothing is to be reached'));
const UNREACHABLE: Pick<Transport, 'http' | 'connect' | 'run'> = {
  http: unreachable,
  connect: unreachable,
  run: unreachable,
};

/** More than any test has messages. */
const MOST_STEPS = 500;

export interface SinkHouse extends House {
  readonly receiver: Receiver;
  readonly sinks: Sinks;
  readonly runnerDeps: RunnerDeps;
  /** Steps of one sink until it waits; what for. */
  readonly drain: (sink: Pick<SinkReport, 'id'>) => Promise<Extract<Next, { kind: 'wait' }>>;
  readonly add: (more?: Partial<SinkCreation>) => Promise<SinkReport>;
  /** Makes a tap; its id. */
  readonly tap: (name: string) => Promise<string>;
  /** One match for each document. */
  readonly match: (tapId: string, ...documents: Partial<MatchDocument>[]) => Promise<void>;
}

export async function openSinkHouse(storage?: Storage): Promise<SinkHouse> {
  const house = await openHouse(storage);
  const { outside, clock, operator } = house;
  const receiver = new Receiver();
  const runnerDeps: RunnerDeps = {
    storage: house.storage,
    outside,
    kindOf: async () => receiver.kind,
    configured: (sink) => sinks.configured(sink),
    transport: async (signal) => ({ ...UNREACHABLE, signal, now: () => clock.now() }),
    onError: (what, error) => expect.unreachable(`${what}: ${String(error)}`),
  };
  const sinks: Sinks = new Sinks({
    storage: house.storage,
    seal: new Seal(instanceSecret, outside, 'hydrant sink secrets'),
    kinds: { names: ['webhook'], load: async () => receiver.kind },
    outside,
    zone: 'Europe/Berlin',
    loops: {
      sync: () => undefined,
      wake: () => undefined,
      attempt: (sink, message) =>
        new SinkRunner(sink.id, runnerDeps).attempt(sink, message, new AbortController().signal),
    },
  });
  const drain: SinkHouse['drain'] = async ({ id }) => {
    const runner = new SinkRunner(id, runnerDeps);
    for (let steps = 0; steps < MOST_STEPS; steps += 1) {
      const next = await runner.step(new AbortController().signal);
      if (next.kind === 'wait') return next;
    }
    return expect.unreachable('the sink never waits');
  };
  const add: SinkHouse['add'] = (more) =>
    sinks.add(operator, {
      name: 'phone',
      kind: 'webhook',
      options: { url: 'http://phone.example/' },
      problems: null,
      ...more,
    });
  const tap: SinkHouse['tap'] = async (name) => (await house.taps.create(operator.organizationId, name)).id;
  const match: SinkHouse['match'] = async (tapId, ...documents) => {
    const page = await seed(house.storage.frontier, 'log');
    const events = documents.map((document): NewEvent => {
      const whole = { url: 'http://a.example/', ...document };
      return { tapId, queryIds: '["r1"]', document: JSON.stringify(whole) };
    });
    await house.storage.pages.commit(visitOf(page, { at: clock.now(), events }));
  };
  return { ...house, receiver, sinks, runnerDeps, drain, add, tap, match };
}

export function documentOf(n: number, more: Partial<MatchDocument> = {}): Partial<MatchDocument> {
  const text = `This is the text of the page with the number ${n}, which no other one has`;
  return { url: `http://site${n}.example/`, title: `Page ${n}`, diff: { chunks: [{ typ: 'ins', text }] }, ...more };
}

/** Where the receiver's matches stand in the log of their tap, as far as they say so: by the numbers of `documentOf`. */
export function numbersOf(messages: readonly Message[]): number[] {
  return messages.flatMap(({ items }) =>
    items.flatMap(({ type, payload }) =>
      type === 'match' ? [Number(/site(\d+)/.exec((payload as Match).document.url)?.[1])] : [],
    ),
  );
}
