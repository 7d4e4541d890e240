import type {
  AppendedEvent,
  EventLog,
  LogBounds,
  LogExtent,
  LoggedEvent,
  NewEvent,
} from '../../../src/daemon/storage/event-log.ts';

/**
 * An event log in an array per tap, that tells how often it was read. An answer is true when it is asked for and
 * arrives a turn later, as one from another thread does: what is appended in between makes it stale.
 */
export class ListLog implements Omit<EventLog, 'allBounds' | 'repairTimes' | 'retain'> {
  partition = 0;
  reads = 0;
  /** How long an answer takes. */
  takes: () => Promise<void> = turn;
  /** When set, every read and every question for bounds fails with it. */
  fault: Error | undefined;
  /** Called inside `bounds`, before it answers: whatever may happen while a stream is being opened. */
  onBounds: () => void = () => {};
  #droppedUpTo = 0;
  readonly #taps = new Map<string, { floor: number; events: LoggedEvent[] }>();

  append(at: number, ...events: readonly NewEvent[]): AppendedEvent[] {
    return events.map(({ tapId, queryIds, document }) => {
      const tap = this.#tap(tapId);
      const event = { tapId, offset: tap.floor + tap.events.length, at, queryIds, document };
      tap.events.push(event);
      return event;
    });
  }

  async bounds(tapId: string): Promise<LogBounds> {
    const { floor, events } = this.#tap(tapId);
    const bounds = { partition: this.partition, floor, head: floor + events.length };
    await this.takes();
    this.onBounds();
    if (this.fault) throw this.fault;
    return bounds;
  }

  async read(tapId: string, from: number, atMost: { events: number; bytes: number }): Promise<LoggedEvent[]> {
    this.reads += 1;
    const { floor, events } = this.#tap(tapId);
    const found = events.slice(Math.max(0, from - floor), Math.max(0, from - floor) + atMost.events);
    let bytes = 0;
    const page = found.filter((event, index) => {
      bytes += event.document.length + event.queryIds.length;
      return index === 0 || bytes <= atMost.bytes;
    });
    await this.takes();
    if (this.fault) throw this.fault;
    return page;
  }

  async firstAt(tapId: string, at: number): Promise<number> {
    await this.takes();
    const { floor, events } = this.#tap(tapId);
    const found = events.findIndex((event) => event.at >= at);
    return floor + (found === -1 ? events.length : found);
  }

  async trim(before: number): Promise<number> {
    let gone = 0;
    for (const tap of this.#taps.values()) {
      while ((tap.events[0]?.at ?? before) < before) {
        this.#droppedUpTo = Math.max(this.#droppedUpTo, tap.events.shift()?.at ?? 0);
        tap.floor += 1;
        gone += 1;
      }
    }
    return Promise.resolve(gone);
  }

  async drop(tapId: string): Promise<void> {
    await this.takes();
    this.#taps.delete(tapId);
  }

  async count(): Promise<number> {
    await this.takes();
    return [...this.#taps.values()].reduce((sum, { events }) => sum + events.length, 0);
  }

  async extent(): Promise<LogExtent> {
    await this.takes();
    return { bytes: 0, droppedUpTo: this.#droppedUpTo };
  }

  #tap(tapId: string): { floor: number; events: LoggedEvent[] } {
    const tap = this.#taps.get(tapId) ?? { floor: 0, events: [] };
    this.#taps.set(tapId, tap);
    return tap;
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
