import { setTimeout as sleep } from 'node:timers/promises';
import { Follower } from './follower.ts';
import { type RealDaemon, until } from '../../acceptance/real-daemon.ts';
import { Farm } from '../../fixtures/farm/farm.ts';
import { seeded } from '../../fixtures/series.ts';
import type { Rule } from '../../../src/shared/api/rule.ts';
import type { TapCreated } from '../../../src/shared/api/tap.ts';
import type { WatchBatchReport } from '../../../src/shared/api/watch.ts';

const HOSTS = 100;
const PAGES_A_HOST = 40;
/** All 4,000 pages once in this time: 20 a second. */
const EVERY_SECONDS = 200;
const WATCHES = 200;
const TAPS = 4;
const READERS_A_TAP = 25;
/** 20 openings a minute, of the 30 that a tap may have. */
const STAYS_MS = 1_000;
const PUBLISHES_EVERY_MS = 500;
const RULES_EVERY_MS = 60_000;
const QUERIES = [
  'bulletin AND river',
  'bridge OR harbour',
  '"solar wind"~20',
  'title:winter',
  'museum -library',
  'te?m*',
];

/** What goes on for an hour: pages that change, watches, streams, rules that come and go, a client that keeps leaving. */
export class Load {
  readonly #daemon: RealDaemon;
  readonly #farm: Farm;
  readonly #random = seeded(11);
  readonly #followers: Follower[] = [];
  readonly #tokens: string[] = [];
  readonly #ends = new AbortController();
  readonly #running: Promise<unknown>[] = [];
  published = 0;
  ruleChanges = 0;

  static async start(daemon: RealDaemon): Promise<Load> {
    const load = new Load(daemon, await Farm.start({ hosts: HOSTS, pagesPerHost: PAGES_A_HOST, conditional: true }));
    await load.#open();
    return load;
  }

  private constructor(daemon: RealDaemon, farm: Farm) {
    this.#daemon = daemon;
    this.#farm = farm;
  }

  /** What was wrong with the streams so far, a sentence each. */
  get faults(): string[] {
    return this.#followers.flatMap(({ faults }) => faults);
  }

  get openings(): number {
    return this.#followers.reduce((sum, { openings }) => sum + openings, 0);
  }

  /** Ends what changes, and waits until every reader of a tap has what the others have. */
  async settle(): Promise<string[]> {
    this.#ends.abort();
    const isLevel = (): boolean =>
      this.#tokens.slice(0, TAPS).every((_, tap) => new Set(this.#readersOf(tap).map(({ next }) => next)).size === 1);
    const missing = await until('all readers of a tap are level', isLevel).then(
      () => [],
      (error: Error) => [error.message],
    );
    return [...this.faults, ...missing];
  }

  async close(): Promise<void> {
    this.#ends.abort();
    for (const follower of this.#followers) follower.close();
    await Promise.all(this.#running);
    await this.#farm.close();
  }

  #readersOf(tap: number): Follower[] {
    return this.#followers.filter((_, index) => index < TAPS * READERS_A_TAP && index % TAPS === tap);
  }

  async #open(): Promise<void> {
    const { url } = this.#daemon.notice;
    for (let tap = 0; tap <= TAPS; tap += 1) await this.#addTap(`tap ${tap}`);
    for (let reader = 0; reader < TAPS * READERS_A_TAP; reader += 1) {
      this.#followers.push(new Follower(url, this.#tokens[reader % TAPS] ?? ''));
    }
    this.#followers.push(new Follower(url, this.#tokens[TAPS] ?? '', STAYS_MS));
    const terms = { scope: 'host', every_seconds: EVERY_SECONDS, max_pages: PAGES_A_HOST };
    const sources = this.#farm.seeds.map((seed) => ({ url: seed, ...terms }));
    await this.#daemon.operator('POST', '/admin/sources/batch', { sources });
    const watches = Array.from({ length: WATCHES }, (_, watch) => {
      return { url: `${this.#farm.origin(watch % HOSTS)}/p/${1 + Math.floor(watch / HOSTS)}`, frequency_minutes: 5 };
    });
    const added = await this.#daemon.operator<{ data: WatchBatchReport }>('POST', '/admin/watches/batch', { watches });
    if (added.data.added.length !== WATCHES) throw new Error(`${added.data.added.length} watches were added`);
    this.#running.push(
      ...this.#followers.map((follower) => follower.follow()),
      this.#every(PUBLISHES_EVERY_MS, () => this.#publish()),
      this.#every(RULES_EVERY_MS, () => this.#changeRules()),
    );
  }

  async #addTap(name: string): Promise<void> {
    const { token } = await this.#daemon.operator<TapCreated>('POST', '/v1/taps', { name });
    this.#tokens.push(token);
    for (const value of QUERIES.slice(0, 4)) await this.#addRule(token, value);
  }

  #addRule(token: string, value: string): Promise<unknown> {
    return this.#daemon.operator('POST', '/v1/rules', { value, quality: false }, token);
  }

  #publish(): void {
    const page = Math.floor(this.#random() * PAGES_A_HOST);
    this.#farm.publish(Math.floor(this.#random() * HOSTS), page);
    this.published += 1;
  }

  /** The oldest rule of each tap goes, a new one comes. */
  async #changeRules(): Promise<void> {
    for (const token of this.#tokens) {
      const { data } = await this.#daemon.operator<{ data: Rule[] }>('GET', '/v1/rules', undefined, token);
      await this.#addRule(token, QUERIES[this.ruleChanges % QUERIES.length] ?? 'river');
      if (data[0]) await this.#daemon.operator('DELETE', `/v1/rules/${data[0].id}`, undefined, token);
      this.ruleChanges += 1;
    }
  }

  async #every(ms: number, doIt: () => unknown): Promise<void> {
    const { signal } = this.#ends;
    while (!signal.aborted) {
      await doIt();
      await sleep(ms, undefined, { signal }).catch(() => undefined);
    }
  }
}
