import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RuleReport } from '../../../../src/shared/api/rule-report.ts';
import { FakeDaemon, OTHER_TAP, type Ran, RULE, run, type RunOptions, TAP } from '../../harness.ts';

/** Of `RULE`: 14 pages were kept back by the quality filter, one for being adult. */
const REPORT: RuleReport = {
  rule_id: RULE.id,
  tap_id: TAP.id,
  paused: false,
  matches: 2,
  last_match_at: '2026-02-27T00:00:00+00:00',
  withheld: { no_date: 12, too_old: 2, future_date: 0, url: 0, adult: 1 },
};

async function reporting(report: RuleReport): Promise<FakeDaemon> {
  await daemon.stop();
  const other = await FakeDaemon.onSocket();
  other.on('GET /v1/taps', 200, { data: [TAP] }).on('GET /v1/rules', 200, { data: [RULE] });
  return other.on('GET /admin/rules', 200, { data: [report] });
}

let daemon: FakeDaemon;
beforeEach(async () => {
  daemon = await FakeDaemon.onSocket();
  daemon.on('GET /v1/taps', 200, { data: [TAP] }).on('POST /v1/rules', 201, { data: RULE });
  daemon.on('GET /v1/rules', 200, { data: [RULE], meta: { count: 1 } });
  daemon.on('GET /admin/rules', 200, { data: [] });
});
afterEach(async () => daemon.stop());

async function hydrant(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return run(words, { ...options, env: { HYDRANT_DATA_DIR: daemon.directory } });
}

