import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { WatchReport } from '../../../src/shared/api/watch.ts';
import { PRICES, QUIET } from '../changes/watch-sample.ts';
import { FakeDaemon, type Ran, run, type RunOptions } from '../harness.ts';

const RICH: WatchReport = {
  ...QUIET,
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
      `watches:
  - url: https://example.net/
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
      { url: RICH.url, frequency_minutes: 1_440, paused: true, options: RICH.options, notes: [] },
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
    '+ https://example.com/new: every 1d; paused\n~ https://example.org/prices: every 6h → 1h; ignore none → .ad\n';

  test('of what was exported finds nothing to do', async () => {
    const { stdout } = await hydrant(['export']);
    const { code, stdout: plan, stderr } = await applied(stdout, '--prune');
    expect([code, plan, stderr]).toEqual([0, '', 'nothing to do: the watches are as the file says\n']);
    expect(changes()).toEqual([]);
  });

  test('--dry-run shows the plan, and changes nothing', async () => {
    const { code, stdout, stderr } = await applied(FILE, '--dry-run');
    expect([code, stdout]).toEqual([0, PLAN]);
    expect(stderr).toBe(
      '1 watch not in the file, left as they are; --prune removes them\nnothing was changed: 1 would be added, 1 would be changed\n',
    );
    expect(changes()).toEqual([]);
  });

  test('without a terminal and --yes shows the plan and changes nothing', async () => {
    const { code, stdout, stderr } = await applied(FILE);
    expect([code, stdout]).toEqual([2, PLAN]);
    expect(stderr).toContain('2 steps. Go on? Nobody can be asked here: give --yes');
    expect(changes()).toEqual([]);
  });

  test('--yes carries it out: what is removed first, and what is paused is added paused', async () => {
    const added = { ...PRICES, id: 'eeee5555', url: 'https://example.com/new' };
    daemon
      .on('POST /admin/watches/batch', 200, { data: { added: [added], known: [], refused: [] } })
      .on(`PATCH /admin/watches/${PRICES.id}`, 200, { data: PRICES })
      .on(`DELETE /admin/watches/${RICH.id}`, 204);
    const { code, stdout, stderr } = await applied(FILE, '--prune', '--yes');
    expect([code, stdout]).toEqual([0, `${PLAN}- https://example.net/\n`]);
    expect(stderr).toBe('1 added, 1 changed, 1 removed\nnext: hydrant watch list\n');
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
      'warning: https://example.org/prices: too often.\nerror: 1 of 2 steps refused; the others are done\n',
    );
  });

  test('takes back options that the file does not name, and keeps a cadence that it does not', async () => {
    const { stdout } = await applied('watches:\n  - url: https://example.net/\n', '--dry-run');
    expect(stdout).toBe(
      '~ https://example.net/: paused → active; select main, #x → none; ignore .ad, /^= Views/i → none; ' +
        'only added → none; trigger a OR "b" → none; confirm yes → no\n',
    );
  });

  test('with --json has the plan', async () => {
    const { stdout } = await applied(FILE, '--dry-run', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      add: [{ url: 'https://example.com/new', frequency_minutes: 1_440, paused: true }],
      change: [{ id: PRICES.id, url: PRICES.url }],
      remove: [],
    });
  });

  test.each([
    ['watches:\n  - url: https://a.example/\n    evry: 6h\n', 2, 'watches.yaml line 2: `evry` is not known'],
    ["watches:\n  - url: https://a.example/\n    trigger: 'titel:x'\n", 1, '^'],
    [
      "watches:\n  - url: https://a.example/\n    trigger: 'titel:x'\n",
      1,
      'watches.yaml line 2: the trigger of https://a.example/: There is no field titel.',
    ],
    ['watches:\n  - url: [a\n', 2, 'must be sufficiently indented and end with a ]\n'],
  ])('of a file with a mistake does nothing: %j', async (text, code, message) => {
    const ran = await applied(text, '--yes');
    expect(ran.code).toBe(code);
    expect(ran.stderr).toContain(message);
    expect(daemon.received).toEqual([]);
  });

  test('an empty list removes nothing unless it is told to', async () => {
    expect((await applied('watches: []\n', '--yes')).stderr).toContain('2 watches not in the file');
    expect(changes()).toEqual([]);
  });
});
