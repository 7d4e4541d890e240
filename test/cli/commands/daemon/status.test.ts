import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Status } from '../../../../src/shared/api/status.ts';
import { FakeDaemon, run } from '../../harness.ts';
import { STATUS } from './status-sample.ts';

let daemon: FakeDaemon;
beforeEach(async () => {
  daemon = await FakeDaemon.onSocket();
  daemon.on('GET /admin/status', 200, { data: STATUS });
});
afterEach(async () => daemon.stop());

test('is one screen', async () => {
  const { code, stdout } = await run(['status', '--data-dir', daemon.directory]);
  expect(code).toBe(0);
  expect(stdout.replace(/up .*? ·/, 'up … ·')).toBe(`hydrantd 0.1.0 · up … · http://127.0.0.1:7878 · organization home
crawl    2 sources · 18,204 pages · 3 visits · 1 change · 0 failures · 2 in flight · oldest due page 4 m late
robots   1,204 pages refused since the start · cannot be fetched from 1 host
watch    97 of 120 watches active · 18,204 checks · 311 changes · 4 failing · 3 held: checks of the month used up · 99 % at most 1.9 s late
match    25 rules on 1 tap · 1,841 events
notify   2 sinks · 40 messages sent · 3 waiting · 1 refused
sink     ntfy phone is disabled, its receiver is gone: refused; see hydrant notify show phone
stream   2 open · 2 KiB not yet read
process  pid 4121 · 128 MiB · /var/lib/hydrant
memory   program 60 MiB, main thread 28 MiB, storage 10 MiB, 1 analysis thread 20 MiB, buffers 4 MiB, other 6 MiB (memory normal)
disk     20,000 MiB free of 50,000 MiB
problem  2026-02-27T13:41:00Z: shop.example answers 503\u{fffd}[31m
`);
});

test('names what cannot be had, and what has moved, with its new address', async () => {
  const last_visit_at = '2026-02-27T13:41:00Z';
  const since = new Date(Date.now() - 3 * 86_400_000 - 60_000).toISOString();
  const failing = [
    { kind: 'source' as const, id: 'a', url: 'http://a.example/', reason: '410', failures: 1, last_visit_at },
    ...Array.from({ length: 12 }, (_, at) => {
      const why = { reason: 'http_4xx', detail: 'the server answered 401', failures: 1_200, since };
      return { kind: 'watch' as const, id: `watch-id-${at}`, url: `http://w.example/${at}`, ...why, last_visit_at };
    }),
  ];
  const problems = [{ at: last_visit_at, message: 'http://a.example/: 410', count: 17 }];
  const moved = ['b', 'c'].map((id) => {
    return { id, url: `http://${id}.example/`, to: `https://${id}.example/new`, last_visit_at };
  });
  const other = await FakeDaemon.onSocket();
  other.on('GET /admin/status', 200, { data: { ...STATUS, problems, crawl: { ...STATUS.crawl, failing, moved } } });
  const { stdout } = await run(['status', '--data-dir', other.directory]);
  await other.stop();
  expect(stdout).toContain('\nsource   http://a.example/ failing: 410; see hydrant crawl why http://a.example/\n');
  expect(stdout).toContain(
    '\nwatch    http://w.example/0 failing for 3 d, 1,200 times: the server answered 401; see hydrant watch explain watch-id\n',
  );
  expect(stdout).toContain('\nwatch    12 failing · http_4xx: 12\nwatch    http://w.example/0 failing');
  expect(stdout).toContain('\nwatch    and 2 more: hydrant watch list --failing\n');
  expect(stdout).toContain('\nproblem  2026-02-27T13:41:00Z: http://a.example/: 410 (17 times)\n');
  expect(stdout).toMatch(
    /\nmoved {4}http:\/\/b\.example\/ to https:\/\/b\.example\/new, http:\/\/c\.example\/ to https:.*new\n/,
  );
});

test('is the daemon’s own object with --json', async () => {
  const { stdout } = await run(['status', '--json'], { env: { HYDRANT_DATA_DIR: daemon.directory } });
  expect(JSON.parse(stdout)).toEqual(STATUS);
  expect(stdout.split('\n')).toHaveLength(2);
});

test('without a daemon is one line with the fix, and exit code 3', async () => {
  const directory = `${daemon.directory}/none`;
  expect(await run(['status', '--data-dir', directory])).toEqual({
    code: 3,
    stdout: '',
    stderr: `error: no daemon is running in ${directory}\n  start one with: hydrant serve --data-dir ${directory}\n`,
  });
});

test('after a daemon that died says that nothing listens', async () => {
  await daemon.stop();
  daemon = await FakeDaemon.onSocket();
  const { directory } = daemon;
  const { writeFile } = await import('node:fs/promises');
  await writeFile(`${directory}/daemon.json`, JSON.stringify({ socket: `${directory}/gone.sock` }));
  const { code, stderr } = await run(['status', '--data-dir', directory]);
  expect(code).toBe(3);
  expect(stderr).toContain('start it with: hydrant serve');
});

test('names the sinks that do not work, and counts what waits', async () => {
  const since = new Date(Date.now() - 3 * 86_400_000 - 60_000).toISOString();
  const sinks: Status['sinks'] = {
    sinks: 3,
    paused: 1,
    sent: 1_204,
    parked: 2,
    dropped: 31,
    behind: 1,
    unhealthy: [{ id: 'a', name: 'my phone', kind: 'ntfy', state: 'dead', since, detail: 'ntfy.lan\u001b refused it' }],
  };
  const other = await FakeDaemon.onSocket();
  other.on('GET /admin/status', 200, { data: { ...STATUS, sinks } });
  const { stdout } = await run(['status', '--data-dir', other.directory]);
  expect(stdout).toContain(
    'notify   3 sinks · 1,204 messages sent · 1 paused · 1 waiting · 2 refused · 31 dropped\n' +
      "sink     ntfy my phone is dead, it has failed for 3 d: ntfy.lan\u{fffd} refused it; see hydrant notify show 'my phone'\n",
  );
  const refused = { ...sinks, unhealthy: [] };
  const healthy = (await FakeDaemon.onSocket()).on('GET /admin/status', 200, { data: { ...STATUS, sinks: refused } });
  expect((await run(['status', '--data-dir', healthy.directory])).stdout).toContain(
    '\nsink     what was refused: hydrant notify list --failing\n',
  );
  await healthy.stop();
  const none = await FakeDaemon.onSocket();
  const unused = { sinks: 0, paused: 0, sent: 0, parked: 0, dropped: 0, behind: 0, unhealthy: [] };
  none.on('GET /admin/status', 200, { data: { ...STATUS, sinks: unused } });
  expect((await run(['status', '--data-dir', none.directory])).stdout).not.toContain('notify');
  await Promise.all([other.stop(), none.stop()]);
});
