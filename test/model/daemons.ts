import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Answer, Opened, Service, State } from './service.ts';
import type { System } from './system.ts';

/** Several daemons that share a storage: each request is asked of the next one, as by as many clients, each with its own. */
export class Daemons implements Service {
  readonly #systems: readonly [System, ...System[]];
  #turn = 0;

  constructor(systems: readonly [System, ...System[]]) {
    this.#systems = systems;
  }

  get states(): readonly State[] {
    return this.#systems.flatMap(({ states }) => states);
  }

  get now(): number {
    return this.#systems[0].now;
  }

  async ask<Body>(...request: Parameters<Service['ask']>): Promise<Answer<Body>> {
    return this.#followed(this.#next().ask<Body>(...request));
  }

  async operate<Body>(...request: Parameters<Service['operate']>): Promise<Answer<Body>> {
    return this.#followed(this.#next().operate<Body>(...request));
  }

  publish(...events: Parameters<Service['publish']>): Promise<void> {
    return this.#next().publish(...events);
  }

  listen(...asked: Parameters<Service['listen']>): Promise<Opened> {
    return this.#next().listen(...asked);
  }

  async settle(): Promise<void> {
    for (const system of this.#systems) await system.settle();
  }

  restart(): Promise<void> {
    return this.#next().restart();
  }

  crash(): Promise<void> {
    return this.#next().crash();
  }

  async start(): Promise<void> {
    for (const system of this.#systems) await system.start();
  }

  async close(): Promise<void> {
    for (const system of this.#systems.toReversed()) await system.close();
  }

  /** A change is answered when all have it, or after a second: on a busy machine, a little later. */
  async #followed<T>(asked: Promise<T>): Promise<T> {
    const answer = await asked;
    const [first, ...others] = this.#systems;
    const isSame = (): boolean => others.every((other) => isDeepStrictEqual(other.catalogData, first.catalogData));
    while (!isSame()) await sleep(5);
    return answer;
  }

  #next(): System {
    this.#turn += 1;
    return this.#systems[this.#turn % this.#systems.length] ?? this.#systems[0];
  }
}
