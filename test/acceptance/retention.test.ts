import { afterEach, beforeEach, expect, test } from 'vitest';
import { outside } from '../../src/daemon/outside.ts';
import { openSqlite } from '../../src/daemon/storage/sqlite/sqlite-storage.ts';
import type { Rule } from '../../src/shared/api/rule.ts';
import type { Status } from '../../src/shared/api/status.ts';
import type { Tap } from '../../src/shared/api/tap.ts';
import { seed, visitOf } from '../fixtures/visits.ts';
import { loopback, RealDaemon, until } from './real-daemon.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;

let daemon: RealDaemon;
let tap: Tap;
let rule: Rule;
beforeEach(async () => {
  daemon = new RealDaemon([...loopback, '--stream-retention', '30d']);
  await daemon.start();
  await daemon.hydrant(['tap', 'create', 'news']);
  await daemon.hydrant(['rule', 'add', 'news', 'ferry', '--no-try']);
  tap = (await daemon.operator<{ data: Tap[] }>('GET', '/v1/taps')).data[0]!;
  rule = (await daemon.operator<{ data: Rule[] }>('GET', '/v1/rules', undefined, tap.token)).data[0]!;
});
afterEach(() => daemon.dispose());

/** Puts matches of so many days ago into the log, the oldest first, as their visits would have; then `more`. */
async function write(days: readonly number[], trimmedTo?: number): Promise<void> {
  await daemon.stop();
  const storage = await openSqlite({ dataDir: daemon.dataDir, outside });
  const page = await seed(storage.frontier, 'log');
  for (const day of days) {
    const url = `https://ferry.example/${day}`;
    const diff = { chunks: [{ typ: 'ins', text: `The ferry of day ${day} leaves the harbour at nine.` }] };
    const document = JSON.stringify({ url, title: `Day ${day}`, diff });
    const event = { tapId: tap.id, queryIds: JSON.stringify([rule.id]), document };
    await storage.pages.commit(visitOf(page, { at: Date.now() - day * DAY + HOUR, events: [event] }));
  }
  if (trimmedTo !== undefined) await storage.eventLog.trim(Date.now() - trimmedTo * DAY);
  await storage.close();
  await daemon.start();
}

const titles = (text: string): string[] => [...text.matchAll(/Day \d+/g)].map(([title]) => title);
const statusOf = async (): Promise<Status> => (await daemon.operator<{ data: Status }>('GET', '/admin/status')).data;

/** With a management key, and nothing else of this machine. */
async function remote(...words: string[]): Promise<{ stdout: string; stderr: string; exitCode: number | undefined }> {
  const key = JSON.parse(await daemon.hydrant(['key', 'create', `remote ${words[0]}`, '--json'])) as { key: string };
  const env = { HOME: daemon.dataDir, HYDRANT_URL: daemon.notice.url, HYDRANT_KEY: key.key };
  const { stdout, stderr, exitCode } = await daemon.runElsewhere(words, env);
  return { stdout, stderr, exitCode };
}

test('what is kept for a month is there for digest, tail, feed and --resume, on this machine and over the API', async () => {
  await write([20, 6, 3, 1]);
  const week = ['Day 6', 'Day 3', 'Day 1'];
  const digest = await daemon.hydrant(['digest', '--since', '7d', '--json']);
  expect(JSON.parse(digest)).toMatchObject({ matches: 3, kept_from: null });
  expect(titles(await daemon.hydrant(['tail', '--since', '7d', '--once', '--format', '{document.title}']))).toEqual(
    week,
  );
  // Newest first.
  expect(titles(await daemon.hydrant(['tap', 'feed', '--since', '7d']))).toEqual(week.toReversed());
  expect(titles(await daemon.hydrant(['tail', '--once', '--format', '{document.title}']))).toEqual(['Day 20', ...week]);

  const resumed = ['tail', '--once', '--resume', '--since', '7d', '--format', '{document.title}'];
  expect(titles(await daemon.hydrant(resumed))).toEqual(week);
  expect(titles(await daemon.hydrant(resumed))).toEqual([]);

  const far = await remote('digest', '--since', '7d');
  expect(far).toMatchObject({ exitCode: 0, stderr: '' });
  expect(titles(far.stdout).toSorted()).toEqual(week.toSorted());
  expect(titles((await remote('tail', '--since', '2d', '--once', '--format', '{document.title}')).stdout)).toEqual([
    'Day 1',
  ]);
});

test('the public API keeps its day, and the operator may ask for ninety', async () => {
  await write([6, 1]);
  const since = (text: string) =>
    fetch(`${daemon.notice.url}/v1/stream?since=${text}&limit=1&timeout=5`, {
      headers: { authorization: `Bearer ${tap.token}` },
    });
  expect((await since('24h')).status).toBe(200);
  const refused = await since('25h');
  expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('from 1s to 24h')]);
  const own = (text: string): Promise<string> =>
    daemon.operatorText(`/v1/stream?since=${text}&limit=1&timeout=5`, 'GET', undefined, tap.token);
  expect(await own('2160h')).toContain('Day 6');
  expect(await own('2161h')).toContain('from 1s to 2160h');
});

test('a log that does not reach as far as it is asked says how far it does', async () => {
  // As of a daemon that kept less: all from before two days ago is gone.
  await write([6, 3, 1], 2);
  const droppedAt = new Date(Date.now() - 3 * DAY + HOUR).toISOString().slice(0, 10);
  const here = await daemon.run('hydrant', ['digest', '--since', '7d']);
  expect(here.exitCode).toBe(0);
  expect(here.stderr).toMatch(new RegExp(`^the log has all matches since ${droppedAt} \\d\\d:\\d\\d UTC only`));
  expect(here.stdout).toContain(`; matches from before ${droppedAt}`);
  expect(titles(here.stdout)).toEqual(['Day 1']);
  const far = await remote('digest', '--since', '7d', '--json');
  expect(JSON.parse(far.stdout)).toMatchObject({ matches: 1, kept_from: expect.stringContaining(droppedAt) });
  const tail = await daemon.run('hydrant', ['tail', '--since', '7d', '--once']);
  expect(tail.stderr).toContain(`the log has all matches since ${droppedAt}`);
  // What it was asked for is there.
  const day = await daemon.run('hydrant', ['digest', '--since', '36h']);
  expect([day.stderr, titles(day.stdout)]).toEqual(['', ['Day 1']]);
  // And whoever asks for all that is kept has all that is kept.
  expect((await daemon.run('hydrant', ['tail', '--once'])).stderr).not.toContain('no longer kept');
});

test('what is older goes, and status says how long matches are kept, and what they take', async () => {
  await write([40, 31, 29, 1]);
  await until('the next minute has begun', async () => (await statusOf()).match.events < 4);
  const { match } = await statusOf();
  expect(match).toMatchObject({ events: 2, log: { retention_seconds: 30 * 86_400 } });
  expect(Date.parse(match.log?.kept_from ?? '')).toBeLessThan(Date.now() - 30 * DAY);
  expect(match.log?.bytes).toBeGreaterThan(300);
  expect(await daemon.hydrant(['status'])).toMatch(/^log +matches are kept for 30 d · 0 MiB of at most 2,048 MiB$/m);
});

test('no daemon starts with a time that is not allowed', async () => {
  for (const time of ['1h', '91d']) {
    const { exitCode, stderr } = await daemon.run('hydrantd', ['--stream-retention', time]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('It must be a time from 24h to 90d')]);
  }
});