describe('hydrant rule add', () => {
  test.each([
    [['news', 'title:release'], { value: 'title:release' }],
    [['title:release'], { value: 'title:release' }],
    [['news', 'a', '--tag', 'x', '--no-quality', '--nsfw'], { value: 'a', tag: 'x', quality: false, nsfw: true }],
    [['news', 'a', '--quality', '--no-nsfw'], { value: 'a', quality: true, nsfw: false }],
    [['news', '--tag', 'x', '--', '-spam +ham'], { value: '-spam +ham', tag: 'x' }],
  ])('%j sends what was typed and nothing else', async (words, body) => {
    expect(await hydrant(['rule', 'add', ...words])).toMatchObject({ code: 0, stdout: `${RULE.id}\n` });
    expect(daemon.sent('POST /v1/rules')[0]).toMatchObject({ body, authorization: `Bearer ${TAP.token}` });
  });

  test('reads a query from stdin', async () => {
    await hydrant(['rule', 'add', 'news', '-'], { input: 'title:release\n' });
    expect(daemon.sent('POST /v1/rules')[0]?.body).toEqual({ value: 'title:release' });
  });

  test('with a saved filter points into what was typed, or nowhere', async () => {
    const refused = async (query: string, diagnostics: object[]) => {
      daemon = await reporting(REPORT);
      daemon.on('POST /v1/rules', 422, { message: 'no', errors: { value: ['no'] }, diagnostics });
      return (await hydrant(['rule', 'add', query])).stderr;
    };
    const found = { severity: 'error', code: 'unknown_field', message: 'There is no field titel.', field: 'titel' };
    const hint = { message: 'The closest is title.', replacement: 'title' };
    expect(await refused('titel:x $b', [{ ...found, span: { start: 0, end: 5 }, hint }])).toContain('^^^^^');
    const behind = await refused('$b titel:x', [{ ...found, span: { start: 8, end: 13 }, hint }]);
    expect(behind).not.toContain('^');
    expect(behind).not.toContain('try:');
    const unknown = { ...found, code: 'unknown_filter', message: 'There is none.', span: { start: 2, end: 4 } };
    expect(await refused('x $b', [unknown])).toContain('  x $b\n    ^^');
  });

  test('asks for the tap when there are several', async () => {
    daemon = await withTaps(TAP, OTHER_TAP);
    const { code, stderr } = await hydrant(['rule', 'add', 'title:release']);
    expect([code, stderr]).toEqual([2, 'error: there are 2 taps; specify one: news (4f1c2ab8), jobs (4f1c9999)\n']);
  });

  test('on a terminal tells what the quality filter does, once it is on', async () => {
    const { stderr } = await hydrant(['rule', 'add', 'title:release'], { columns: 80 });
    expect(stderr).toContain(`to take every page: hydrant rule edit ${RULE.id.slice(0, 8)} --no-quality`);
    daemon.on('POST /v1/rules', 201, { data: { ...RULE, quality: false } });
    expect((await hydrant(['rule', 'add', 'a', '-q'], { columns: 80 })).stderr).toBe('');
    expect((await hydrant(['rule', 'add', 'a', '--no-quality'], { columns: 80 })).stderr).not.toContain('off with');
  });

  test('with the name of the tap alone does not take it for a query', async () => {
    const { code, stderr } = await hydrant(['rule', 'add', 'news']);
    expect([code, stderr]).toEqual([
      2,
      'error: `news` is the tap; the query is missing\n  try:  hydrant rule add news QUERY\n',
    ]);
    expect(daemon.sent('POST /v1/rules')).toEqual([]);
  });

  test('names the same daemon and organization in the command it suggests', async () => {
    daemon = await refusing();
    const where = ['--data-dir', daemon.directory, '--org', 'acme'];
    const { stderr } = await run(['rule', 'add', 'titel:x', ...where]);
    expect(stderr).toContain(`try:  hydrant rule add title:x ${where.join(' ')}\n`);
  });

  test('shows where a refused query is wrong, and a command that works', async () => {
    daemon = await refusing();
    const { code, stderr, stdout } = await hydrant(['rule', 'add', 'news', `titel:"it's" AND a`, '--tag', 'my tag']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(`error: unknown field \`titel\`
  titel:"it's" AND a
  ^^^^^
  did you mean \`title\`?
  try:  hydrant rule add news 'title:"it'\\''s" AND a' --tag 'my tag'
`);
  });

  test('suggests a query that begins with a dash behind two of them', async () => {
    daemon = await refusing();
    const { stderr } = await hydrant(['rule', 'add', '--', 'titel -x']);
    expect(stderr).toContain("try:  hydrant rule add 'title -x'\n");
    daemon = await refusing('-title');
    expect((await hydrant(['rule', 'add', '--', 'titel -x'])).stderr).toContain(
      "try:  hydrant rule add -- '-title -x'\n",
    );
  });

  test('says of a refused query everything in one JSON object', async () => {
    daemon = await refusing();
    const { stderr } = await hydrant(['rule', 'add', 'titel:x', '--json']);
    expect(JSON.parse(stderr)).toMatchObject({
      code: 'unknown_field',
      message: 'unknown field `titel`',
      field: 'titel',
      span: { start: 0, end: 5 },
      source: 'titel:x',
      diagnostics: [{ severity: 'error' }],
    });
  });

  test('prints the warnings of a query that was accepted', async () => {
    daemon = await FakeDaemon.onSocket();
    const warning = { severity: 'warning', code: 'lower_case_operator', message: '`and` is a word here', field: null };
    daemon.on('GET /v1/taps', 200, { data: [TAP] });
    daemon.on('POST /v1/rules', 201, { data: RULE, diagnostics: [{ ...warning, span: { start: 2, end: 5 } }] });
    const { code, stderr } = await hydrant(['rule', 'add', 'a and b']);
    expect(code).toBe(0);
    expect(stderr).toContain('warning: `and` is a word here\n  a and b\n    ^^^\n');
  });
});

async function withTaps(...taps: (typeof TAP)[]): Promise<FakeDaemon> {
  await daemon.stop();
  return (await FakeDaemon.onSocket()).on('GET /v1/taps', 200, { data: taps });
}

async function refusing(replacement = 'title'): Promise<FakeDaemon> {
  const hint = { message: 'did you mean `title`?', replacement };
  const found = { severity: 'error', code: 'unknown_field', message: 'unknown field `titel`', field: 'titel', hint };
  return (await withTaps(TAP)).on('POST /v1/rules', 422, {
    message: 'unknown field',
    errors: { value: ['unknown field'] },
    diagnostics: [{ ...found, span: { start: 0, end: 5 } }],
  });
}

describe('hydrant rule pause', () => {
  test('changes each rule once, and resume undoes it', async () => {
    daemon.on(`PATCH /admin/rules/${RULE.id}`, 200, { data: RULE });
    expect(await hydrant(['rule', 'pause', 'linux', RULE.id])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'rule linux is paused: it is kept, and matches nothing\nnext: hydrant rule resume linux\n',
    });
    expect((await hydrant(['rule', 'resume', 'linux'])).stderr).toBe('rule linux is matched again\n');
    expect(daemon.sent(`PATCH /admin/rules/${RULE.id}`).map(({ body }) => body)).toEqual([
      { paused: true },
      { paused: false },
    ]);
  });

  test('is seen in the list, and where somebody asks why the rule is silent', async () => {
    daemon = await reporting({ ...REPORT, paused: true, rule_paused: true, matches: 0 });
    expect((await hydrant(['rule', 'list'])).stdout).toContain('\tpaused quality\t');
    const { stdout, stderr } = await hydrant(['rule', 'show', 'linux']);
    expect(stdout).toMatch(/^status\tpaused$/m);
    expect(stderr).toContain(`it is paused, so no page is matched against it\nnext: hydrant rule resume ${RULE.id}\n`);
  });

  test('with a tap token says where it works', async () => {
    const env = { HYDRANT_URL: 'http://127.0.0.1:9', HYDRANT_TAP_TOKEN: TAP.token };
    const { code, stderr } = await run(['rule', 'pause', 'linux'], { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining("on the daemon's own machine only")]);
  });
});

