import type { AppendedEvent, EventLog, LogBounds, LoggedEvent, NewEvent } from '../event-log.ts';

interface TapLog {
  floor: number;
  /** The event at index i has the offset `floor + i`. */
  events: LoggedEvent[];
}

export class MemoryEventLog implements EventLog {
  readonly #taps = new Map<string, TapLog>();
  #lastAt = 0;
  #onDrop: (tapId: string) => void = () => undefined;

  async bounds(tapId: string): Promise<LogBounds> {
    const { floor, events } = this.#tap(tapId);
    return { partition: 0, floor, head: floor + events.length };
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

  async trim(before: number): Promise<number> {
    let gone = 0;
    for (const tap of this.#taps.values()) {
      const kept = tap.events.findIndex((event) => event.at >= before);
      const old = kept < 0 ? tap.events.length : kept;
      tap.events = tap.events.slice(old);
      tap.floor += old;
      gone += old;
    }
    return gone;
  }

  async drop(tapId: string): Promise<void> {
    this.#taps.delete(tapId);
    this.#onDrop(tapId);
  }

  async count(): Promise<number> {
    return [...this.#taps.values()].reduce((sum, tap) => sum + tap.events.length, 0);
  }

  /** Part of the commit of a visit. */
  append(events: readonly NewEvent[], at: number): AppendedEvent[] {
    if (events.length > 0) this.#lastAt = Math.max(this.#lastAt, at);
    return events.map(({ tapId, queryIds, document }) => {
      const tap = this.#tap(tapId);
      this.#taps.set(tapId, tap);
      const event: LoggedEvent = { offset: tap.floor + tap.events.length, at: this.#lastAt, queryIds, document };
      tap.events.push(event);
      return { ...event, tapId };
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
    return this.#taps.get(tapId) ?? { floor: 0, events: [] };
  }
}
