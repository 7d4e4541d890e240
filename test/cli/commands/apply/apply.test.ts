import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { PRICES } from '../../changes/watch-sample.ts';
import { FakeDaemon, OTHER_TAP, type Ran, RULE, run, type RunOptions, SOURCE, TAP } from '../../harness.ts';

const FILTER = { id: 'f-1', name: 'boats', value: 'ferry OR canoe', created_at: '2026-02-27T00:00:00+00:00' };

let daemon: FakeDaemon;
let directory: string;
beforeEach(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'hydrant-apply-'));
  daemon = await FakeDaemon.onSocket();
  daemon.on('GET /v1/taps', 200, { data: [TAP] }).on('GET /v1/rules', 200, { data: [RULE] });
  daemon.on('GET /admin/filters', 200, { data: [FILTER] }).on('GET /admin/sources', 200, { data: [SOURCE] });
  daemon.on('GET /admin/watches', 200, { data: [PRICES] }).on('GET /admin/rules', 200, { data: [] });
  daemon.on('GET /admin/sinks', 200, { data: [] });
});
afterEach(async () => {
  rmSync(directory, { recursive: true, force: true });
  await daemon.stop();
});

const hydrant = (words: readonly string[], options: RunOptions = {}): Promise<Ran> =>
  run(words, { ...options, env: { HYDRANT_DATA_DIR: daemon.directory } });

function apply(text: string, ...words: string[]): Promise<Ran> {
  const file = path.join(directory, 'hydrant.yaml');
  writeFileSync(file, text);
  return hydrant(['apply', file, ...words]);
}

/** What was sent that changes something. */
const sent = (): string[] =>
  daemon.received.filter(({ method }) => method !== 'GET').map(({ method, path: asked }) => `${method} ${asked}`);

const EXPORTED = `# Made by hydrant export. Put in place with: hydrant apply FILE
filters:
  - name: boats
    value: ferry OR canoe
taps:
  - name: news
rules:
  - tap: news
    tag: linux
    value: title:release
sources:
  - url: https://example.org/
    scope: page
    every: 10m
    max_pages: 1000
watches:
  - url: https://example.org/prices
    every: 6h
sinks: []
`;

describe('hydrant export', () => {
  test('gives a terminal no control characters of older names, and says the same', async () => {
    const name = 'red\u001b[31m\u009b1m\u202etxt.exe\u{e0041}';
    daemon.on('GET /v1/taps', 200, { data: [{ ...TAP, name }] });
    await hydrant(['export']);
    // Renamed meanwhile.
    const { stdout } = await hydrant(['export']);
    expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u{e0000}-\u{e007f}]/u);
    expect((parse(stdout) as { taps: object[] }).taps).toEqual([{ name }]);
  });

  test('prints what there is, and no secret', async () => {
    const { code, stdout } = await hydrant(['export']);
    expect([code, stdout]).toEqual([0, EXPORTED]);
    expect(stdout).not.toContain(TAP.token);
  });

  test('of some sections, and as JSON', async () => {
    const { stdout } = await hydrant(['export', '--taps', '--rules', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      taps: [{ name: 'news' }],
      rules: [{ tap: 'news', tag: 'linux', value: 'title:release' }],
    });
  });

  test('with a key says what it goes without', async () => {
    const elsewhere = (await FakeDaemon.onPort()).on('GET /v1/taps', 200, { data: [TAP] });
    elsewhere.on('GET /v1/rules', 200, { data: [] });
    const env = { HYDRANT_URL: elsewhere.url, HYDRANT_KEY: 'svcm_x' };
    const { code, stdout, stderr } = await run(['export'], { env });
    expect([code, stdout]).toEqual([0, expect.stringContaining('taps:\n  - name: news\nrules: []\n')]);
    expect(stderr).toContain('the filters are left out: only the operator can read them\n');
    expect((await run(['export', '--sources'], { env })).code).toBe(2);
    await elsewhere.stop();
  });
});

