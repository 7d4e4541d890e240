import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RuleTrial } from '../../../../src/shared/api/rule.ts';
import { summary } from '../../../../src/cli/commands/rule/rule-try.ts';
import { FakeDaemon, type Ran, RULE, run, type RunOptions, TAP } from '../../harness.ts';

const ago = (hours: number): string => new Date(Date.now() - hours * 3_600_000 - 1_000).toISOString();

const TRIAL: RuleTrial = {
  since: ago(24),
  kept: true,
  changes: 1_204,
  failed: 0,
  oldest_at: ago(20),
  complete: true,
  matches: 14,
  pages: 12,
  domains: 6,
  withheld: { no_date: 28, too_old: 3, future_date: 0, url: 0, adult: 0 },
  newest: [
    {
      matched_at: ago(2),
      document: {
        url: 'https://www.example.org/ferry',
        title: 'Ferries\u001b[31m of the day',
        diff: { chunks: [{ typ: 'ins', text: 'The ferry leaves at nine.' }] },
      },
    },
  ],
};

let daemon: FakeDaemon;
beforeEach(async () => {
  daemon = await FakeDaemon.onSocket();
  daemon.on('GET /v1/taps', 200, { data: [TAP] }).on('POST /v1/rules', 201, { data: RULE });
});
afterEach(async () => daemon.stop());

const hydrant = (words: readonly string[], options: RunOptions = {}): Promise<Ran> =>
  run(words, { ...options, env: { HYDRANT_DATA_DIR: daemon.directory } });
const answering = (trial: Partial<RuleTrial> = {}, more: object = {}): void => {
  daemon.on('POST /admin/rules/try', 200, { data: { ...TRIAL, ...trial }, ...more });
};

describe('hydrant rule try', () => {
  test('shows what would have matched, and what would have been kept back', async () => {
    answering();
    const { code, stdout } = await hydrant(['rule', 'try', 'ferry'], { columns: 100 });
    expect(code).toBe(0);
    expect(stdout).toContain('14 matches on 12 pages of 6 domains, among 1,204 changes of the last 24 h');
    expect(stdout).toContain('filtered out: 28 without a publish date · 3 published more than 7 days ago');
    expect(stdout).toContain('2 h ago  example.org  Ferries\u{fffd}[31m of the day');
    expect(stdout).toContain('  https://www.example.org/ferry\n');
    expect(stdout).toContain('+ The ferry leaves at nine.');
    expect(stdout).toContain('and 13 more');
  });

  test('asks for what was typed, in the words of the daemon', async () => {
    answering();
    await hydrant(['rule', 'try', '--since', '6h', '--quality', 'off', '--nsfw', '--limit', '3', '--tap', 'news', 'x']);
    await hydrant(['rule', 'try', '--no-quality', '-'], { input: 'from stdin\n' });
    await hydrant(['rule', 'try', 'x']);
    expect(daemon.sent('POST /admin/rules/try').map(({ body }) => body)).toEqual([
      { value: 'x', since_seconds: 21_600, quality: false, nsfw: true, limit: 3, tap: TAP.id },
      { value: 'from stdin', quality: false },
      { value: 'x', quality: true },
    ]);
  });

  test('in a pipe is a line a match, with --json the whole answer, with --quiet the addresses', async () => {
    answering();
    const plain = await hydrant(['rule', 'try', 'ferry']);
    expect(plain.stdout.split('\t').slice(1)).toEqual([
      'https://www.example.org/ferry',
      'Ferries\u{fffd}[31m of the day\n',
    ]);
    expect(plain.stderr).toContain('14 matches on 12 pages');
    expect(JSON.parse((await hydrant(['rule', 'try', 'ferry', '--json'])).stdout)).toEqual(TRIAL);
    expect((await hydrant(['rule', 'try', 'ferry', '-q'])).stdout).toBe('https://www.example.org/ferry\n');
  });

  test('ends with 1 where nothing matches, and says how far it looked', async () => {
    answering({ matches: 0, pages: 0, domains: 0, newest: [], complete: false, failed: 1 });
    const { code, stdout } = await hydrant(['rule', 'try', 'tram'], { columns: 80 });
    expect([code, stdout.split('\n')[0]]).toEqual([
      1,
      'no match, among 1,204 changes of the last 24 h, the oldest 20 h ago',
    ]);
    expect(stdout).toContain(
      '1 change could not be read\nthe time limit was reached: older changes were not searched\n',
    );
  });

  test('names a long span as it was asked for, though the daemon took its time a moment later', () => {
    const now = Date.parse('2026-02-27T12:00:00Z');
    const since = (ms: number): string => new Date(now - ms + 900).toISOString();
    expect(summary({ ...TRIAL, since: since(86_400_000) }, now)[0]).toContain('of the last 24 h');
    expect(summary({ ...TRIAL, since: since(3_600_000) }, now)[0]).toContain('of the last 1 h');
  });

  test('says where a query is wrong, and what is odd about it', async () => {
    const found = { severity: 'error', code: 'unknown_field', message: 'unknown field `titel`', field: 'titel' };
    daemon.on('POST /admin/rules/try', 422, { message: 'no', diagnostics: [{ ...found, span: { start: 0, end: 5 } }] });
    const refused = await hydrant(['rule', 'try', 'titel:x']);
    expect([refused.code, refused.stderr]).toEqual([1, 'error: unknown field `titel`\n  titel:x\n  ^^^^^\n']);
  });

  test('says what to set where the daemon keeps nothing', async () => {
    answering({ kept: false });
    const { code, stderr } = await hydrant(['rule', 'try', 'x']);
    expect([code, stderr]).toEqual([6, expect.stringContaining('its setting recent-bytes is 0')]);
  });

  test.each([
    ['--since', '2d'],
    ['--limit', '101'],
    ['--quality', 'maybe'],
  ])('refuses %s %s', async (flag, value) => {
    expect((await hydrant(['rule', 'try', flag, value, 'x'])).code).toBe(2);
    expect(daemon.received).toEqual([]);
  });
});

describe('hydrant rule add, on a terminal', () => {
  test('says what the rule would have matched', async () => {
    answering();
    const { code, stdout, stderr } = await hydrant(['rule', 'add', 'title:release'], { columns: 80 });
    expect([code, stdout]).toEqual([0, `rule ${RULE.tag} · ${RULE.id}\n`]);
    expect(stderr).toContain('it would have matched:\n  14 matches on 12 pages');
    expect(stderr).toContain('  example.org  Ferries\u{fffd}[31m of the day\n');
    expect(daemon.sent('POST /admin/rules/try')[0]?.body).toMatchObject({
      value: 'title:release',
      quality: true,
      limit: 3,
    });
  });

  test('asks nothing with --no-try, --json, --quiet or in a pipe', async () => {
    answering();
    await hydrant(['rule', 'add', 'a', '--no-try'], { columns: 80 });
    await hydrant(['rule', 'add', 'a', '--json'], { columns: 80 });
    await hydrant(['rule', 'add', 'a', '-q'], { columns: 80 });
    await hydrant(['rule', 'add', 'a']);
    expect(daemon.sent('POST /admin/rules/try')).toEqual([]);
  });

  test('succeeds whatever becomes of the trial', async () => {
    daemon.on('POST /admin/rules/try', 500, 'no JSON');
    const { code, stderr } = await hydrant(['rule', 'add', 'a'], { columns: 80 });
    expect([code, stderr.includes('error')]).toEqual([0, false]);
  });
});