describe('hydrant rule list', () => {
  test('lists one tap, or all of them', async () => {
    daemon = await withTaps(TAP, OTHER_TAP);
    daemon.on('GET /v1/rules', 200, { data: [RULE] }).on('GET /v1/rules', 200, { data: [{ ...RULE, id: 'r2' }] });
    daemon.on('GET /admin/rules', 200, { data: [REPORT] });
    expect((await hydrant(['rule', 'list'])).stdout).toBe(
      `7d0e0001\tnews\tlinux\ttitle:release\tquality\t2\t15\t${REPORT.last_match_at}\n` +
        'r2\tjobs\tlinux\ttitle:release\tquality\t\t\t\n',
    );
    expect((await hydrant(['rules', 'ls', 'jobs', '--json'])).stdout).toBe(
      `${JSON.stringify([{ ...RULE, id: 'r2', tap_id: OTHER_TAP.id }])}\n`,
    );
  });

  test('on 80 columns shows the query before when it matched last', async () => {
    const value = 'title:ferry AND (night OR storm)';
    daemon = await withTaps(TAP);
    daemon.on('GET /v1/rules', 200, { data: [{ ...RULE, value }] }).on('GET /admin/rules', 200, { data: [REPORT] });
    const { stdout } = await hydrant(['rule', 'list'], { columns: 80 });
    expect(stdout).toContain(`  ${value}  `);
    expect(stdout).toContain('WITHHELD');
    expect(stdout).not.toContain('LAST MATCH');
  });

  test('on 80 columns has the filters whole, however long the query, the tag and the tap are', async () => {
    const rule = { ...RULE, value: `title:ferry OR ${'night '.repeat(30)}`, tag: 'departures-of-the-harbour' };
    daemon = await withTaps({ ...TAP, name: 'news-of-the-harbour' }, OTHER_TAP);
    daemon
      .on('GET /v1/rules', 200, { data: [rule] })
      .on('GET /v1/rules', 200, { data: [{ ...rule, quality: false, nsfw: true }] });
    daemon.on('GET /admin/rules', 200, { data: [{ ...REPORT, rule_paused: true }] });
    const lines = (await hydrant(['rule', 'list', '--no-color'], { columns: 80 })).stdout.split('\n');
    expect(lines[0]).toMatch(/^ID .* QUERY .* FILTERS .* MATCHES .* WITHHELD/);
    expect(lines[1]).toContain('  paused quality  ');
    expect(lines[2]).toContain('  paused nsfw  ');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  test('works with a tap token alone', async () => {
    const remote = await FakeDaemon.onPort();
    remote.on('GET /v1/rules', 200, { data: [RULE] });
    const env = { HYDRANT_URL: remote.url, HYDRANT_TAP_TOKEN: TAP.token };
    expect(await run(['rule', 'list', '-q'], { env })).toEqual({ code: 0, stdout: `${RULE.id}\n`, stderr: '' });
    expect(await run(['tap', 'list'], { env })).toMatchObject({ code: 2 });
    await remote.stop();
  });
});

describe('the other verbs of hydrant rule', () => {
  test('edit sends what was named, and an empty tag as none', async () => {
    daemon.on(`PUT /v1/rules/${RULE.id}`, 200, { data: RULE });
    await hydrant(['rule', 'edit', 'linux', '--no-quality', '--tag', '']);
    expect(daemon.sent(`PUT /v1/rules/${RULE.id}`)[0]?.body).toEqual({ tag: null, quality: false });
  });

  test('edit with nothing to change says what there is', async () => {
    expect(await hydrant(['rule', 'edit', 'linux'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--value'),
    });
    expect(daemon.received).toEqual([]);
  });

  test('show finds a rule by its tag', async () => {
    expect((await hydrant(['rule', 'show', 'linux'])).stdout).toContain('query\ttitle:release\n');
  });

  test('show tells what became of it, and why it is silent', async () => {
    const shown = async (report: Partial<RuleReport>) => {
      daemon = await reporting({ ...REPORT, matches: 0, last_match_at: null, ...report });
      return hydrant(['rule', 'show', 'linux']);
    };
    const some = await shown({});
    expect(some.stdout).toContain('matches\t0 in the last 24 hours\nlast match\tnever\n');
    expect(some.stdout).toContain(
      'withheld\t12 without a publish date · 2 published more than 7 days ago · 1 labelled as adult\n',
    );
    expect(some.stderr).toBe(
      `the quality filter removed 14 pages that fit the query\nnext: hydrant rule edit ${RULE.id} --no-quality\n` +
        `1 page that fit the query is labelled as adult, which the rule leaves out\nnext: hydrant rule edit ${RULE.id} --nsfw\n`,
    );
    expect((await shown({ paused: true })).stderr).toContain('next: hydrant tap resume news\n');
    const nothing = { no_date: 0, too_old: 0, future_date: 0, url: 0, adult: 0 };
    expect((await shown({ withheld: nothing })).stderr).toBe(
      'no page that changed in the last 24 hours fits the query\nnext: hydrant match title:release URL\n',
    );
    expect((await shown({ withheld: nothing, matches: 1 })).stderr).toBe('');
  });

  test('remove looks everything up before it removes anything, and asks', async () => {
    daemon.on(`DELETE /v1/rules/${RULE.id}`, 204);
    expect(await hydrant(['rule', 'rm', 'linux', 'nothing', '-y'])).toMatchObject({ code: 5 });
    expect(await hydrant(['rule', 'rm', 'linux'])).toMatchObject({ code: 2 });
    expect(daemon.sent(`DELETE /v1/rules/${RULE.id}`)).toHaveLength(0);
    expect(await hydrant(['rule', 'rm', 'linux', RULE.id, '-qy'])).toMatchObject({ code: 0, stdout: `${RULE.id}\n` });
    expect(daemon.sent(`DELETE /v1/rules/${RULE.id}`)).toHaveLength(1);
  });
});
