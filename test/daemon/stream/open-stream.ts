import { ListLog } from './list-log.ts';
import { TestSink } from './test-sink.ts';
import type { Metering } from '../../../src/daemon/accounts/metering.ts';
import { freeMetering } from '../../fixtures/free-metering.ts';
import { Hub } from '../../../src/daemon/stream/hub.ts';
import type { StreamRequest } from '../../../src/daemon/stream/request.ts';
import { SSE } from '../../../src/daemon/stream/format.ts';
import type { AppendedEvent, NewEvent } from '../../../src/daemon/storage/event-log.ts';

export const TAP = 'tap-1';
export const NOW = Date.UTC(2026, 1, 13, 8, 0, 0);

/** A hub over a log in memory, with its clock and random bytes held. */
export class World {
  readonly log = new ListLog();
  readonly errors: unknown[] = [];
  randomByte = 0;
  metering: Metering = freeMetering;
  readonly hub = new Hub({
    eventLog: this.log,
    metering: {
      mayOpen: (organizationId) => this.metering.mayOpen(organizationId),
      deliver: (tapId, from, to) => this.metering.deliver(tapId, from, to),
    },
    legacyPayload: false,
    outside: { now: () => NOW, randomBytes: (size) => new Uint8Array(size).fill(this.randomByte), uuid: () => 'uuid' },
    onError: (_, error) => this.errors.push(error),
  });

  /** Appends events and announces them, as a visit does. */
  publish(...documents: readonly string[]): AppendedEvent[] {
    const appended = this.append(...documents);
    this.hub.announce(appended);
    return appended;
  }

  append(...documents: readonly string[]): AppendedEvent[] {
    return this.log.append(NOW, ...documents.map((document) => event(document)));
  }

  async open(wish: Partial<StreamRequest> = {}, sink = new TestSink()): Promise<TestSink> {
    const asked = { tapId: TAP, format: SSE, hasRules: true, position: {}, timeoutMs: 300_000, limit: Infinity };
    await this.hub.connect({ ...asked, ...wish }, sink);
    return sink;
  }
}

export function event(document = '{}', tapId = TAP): NewEvent {
  return { tapId, queryIds: '["r"]', document };
}

/** A document whose JSON has about so many bytes. */
export function sized(bytes: number): string {
  return JSON.stringify({ url: 'x'.repeat(Math.max(0, bytes - 10)) });
}

/** Lets everything that is under way come to rest: each read of the log takes a turn of the loop. */
export async function settle(turns = 20): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}

export function range(from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, index) => `0-${from + index}`);
}
