import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { WatchReport } from '../../../../src/shared/api/watch.ts';
import { PRICES, QUIET } from '../../changes/watch-sample.ts';
import { FakeDaemon, type Ran, run, type RunOptions } from '../../harness.ts';

const RICH: WatchReport = {
  ...QUIET,
  title: 'Rich: "one"',
  tags: ['eu', 'a b'],
  status: 'paused',
  frequency_minutes: 1_440,
  options: {
    select: ['main', '#x'],
    ignore: ['.ad', '/^= Views/i'],
    only: 'added',
    trigger: 'a OR "b"',
    confirm: true,
  },
};

let daemon: FakeDaemon;
let file: string;
beforeEach(async () => {
  daemon = await FakeDaemon.onSocket();
  file = path.join(daemon.directory, 'watches.yaml');
  daemon.on('GET /admin/watches', 200, { data: [PRICES, RICH] });
});
afterEach(async () => daemon.stop());

async function hydrant(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return run(['watch', ...words, '--no-color', '--data-dir', daemon.directory], options);
}

async function applied(text: string, ...words: string[]): Promise<Ran> {
  await writeFile(file, text);
  return hydrant(['apply', file, ...words]);
}

const changes = (): string[] => daemon.received.filter(({ method }) => method !== 'GET').map(({ method }) => method);

describe('hydrant watch export', () => {
  test('is a file of watches, by URL', async () => {
    expect((await hydrant(['export'])).stdout).toBe(
      `# Made by hydrant export. Put in place with: hydrant apply FILE
watches:
  - url: https://example.net/
    title: 'Rich: "one"'
    tags:
      - eu
      - a b
    every: 1d
    status: paused
    select:
      - main
      - "#x"
    ignore:
      - .ad
      - /^= Views/i
    only: added
    trigger: a OR "b"
    confirm: true
  - url: https://example.org/prices
    every: 6h
`,
    );
  });

  test('--format urls is a URL a line', async () => {
    expect((await hydrant(['export', '--format', 'urls'])).stdout).toBe(
      'https://example.net/\nhttps://example.org/prices\n',
    );
  });

  test.each(['yaml', 'csv'])('%s is read by `add` as it was', async (format) => {
    const { stdout } = await hydrant(['export', '--format', format]);
    const { stdout: read, stderr } = await hydrant(['add', '-', '--dry-run', '--json'], { input: stdout });
    expect(stderr).toBe('');
    expect(JSON.parse(read)).toMatchObject([
      {
        url: RICH.url,
        title: RICH.title,
        tags: RICH.tags,
        frequency_minutes: 1_440,
        paused: true,
        options: RICH.options,
        notes: [],
      },
      { url: PRICES.url, frequency_minutes: 360, paused: false, notes: [] },
    ]);
  });
});

