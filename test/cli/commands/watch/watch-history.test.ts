import { execFileSync } from 'node:child_process';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CheckReport, WatchExplanation } from '../../../../src/shared/api/watch.ts';
import { CHANGE } from '../../../shared/documents/change-sample.ts';
import { checkOf, PRICES, QUIET } from '../../changes/watch-sample.ts';
import { FakeDaemon, type Ran, run, type RunOptions } from '../../harness.ts';

let daemon: FakeDaemon;
beforeEach(async () => {
  daemon = await FakeDaemon.onSocket();
  daemon.on('GET /admin/watches', 200, { data: [PRICES, QUIET] });
});
afterEach(async () => daemon.stop());

const PATH = `/admin/watches/${PRICES.id}`;
const SEEN = `POST ${PATH}/seen`;

async function hydrant(words: string, options: RunOptions = {}): Promise<Ran> {
  return run(['watch', ...words.split(' '), '--data-dir', daemon.directory], options);
}

describe('hydrant watch diff', () => {
  beforeEach(() => {
    daemon.on(`GET ${PATH}/checks/12`, 200, { data: CHANGE }).on(SEEN, 204);
  });

  test('shows the newest change, and says that it is seen', async () => {
    const { code, stdout } = await hydrant('diff https://example.org/prices');
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        'https://example.org/prices',
        'check 12, 2026-02-27T14:02:00+00:00: changed: 2 lines added, 1 removed',
        '@@ -3,3 +3,4 @@',
        '  Plans & prices',
        '- Team: 20 euros a month',
        '+ Team: 25 euros a month',
        '+ <script>alert("x")</script>\u{fffd}[2J',
        '  All prices without taxes',
        '',
      ].join('\n'),
    );
    expect(daemon.sent(SEEN).map(({ body }) => body)).toEqual([{ n: 12 }]);
  });

  test('with --keep-unseen says nothing of it', async () => {
    await hydrant('diff aaaa 12 --keep-unseen');
    expect(daemon.sent(SEEN)).toEqual([]);
  });

  test('marks the words that changed on a terminal with colours, and no others', async () => {
    const { stdout } = await hydrant('diff aaaa', { columns: 80 });
    expect(stdout).toContain('\u001b[31mTeam: \u001b[39m\u001b[31m\u001b[7m20\u001b[27m\u001b[39m');
    expect((await hydrant('diff aaaa', { columns: 80, env: { NO_COLOR: '1' } })).stdout).not.toContain('\u001b');
  });

  test('with --json is what the daemon told', async () => {
    const { stdout } = await hydrant('diff aaaa --json');
    expect(JSON.parse(stdout)).toEqual({ watch: { id: PRICES.id, url: PRICES.url }, check: CHANGE });
    expect(stdout).not.toContain('\u001b');
  });

  test('with --html is a page', async () => {
    const { stdout } = await hydrant('diff aaaa --html');
    expect(stdout).toMatch(/^<!doctype html>\n[^]*<mark>20<\/mark>[^]*<\/html>\n$/);
  });

  test('with --exit-code ends with 1 where there is a change', async () => {
    daemon.on(`GET ${PATH}/checks/13`, 200, { data: checkOf(13) });
    expect(await hydrant('diff aaaa --exit-code')).toMatchObject({ code: 1 });
    const { code, stdout, stderr } = await hydrant('diff aaaa 13 --exit-code');
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toContain('nothing new');
  });

  test('with --patch is what git applies to the text of the version before', async () => {
    const versions = {
      11: ['Plans & prices', 'Team: 20 euros', 'a\u001b[2J'],
      12: ['Plans & prices', 'Team: 25', 'b'],
    };
    for (const [n, lines] of Object.entries(versions)) {
      daemon.on(`GET ${PATH}/versions/${n}`, 200, { data: { n: Number(n), at: CHANGE.at, lines } });
    }
    const directory = path.join(daemon.directory, 'texts');
    await mkdir(directory);
    const file = path.join(directory, 'example.org_prices.txt');
    await writeFile(file, (await hydrant('text aaaa 11')).stdout);
    execFileSync('git', ['apply', '-'], {
      cwd: directory,
      input: (await hydrant('diff aaaa 12 --patch')).stdout,
      env: { ...process.env, GIT_CEILING_DIRECTORIES: daemon.directory },
    });
    expect(await readFile(file, 'utf8')).toBe((await hydrant('text aaaa 12')).stdout);
  });

  const comparison = { from: { n: 3, at: CHANGE.at, lines: [] }, to: { n: 12, at: CHANGE.at, lines: [] } };

  test.each(['3..12', '3..', '--since 60h'])('%s compares two versions', async (words) => {
    const checks = [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map((n) => checkOf(n));
    daemon
      .on(`GET ${PATH}/checks?limit=1`, 200, { data: [checkOf(12)] })
      .on(`GET ${PATH}/checks?limit=100`, 200, { data: checks.map((check) => aged(check)) })
      .on(`GET ${PATH}/comparison?from=3&to=12`, 200, { data: { ...comparison, hunks: CHANGE.hunks } });
    const { code, stdout, stderr } = await hydrant(`diff aaaa ${words}`);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('checks 3 to 12, 2026-02-27T14:02:00+00:00: 2 lines added, 1 removed\n@@ -3,3 +3,4 @@\n');
  });

  /** 6 hours a check, back from now. */
  function aged(check: CheckReport): CheckReport {
    return { ...check, at: new Date(Date.now() - (13 - check.n) * 6 * 3_600_000 - 60_000).toISOString() };
  }

  test('of a page that has not changed says so, and how it is checked', async () => {
    const { code, stderr } = await hydrant('diff https://example.net');
    expect(code).toBe(5);
    expect(stderr).toContain('https://example.net/ has not changed since the watch was added: 2 checks so far');
  });

  test('of a page that was never read says so, and why', async () => {
    const problem = { reason: 'http_4xx', detail: 'the server answered 404', since: QUIET.created_at, failures: 1 };
    daemon = await FakeDaemon.onSocket();
    daemon.on('GET /admin/watches', 200, { data: [{ ...QUIET, last_success_at: null, last_change: null, problem }] });
    const { code, stderr } = await hydrant('diff https://example.net');
    expect(code).toBe(5);
    expect(stderr).toContain('https://example.net/ has not been read yet: the server answered 404\n');
  });

  test('of a check that is forgotten says so', async () => {
    const { code, stderr } = await hydrant('diff aaaa 2');
    expect(code).toBe(5);
    expect(stderr).toContain('there is no check 2, or it is no longer kept');
  });

  test.each([
    ['diff aaaa last', 'neither the number of a check nor a range of two'],
    ['diff aaaa 12 --since 2h', 'give one'],
    ['diff aaaa --json --html', 'give one'],
    ['diff aaaa --since soon', 'is not a time'],
  ])('`%s` is a usage error', async (words, message) => {
    const { code, stderr } = await hydrant(words);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe('hydrant watch text', () => {
  test('prints the newest text, harmless for a terminal', async () => {
    const version = { n: 12, at: CHANGE.at, lines: ['one', '\u001b]0;title\u0007two'] };
    daemon
      .on(`GET ${PATH}/checks?limit=1`, 200, { data: [checkOf(13)] })
      .on(`GET ${PATH}/versions/13`, 200, { data: version });
    expect((await hydrant('text aaaa')).stdout).toBe('one\n\u{fffd}]0;title\u{fffd}two\n');
    expect(JSON.parse((await hydrant('text aaaa --json')).stdout)).toEqual(version);
  });

  test('of a watch that was not checked yet says so', async () => {
    daemon.on(`GET ${PATH}/checks?limit=1`, 200, { data: [] });
    const { code, stderr } = await hydrant('text aaaa');
    expect(code).toBe(5);
    expect(stderr).toContain('has not been checked yet');
  });
});

describe('hydrant watch log', () => {
  const checks: CheckReport[] = [
    checkOf(13),
    checkOf(12, { outcome: 'changed', lines: { inserted: 2, deleted: 1 } }),
    checkOf(11, { recovered: 2 }),
    checkOf(10, { outcome: 'failed', reason: 'http_5xx', detail: 'status 503' }),
    checkOf(9, { outcome: 'failed', reason: 'http_5xx', detail: 'status 503' }),
    checkOf(8, { note: 'same_bytes' }),
    checkOf(7, { note: 'same_text' }),
    checkOf(6, { note: 'trigger' }),
    checkOf(1, { outcome: 'baseline' }),
  ];
  beforeEach(() => {
    daemon.on(`GET ${PATH}/checks?limit=100`, 200, { data: checks });
  });

  test('on a terminal tells runs of checks once', async () => {
    const { stdout } = await hydrant('log aaaa', { columns: 100, env: { NO_COLOR: '1' } });
    const words = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(/^ *(\S+) .* ago +/, '$1 '));
    expect(words).toEqual([
      '13 nothing new',
      '12 changed: 2 lines added, 1 removed',
      '11 nothing new, after 2 failed checks',
      '9–10 2 checks failed: status 503',
      '7–8 2 checks, nothing new',
      '6 nothing new: a change that does not match the trigger',
      '1 first seen: later checks compare with this',
    ]);
  });

  test('in a pipe is a check a line', async () => {
    const { stdout } = await hydrant('log aaaa --limit 2');
    expect(stdout).toBe(
      `13\t${checks[0]?.at}\tunchanged\tnothing new\n12\t${checks[1]?.at}\tchanged\tchanged: 2 lines added, 1 removed\n`,
    );
  });

  test('with --failures --json is JSON lines of those', async () => {
    const { stdout } = await hydrant('log aaaa --failures --json');
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([checks[3], checks[4]]);
  });

  test('reads on where a page of checks is full', async () => {
    const page = Array.from({ length: 100 }, (_, index) => checkOf(200 - index));
    daemon.on(`GET /admin/watches/${QUIET.id}/checks?limit=100`, 200, { data: page });
    daemon.on(`GET /admin/watches/${QUIET.id}/checks?before=101&limit=100`, 200, { data: [checkOf(100)] });
    const { stdout } = await hydrant('log bbbb --limit 1000 -q');
    expect(stdout.split('\n')).toHaveLength(102);
    expect(stdout.endsWith('\n101\n100\n')).toBe(true);
  });
});

describe('hydrant watch explain', () => {
  const answer = { status: 200, url: 'https://example.org/prices', content_type: 'text/html', bytes: 12_345 };
  const findings = { selected: [], ignored: [], lines: 40, inserted: 0, deleted: 0, noise: [] };

  async function explain(given: Omit<WatchExplanation, 'request'>): Promise<Ran> {
    daemon.on(`GET ${PATH}/explanation`, 200, { data: { request: { conditional: true }, ...given } });
    return hydrant('explain aaaa');
  }

  test('tells each step, what is no news too', async () => {
    const noise = [{ before: '3 minutes ago', after: '9 minutes ago', reason: 'a relative time' }];
    const { stdout } = await explain({
      answer,
      check: checkOf(13, { note: 'noise' }),
      findings: { ...findings, noise },
    });
    expect(stdout.split('\n')).toEqual([
      'https://example.org/prices',
      `check     13, ${checkOf(13).at}`,
      'asked     https://example.org/prices, conditionally (only if changed)',
      'answer    status 200, text/html, 12,345 bytes',
      'read      40 lines to compare',
      'compared  no line',
      'not news  a relative time: 3 minutes ago → 9 minutes ago',
      'so        no change is reported: only what changes by itself',
      '',
    ]);
  });

  test('of a selector that finds nothing says what to do', async () => {
    const selected = [{ selector: '.price > b', found: 0 }];
    const { stdout, stderr } = await explain({
      check: checkOf(13, { outcome: 'failed', reason: 'selector', detail: 'no element matches .price > b' }),
      findings: { ...findings, selected },
    });
    expect(stdout).toContain('selected  .price > b: nothing\n');
    expect(stderr).toContain("next: hydrant watch try https://example.org/prices --select '.price > b'\n");
  });

  test('of a change leads to it', async () => {
    const { stderr } = await explain({ check: checkOf(12, { outcome: 'changed' }), findings });
    expect(stderr).toContain('next: hydrant watch diff https://example.org/prices 12\n');
  });

  test('of a failed page does not say that it has no type, of which nothing is known here', async () => {
    const check = checkOf(13, { outcome: 'failed', reason: 'content_type', detail: 'the content type is "image/png"' });
    const { stdout } = await explain({ check, answer: { ...answer, content_type: '' } });
    expect(stdout).toContain('answer    status 200, 12,345 bytes\n');
  });

  test('of a failure without an answer says why, and what stays', async () => {
    const { stdout } = await explain({
      check: checkOf(13, { outcome: 'failed', reason: 'dns', detail: 'no such host' }),
    });
    expect(stdout).toContain('so        the check failed; the previous version is kept: no such host\n');
  });

  test('of a page that was never read is exit code 5', async () => {
    const { code, stderr } = await hydrant('explain aaaa');
    expect(code).toBe(5);
    expect(stderr).toContain('no check has read https://example.org/prices yet');
  });
});

describe('hydrant watch feed', () => {
  const item = { cursor: 41, watch: { id: PRICES.id, url: PRICES.url }, title: 'Prices', check: CHANGE };

  test('is of all watches, newest first', async () => {
    const newer = { ...item, cursor: 42, title: 'Newer' };
    daemon.on('GET /admin/watch-changes?newest=true&limit=50', 200, { data: { changes: [item, newer], cursor: 42 } });
    const { stdout } = await hydrant('feed');
    expect([...stdout.matchAll(/<title>(.*)<\/title>/g)].map(([, title]) => title)).toEqual([
      'changes of all watched pages',
      'Newer',
      'Prices',
    ]);
    const json = JSON.parse((await hydrant('feed --format json')).stdout) as { items: { id: string; title: string }[] };
    expect(json.items.map(({ title }) => title)).toEqual(['Newer', 'Prices']);
    for (const { id } of json.items) expect(stdout).toContain(`<id>${id}</id>`);
  });

  test('of one watch is written to a file, whole', async () => {
    const route = `GET /admin/watch-changes?newest=true&limit=7&watch=${PRICES.id}`;
    daemon.on(route, 200, { data: { changes: [item], cursor: 41 } });
    const file = path.join(daemon.directory, 'prices.atom');
    const { code, stdout, stderr } = await hydrant(`feed aaaa --limit 7 --output ${file}`);
    expect([code, stdout, stderr]).toEqual([0, '', `${file}: 1 change\n`]);
    expect(await readFile(file, 'utf8')).toContain('<link rel="alternate" href="https://example.org/prices"/>');
    expect(await readdir(daemon.directory)).not.toContainEqual(expect.stringContaining('.tmp'));
  });

  test('that cannot be written says why', async () => {
    daemon.on('GET /admin/watch-changes?newest=true&limit=50', 200, { data: { changes: [], cursor: 0 } });
    expect(await hydrant('feed --output /nowhere/feed.atom')).toMatchObject({ code: 1 });
  });
});

describe('hydrant watch alone', () => {
  test('is its help where there is no terminal, and asks no daemon', async () => {
    const { code, stdout } = await run(['watch', '--data-dir', '/nowhere']);
    expect(code).toBe(0);
    expect(stdout).toContain('Usage: hydrant watch|watches [options] [command]\n');
    expect(stdout).toMatch(/^ {2}follow /m);
    expect(stdout).not.toContain('verb');
  });

  test('of a word that is no verb says so', async () => {
    const { code, stderr } = await hydrant('lst');
    expect(code).toBe(2);
    expect(stderr).toContain("unknown command 'lst'");
  });

  test('the screen needs a terminal', async () => {
    const { code, stderr } = await hydrant('screen');
    expect(code).toBe(2);
    expect(stderr).toContain('needs a terminal');
    expect(daemon.received).toEqual([]);
  });
});
