import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { WatchNewsItem } from '../../../../src/shared/api/watch.ts';
import { CHANGE } from '../../../shared/documents/change-sample.ts';
import { PRICES, QUIET } from '../../changes/watch-sample.ts';
import { FakeDaemon, type Ran, run, type RunOptions } from '../../harness.ts';

let daemon: FakeDaemon;
beforeEach(async () => {
  daemon = await FakeDaemon.onSocket();
});
afterEach(async () => daemon.stop());

async function follow(words: string, options: RunOptions = {}): Promise<Ran> {
  return run(['watch', 'follow', ...words.split(' ').filter(Boolean), '--data-dir', daemon.directory], options);
}

function item(cursor: number, { id, url, ...labels }: WatchNewsItem['watch'] = { id: PRICES.id, url: PRICES.url }) {
  return { cursor, watch: { id, url, ...labels }, title: `Change ${cursor}`, check: CHANGE };
}

/** What is told after `after`. */
function tells(after: number, ...changes: WatchNewsItem[]): void {
  const cursor = changes.at(-1)?.cursor ?? after;
  daemon.on(`GET /admin/watch-changes?after=${after}&limit=50&wait=25`, 200, { data: { changes, cursor } });
}

/** What there is after `after`. */
function past(after: number, ...changes: WatchNewsItem[]): void {
  const cursor = changes.at(-1)?.cursor ?? after;
  daemon.on(`GET /admin/watch-changes?after=${after}&limit=50`, 200, { data: { changes, cursor } });
}

function cursors({ stdout }: Ran): unknown[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as WatchNewsItem).cursor);
}

