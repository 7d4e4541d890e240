import { carriesTap } from './topics.ts';
import { type Next, type RunnerDeps, SinkRunner } from './sink-runner.ts';
import type { Message, Outcome } from './sink-kind.ts';
import type { SinkRecord } from '../storage/catalog.ts';
import type { AppendedEvent } from '../storage/event-log.ts';

/** Milliseconds after which a sink looks whether there is something, unless it is woken sooner: nothing depends on being woken. */
const POLL_MS = 60_000;
/** After a failure of the storage, which is not the receiver's. */
const AFTER_ERROR_MS = 30_000;

interface LoopDeps extends RunnerDeps {
  /** Another node sends where this is false; absent: there are none. */
  readonly maySend?: () => boolean;
}

/**
 * A loop for each sink, so that a slow one is slow for itself. They are woken after commits, and cost nothing in between; whoever wakes
 * them does not wait for them.
 */
export class SinkLoops {
  readonly #deps: LoopDeps;
  readonly #loops = new Map<string, Loop>();
  readonly #end = new AbortController();
  #isStopped = false;

  constructor(deps: LoopDeps) {
    this.#deps = deps;
  }

  /** Begins the loops of the sinks that are there, and ends those of others. */
  sync(): void {
    if (this.#isStopped) return;
    const { sinks } = this.#deps.storage.catalog.data;
    for (const { id } of sinks) {
      const loop = this.#loops.get(id);
      if (loop) loop.wake();
      else this.#loops.set(id, new Loop(new SinkRunner(id, this.#deps), this.#deps));
    }
    for (const [id, loop] of this.#loops) {
      if (sinks.some((sink) => sink.id === id)) continue;
      this.#loops.delete(id);
      void loop.stop(0);
    }
  }

  /** After events were committed. */
  eventsCommitted(events: readonly AppendedEvent[]): void {
    this.tapsMoved(events.map(({ tapId }) => tapId));
  }

  /** These taps have new events. */
  tapsMoved(tapIds: readonly string[]): void {
    if (this.#loops.size === 0 || tapIds.length === 0) return;
    const { storage } = this.#deps;
    const ids = new Set(tapIds);
    const { taps, sinks } = storage.catalog.data;
    const matched = taps.filter(({ id }) => ids.has(id));
    for (const sink of sinks) if (matched.some((tap) => carriesTap(sink, tap))) this.wake(sink.id);
  }

  /** After a change of a watch was committed. */
  watchChanged(organizationId: string): void {
    for (const { id, organizationId: owner, watches } of this.#deps.storage.catalog.data.sinks) {
      if (owner === organizationId && watches !== 'none') this.wake(id);
    }
  }

  /** One message, now: a test. */
  attempt(sink: SinkRecord, message: Message): Promise<Outcome> {
    return new SinkRunner(sink.id, this.#deps).attempt(sink, message, this.#end.signal);
  }

  wake(sinkId: string): void {
    this.#loops.get(sinkId)?.wake();
  }

  wakeAll(): void {
    for (const loop of this.#loops.values()) loop.wake();
  }

  /** Nothing new is sent; an attempt under way may take so long to end by itself. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopped = true;
    const timer = setTimeout(() => this.#end.abort(), graceMs);
    await Promise.all([...this.#loops.values()].map((loop) => loop.stop(graceMs)));
    clearTimeout(timer);
    this.#end.abort();
  }
}

class Loop {
  readonly #runner: SinkRunner;
  readonly #deps: Pick<LoopDeps, 'maySend' | 'onError'>;
  readonly #end = new AbortController();
  readonly #done: Promise<void>;
  #isStopped = false;
  #isWoken = false;
  #wake: () => void = () => undefined;

  constructor(runner: SinkRunner, deps: Pick<LoopDeps, 'maySend' | 'onError'>) {
    this.#runner = runner;
    this.#deps = deps;
    this.#done = this.#run();
  }

  wake(): void {
    this.#isWoken = true;
    this.#wake();
  }

  async stop(graceMs: number): Promise<void> {
    this.#isStopped = true;
    this.wake();
    const timer = setTimeout(() => this.#end.abort(), graceMs);
    await this.#done;
    clearTimeout(timer);
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      this.#isWoken = false;
      const next = await this.#step();
      if (next !== 'again') await this.#sleep(next);
    }
  }

  /** Milliseconds to wait. */
  async #step(): Promise<number | 'again'> {
    // Whoever has the turn next wakes it.
    if (this.#deps.maySend?.() === false) return POLL_MS;
    try {
      const next: Next = await this.#runner.step(this.#end.signal);
      return next.kind === 'again' ? 'again' : this.#runner.msUntil(next.until, POLL_MS);
    } catch (error) {
      if (!this.#isStopped) this.#deps.onError('a sink could not read or write what it has', error);
      return AFTER_ERROR_MS;
    }
  }

  #sleep(ms: number): Promise<void> {
    if (this.#isWoken || this.#isStopped) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#wake = () => undefined;
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.#wake = end;
    });
  }
}
