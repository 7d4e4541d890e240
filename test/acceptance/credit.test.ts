import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { ChangingSite } from './changing-site.ts';
import { loopback, RealDaemon, until } from './real-daemon.ts';
import { SseReader } from './sse-reader.ts';
import type { Credit, Usage } from '../../src/shared/api/organization.ts';

const READERS = 3;
const KILLS = 4;

/** Everything that is to be closed. */
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0).toReversed()) await thing.close();
});

/** A reader that comes back after each loss, and begins anew at the oldest event now and then. */
class Returning {
  readonly #url: () => string;
  readonly #token: string;
  readonly #delivered: Set<string>;
  #reader = new SseReader();
  status = 0;

  constructor(url: () => string, token: string, delivered: Set<string>) {
    this.#url = url;
    this.#token = token;
    this.#delivered = delivered;
  }

  async follow(from: 'the oldest' | 'the last'): Promise<void> {
    const { lastId } = this.#reader;
    this.note();
    this.#reader.close();
    this.#reader = new SseReader();
    const resume = from === 'the last' && lastId !== undefined ? { 'last-event-id': lastId } : {};
    this.status = await this.#reader.open(`${this.#url()}/v1/stream?offset=0`, this.#token, resume);
  }

  /** What it was sent so far counts as delivered. */
  note(): void {
    for (const { id } of this.#reader.updates()) this.#delivered.add(id ?? '');
  }

  get lastWords(): string | undefined {
    return this.#reader.events.findLast((event) => event.event === 'error')?.data;
  }

  close(): void {
    this.#reader.close();
  }
}

/** What the operator's command line says of credit and usage. */
class Books {
  readonly #daemon: RealDaemon;

  constructor(daemon: RealDaemon) {
    this.#daemon = daemon;
  }

  async credit(): Promise<Credit> {
    return JSON.parse(await this.#daemon.hydrant(['credit', 'show', '--json'])) as Credit;
  }

  /** Matches and thousandths, summed up. */
  async sums(by: 'tap' | 'day' | 'rule'): Promise<[number, number]> {
    const rows = JSON.parse(await this.#daemon.hydrant(['usage', '--by', by, '--json'])) as Usage[];
    const matches = rows.reduce((sum, row) => sum + row.matches, 0);
    return [matches, rows.reduce((sum, row) => sum + Math.round(row.spent * 1_000), 0)];
  }
}

/** A daemon with a tap whose pages change all the time, and a balance of 40 matches. */
async function started(): Promise<{ daemon: RealDaemon; readers: Returning[]; delivered: Set<string> }> {
  const site = await ChangingSite.start(6, 90);
  const daemon = await RealDaemon.start([...loopback, '--log-level', 'error']);
  open.push({ close: () => daemon.dispose() }, site);
  await daemon.hydrant(['tap', 'create', 'news']);
  const token = (await daemon.hydrant(['tap', 'token', 'news'])).trim();
  await daemon.hydrant(['rule', 'add', 'news', 'fox', '--no-quality']);
  await daemon.hydrant(['credit', 'set', '0.2', '--yes']);
  const delivered = new Set<string>();
  const readers = Array.from({ length: READERS }, () => new Returning(() => daemon.notice.url, token, delivered));
  open.push(...readers);
  for (const reader of readers) await reader.follow('the oldest');
  expect(readers.map(({ status }) => status)).toEqual([200, 200, 200]);
  await daemon.hydrant(['crawl', 'add', '-', '--every', '1s'], site.urls.join('\n'));
  return { daemon, readers, delivered };
}

test('a balance is spent to the end, each match once, whatever is killed and whoever reads it again', async () => {
  const { daemon, readers, delivered } = await started();
  const books = new Books(daemon);
  for (let kill = 0; kill < KILLS; kill += 1) {
    await sleep(300 + kill * 200);
    await daemon.kill();
    await daemon.start();
    const spent = 200 - Math.round((await books.credit()).balance * 1_000);
    expect(await books.sums('tap')).toEqual([spent / 5, spent]);
    for (const [index, reader] of readers.entries()) {
      await reader.follow(index === kill % READERS ? 'the oldest' : 'the last');
    }
  }
  await until('the balance is spent', async () => (await books.credit()).balance === 0);
  for (const by of ['tap', 'day', 'rule'] as const) expect(await books.sums(by)).toEqual([40, 200]);
  for (const reader of readers) {
    await reader.follow('the oldest');
    expect(reader.status).toBe(402);
  }
  expect(delivered.size).toBeLessThanOrEqual(40);

  await daemon.hydrant(['credit', 'grant', '0.05', '--expires', '1d']);
  const reader = readers[0]!;
  await reader.follow('the oldest');
  expect(reader.status).toBe(200);
  await until('the stream ends for want of credit', () => reader.lastWords !== undefined);
  reader.note();
  expect(JSON.parse(reader.lastWords ?? '{}')).toMatchObject({ code: 'out_of_credit' });
  const all = new Set(Array.from({ length: 50 }, (_, offset) => `0-${offset}`));
  expect(delivered).toEqual(all);
  expect(await books.credit()).toMatchObject({ balance: 0, unlimited: false });
  expect(await books.sums('tap')).toEqual([50, 250]);

  await daemon.hydrant(['credit', 'unlimited']);
  await reader.follow('the last');
  expect(reader.status).toBe(200);
}, 120_000);
