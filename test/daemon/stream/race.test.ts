import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { range, settle, sized, World } from './open-stream.ts';
import { TestSink } from './test-sink.ts';
import { CHUNK_BYTES, TAIL_BYTES } from '../../../src/daemon/stream/tail.ts';
import type { AppendedEvent } from '../../../src/daemon/storage/event-log.ts';

/** One step of a run; the numbers are taken modulo what there is at that moment. */
type Step =
  | { readonly do: 'append'; readonly sizes: readonly number[] }
  | { readonly do: 'announce'; readonly which: number }
  | { readonly do: 'forget'; readonly which: number }
  | {
      readonly do: 'join';
      readonly offset: number;
      readonly as: 'offset' | 'id' | 'live';
      readonly limit: number;
      readonly capacity: number;
    }
  | { readonly do: 'drain'; readonly which: number }
  | { readonly do: 'leave'; readonly which: number }
  | { readonly do: 'turn' };

const size = fc.constantFrom(20, 20, 20, 1_000, 1_000, 5_000, 5_000, 30_000, 70_000);
const capacity = fc.constantFrom(1, 500, 50_000, 200_000, Number.POSITIVE_INFINITY);
const which = fc.nat(50);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('append' as const), sizes: fc.array(size, { maxLength: 12 }) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('announce' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), which }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('join' as const),
      offset: fc.nat(200),
      as: fc.constantFrom('offset', 'id', 'live'),
      limit: fc.constantFrom(1, 10, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY),
      capacity,
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('drain' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave' as const), which }) },
  { weight: 8, arbitrary: fc.constant({ do: 'turn' as const }) },
);

/** Runs the steps, then lets everyone drain until all have what they should. */
class Run {
  readonly world = new World();
  readonly sinks: TestSink[] = [];
  readonly #limits = new Map<TestSink, number>();
  readonly #opening: Promise<unknown>[] = [];
  /** Committed and not yet announced: announced in any order, or not at all. */
  readonly #unannounced: AppendedEvent[][] = [];
  #head = 0;

  async take(step: Step): Promise<void> {
    if (step.do === 'turn') await settle(1);
    else if (step.do === 'append') this.#append(step.sizes);
    else if (step.do === 'join') this.#join(step);
    else this.#pick(step);
  }

  async finish(): Promise<void> {
    await Promise.all(this.#opening);
    this.#append([20]);
    for (const events of this.#unannounced.splice(0).toReversed()) this.world.hub.announce(events);
    for (let round = 0; round < 2_000 && this.#someoneWaits(); round += 1) {
      for (const sink of this.sinks) sink.drain();
      await settle(1);
    }
  }

  expected(sink: TestSink): string[] {
    const first = sink.start?.offset ?? 0;
    return range(first, Math.min(this.#head, first + (this.#limits.get(sink) ?? 0)));
  }

  #someoneWaits(): boolean {
    return this.sinks.some((sink) => sink.ids.length < this.expected(sink).length);
  }

  #append(sizes: readonly number[]): void {
    this.#unannounced.push(this.world.append(...sizes.map((bytes) => sized(bytes))));
    this.#head += sizes.length;
  }

  #join({ as, offset, limit, capacity }: Extract<Step, { do: 'join' }>): void {
    const sink = new TestSink(capacity);
    this.sinks.push(sink);
    this.#limits.set(sink, limit);
    const position = { offset: { offset }, id: { lastEventId: { partition: 0, offset } }, live: {} }[as];
    this.#opening.push(this.world.open({ position, limit }, sink));
  }

  #pick(step: Extract<Step, { which: number }>): void {
    if (step.do === 'drain') this.sinks[step.which % this.sinks.length]?.drain();
    else if (step.do === 'leave') this.#leave(step.which);
    else {
      const [events = []] = this.#unannounced.splice(step.which % (this.#unannounced.length || 1), 1);
      if (step.do === 'announce') this.world.hub.announce(events);
    }
  }

  #leave(which: number): void {
    const [gone] = this.sinks.splice(which % (this.sinks.length || 1), 1);
    gone?.close();
  }
}

describe('readers that join, stall and leave while events are committed and announced', () => {
  test('each sees exactly the log from where it starts, once and in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 120, size: 'max' }), async (steps) => {
        const run = new Run();
        for (const step of steps) {
          await run.take(step);
          expect(run.world.hub.retained.bytes).toBeLessThanOrEqual(TAIL_BYTES);
        }
        await run.finish();
        for (const sink of run.sinks) {
          expect(sink.ids).toEqual(run.expected(sink));
          expect(sink.writesWhileFull).toBe(0);
          // One frame may be larger than a chunk; two never share a write then.
          expect(sink.largestWrite).toBeLessThanOrEqual(CHUNK_BYTES + 10_000);
          sink.close();
        }
        expect(run.world.errors).toEqual([]);
        expect(run.world.hub.open).toBe(0);
        expect(run.world.hub.retained).toEqual({ taps: 0, bytes: 0 });
      }),
      { numRuns: 60 },
    );
  }, 60_000);
});