describe('hydrant apply', () => {
  test('of what was exported changes nothing', async () => {
    const { code, stdout, stderr } = await apply(EXPORTED);
    expect([code, stdout, stderr]).toEqual([
      0,
      '',
      `nothing to do: ${daemon.directory} already matches hydrant.yaml\n`,
    ]);
    expect(sent()).toEqual([]);
  });

  test('shows a plan, and does it in an order that works', async () => {
    daemon.on('POST /admin/filters', 201, { data: { ...FILTER, id: 'f-2', name: 'trains' } });
    daemon.on('GET /v1/taps', 200, { data: [TAP, OTHER_TAP] });
    daemon.on('POST /v1/taps', 201, { data: OTHER_TAP, token: OTHER_TAP.token });
    daemon.on('POST /v1/rules', 201, { data: RULE }).on(`PUT /v1/rules/${RULE.id}`, 200, { data: RULE });
    daemon.on('PATCH /admin/sources/s-0001', 200, { data: SOURCE });
    const { code, stdout, stderr } = await apply(
      `
sources: [{ url: "https://example.org", every: 1h, paused: true }]
rules:
  - { tap: jobs, value: '$trains' }
  - { tap: news, tag: linux, value: 'title:kernel' }
taps: [{ name: news }, { name: jobs }]
filters: [{ name: boats, value: ferry OR canoe }, { name: trains, value: tram }]
`,
      '-y',
    );
    expect([code, stdout.split('\n')]).toEqual([
      0,
      [
        '+ filter trains',
        '+ tap jobs',
        '+ rule jobs/$trains',
        '~ rule news/linux: value',
        '~ source https://example.org/ (page): every, paused',
        '',
      ],
    ]);
    expect(stderr).toBe('done: + 3  ~ 2  - 0\n');
    expect(sent()).toEqual([
      'POST /admin/filters',
      'POST /v1/taps',
      'POST /v1/rules',
      `PUT /v1/rules/${RULE.id}`,
      'PATCH /admin/sources/s-0001',
    ]);
    expect(daemon.sent('POST /v1/rules')[0]).toMatchObject({
      authorization: `Bearer ${OTHER_TAP.token}`,
      body: { value: '$trains', quality: true, nsfw: false },
    });
    expect(daemon.sent('PATCH /admin/sources/s-0001')[0]?.body).toEqual({ every_seconds: 3_600, paused: true });
  });

  test('has how a source is rendered, and takes it back where the file does not say so', async () => {
    daemon.on('GET /admin/sources', 200, { data: [{ ...SOURCE, render: { wait_for: '.price', within_seconds: 30 } }] });
    daemon.on('PATCH /admin/sources/s-0001', 200, { data: SOURCE });
    await hydrant(['export', '--sources']);
    // Rendered meanwhile.
    const { stdout } = await hydrant(['export', '--sources']);
    expect((parse(stdout) as { sources: object[] }).sources).toMatchObject([
      { url: SOURCE.url, render: true, wait_for: '.price', within: '30s' },
    ]);
    expect((await apply(stdout, '-y')).stderr).toContain('nothing to do');
    const entry = `url: "${SOURCE.url}", every: 10m`;
    expect((await apply(`sources: [{ ${entry} }]`, '-y')).stdout).toContain('(page): render\n');
    expect((await apply(`sources: [{ ${entry}, within: 45s }]`, '-y')).stdout).toContain('(page): render\n');
    expect(daemon.sent('PATCH /admin/sources/s-0001').map(({ body }) => body)).toMatchObject([
      { render: null },
      { render: { within_seconds: 45 } },
    ]);
    const { code, stderr } = await apply(`sources: [{ ${entry}, within: 5m }]`, '-y');
    expect([code, stderr]).toEqual([2, expect.stringMatching(/hydrant\.yaml:1: `within: 5m`.*from 1s to 60s/)]);
  });

  test('names the pages whose requests are left out, and the command that sets each again', async () => {
    const none = { method: 'GET', body_bytes: null, headers_from: null, proxy: null };
    const request = { ...none, headers: ['cookie'], user_agent: null, timeout_seconds: null };
    daemon.on('GET /admin/sources', 200, { data: [{ ...SOURCE, request }] });
    await hydrant(['export', '--sources']);
    // Asked for so meanwhile.
    const { stdout, stderr } = await hydrant(['export', '--sources']);
    expect(stdout).not.toContain('cookie');
    expect(stderr).toContain('how 1 page is asked for is left out; where the file is applied, set it again:');
    expect(stderr).toContain(`${SOURCE.url}: cookie: ••••`);
    expect(stderr).toContain(`hydrant crawl edit ${SOURCE.url}`);
  });

  test('leaves what the file does not name, unless it is told to prune', async () => {
    const kept = await apply('rules: []\nsources: []\n', '-y');
    expect([kept.code, kept.stdout]).toEqual([0, '']);
    expect(kept.stderr).toContain('not in the file, and left unchanged: 1 source, 1 rule; --prune removes');
    expect(sent()).toEqual([]);
    daemon.on(`DELETE /v1/rules/${RULE.id}`, 204).on('DELETE /admin/sources/s-0001', 204);
    const pruned = await apply('rules:\nsources: []\n', '--prune', '-y');
    expect([pruned.code, pruned.stdout]).toEqual([0, '- source https://example.org/ (page)\n- rule news/linux\n']);
    expect(sent()).toEqual(['DELETE /admin/sources/s-0001', `DELETE /v1/rules/${RULE.id}`]);
  });

  test('asks before it changes anything, and changes nothing with --dry-run', async () => {
    const text = 'taps: [{ name: news, paused: true }]';
    const { code, stdout, stderr } = await apply(text);
    expect([code, stdout]).toEqual([2, '~ tap news: paused\n']);
    expect(stderr).toContain('This needs a confirmation, and there is no terminal to ask on: add --yes');
    const dry = await apply(text, '--dry-run');
    expect([dry.code, dry.stderr]).toEqual([0, '+ 0  ~ 1  - 0; nothing was changed (--dry-run)\n']);
    const json = await apply(text, '--dry-run', '--json');
    expect(JSON.parse(json.stdout)).toEqual({ plan: [{ sign: '~', kind: 'tap', name: 'news', fields: ['paused'] }] });
    expect(sent()).toEqual([]);
  });

  test('says which line the daemon refused, and what was done before', async () => {
    daemon.on(`PUT /v1/taps/${TAP.id}`, 200, { data: { ...TAP, status: 'paused' } });
    daemon.on('POST /v1/taps', 422, { message: 'Tap limit reached.', errors: { name: ['x'] } });
    const { code, stderr } = await apply('taps:\n- { name: news, paused: true }\n- { name: jobs }\n', '-y');
    expect([code, stderr]).toEqual([6, expect.stringContaining('hydrant.yaml:3: + tap jobs: Tap limit reached.')]);
    expect(stderr).toContain('1 of 2 done before');
  });

  test('at a limit removes one rule that the file does not name for each that it adds', async () => {
    daemon.on('POST /v1/rules', 422, { message: 'Rule limit reached. This organization may have up to 1 rule.' });
    daemon.on('POST /v1/rules', 201, { data: { ...RULE, id: '7d0e0002' } });
    daemon.on(`DELETE /v1/rules/${RULE.id}`, 204);
    const { code } = await apply('rules:\n  - { tap: news, tag: boats, value: ferry }\n', '--prune', '-y');
    expect(code).toBe(0);
    expect(sent()).toEqual(['POST /v1/rules', `DELETE /v1/rules/${RULE.id}`, 'POST /v1/rules']);
  });

  test('removes nothing for a rule that is refused for another reason, though it speaks of a limit', async () => {
    daemon.on('POST /v1/rules', 422, { message: 'The query has more clauses than the limit of 1,024.' });
    const { code } = await apply('rules:\n  - { tap: news, tag: boats, value: ferry }\n', '--prune', '-y');
    expect([code, sent()]).toEqual([6, ['POST /v1/rules']]);
  });

  test('knows an address by the form that the daemon keeps', async () => {
    const urls = ['https://example.org./?utm_source=x', 'https://EXAMPLE.org/#top'];
    for (const url of urls) {
      const text = `sources: [{ url: '${url}', scope: page, every: 10m }]\nwatches: [{ url: 'https://example.org./prices#a', every: 6h }]`;
      expect((await apply(text, '--dry-run')).stderr).toContain('nothing to do');
    }
  });

  test('keeps a rule that has another query by its tag, if that is nobody else’s', async () => {
    const other = { ...RULE, id: '7d0e0002', value: 'title:patch' };
    daemon = await daemonWith([RULE, other]);
    const rule = (value: string): string => `  - { tap: news, tag: linux, value: '${value}' }\n`;
    const one = await apply(`rules:\n${rule('title:release')}${rule('title:new')}`, '--dry-run');
    expect(one.stdout).toBe('~ rule news/linux: value\n');
    const both = await apply(`rules:\n${rule('title:a')}${rule('title:b')}`, '--dry-run', '--prune');
    expect(both.stdout).toBe('+ rule news/linux\n+ rule news/linux\n- rule news/linux\n- rule news/linux\n');
    const twice = await apply(`rules:\n${rule('title:release').repeat(2)}`, '--dry-run');
    expect(twice.stdout).toBe('~ rule news/linux: value\n');
  });

  test.each([
    ['taps:\n- { name: a }\n- { name: a }\n', 'hydrant.yaml:3: tap a is in the file twice; first in line 2'],
    ['taps:\n- { nmae: a }\n', 'hydrant.yaml:2: there is no field `nmae`'],
    ['taps: news\n', 'hydrant.yaml:1: `taps` is not a list'],
    ['tasp: []\n', 'hydrant.yaml:1: there is no field `tasp`'],
    ['- a\n', 'hydrant.yaml:1: expected an object of fields'],
    ['{}', 'the file is empty'],
    ['taps: [\n', 'hydrant.yaml:2:1: '],
    ['taps:\n\n- 3\n', 'hydrant.yaml:3: expected an object of fields'],
    ['rules:\n- tap: news\n  value: 3\n', 'hydrant.yaml:3: `value` is not a text'],
    ['rules:\n- tap: nobody\n  value: a\n', 'hydrant.yaml:2: there is no tap `nobody`'],
    ['sources:\n- url: gopher://a/\n', 'hydrant.yaml:2: `gopher://a/` is not a web address'],
    ['sources:\n- url: http://a/\n  every: soon\n', 'hydrant.yaml:3: `every` is not a time'],
    ['sources:\n- url: http://a/\n  depth: 1.5\n', 'hydrant.yaml:3: `depth` is not a whole number'],
    ['sources:\n- url: http://a/\n  scope: web\n', 'hydrant.yaml:3: `scope` is not one of page, prefix'],
  ])('says of %j where it is wrong, and does nothing', async (text, message) => {
    const { code, stderr } = await apply(text, '-y');
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(sent()).toEqual([]);
  });

  test('shows what is wrong with a query before anything is done', async () => {
    const { code, stderr } = await apply('taps: [{ name: jobs }]\nrules:\n- tap: jobs\n  value: titel:x\n', '-y');
    expect([code, sent()]).toEqual([1, []]);
    expect(stderr).toMatch(/^error: hydrant\.yaml:4: .*titel.*\n {2}titel:x\n {2}\^{5}/);
  });
});

async function daemonWith(rules: readonly object[]): Promise<FakeDaemon> {
  await daemon.stop();
  return (await FakeDaemon.onSocket())
    .on('GET /v1/taps', 200, { data: [TAP] })
    .on('GET /v1/rules', 200, { data: rules })
    .on('GET /admin/rules', 200, { data: [] });
}
