import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freeMetering } from '../../fixtures/free-metering.ts';
import { createApp } from '../../../src/daemon/http/app.ts';
import { streamRoutes } from '../../../src/daemon/http/stream.ts';
import { outside } from '../../../src/daemon/outside.ts';
import type { Storage } from '../../../src/daemon/storage/storage.ts';
import { Hub } from '../../../src/daemon/stream/hub.ts';
import { eventFor, seed, visitOf } from '../../fixtures/visits.ts';

export interface Joining {
  readonly storage: Storage;
  readonly readers: number;
  readonly events: number;
  /** From 0 up to 1. */
  readonly random: () => number;
}

/**
 * Readers that join a stream over HTTP at any offset while events are written, that rest, and lose their connections,
 * and come back with the last id they have. What is wrong with what they saw; nothing, if each saw every offset from
 * where it began once and in order.
 */
export async function joinWhileWriting({ storage, readers, events, random }: Joining): Promise<string[]> {
  const faults: string[] = [];
  const onError = (what: string, error: unknown): void => void faults.push(`${what}: ${String(error)}`);
  const hub = new Hub({ eventLog: storage.eventLog, metering: freeMetering, legacyPayload: false, outside, onError });
  const app = createApp({ error: (facts: unknown) => void faults.push(`a request failed: ${JSON.stringify(facts)}`) });
  streamRoutes(app, { hub, tapOf: () => ({ tapId: 't', organizationId: 'o' }), ruleCount: () => 1, touch: () => {} });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const page = await seed(storage.frontier, 's');
  let head = 0;
  const write = async (): Promise<void> => {
    while (head < events) {
      const count = Math.min(1 + Math.floor(random() * 50), events - head);
      const visit = visitOf(page, { events: Array.from({ length: count }, () => eventFor('t')) });
      const { events: appended } = await storage.pages.commit(visit);
      head += count;
      hub.announce(appended);
    }
  };
  const join = async (index: number): Promise<void> => {
    // They come while the first half is written.
    const isDue = (): boolean => head >= (index / readers) * (events / 2);
    while (!isDue()) await sleep(1);
    const reader = new JoiningReader(port, Math.floor(random() * (head + 1)), random);
    const fault = await reader.readTo(events);
    if (fault !== undefined) faults.push(fault);
  };
  await Promise.all([write(), ...Array.from({ length: readers }, (_, index) => join(index))]);
  await hub.closeAll(1_000);
  await app.close();
  return faults;
}

class JoiningReader {
  readonly #port: number;
  readonly #random: () => number;
  readonly #start: number;
  #next: number;
  #rest = '';
  #fault: string | undefined;

  constructor(port: number, start: number, random: () => number) {
    this.#port = port;
    this.#random = random;
    this.#start = start;
    this.#next = start;
  }

  async readTo(end: number): Promise<string | undefined> {
    while (this.#next < end && this.#fault === undefined) await this.#connection(end);
    return this.#fault;
  }

  /** One connection, until it is cut or all is read. */
  #connection(end: number): Promise<void> {
    this.#rest = '';
    // Half of all connections are cut after a while, the others stay.
    let chunksLeft = this.#random() < 0.5 ? Math.floor(this.#random() * 40) : Number.POSITIVE_INFINITY;
    return new Promise((resolve) => {
      const asked: ClientRequest = request(this.#asking(), (response) => {
        response.setEncoding('latin1').on('data', (text: string) => {
          this.#take(text);
          chunksLeft -= 1;
          if (chunksLeft < 0 || this.#next >= end || this.#fault !== undefined) asked.destroy();
          else if (this.#random() < 0.02) this.#nap(response);
        });
        response.on('error', () => {});
        response.on('close', () => resolve());
      });
      asked.on('error', () => resolve()).end();
    });
  }

  #asking() {
    const isResumed = this.#next > this.#start;
    const path = isResumed ? '/v1/stream' : `/v1/stream?offset=${this.#start}`;
    const headers = isResumed ? { 'last-event-id': `0-${this.#next - 1}` } : {};
    return { host: '127.0.0.1', port: this.#port, path, headers, agent: false };
  }

  #nap(response: IncomingMessage): void {
    response.pause();
    setTimeout(() => response.resume(), this.#random() * 30);
  }

  #take(text: string): void {
    const frames = (this.#rest + text).split('\n\n');
    this.#rest = frames.pop() ?? '';
    for (const frame of frames) {
      const id = /^id: 0-(\d+)$/m.exec(frame)?.[1];
      if (id === undefined) continue;
      if (Number(id) !== this.#next) this.#fault ??= `0-${id} came where 0-${this.#next} was to come`;
      this.#next = Number(id) + 1;
    }
  }
}
