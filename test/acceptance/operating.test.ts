import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Status } from '../../src/shared/api/status.ts';
import { loopback, RealDaemon, until } from './real-daemon.ts';

/** One daemon for all of it: what is looked at here changes nothing. */
let daemon: RealDaemon;
let logs: string;
beforeAll(async () => {
  logs = mkdtempSync(join(tmpdir(), 'hydrant-logs-'));
  const flags = [
    '--log-file',
    join(logs, 'hydrant.log'),
    '--crawl-contact',
    'https://example.org/crawler',
    '--memory',
    'small',
  ];
  daemon = await RealDaemon.start([...loopback, ...flags]);
});
afterAll(async () => {
  await daemon.dispose();
  rmSync(logs, { recursive: true });
});

test('doctor finds a new daemon healthy, looks into its database, and knows what it was started with', async () => {
  const report = JSON.parse(await daemon.hydrant(['doctor', '--json'])) as {
    healthy: boolean;
    checks: { name: string; state: string; says: string }[];
  };
  expect(report.checks.filter(({ state }) => state === 'fail')).toEqual([]);
  expect(report.healthy).toBe(true);
  const said = new Map(report.checks.map(({ name, state, says }) => [name, `${state} ${says}`]));
  expect(said.get('daemon')).toContain(`ok pid ${daemon.pid}`);
  expect(said.get('store')).toMatch(/^ok .*sound$/);
  expect(said.get('contact')).toContain('(+https://example.org/crawler)');
  expect(said.get('port')).toBe(`ok ${daemon.notice.url} answers`);
  expect(said.get('memory')).toMatch(
    /^ok \d+ MiB: .*main thread \d+ MiB, storage \d+ MiB, .*; the setting memory is small$/,
  );
  const far = await daemon.runElsewhere(['doctor'], { HYDRANT_URL: daemon.notice.url });
  expect([far.exitCode, far.stderr]).toEqual([2, expect.stringContaining("daemon's own machine")]);
});

test('status says what holds the memory: its parts come to the whole', async () => {
  const status = JSON.parse(await daemon.hydrant(['status', '--json'])) as Status;
  const { plan, program_bytes: program, analysis_threads: threads, ...memory } = status.memory!;
  expect({ plan, threads, analysis: memory.analysis_heap_bytes }).toEqual({ plan: 'small', threads: 0, analysis: 0 });
  expect(memory.main_heap_bytes).toBeGreaterThan(memory.storage_heap_bytes);
  const parts = [
    program ?? 0,
    memory.main_heap_bytes,
    memory.storage_heap_bytes,
    memory.buffer_bytes,
    memory.other_bytes,
  ];
  const sum = parts.reduce((one, other) => one + other, 0);
  // They are looked at one after the other.
  expect(Math.abs(sum - status.memory_bytes)).toBeLessThan(status.memory_bytes / 10);
});

test.runIf(process.platform === 'linux')('the process is started with what the setting memory says', () => {
  const words = readFileSync(`/proc/${daemon.pid}/cmdline`, 'utf8').split('\0');
  expect(words).toContain('--max-semi-space-size=2');
});

test('logs reads what the daemon logs, without its first key, and follows it', async () => {
  const lines = (await daemon.hydrant(['logs'])).split('\n').map((line) => JSON.parse(line) as { msg: string });
  expect(lines.map(({ msg }) => msg)).toContain(`hydrantd listens on ${daemon.notice.url}`);
  expect(daemon.log).toContain('svcm_');
  expect(JSON.stringify(lines)).not.toContain('svcm_');
  expect(statSync(join(logs, 'hydrant.log')).mode & 0o777).toBe(0o600);
  const following = daemon.run('hydrant', ['logs', '-f', '-n', '0', '--level', 'info']);
  let heard = '';
  following.all?.on('data', (chunk: Buffer) => (heard += chunk.toString()));
  // A page that cannot be reached is a line of the log; asked for again until the follower is there to see it.
  await daemon.hydrant(['crawl', 'add', 'http://127.0.0.1:9/', '--every', '1s']);
  await until('the follower has heard of it', async () => {
    await daemon.hydrant(['crawl', 'visit', 'http://127.0.0.1:9/']);
    return heard.includes('127.0.0.1:9');
  });
  following.kill('SIGINT');
  expect((await following).exitCode).toBe(130);
});

test('service install prints a unit that names this program, and status says that there is none', async () => {
  const unit = await daemon.hydrant(['service', 'install', '--dry-run']);
  expect(unit).toContain(`${process.execPath} `);
  expect(unit).toMatch(/bin\/hydrantd --data-dir /);
  const status = await daemon.run('hydrant', ['service', 'status', '--json']);
  expect([status.exitCode, JSON.parse(status.stdout)]).toMatchObject([1, { installed: false }]);
});

test('a context leads to the daemon from anywhere, with a key that stands in no argument', async () => {
  const key = await daemon.hydrant(['key', 'create', 'laptop']);
  const home = { HOME: logs, XDG_CONFIG_HOME: logs };
  const elsewhere = (words: readonly string[], input?: string) => daemon.runElsewhere(words, home, input);
  const added = await elsewhere(['context', 'add', 'home', daemon.notice.url, '--key-file', '-', '--use'], key);
  expect(added.exitCode).toBe(0);
  await daemon.hydrant(['tap', 'create', 'news']);
  expect((await elsewhere(['tap', 'list', '--json'])).stdout).toContain('"news"');
  const wrong = await elsewhere(['tap', 'list', '--context', 'attic']);
  expect([wrong.exitCode, wrong.stderr]).toEqual([5, expect.stringContaining('known: local, home')]);
  const refused = await elsewhere(['status']);
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining("daemon's own machine")]);
});