describe('hydrant watch apply', () => {
  const FILE = `watches:
  - url: https://example.org/prices
    every: 1h
    ignore: [.ad]
  - url: https://example.com/new
    every: 1d
    status: paused
`;
  const PLAN =
    '~ watch https://example.org/prices: every 6h → 1h, ignore none → .ad\n+ watch https://example.com/new: every 1d, paused\n';

  test('of what was exported finds nothing to do', async () => {
    const { stdout } = await hydrant(['export']);
    const { code, stdout: plan, stderr } = await applied(stdout, '--prune');
    expect([code, plan, stderr]).toEqual([0, '', `nothing to do: ${daemon.directory} already matches watches.yaml\n`]);
    expect(changes()).toEqual([]);
  });

  test('makes the title and the tags those of the file, where the order of tags says nothing', async () => {
    daemon.on(`PATCH /admin/watches/${RICH.id}`, 200, { data: RICH });
    const { stdout: exported } = await hydrant(['export']);
    const { stdout } = await applied(exported.replace('- eu\n      - a b', '- a b\n      - eu'));
    expect(stdout).toBe('');
    const edited = exported.replace(/tags:\n.*\n.*\n/, 'tags: [eu, de]\n').replace(/    title:.*\n/, '');
    expect((await applied(edited, '--yes')).stdout).toBe(
      '~ watch https://example.net/: title Rich: "one" → none, tags eu, a b → eu, de\n',
    );
    expect(daemon.sent(`PATCH /admin/watches/${RICH.id}`)[0]?.body).toEqual({ title: null, tags: ['eu', 'de'] });
  });

  test.each([
    ['title: "a\\nb"', 'watches.yaml:3: `title` must have no line breaks, control characters or changes of direction'],
    ['tags: ["a,b"]', 'watches.yaml:3: `tags` has the entry "a,b", which must not have a comma'],
    ['tags: [1]', 'watches.yaml:3: `tags` is a list of texts, in quotes'],
  ])('refuses %s with its line', async (line, message) => {
    const { code, stderr } = await applied(`watches:\n  - url: https://a.example/\n    ${line}\n`);
    expect([code, stderr.includes(message)]).toEqual([2, true]);
  });

  test('--dry-run shows the plan, and changes nothing', async () => {
    const { code, stdout, stderr } = await applied(FILE, '--dry-run');
    expect([code, stdout]).toEqual([0, PLAN]);
    expect(stderr).toBe(
      'not in the file, and left unchanged: 1 watch; --prune removes them\n' +
        '+ 1  ~ 1  - 0; nothing was changed (--dry-run)\n',
    );
    expect(changes()).toEqual([]);
  });

  test('without a terminal and --yes shows the plan and changes nothing', async () => {
    const { code, stdout, stderr } = await applied(FILE);
    expect([code, stdout]).toEqual([2, PLAN]);
    expect(stderr).toContain(
      `Apply watches.yaml to ${daemon.directory}: + 1  ~ 1  - 0? This needs a confirmation, and there is no terminal to ask on: add --yes`,
    );
    expect(changes()).toEqual([]);
  });

  test('--yes carries it out: what is removed first, and what is paused is added paused', async () => {
    const added = { ...PRICES, id: 'eeee5555', url: 'https://example.com/new' };
    daemon
      .on('POST /admin/watches/batch', 200, { data: { added: [added], known: [], refused: [] } })
      .on(`PATCH /admin/watches/${PRICES.id}`, 200, { data: PRICES })
      .on(`DELETE /admin/watches/${RICH.id}`, 204);
    const { code, stdout, stderr } = await applied(FILE, '--prune', '--yes');
    expect([code, stdout]).toEqual([0, `${PLAN}- watch https://example.net/\n`]);
    expect(stderr).toBe('done: + 1  ~ 1  - 1\n');
    expect(changes()).toEqual(['DELETE', 'PATCH', 'POST']);
    expect(daemon.sent(`PATCH /admin/watches/${PRICES.id}`)[0]?.body).toEqual({
      frequency_minutes: 60,
      options: { select: [], ignore: ['.ad'], only: null, trigger: null, confirm: false },
    });
    expect(daemon.sent('POST /admin/watches/batch')[0]?.body).toMatchObject({
      watches: [{ url: 'https://example.com/new', frequency_minutes: 1_440, status: 'paused' }],
    });
  });

  test('does the rest where a step is refused, and says which was', async () => {
    daemon
      .on('POST /admin/watches/batch', 200, {
        data: { added: [PRICES], known: [], refused: [] },
      })
      .on(`PATCH /admin/watches/${PRICES.id}`, 422, { message: 'too often.' });
    const { code, stderr } = await applied(FILE.replace('    status: paused\n', ''), '--yes');
    expect(code).toBe(6);
    expect(stderr).toContain(
      'warning: watches.yaml:2: ~ watch https://example.org/prices: too often.\nerror: 1 of 2 steps refused; the other steps succeeded\n',
    );
  });

  test('says a reason once, for as many as were refused for it', async () => {
    const refused = [0, 1, 2].map((index) => ({
      index,
      url: `https://a.example/${index}`,
      message: 'watch limit reached.',
    }));
    daemon.on('POST /admin/watches/batch', 200, { data: { added: [], known: [], refused } });
    const { code, stderr } = await applied(
      `watches:\n${refused.map(({ url }) => `  - url: ${url}\n`).join('')}`,
      '--yes',
    );
    expect(code).toBe(6);
    expect(stderr).toContain(
      'warning: watches.yaml:2: + watch https://a.example/0 and 2 more: watch limit reached.\nerror: 3 of 3 steps refused\n',
    );
  });

  test('takes back options that the file does not name, and keeps a cadence that it does not', async () => {
    const { stdout } = await applied('watches:\n  - url: https://example.net/\n', '--dry-run');
    expect(stdout).toBe(
      '~ watch https://example.net/: title Rich: "one" → none, tags eu, a b → none, status paused → active, select main, #x → none, ignore .ad, /^= Views/i → none, ' +
        'only added → none, trigger a OR "b" → none, confirm yes → no\n',
    );
  });

  test('with --json has the plan', async () => {
    const { stdout } = await applied(FILE, '--dry-run', '--json');
    expect(JSON.parse(stdout)).toEqual({
      plan: [
        { sign: '~', kind: 'watch', name: PRICES.url, fields: ['every', 'ignore'] },
        { sign: '+', kind: 'watch', name: 'https://example.com/new', fields: [] },
      ],
    });
  });

  test.each([
    ['watches:\n  - url: https://a.example/\n    evry: 6h\n', 2, 'watches.yaml:3: there is no field `evry`'],
    ["watches:\n  - url: https://a.example/\n    trigger: 'titel:x'\n", 1, '^'],
    ["watches:\n  - url: https://a.example/\n    trigger: 'titel:x'\n", 1, 'watches.yaml:3: There is no field titel.'],
    ['watches:\n  - url: [a\n', 2, 'must be sufficiently indented and end with a ]\n'],
  ])('of a file with a mistake does nothing: %j', async (text, code, message) => {
    const ran = await applied(text, '--yes');
    expect(ran.code).toBe(code);
    expect(ran.stderr).toContain(message);
    expect(daemon.received).toEqual([]);
  });

  test('an empty list removes nothing unless it is told to', async () => {
    expect((await applied('watches: []\n', '--yes')).stderr).toContain('left unchanged: 2 watches;');
    expect(changes()).toEqual([]);
  });

  test('says before it removes what is lost permanently', async () => {
    const { stderr } = await applied('watches: []\n', '--prune');
    expect(stderr).toContain(
      'With the watches 3 changes and all kept texts are deleted permanently. Apply watches.yaml',
    );
    expect(changes()).toEqual([]);
  });

  test('of a file with more sections takes the watches alone, and says so', async () => {
    const { code, stdout, stderr } = await applied('taps: [{ name: news }]\nwatches: []\n', '--dry-run');
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toContain('only `watches` of the file: `hydrant apply` takes all of it\n');
    expect((await applied('taps: []\n')).stderr).toContain('error: the file has no section `watches`\n');
  });

  test('is what `hydrant apply` does with the section', async () => {
    await writeFile(file, FILE);
    const whole = await run(['apply', file, '--dry-run', '--no-color', '--data-dir', daemon.directory]);
    expect([whole.code, whole.stdout]).toEqual([0, PLAN]);
  });
});
