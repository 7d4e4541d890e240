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

describe('what a filter held back', () => {
  const held = { seq: 7, reason: 'no_date', ...TRIAL.newest[0]! } as const;

  test('is shown with its reason, behind what matches', async () => {
    answering({ matches: 1, newest_withheld: [held] });
    const { stdout } = await hydrant(['rule', 'try', 'ferry', '--no-color'], { columns: 80 });
    const at = stdout.indexOf('  filtered out: without a publish date\n  https://www.example.org/ferry\n');
    expect(at).toBeGreaterThan(stdout.indexOf('https://www.example.org/ferry'));
  });

  test('is counted when a rule is edited, with the command that replays it', async () => {
    const changed = { ...RULE, quality: false };
    daemon.on('GET /v1/rules', 200, { data: [RULE] }).on(`PUT /v1/rules/${RULE.id}`, 200, { data: changed });
    daemon.on('POST /admin/rules/try', 200, { data: { ...TRIAL, matches: 2 } });
    daemon.on('POST /admin/rules/try', 200, { data: { ...TRIAL, matches: 14 } });
    const { code, stderr } = await hydrant(['rule', 'edit', 'linux', '--no-quality']);
    expect([code, stderr.split('\n')]).toEqual([
      0,
      [
        'rule linux changed',
        expect.stringMatching(/^14 changes of the last 24 h match it now, 2 did before; filtered out: 28 without/),
        'next: hydrant digest --rule linux',
        '',
      ],
    ]);
    expect(daemon.sent('POST /admin/rules/try').map(({ body }) => body)).toEqual([
      { value: RULE.value, quality: true, nsfw: false, limit: 0 },
      { value: RULE.value, quality: false, nsfw: false, limit: 0 },
    ]);
  });

  test.each([
    ['a new tag', ['--tag', 'x']],
    ['--no-try', ['--no-quality', '--no-try']],
    ['--quiet', ['--no-quality', '--quiet']],
  ])('is not counted with %s', async (_what, flags) => {
    const changed = { ...RULE, quality: !flags.includes('--no-quality') };
    daemon.on('GET /v1/rules', 200, { data: [RULE] }).on(`PUT /v1/rules/${RULE.id}`, 200, { data: changed });
    expect((await hydrant(['rule', 'edit', 'linux', ...flags])).code).toBe(0);
    expect(daemon.sent('POST /admin/rules/try')).toEqual([]);
  });

  test('is replayed request by request, the oldest first, as the matches of a tap are printed', async () => {
    const match = (seq: number) => ({
      seq,
      matched_at: `2026-02-27T0${seq}:00:00.000Z`,
      document: { url: `https://a.example/${seq}` },
    });
    daemon.on('GET /v1/rules', 200, { data: [RULE] });
    answering({ newest: [match(5), match(4)], next: 4 });
    answering({ newest: [match(2)], next: 1 });
    answering({ newest: [] });
    const { code, stdout, stderr } = await hydrant(['tail', '--rule', 'linux', '--fields', 'id,document.url,tags']);
    expect([code, stderr]).toEqual([0, '3 matches replayed\n']);
    expect(
      stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as object),
    ).toEqual(
      [2, 4, 5].map((seq) => ({ id: `kept-${seq}`, document: { url: `https://a.example/${seq}` }, tags: ['linux'] })),
    );
    expect(daemon.sent('POST /admin/rules/try').map(({ body }) => (body as { before: number }).before)).toEqual([
      Number.MAX_SAFE_INTEGER,
      4,
      1,
    ]);
  });

  test.each([
    [['tail', '--rule', 'linux', 'news'], 'leave out taps'],
    [['tail', '--rule', 'linux', '--resume', '--for', '1h'], 'leave out --resume and --for'],
    [['digest', '--rule', 'linux', 'news'], 'leave the taps out'],
  ])('%j is refused', async (words, why) => {
    expect(await hydrant(words)).toMatchObject({ code: 2, stderr: expect.stringContaining(why) });
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