describe('hydrant watch follow', () => {
  test('cannot begin at two places', async () => {
    const { code, stderr } = await follow('--since 1h --after 3');
    expect([code, stderr]).toEqual([2, 'error: --since and --after both set the start; give one\n']);
  });

  test('begins with what comes, and tells each change as a line of JSON', async () => {
    daemon.on('GET /admin/watch-changes?newest=true&limit=1', 200, { data: { changes: [item(40)], cursor: 40 } });
    tells(40, item(41), item(43));
    tells(43, item(44));
    const ran = await follow('--limit 3');
    expect(ran.code).toBe(0);
    expect(cursors(ran)).toEqual([41, 43, 44]);
    expect(JSON.parse(ran.stdout.split('\n')[0] ?? '')).toEqual(item(41));
    expect(ran.stderr).toBe('3 changes · continue with: hydrant watch follow --after 44\n');
  });

  test('asks again while nothing changes', async () => {
    tells(7);
    daemon.on('GET /admin/watch-changes?after=7&limit=50&wait=25', 200, { data: { changes: [item(8)], cursor: 8 } });
    expect(cursors(await follow('--after 7 --limit 1'))).toEqual([8]);
  });

  test('ends where the daemon refuses', async () => {
    daemon.on('GET /admin/watch-changes?after=0&limit=50&wait=25', 403, { message: 'no.' });
    expect(await follow('--after 0')).toMatchObject({ code: 4, stdout: '' });
  });

  test('of one watch passes the others over, and goes on behind them', async () => {
    daemon.on('GET /admin/watches', 200, { data: [PRICES, QUIET] });
    tells(0, item(1, QUIET), item(2), item(3, QUIET), item(4));
    const ran = await follow('https://example.org/prices --after 0 --limit 2');
    expect(cursors(ran)).toEqual([2, 4]);
    expect(ran.stderr).toContain('--after 4\n');
  });

  describe('with --tag', () => {
    const quiet = { id: QUIET.id, url: QUIET.url };
    const tagged = { ...quiet, title: 'My shop', tags: ['eu', 'shop'] };
    beforeEach(() => daemon.on('GET /admin/watches', 200, { data: [PRICES, { ...QUIET, tags: ['eu', 'shop'] }] }));

    test('takes watches that have all of the tags when they change, with what they are called', async () => {
      tells(0, item(1), item(2, tagged), item(3, { ...quiet, tags: ['eu'] }), item(4, tagged));
      const ran = await follow('--tag shop --tag eu --after 0 --limit 2');
      expect(cursors(ran)).toEqual([2, 4]);
      past(0, item(2, tagged));
      past(2);
      const words = ['watch', 'follow', '--tag', 'shop', '--once', '--data-dir', daemon.directory];
      const { stdout } = await run([...words, '--format', '{watch.title} ({watch.tags}): {title}']);
      expect(stdout).toBe('My shop (eu,shop): Change 2\n');
      past(0, item(2, tagged));
      past(2);
      expect((await run(words, { columns: 80 })).stdout).toContain('My shop');
    });

    test('that no watch has ends at once, with those that there are', async () => {
      expect(await follow('--tag shops')).toMatchObject({
        code: 5,
        stderr: 'error: no watch has the tag shops\n  known tags: eu, shop\n',
      });
    });
  });

  test('with --since begins with the first change after that time', async () => {
    const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();
    const all = [9, 8, 5, 4, 1].map((hours, index) =>
      Object.assign(item((index + 1) * 10), { check: { ...CHANGE, at: hoursAgo(hours) } }),
    );
    daemon.on('GET /admin/watch-changes?newest=true&limit=1', 200, { data: { changes: all.slice(-1), cursor: 50 } });
    for (let after = 0; after < 50; after += 1) {
      const next = all.find(({ cursor }) => cursor > after);
      daemon.on(`GET /admin/watch-changes?after=${after}&limit=1`, 200, { data: { changes: [next], cursor: 0 } });
      tells(after, ...all.filter(({ cursor }) => cursor > after));
    }
    expect(cursors(await follow('--since 6h --limit 3'))).toEqual([30, 40, 50]);
  });

  test('with --exec runs the command for each change, one at a time, with its JSON on stdin', async () => {
    tells(0, item(1), item(2));
    const file = path.join(daemon.directory, 'told');
    const command = `cat >> ${file}; echo >> ${file}`;
    const words = ['--after', '0', '--limit', '2', '--exec', command, '--data-dir', daemon.directory];
    const { code, stdout } = await run(['watch', 'follow', ...words], { env: process.env });
    expect([code, stdout]).toEqual([0, '']);
    const told = (await readFile(file, 'utf8')).split('\n').filter(Boolean);
    expect(told.map((line): unknown => JSON.parse(line))).toEqual([item(1), item(2)]);
  });

  test('with --exec tells of a command that fails, goes on, and ends with 1', async () => {
    tells(0, item(1), item(2));
    const words = ['--after', '0', '--limit', '2', '--exec', 'exit 3', '--data-dir', daemon.directory];
    const { code, stderr } = await run(['watch', 'follow', ...words], { env: process.env });
    expect(code).toBe(1);
    expect(stderr.match(/exit code 3, for the change with cursor [12]/g)).toHaveLength(2);
  });

  test('with --once prints what there is, all of it where nothing says where to start', async () => {
    past(0, item(1), item(2));
    past(2);
    const ran = await follow('--once');
    expect([ran.code, cursors(ran)]).toEqual([0, [1, 2]]);
    expect(ran.stderr).toBe('2 changes · continue with: hydrant watch follow --after 2\n');
  });

  test('with --format fills a line for each change, and refuses a field that none has', async () => {
    past(0, item(1));
    past(1);
    const words = ['watch', 'follow', '--once', '--data-dir', daemon.directory, '--format'];
    const { stdout } = await run([...words, '{cursor} {domain} {watch.url}\\t{title}: {removed} -> {added}']);
    expect(stdout).toBe(
      '1 example.org https://example.org/prices\tChange 1: Team: 20 euros a month -> ' +
        'Team: 25 euros a month … <script>alert("x")</script>\u{fffd}[2J\n',
    );
    const { code, stderr } = await run([...words, '{url}']);
    expect([code, stderr]).toEqual([2, 'error: --format: a change has no field `url`\n  did you mean `watch.url`?\n']);
  });

  test('gives a command the variables that hydrant tail gives', async () => {
    tells(0, item(1, { id: PRICES.id, url: PRICES.url, title: 'Mine', tags: ['eu', 'shop'] }));
    const file = path.join(daemon.directory, 'told');
    const names = ['MATCH_ID', 'MATCH_URL', 'MATCH_DOMAIN', 'MATCH_TITLE', 'MATCH_MATCHED_AT', 'WATCH_ID'];
    names.push('WATCH_TAGS');
    const command = `printf '%s\\n' ${names.map((name) => `"$HYDRANT_${name}"`).join(' ')} > ${file}`;
    const words = ['--after', '0', '--limit', '1', '--exec', command, '--data-dir', daemon.directory];
    expect((await run(['watch', 'follow', ...words], { env: process.env })).code).toBe(0);
    expect((await readFile(file, 'utf8')).split('\n')).toEqual([
      '1',
      PRICES.url,
      'example.org',
      'Mine',
      CHANGE.at,
      PRICES.id,
      'eu,shop',
      '',
    ]);
  });

  describe('with --resume', () => {
    const state = (): RunOptions => ({ env: { ...process.env, XDG_STATE_HOME: path.join(daemon.directory, 'state') } });
    const once = (...words: string[]): Promise<Ran> =>
      run(['watch', 'follow', '--once', '--resume', ...words, '--data-dir', daemon.directory], state());
    beforeEach(() => {
      daemon.on('GET /admin/watch-changes?newest=true&limit=1', 200, {
        data: { changes: [item(9)], cursor: 9, organization_id: 'o-1' },
      });
    });

    test('goes on where the last run ended', async () => {
      past(0, item(1), item(2));
      expect(cursors(await once('--limit', '2'))).toEqual([1, 2]);
      past(2, item(3));
      past(3);
      const second = await once();
      expect([cursors(second), second.stderr]).toEqual([[3], '1 change\n']);
    });

    test('begins the next run with the first change whose command failed', async () => {
      past(0, item(1), item(2), item(3));
      past(3);
      const command = 'test "$HYDRANT_MATCH_ID" != 2';
      expect((await once('--exec', command)).code).toBe(1);
      past(1, item(2), item(3));
      past(3);
      expect(cursors(await once())).toEqual([2, 3]);
    });

    test('continues with the newest change of a daemon that has fewer than were read', async () => {
      past(0, item(20));
      past(20);
      await once();
      past(9);
      const { code, stderr } = await once();
      expect([code, stderr]).toEqual([0, expect.stringContaining('has fewer changes than were read')]);
    });
  });

  test('on a terminal is for people, and harmless', async () => {
    tells(0, item(1));
    const { stdout } = await follow('--after 0 --limit 1', { columns: 80, env: { NO_COLOR: '1' } });
    expect(stdout).toContain('  example.org  Change 1\n');
    expect(stdout).toContain('          changed: 2 lines added, 1 removed · https://example.org/prices\n');
    expect(stdout).toContain('          + Team: 25 euros a month\n');
    expect(stdout).not.toContain('\u001b');
  });
});
