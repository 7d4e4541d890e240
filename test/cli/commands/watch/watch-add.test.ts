import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { WatchBatchReport, WatchReport } from '../../../../src/shared/api/watch.ts';
import { checkOf, PRICES, QUIET } from '../../changes/watch-sample.ts';
import { FakeDaemon, type Ran, run, type RunOptions } from '../../harness.ts';

const NEW: WatchReport = {
  ...PRICES,
  checks: 0,
  change_count: 0,
  unseen: 0,
  last_checked_at: null,
  last_success_at: null,
};
const ADD = 'POST /admin/watches/batch';
const PATH = `/admin/watches/${NEW.id}`;

let daemon: FakeDaemon;
beforeEach(async () => {
  daemon = await FakeDaemon.onSocket();
});
afterEach(async () => daemon.stop());

async function hydrant(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return run(['watch', 'add', ...words, '--no-color', '--data-dir', daemon.directory], options);
}

function answers(report: Partial<WatchBatchReport>): void {
  daemon.on(ADD, 200, { data: { added: [], known: [], refused: [], ...report } });
}

const bodies = (): unknown[] => daemon.sent(ADD).map(({ body }) => body);

describe('hydrant watch add', () => {
  test.each([
    ['--select', ']['],
    ['--ignore', 'p:has('],
    ['--ignore', '/(/'],
  ])('refuses %s %s before anything is sent, as watch try does', async (flag, wrong) => {
    const added = await hydrant(['https://a.example/', flag, wrong]);
    const tried = await run(['watch', 'try', 'https://a.example/', flag, wrong, '--no-color']);
    expect([added.code, added.stderr, bodies()]).toEqual([2, tried.stderr, []]);
    expect(added.stderr).toContain(`${flag} \`${wrong}\`: `);
    const edited = await run(['watch', 'edit', NEW.id, flag, wrong, '--data-dir', daemon.directory]);
    expect([edited.code, daemon.received]).toEqual([2, []]);
  });

  test.each([
    ["//div[@id='a b']/p", `as CSS: --select 'div[id="a b"] > p'`],
    ['.//h1 | .//h2', `as CSS: --select 'h1, h2'`],
  ])('gives the XPath %s as CSS', async (xpath, hint) => {
    const { code, stderr } = await hydrant(['https://a.example/', '--select', xpath]);
    expect([code, stderr.endsWith(`\n  ${hint}\n`), daemon.received]).toEqual([2, true, []]);
    expect((await hydrant(['https://a.example/', '--select', '//p[. = 1]'])).stderr).not.toContain('as CSS');
  });

  test('sends all URLs in one request, each with what was said', async () => {
    answers({ added: [NEW] });
    const words =
      'https://a.example/ https://b.example/ --every 1h --select main --ignore .ad --ignore /x/ --only added --confirm -q';
    const { code, stdout } = await hydrant([...words.split(' '), '--trigger', 'price OR "in stock"']);
    const rest = {
      frequency_minutes: 60,
      options: {
        select: ['main'],
        ignore: ['.ad', '/x/'],
        only: 'added',
        trigger: 'price OR "in stock"',
        confirm: true,
      },
    };
    expect([code, stdout]).toEqual([0, `${NEW.id}\n`]);
    expect(bodies()).toEqual([
      {
        watches: [
          { url: 'https://a.example/', ...rest },
          { url: 'https://b.example/', ...rest },
        ],
      },
    ]);
  });

  test('watches each six hours unless told otherwise, once a URL', async () => {
    answers({ added: [NEW] });
    await hydrant(['https://a.example/', 'https://a.example/#top']);
    expect(bodies()).toEqual([{ watches: [{ url: 'https://a.example/', frequency_minutes: 360 }] }]);
  });

  test('in a pipe does not wait, and says what is next', async () => {
    answers({ added: [NEW] });
    expect((await hydrant([NEW.url])).stderr).toBe(
      '1 page watched; the first check is made as soon as possible\nnext: hydrant watch show aaaa1111\n',
    );
  });

  test('on a terminal waits for the first check, and says how many lines are watched', async () => {
    answers({ added: [NEW] });
    const account = { read: 9_000, boilerplate: 90_000, hidden: 0, notes: ['Most of the text stands in navigation.'] };
    const findings = { selected: [], ignored: [], lines: 142, inserted: 0, deleted: 0, noise: [], account };
    const check = checkOf(1, { outcome: 'baseline' });
    daemon
      .on(`GET ${PATH}`, 200, { data: { ...NEW, checks: 1 } })
      .on(`GET ${PATH}/checks?limit=1`, 200, { data: [check] })
      .on(`GET ${PATH}/explanation`, 200, { data: { check, request: { conditional: false }, findings } });
    const { code, stderr } = await hydrant([NEW.url], { columns: 120 });
    expect(code).toBe(0);
    expect(stderr).toContain(`${NEW.url}: 142 lines are watched\nnext: hydrant watch text aaaa1111\n`);
    expect(stderr).toContain(`${NEW.url}: Most of the text stands in navigation.\n`);
    const json = await hydrant([NEW.url, '--json', '--wait']);
    expect(JSON.parse(json.stdout)).toMatchObject({ added: [{ first_check: check, account }] });
  });

  test('of a page that cannot be read says why, and fails where the check was waited for', async () => {
    answers({ added: [NEW] });
    const check = checkOf(1, { outcome: 'failed', reason: 'http_4xx', detail: 'the server answered 404' });
    daemon
      .on(`GET ${PATH}`, 200, { data: { ...NEW, checks: 1 } })
      .on(`GET ${PATH}/checks?limit=1`, 200, { data: [check] });
    const { code, stderr } = await hydrant([NEW.url, '--wait']);
    expect(code).toBe(2);
    expect(stderr).toContain('failed: the server answered 404\nnext: hydrant watch explain aaaa1111\n');
  });

  test('with --json and --wait is one value with each first check', async () => {
    answers({ added: [NEW] });
    const check = checkOf(1, { outcome: 'baseline' });
    daemon
      .on(`GET ${PATH}`, 200, { data: { ...NEW, checks: 1 } })
      .on(`GET ${PATH}/checks?limit=1`, 200, { data: [check] });
    const { stdout } = await hydrant([NEW.url, '--json', '--wait']);
    expect(JSON.parse(stdout)).toEqual({ added: [{ ...NEW, first_check: check }], known: [], refused: [] });
  });

  test('of a URL that is watched already is no error', async () => {
    answers({ known: [{ index: 0, url: NEW.url, message: 'You are already watching this URL.' }] });
    const { code, stderr } = await hydrant([NEW.url]);
    expect([code, stderr]).toEqual([
      0,
      `${NEW.url}: You are already watching this URL.\nnext: hydrant watch edit --help\n`,
    ]);
  });

  test('of a URL that is watched otherwise names what is missing and the command, and fails', async () => {
    const known = { index: 0, url: NEW.url, message: 'You are already watching this URL.' };
    answers({ known: [known] });
    daemon.on('GET /admin/watches', 200, { data: [NEW] });
    const { code, stderr } = await hydrant([NEW.url, '--every', '5m', '--select', 'td.price', '--trigger', 'a b']);
    const flags = "--every 5m --select td.price --trigger 'a b'";
    expect([code, stderr]).toEqual([
      6,
      `${NEW.url}: is watched already, without ${flags}; nothing was changed\nnext: hydrant watch edit aaaa1111 ${flags}\n`,
    ]);
    const every = NEW.frequency_minutes === 360 ? '6h' : `${NEW.frequency_minutes}m`;
    expect(await hydrant([NEW.url, '--every', every])).toMatchObject({ code: 0 });
  });

  test('sends a title and tags, and says where a watch has others', async () => {
    const known = { index: 0, url: NEW.url, message: 'You are already watching this URL.' };
    answers({ known: [known] });
    daemon.on('GET /admin/watches', 200, { data: [{ ...NEW, title: 'Old', tags: ['a', 'b'] }] });
    const { code, stderr } = await hydrant([NEW.url, '--title', 'New one', '--tag', 'b']);
    expect(bodies()).toEqual([{ watches: [{ url: NEW.url, title: 'New one', tags: ['b'], frequency_minutes: 360 }] }]);
    expect(code).toBe(6);
    expect(stderr).toContain(`next: hydrant watch edit aaaa1111 --title 'New one' --tag b\n`);
    answers({ known: [known] });
    expect(await hydrant([NEW.url, '--title', 'Old', '--tag', 'b', '--tag', 'a'])).toMatchObject({ code: 0 });
  });

  test('of a URL that is refused fails with the daemon’s sentence', async () => {
    answers({ refused: [{ index: 0, url: 'http://10.0.0.1/', message: 'private.' }] });
    const { code, stderr } = await hydrant(['http://10.0.0.1/']);
    expect([code, stderr]).toEqual([6, 'error: private.\n']);
  });

  test('shows where a trigger is wrong, and sends nothing', async () => {
    const { code, stderr } = await hydrant([NEW.url, '--trigger', 'titel:x']);
    expect(code).toBe(1);
    expect(stderr).toContain('^');
    expect(daemon.received).toEqual([]);
  });

  test('leaves a trigger that names a saved filter to the daemon', async () => {
    answers({ added: [NEW] });
    expect((await hydrant([NEW.url, '--trigger', '$mine'])).code).toBe(0);
  });

  test.each([
    [[], 'there is no URL to watch'],
    [['example.org'], 'did you mean https://example.org?'],
    [['https://a.example/', '--every', '4h'], 'The nearest is 3h'],
    [['https://a.example/', '--only', 'both'], 'Allowed choices are added, removed'],
    [['ftp://a.example/x'], 'is not a URL that hydrant can crawl\n'],
    [['--file', '/nowhere/list'], 'cannot read /nowhere/list'],
  ])('%j is a usage error and sends nothing', async (words, message) => {
    const { code, stderr } = await hydrant(words);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(daemon.received).toEqual([]);
  });
});

