import { timestamp } from '../outside.ts';
import type { Ended } from './crawl-status.ts';
import type { CrawlHistory, CrawlSpan } from '../../shared/api/crawl.ts';

/** What happened in each quarter of an hour of the last day, and in each hour of the last week: counters of a fixed size. */
export class VisitHistory {
  readonly #startedAt: number;
  readonly #day = new Spans(QUARTER_SECONDS, 96);
  readonly #week = new Spans(HOUR_SECONDS, 168);

  /** Times are milliseconds since 1970. */
  constructor(now: number) {
    this.#startedAt = now;
  }

  /** A visit began so many milliseconds after it was due. */
  began(lateMs: number, now: number): void {
    for (const spans of [this.#day, this.#week]) spans.at(now).began(lateMs);
  }

  ended({ outcome }: Ended, now: number): void {
    for (const spans of [this.#day, this.#week]) spans.at(now).ended(outcome);
  }

  /** Times before the start are null: nothing is known of them. */
  read(now: number): CrawlHistory {
    return {
      day_seconds: QUARTER_SECONDS,
      week_seconds: HOUR_SECONDS,
      day: this.#day.read(now, this.#startedAt),
      week: this.#week.read(now, this.#startedAt),
    };
  }
}

const QUARTER_SECONDS = 900;
const HOUR_SECONDS = 3_600;

/** The newest spans of time, each in the place that its number gives it. */
class Spans {
  readonly #ms: number;
  readonly #ring: Span[];

  constructor(seconds: number, count: number) {
    this.#ms = seconds * 1_000;
    this.#ring = Array.from({ length: count }, () => new Span(-1));
  }

  at(now: number): Span {
    const number = Math.floor(now / this.#ms);
    const place = number % this.#ring.length;
    const known = this.#ring[place];
    if (known?.number === number) return known;
    return (this.#ring[place] = new Span(number));
  }

  /** Oldest first; the last one has begun. */
  read(now: number, since: number): (CrawlSpan | null)[] {
    const last = Math.floor(now / this.#ms);
    return Array.from(this.#ring, (_, index) => {
      const number = last - this.#ring.length + 1 + index;
      if ((number + 1) * this.#ms <= since) return null;
      const kept = this.#ring[number % this.#ring.length];
      return (kept?.number === number ? kept : new Span(number)).toWire(number * this.#ms);
    });
  }
}

class Span {
  readonly number: number;
  #begun = 0;
  #lateMs = 0;
  #visits = 0;
  #changed = 0;
  #failed = 0;

  /** `number`: spans since 1970. */
  constructor(number: number) {
    this.number = number;
  }

  began(lateMs: number): void {
    this.#begun += 1;
    this.#lateMs += Math.max(0, lateMs);
  }

  ended(outcome: Ended['outcome']): void {
    this.#visits += 1;
    if (outcome === 'changed') this.#changed += 1;
    if (outcome === 'failed') this.#failed += 1;
  }

  toWire(at: number): CrawlSpan {
    const late = this.#begun === 0 ? null : Math.round(this.#lateMs / this.#begun);
    return { at: timestamp(at), visits: this.#visits, changed: this.#changed, failed: this.#failed, late_ms: late };
  }
}
