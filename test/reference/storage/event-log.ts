import {
  type AppendedEvent,
  bytesOf,
  type EventLog,
  type LogBounds,
  type LogExtent,
  type LoggedEvent,
  type NewEvent,
  type TapBounds,
} from '../../../src/daemon/storage/event-log.ts';

import { CLOCK_SLACK_MS } from '../../../src/daemon/storage/frontier-rules.ts';

interface TapLog {
  floor: number;
  lastAt: number;
  /** The event at index i has the offset `floor + i`. */
  events: LoggedEvent[];
}

/**
 * Who writes a log. One process: times never decrease along all of it, and the oldest event is the one that was appended first.
 * Several: times never decrease along the log of a tap, and the oldest event is the one with the earliest time.
 */
export type Writers = 'one' | 'several';

export class MemoryEventLog implements EventLog {
  readonly #writers: Writers;
  readonly #taps = new Map<string, TapLog>();
  readonly #dropped = new Set<string>();
  #lastAt = 0;
  /** Whose each event is, in the order of the log. */
  #order: TapLog[] = [];
  #bytes = 0;
  #droppedUpTo = 0;
  #onDrop: (tapId: string) => void = () => undefined;

  constructor(writers: Writers = 'one') {
    this.#writers = writers;
  }

  async bounds(tapId: string): Promise<LogBounds> {
    const { floor, events } = this.#tap(tapId);
    return { partition: 0, floor, head: floor + events.length };
  }

  async allBounds(): Promise<{ partition: number; taps: TapBounds[] }> {
    const taps = [...this.#taps].map(([tapId, { floor, events }]) => ({ tapId, floor, head: floor + events.length }));
    return { partition: 0, taps: taps.toSorted((one, other) => (one.tapId < other.tapId ? -1 : 1)) };
  }

  async read(tapId: string, from: number, atMost: { events: number; bytes: number }): Promise<LoggedEvent[]> {
    const { floor, events } = this.#tap(tapId);
    const start = Math.max(from - floor, 0);
    const found: LoggedEvent[] = [];
    let bytes = 0;
    for (const event of events.slice(start, start + atMost.events)) {
      bytes += event.queryIds.length + event.document.length;
      if (found.length > 0 && bytes > atMost.bytes) break;
      found.push(event);
    }
    return found;
  }

  async firstAt(tapId: string, at: number): Promise<number> {
    const { floor, events } = this.#tap(tapId);
    const index = events.findIndex((event) => event.at >= at);
    return floor + (index < 0 ? events.length : index);
  }

  async trim(before: number, mostBytes = Infinity): Promise<number> {
    for (let gone = 0; ; gone += 1) {
      const tap = this.#oldest();
      const [event] = tap?.events ?? [];
      if (!tap || !event || (event.at >= before && this.#bytes <= mostBytes)) return gone;
      tap.events.shift();
      tap.floor += 1;
      this.#order.splice(this.#order.indexOf(tap), 1);
      this.#bytes -= bytesOf(event);
      this.#droppedUpTo = Math.max(this.#droppedUpTo, event.at);
    }
  }

  async repairTimes(now: number): Promise<number> {
    const isAhead = (at: number): boolean => at > now + CLOCK_SLACK_MS;
    if (this.#writers === 'one' && !isAhead(this.#lastAt)) return 0;
    if (isAhead(this.#droppedUpTo)) this.#droppedUpTo = now;
    this.#lastAt = now;
    let repaired = 0;
    for (const tap of this.#taps.values()) {
      if (this.#writers === 'several' && !isAhead(tap.lastAt)) continue;
      tap.lastAt = now;
      for (const [index, event] of tap.events.entries()) {
        if (event.at <= now) continue;
        tap.events[index] = { ...event, at: now };
        repaired += 1;
      }
    }
    return repaired;
  }

  async retain(tapIds: readonly string[]): Promise<number> {
    const others = [...this.#taps.keys()].filter((id) => !tapIds.includes(id));
    for (const id of others) await this.drop(id);
    return others.length;
  }

  async drop(tapId: string): Promise<void> {
    const dropped = this.#taps.get(tapId);
    this.#order = this.#order.filter((tap) => tap !== dropped);
    for (const event of dropped?.events ?? []) this.#bytes -= bytesOf(event);
    this.#taps.delete(tapId);
    this.#dropped.add(tapId);
    this.#onDrop(tapId);
  }

  async count(): Promise<number> {
    return [...this.#taps.values()].reduce((sum, tap) => sum + tap.events.length, 0);
  }

  async extent(): Promise<LogExtent> {
    return { bytes: this.#bytes, droppedUpTo: this.#droppedUpTo };
  }

  /** Part of the commit of a visit. */
  append(given: readonly NewEvent[], at: number): AppendedEvent[] {
    const events = given.filter(({ tapId }) => !this.#dropped.has(tapId));
    if (events.length > 0) this.#lastAt = Math.max(this.#lastAt, at);
    return events.map(({ tapId, queryIds, document }) => {
      const tap = this.#tap(tapId);
      this.#taps.set(tapId, tap);
      tap.lastAt = this.#writers === 'one' ? this.#lastAt : Math.max(tap.lastAt, at);
      const [offset, { lastAt }] = [tap.floor + tap.events.length, tap];
      const event: LoggedEvent = { offset, at: lastAt, queryIds, document };
      tap.events.push(event);
      this.#order.push(tap);
      this.#bytes += bytesOf(event);
      return { tapId, offset, at: lastAt, queryIds, document };
    });
  }

  /** For the ledger, whose charges are one step with a look at the log. */
  peek(tapId: string): { readonly floor: number; readonly events: readonly LoggedEvent[] } {
    return this.#tap(tapId);
  }

  /** Called with each tap that is dropped. */
  onDrop(listener: (tapId: string) => void): void {
    this.#onDrop = listener;
  }

  #tap(tapId: string): TapLog {
    return this.#taps.get(tapId) ?? { floor: 0, lastAt: 0, events: [] };
  }

  /** Whose event is the next to go. */
  #oldest(): TapLog | undefined {
    if (this.#writers === 'one') return this.#order[0];
    const taps = [...this.#taps.values()].filter(({ events }) => events.length > 0);
    return taps.toSorted((one, other) => firstAt(one) - firstAt(other) || one.floor - other.floor)[0];
  }
}

function firstAt({ events }: TapLog): number {
  return events[0]?.at ?? Infinity;
}
