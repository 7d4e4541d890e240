import type { Records } from './model.ts';

export interface Answer<Body = unknown> {
  readonly status: number;
  /** Of a refusal it is another one: the status says which. */
  readonly body: Body;
}

/** A frame of a stream. */
export interface Heard {
  readonly event: string;
  readonly id?: string;
  /** Of the document. */
  readonly url?: string;
}

export interface Opened extends Answer {
  /** Where it begins and why. */
  readonly start: string | undefined;
  /** All that it says until it ends. */
  readonly heard: () => Promise<Heard[]>;
}

/** What a daemon has made of what it was told. */
export interface State {
  /** What is registered with its matcher, by the id of the rule. */
  readonly registered: ReadonlyMap<string, string>;
  readonly records: Records;
}

/** What steps are taken with: one daemon, or several that share a database. */
export interface Service {
  /** Of each of its daemons. */
  readonly states: readonly State[];
  /** Of the last request, which is also when what it did was done. */
  readonly now: number;
  /** A request of the public API. */
  ask<Body>(method: string, url: string, key: string, body?: object): Promise<Answer<Body>>;
  /** A request of the operator's, for an organization. */
  operate<Body>(method: string, url: string, organizationId: string, body?: object): Promise<Answer<Body>>;
  /** Events as a visit makes them: committed, then announced. */
  publish(tapId: string, urls: readonly string[]): Promise<void>;
  /** Opens a stream. */
  listen(
    token: string,
    position: { readonly limit: number; readonly offset?: number; readonly lastEventId?: number },
  ): Promise<Opened>;
  /** What was delivered is counted. */
  settle(): Promise<void>;
  restart(): Promise<void>;
  /** Nobody is told, nothing is finished: what is not in the storage by now is gone. */
  crash(): Promise<void>;
}

/** Between two requests; so far apart that nobody asks too often. */
const STEP_MS = 2_000;

/** That of all daemons of a service: it goes on by itself at each request. */
export class StepClock {
  #now = Date.parse('2026-02-27T10:00:00Z');
  #isHeld = false;

  get now(): number {
    return this.#now;
  }

  step(): void {
    if (!this.#isHeld) this.#now += STEP_MS;
  }

  /** So many requests at one moment, after as long a pause. */
  async atOnce<T>(requests: number, work: () => Promise<T>): Promise<T> {
    this.#now += requests * STEP_MS;
    this.#isHeld = true;
    try {
      return await work();
    } finally {
      this.#isHeld = false;
    }
  }
}