describe('hydrant watch add with a list', () => {
  test.each([
    ['# nothing yet\n', 'error: there is no URL to watch in stdin\n'],
    [
      '{"a":1}',
      'warning: stdin: it is JSON, and no list of watches that is known\nerror: there is no URL to watch in stdin\n',
    ],
    ['\u0001PNG\0\0', 'error: stdin is not text; a list is text, optionally compressed with gzip\n'],
  ])('that has no URL is told as what it is: %j', async (input, message) => {
    const { code, stderr } = await hydrant(['-'], { input });
    expect(code).toBe(2);
    expect(stderr.startsWith(message)).toBe(true);
    expect(daemon.received).toEqual([]);
  });

  test('reads stdin, and tells which lines are refused', async () => {
    answers({ added: [NEW], refused: [{ index: 1, url: 'http://10.0.0.1/', message: 'private.' }] });
    const { code, stderr } = await hydrant(['-', '-q'], { input: '# mine\nhttps://a.example/\nhttp://10.0.0.1/\n' });
    expect(code).toBe(6);
    expect(stderr).toBe(
      'warning: stdin line 3: http://10.0.0.1/: private.\nerror: 1 of 2 URLs refused; the others were added\n',
    );
  });

  test('sends a thousand a request, and places refusals in the whole', async () => {
    answers({});
    answers({ refused: [{ index: 0, url: 'https://a.example/1000', message: 'no.' }] });
    const input = Array.from({ length: 1_001 }, (_, index) => `https://a.example/${index}`).join('\n');
    const { stderr } = await hydrant(['-'], { input });
    expect(bodies().map((body) => (body as { watches: unknown[] }).watches.length)).toEqual([1_000, 1]);
    expect(stderr).toContain('stdin line 1001: https://a.example/1000: no.');
  });

  test('reads a file that is packed with gzip', async () => {
    answers({ added: [NEW] });
    const file = path.join(daemon.directory, 'sitemap.xml.gz');
    await writeFile(file, gzipSync('<urlset><url><loc>https://a.example/</loc></url></urlset>'));
    const { stderr } = await hydrant(['--file', file, '--every', '1d']);
    expect(stderr).toContain('sitemap.xml.gz is a sitemap: 1 URL\n');
    expect(bodies()).toEqual([{ watches: [{ url: 'https://a.example/', frequency_minutes: 1_440 }] }]);
  });

  test('of a zip file says how it is unpacked', async () => {
    const file = path.join(daemon.directory, 'backup.zip');
    await writeFile(file, Buffer.from([0x50, 0x4b, 0x03, 0x04, 0]));
    const { code, stderr } = await hydrant(['--file', file]);
    expect(code).toBe(2);
    expect(stderr).toContain('try:  unzip -p backup.zip url-watches.json | hydrant watch add -');
  });

  const JOBS =
    'name: A\nurl: https://a.example/\nenabled: false\nencoding: utf-8\n---\n' +
    'name: B\nurl: https://b.example/\nfilter: css:main\ntags: [x]\nencoding: utf-8\n';

  test('says each kind of loss once, adds what was paused as paused, and has options of its own', async () => {
    const paused = { ...NEW, url: 'https://a.example/', status: 'paused' as const };
    answers({ added: [paused, { ...QUIET, url: 'https://b.example/' }] });
    const { code, stderr } = await hydrant(['-', '--select', 'p', '--confirm'], { input: JOBS });
    expect(code).toBe(0);
    expect(stderr).toContain('warning: https://a.example/ and another: "encoding" is not known\n');
    expect(bodies()).toEqual([
      {
        watches: [
          {
            url: 'https://a.example/',
            title: 'A',
            frequency_minutes: 360,
            status: 'paused',
            options: { select: ['p'], confirm: true },
          },
          {
            url: 'https://b.example/',
            title: 'B',
            tags: ['x'],
            frequency_minutes: 360,
            options: { select: ['main'], confirm: true },
          },
        ],
      },
    ]);
  });

  test('--dry-run shows it entry by entry, and asks nobody', async () => {
    const { code, stdout, stderr } = await hydrant(['-', '--dry-run'], { input: JOBS });
    expect([code, daemon.received]).toEqual([0, []]);
    expect(stdout).toBe(
      'https://a.example/\t6h\tpaused\ttitle A\t"encoding" is not known\n' +
        'https://b.example/\t6h\t\ttitle B; tag x; select main\t"encoding" is not known\n',
    );
    expect(stderr).toContain(
      'nothing was changed: 2 watches would be added\nthe daemon was not contacted; it refuses a',
    );
  });

  const MIXED = `${JOBS}---\nname: C\ncommand: date\n---\nurl: https://c.example/\nfilter: jq:.x | length\n`;

  test('adds what can work, and lists what cannot with the reason and what to do instead', async () => {
    answers({ added: [NEW, QUIET] });
    const { code, stderr } = await hydrant(['-'], { input: MIXED });
    expect(code).toBe(6);
    expect(stderr).toContain('stdin is a list of jobs of urlwatch: 4 entries\n');
    expect(stderr).toContain(
      'warning: stdin, job 3 (C) is not added: it runs a command, and hydrant reads pages alone\n' +
        '  instead: let cron keep what it prints, and compare two of them with: hydrant diff OLD NEW\n' +
        'warning: stdin, job 4 (https://c.example/) is not added: "jq:.x | length" selects in JSON,',
    );
    expect(stderr).toContain('error: 2 of 4 entries not added; the others were added\n');
  });

  test('with --json has what is not added beside what is', async () => {
    answers({ added: [NEW, QUIET] });
    const { code, stdout } = await hydrant(['-', '--json'], { input: MIXED });
    expect([code, JSON.parse(stdout)]).toMatchObject([
      6,
      {
        added: [{ id: NEW.id }, { id: QUIET.id }],
        not_added: [
          { place: 'stdin, job 3', title: 'C', reason: expect.any(String), next: expect.any(String) },
          { place: 'stdin, job 4', url: 'https://c.example/' },
        ],
      },
    ]);
  });

  test('of which nothing can work adds nothing, and with --dry-run changes nothing', async () => {
    const { code, stderr } = await hydrant(['-'], { input: 'name: C\ncommand: date\n' });
    expect([code, daemon.received]).toEqual([6, []]);
    expect(stderr).toContain('error: none of 1 entry can be watched\n');
    expect(await hydrant(['-', '--dry-run'], { input: MIXED })).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('is not added: it runs a command'),
    });
  });

  test('that is no list at all, and very long, is told in a few lines', async () => {
    const { code, stderr } = await hydrant(['-'], { input: 'x\n'.repeat(300_000) });
    expect(code).toBe(2);
    expect(stderr).toContain('and 299,995 more\nerror: there is no URL to watch');
  });

  test('says that a page stands in it twice with other terms', async () => {
    answers({ added: [NEW] });
    const input = 'url: https://a.example/\n---\nurl: https://a.example/#x\nfilter: css:main\n';
    const { stderr } = await hydrant(['-'], { input });
    expect(stderr).toContain('stdin, job 2: a page is watched once; its first entry in the list counts');
  });
});
