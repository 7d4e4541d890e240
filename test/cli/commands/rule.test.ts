import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FakeDaemon, OTHER_TAP, type Ran, RULE, run, type RunOptions, TAP } from '../harness.ts';

let daemon: FakeDaemon;
beforeEach(async () => {
  daemon = await FakeDaemon.onSocket();
  daemon.on('GET /v1/taps', 200, { data: [TAP] }).on('POST /v1/rules', 201, { data: RULE });
  daemon.on('GET /v1/rules', 200, { data: [RULE], meta: { count: 1 } });
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

  test('asks for the tap when there are several', async () => {
    daemon = await withTaps(TAP, OTHER_TAP);
    const { code, stderr } = await hydrant(['rule', 'add', 'title:release']);
    expect([code, stderr]).toEqual([2, 'error: there are 2 taps; say which: news (4f1c2ab8), jobs (4f1c9999)\n']);
  });

  test('on a terminal tells what the quality filter does, once it is on', async () => {
    const { stderr } = await hydrant(['rule', 'add', 'title:release'], { columns: 80 });
    expect(stderr).toContain(`off with: hydrant rule edit ${RULE.id} --no-quality`);
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

  test('names the same daemon in the command it suggests', async () => {
    daemon = await refusing();
    const { stderr } = await run(['rule', 'add', 'titel:x', '--data-dir', daemon.directory]);
    expect(stderr).toContain(`try:  hydrant rule add title:x --data-dir ${daemon.directory}\n`);
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

describe('hydrant rule list', () => {
  test('lists one tap, or all of them', async () => {
    daemon = await withTaps(TAP, OTHER_TAP);
    daemon.on('GET /v1/rules', 200, { data: [RULE] }).on('GET /v1/rules', 200, { data: [{ ...RULE, id: 'r2' }] });
    expect((await hydrant(['rule', 'list'])).stdout).toBe(
      '7d0e0001\tnews\tlinux\ttitle:release\tquality\nr2\tjobs\tlinux\ttitle:release\tquality\n',
    );
    expect((await hydrant(['rules', 'ls', 'jobs', '--json'])).stdout).toBe(
      `${JSON.stringify([{ ...RULE, id: 'r2', tap_id: OTHER_TAP.id }])}\n`,
    );
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

  test('remove looks everything up before it removes anything', async () => {
    daemon.on(`DELETE /v1/rules/${RULE.id}`, 204);
    expect(await hydrant(['rule', 'rm', 'linux', 'nothing'])).toMatchObject({ code: 5 });
    expect(daemon.sent(`DELETE /v1/rules/${RULE.id}`)).toHaveLength(0);
    expect(await hydrant(['rule', 'rm', 'linux', RULE.id, '-q'])).toMatchObject({ code: 0, stdout: `${RULE.id}\n` });
    expect(daemon.sent(`DELETE /v1/rules/${RULE.id}`)).toHaveLength(1);
  });
});
