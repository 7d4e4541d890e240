import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { WatchReport } from '../../../../src/shared/api/watch.ts';
import { checkOf, PRICES, QUIET } from '../../changes/watch-sample.ts';
import { FakeDaemon, type Ran, run, type RunOptions } from '../../harness.ts';

const FAILING: WatchReport = {
  ...QUIET,
  id: 'cccc3333-0000-4000-8000-000000000003',
  url: 'https://example.com/gone',
  problem: { reason: 'http_4xx', detail: 'the server answered 404', since: '2026-02-26T00:00:00+00:00', failures: 4 },
};
const PAUSED: WatchReport = {
  ...QUIET,
  id: 'dddd4444-0000-4000-8000-000000000004',
  url: 'https://example.com/',
  status: 'paused',
  next_check_at: null,
};

let daemon: FakeDaemon;
beforeEach(async () => {
  daemon = await FakeDaemon.onSocket();
  daemon.on('GET /admin/watches', 200, { data: [PAUSED, PRICES, QUIET, FAILING] });
});
afterEach(async () => daemon.stop());

async function hydrant(words: string, options: RunOptions = {}): Promise<Ran> {
  return run(['watch', ...words.split(' '), '--data-dir', daemon.directory], options);
}

const pathOf = ({ id }: WatchReport): string => `/admin/watches/${id}`;

describe('hydrant watch list', () => {
  test('has those that fail first and those that are paused last', async () => {
    const { stdout } = await hydrant('list -q');
    expect(stdout).toBe([FAILING, PRICES, QUIET, PAUSED].map(({ id }) => `${id}\n`).join(''));
  });

  test('tells status, cadence, next check, last success, changes and unseen ones', async () => {
    const { stdout } = await hydrant('ls');
    const [first = '', second = ''] = stdout.split('\n');
    expect(first.split('\t')).toContain('failing: http_4xx');
    expect(second.split('\t').slice(1).join(' ')).toBe(
      'https://example.org/prices ok 6h 2026-02-28T02:02:00+00:00 2026-02-27T20:02:00+00:00 2026-02-27T20:02:00+00:00 3 1',
    );
  });

  test.each([
    ['--failing', FAILING.id],
    ['--changed', PRICES.id],
  ])('%s has those alone', async (flag, id) => {
    expect((await hydrant(`list ${flag} -q`)).stdout).toBe(`${id}\n`);
  });

  describe('with titles and tags', () => {
    const TITLED = { ...PRICES, title: 'Prices of the shop', tags: ['eu', 'shop'] };
    const OTHER = { ...QUIET, title: 'Quiet', tags: ['eu'] };
    beforeEach(async () => {
      daemon = await FakeDaemon.onSocket();
      daemon.on('GET /admin/watches', 200, { data: [TITLED, OTHER, FAILING] });
    });

    test.each([80, 140])('has the titles on a terminal of %i columns', async (columns) => {
      const { stdout } = await hydrant('list --no-color', { columns });
      for (const line of stdout.trimEnd().split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
      const [head = '', , second = ''] = stdout.split('\n');
      expect(head).toMatch(/^ID +TITLE +URL +STATUS/);
      expect(second).toContain('Prices of the');
      expect(second).toContain('https://example.org/p');
      expect(head.includes('TAGS')).toBe(columns === 140);
    });

    test('has them last in a pipe, where other columns stay in their places', async () => {
      const rows = (await hydrant('list')).stdout.trimEnd().split('\n');
      expect(rows.map((row) => row.split('\t').slice(-2))).toEqual([
        ['', ''],
        ['Prices of the shop', 'eu, shop'],
        ['Quiet', 'eu'],
      ]);
      expect(rows[1]?.split('\t')[1]).toBe(PRICES.url);
    });

    test.each([
      ['--tag eu', [TITLED, OTHER]],
      ['--tag eu --tag shop', [TITLED]],
      ['--tag eu --failing', []],
    ])('%s has those that have it all', async (flags, wanted) => {
      expect((await hydrant(`list ${flags} -q`)).stdout).toBe(wanted.map(({ id }) => `${id}\n`).join(''));
    });

    test('names the tags that there are where none has the one that was asked for', async () => {
      expect((await hydrant('list --tag shops')).stderr).toBe(
        'none of 3 watches has the tag shops; known tags: eu, shop\n',
      );
    });

    test('shows both of one, and finds it by its title in either case', async () => {
      daemon.on(`GET ${pathOf(TITLED)}`, 200, { data: TITLED });
      const { stdout } = await run(['watch', 'show', 'PRICES of the shop', '--data-dir', daemon.directory]);
      expect(stdout).toContain('title\tPrices of the shop\n');
      expect(stdout).toContain('tags\teu, shop\n');
    });

    test('a title that is the beginning of another id, or that two have, names none', async () => {
      daemon = await FakeDaemon.onSocket();
      daemon.on('GET /admin/watches', 200, { data: [{ ...TITLED, title: 'bbbb' }, { ...QUIET }, FAILING] });
      expect(await hydrant('show bbbb')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('`bbbb` is 2 watches; specify one: https://example.org/prices (aaaa1111)'),
      });
      daemon = await FakeDaemon.onSocket();
      daemon.on('GET /admin/watches', 200, { data: [TITLED, { ...OTHER, title: TITLED.title }] });
      const two = await run(['watch', 'show', TITLED.title, '--data-dir', daemon.directory]);
      expect(two).toMatchObject({ code: 2, stderr: expect.stringContaining('is 2 watches; specify one') });
    });
  });

  test('says that none is failing, of how many', async () => {
    daemon = await FakeDaemon.onSocket();
    daemon.on('GET /admin/watches', 200, { data: [PRICES] });
    expect((await hydrant('list --failing')).stderr).toBe('none of 1 watch is failing\n');
  });

  test('on a terminal says how to begin where nothing is watched', async () => {
    daemon = await FakeDaemon.onSocket();
    daemon.on('GET /admin/watches', 200, { data: [] });
    expect((await hydrant('list', { columns: 80 })).stderr).toContain('hydrant watch add <url>');
  });

  test('does not let an address speak to the terminal', async () => {
    daemon = await FakeDaemon.onSocket();
    daemon.on('GET /admin/watches', 200, { data: [{ ...PRICES, url: 'https://a.example/\u001b[2J' }] });
    for (const options of [{}, { columns: 120 }]) {
      expect((await hydrant('list --no-color', options)).stdout).not.toContain('\u001b');
    }
  });

  test.each([80, 60, 40])('on a terminal of %i columns addresses can still be told apart', async (columns) => {
    const { stdout } = await hydrant('list --no-color', { columns });
    for (const line of stdout.trimEnd().split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
    expect(stdout).toContain('https://example.org/p');
    expect(stdout).toContain('https://example.com/g');
  });

  test('shows the cadence that the plan allows beside the one that was asked for', async () => {
    daemon = await FakeDaemon.onSocket();
    daemon.on('GET /admin/watches', 200, { data: [{ ...PRICES, frequency_minutes: 10, effective_minutes: 180 }] });
    expect((await hydrant('list', { columns: 160 })).stdout).toContain('10m (plan: 3h)');
  });

  test('is found in the plural, too', async () => {
    expect((await run(['watches', 'list', '-q', '--data-dir', daemon.directory])).code).toBe(0);
  });
});

describe('hydrant watch show', () => {
  test('has its options and its problem, and what to do', async () => {
    const options = { ...PRICES.options, select: ['main'], ignore: ['.ad', '/^Updated/'], only: 'added' } as const;
    const checks = [checkOf(3, { outcome: 'failed' }), checkOf(2, { outcome: 'changed' }), checkOf(1)];
    daemon.on(`GET ${pathOf(FAILING)}`, 200, { data: { ...FAILING, options } });
    daemon.on(`GET ${pathOf(FAILING)}/checks?limit=60`, 200, { data: checks });
    const { stdout, stderr } = await hydrant('show cccc --no-color', { columns: 100 });
    for (const words of ['option       select main', 'option       ignore /^Updated/', 'option       only added']) {
      expect(stdout).toContain(words);
    }
    expect(stdout).toContain('problem      http_4xx: the server answered 404, 4 times since');
    expect(stdout).toContain('newest       ·▪✕\n');
    expect(stderr).toContain('next: hydrant watch explain cccc3333\n');
  });

  test('in a pipe is a field a line', async () => {
    daemon.on(`GET ${pathOf(PRICES)}`, 200, { data: PRICES });
    expect((await hydrant('show https://example.org/prices#top')).stdout).toContain('every\t6h\n');
  });

  test('of a beginning that several ids have says which there are', async () => {
    daemon = await FakeDaemon.onSocket();
    daemon.on('GET /admin/watches', 200, { data: [PRICES, { ...QUIET, id: PRICES.id.replace('1111', '1112') }] });
    const { code, stderr } = await hydrant('show aaaa');
    expect(code).toBe(2);
    expect(stderr).toContain('`aaaa` is 2 watches; specify one');
  });
});

describe('hydrant watch pause, resume, remove', () => {
  test.each([
    ['pause', 'paused', 'is paused'],
    ['resume', 'active', 'is checked again'],
  ])('%s sends the status alone', async (verb, status, words) => {
    daemon.on(`PATCH ${pathOf(PRICES)}`, 200, { data: PRICES });
    const { stderr } = await hydrant(`${verb} aaaa`);
    expect(daemon.sent(`PATCH ${pathOf(PRICES)}`)[0]?.body).toEqual({ status });
    expect(stderr).toBe(`${PRICES.url} ${words}\n`);
  });

  test('a wrong name among others changes nothing', async () => {
    const { code } = await hydrant('pause aaaa nothing');
    expect(code).toBe(5);
    expect(daemon.received.map(({ method }) => method)).toEqual(['GET']);
  });

  test('remove asks, and says what is lost', async () => {
    const { code, stderr } = await hydrant('remove aaaa');
    expect(code).toBe(2);
    expect(stderr).toContain(
      'Stop watching https://example.org/prices? 3 changes and all kept texts are deleted permanently.',
    );
    expect(daemon.received.map(({ method }) => method)).toEqual(['GET']);
  });

  test('remove --yes removes each once', async () => {
    daemon.on(`DELETE ${pathOf(PRICES)}`, 204);
    const { code, stderr } = await hydrant('rm aaaa https://example.org/prices --yes');
    expect([code, stderr]).toEqual([0, `${PRICES.url} is no longer watched\n`]);
    expect(daemon.sent(`DELETE ${pathOf(PRICES)}`)).toHaveLength(1);
  });
});

describe('hydrant watch edit', () => {
  const edited = async (words: string): Promise<unknown> => {
    daemon.on(`PATCH ${pathOf(PRICES)}`, 200, { data: PRICES });
    const { code, stderr } = await hydrant(`edit aaaa ${words}`);
    expect(stderr).not.toContain('error');
    expect(code).toBe(0);
    return daemon.sent(`PATCH ${pathOf(PRICES)}`)[0]?.body;
  };

  test('sends only what was said', async () => {
    expect(await edited('--every 1d')).toEqual({ frequency_minutes: 1_440 });
    expect(daemon.received).toHaveLength(2);
  });

  test('takes repeated selectors together', async () => {
    expect(await edited('--ignore .ad --ignore /views/i --only removed --confirm')).toEqual({
      options: { ignore: ['.ad', '/views/i'], only: 'removed', confirm: true },
    });
  });

  test('takes back what was said', async () => {
    expect(await edited('--no-select --no-ignore --no-only --no-trigger --no-confirm')).toEqual({
      options: { select: [], ignore: [], only: null, trigger: null, confirm: false },
    });
  });

  test.each([
    ['--title Prices --tag eu --tag shop --tag eu', { title: 'Prices', tags: ['eu', 'shop'] }],
    ['--no-title --no-tags', { title: null, tags: [] }],
  ])('%s sends the labels alone', async (flags, body) => {
    expect(await edited(flags)).toEqual(body);
  });

  test.each([
    ['edit aaaa --tag a --no-tags', '--tag and --no-tags exclude each other; give one'],
    ['edit aaaa bbbb --title Both', '--title names one watch, and these are 2'],
    ['edit aaaa --tag a,b', '--tag has the entry "a,b", which must not have a comma: tags are given one by one'],
    [`edit aaaa --title ${'x'.repeat(256)}`, '--title must have 1 to 255 characters'],
    ['add https://a.example/ https://b.example/ --title Both', '--title names one page, and these are 2'],
  ])('%s is refused before anything is changed', async (words, message) => {
    expect(await hydrant(words)).toMatchObject({ code: 2, stderr: `error: ${message}\n` });
    expect(daemon.received.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('without anything to change says what there is', async () => {
    expect(await hydrant('edit aaaa')).toMatchObject({ code: 2, stderr: expect.stringContaining('nothing to change') });
  });

  test('shows where a trigger is wrong, and sends nothing', async () => {
    const { code, stderr } = await run([
      'watch',
      'edit',
      'aaaa',
      '--trigger',
      'title:(a OR',
      '--data-dir',
      daemon.directory,
    ]);
    expect(code).toBe(1);
    expect(stderr).toContain('^');
    expect(daemon.received).toEqual([]);
  });

  test.each([
    ['4h', 'The nearest is 3h'],
    ['20h', 'The nearest is 1d'],
    ['1m', 'The nearest is 5m'],
    ['4w', 'The nearest is 7d'],
    ['often', 'It must be one of 5m, 10m, 30m, 1h, 3h, 6h, 12h, 1d, 2d, 5d, 7d.'],
    ['30', 'Its unit is missing: it must be one of 5m'],
  ])('--every %s is no cadence: %s', async (word, sentence) => {
    const { code, stderr } = await hydrant(`edit aaaa --every ${word}`);
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
  });

  test.each([
    ['weekly', 10_080],
    ['1w', 10_080],
    ['daily', 1_440],
    ['24h', 1_440],
    ['hourly', 60],
    ['60m', 60],
  ])('--every %s is %i minutes', async (word, minutes) => {
    expect(await edited(`--every ${word}`)).toEqual({ frequency_minutes: minutes });
  });
});

describe('hydrant watch check', () => {
  const after = (watch: WatchReport): WatchReport => ({ ...watch, checks: watch.checks + 1 });
  const asked = (watch: WatchReport): string => `POST ${pathOf(watch)}/check`;

  beforeEach(() => {
    for (const watch of [PRICES, QUIET]) {
      daemon.on(asked(watch), 200, { data: { due_at: '2026-02-27T20:02:00+00:00' } });
      daemon.on(`GET ${pathOf(watch)}`, 200, { data: after(watch) });
    }
    daemon.on(asked(FAILING), 422, { message: 'paused meanwhile', errors: { status: ['paused meanwhile'] } });
  });

  test('in a pipe asks, and does not wait', async () => {
    const { code, stderr } = await hydrant('check aaaa');
    expect([code, stderr]).toEqual([0, `${PRICES.url} is due now\nnext: hydrant watch log aaaa1111\n`]);
    expect(daemon.sent(asked(PRICES))).toHaveLength(1);
  });

  test.each([
    ['unchanged', 0, {}],
    ['changed', 1, { lines: { inserted: 2, deleted: 1 } }],
    ['failed', 2, { reason: 'timeout', detail: 'no answer' }],
    ['baseline', 0, {}],
  ] as const)('--wait of a check that ends %s ends with %i', async (outcome, code, more) => {
    daemon.on(`GET ${pathOf(PRICES)}/checks?limit=1`, 200, { data: [checkOf(14, { outcome, ...more })] });
    const ran = await hydrant('check aaaa --wait');
    expect([ran.code, ran.stdout]).toEqual([code, `${PRICES.url}\t${outcome}\n`]);
  });

  test('waits until there is one check more', async () => {
    daemon = await FakeDaemon.onSocket();
    daemon
      .on('GET /admin/watches', 200, { data: [PRICES] })
      .on(asked(PRICES), 200, { data: { due_at: '2026-02-27T20:02:00+00:00' } })
      .on(`GET ${pathOf(PRICES)}`, 200, { data: PRICES })
      .on(`GET ${pathOf(PRICES)}`, 200, { data: after(PRICES) })
      .on(`GET ${pathOf(PRICES)}/checks?limit=1`, 200, { data: [checkOf(14)] });
    expect((await hydrant('check aaaa --wait')).code).toBe(0);
    expect(daemon.sent(`GET ${pathOf(PRICES)}`)).toHaveLength(2);
  });

  test('is not answered by a check that began before it was asked for', async () => {
    daemon = await FakeDaemon.onSocket();
    const order = { due_at: '2026-02-27T20:02:00+00:00', checks: PRICES.checks, under_way: true };
    daemon
      .on('GET /admin/watches', 200, { data: [PRICES] })
      .on(asked(PRICES), 200, { data: order })
      .on(`GET ${pathOf(PRICES)}`, 200, { data: after(PRICES) })
      .on(`GET ${pathOf(PRICES)}`, 200, { data: after(after(PRICES)) })
      .on(`GET ${pathOf(PRICES)}/checks?limit=1`, 200, { data: [checkOf(15, { outcome: 'changed' })] });
    expect((await hydrant('check aaaa --wait')).code).toBe(1);
    expect(daemon.sent(`GET ${pathOf(PRICES)}`)).toHaveLength(2);
  });

  test('that is not made in time is no answer, and stays due', async () => {
    daemon = await FakeDaemon.onSocket();
    daemon
      .on('GET /admin/watches', 200, { data: [PRICES] })
      .on(asked(PRICES), 200, { data: { due_at: '2026-02-27T20:02:00+00:00' } })
      .on(`GET ${pathOf(PRICES)}`, 200, { data: PRICES });
    const { code, stderr } = await hydrant('check aaaa --wait --timeout 1s');
    expect(code).toBe(8);
    expect(stderr).toContain('1 check not made within 1 s; they are still due');
  });

  test('of several ends by the worst, and tells it first', async () => {
    daemon = await FakeDaemon.onSocket();
    daemon
      .on('GET /admin/watches', 200, { data: [PRICES, QUIET] })
      .on('GET /admin/watches', 200, { data: [after(PRICES), after(QUIET)] });
    for (const watch of [PRICES, QUIET])
      daemon.on(asked(watch), 200, { data: { due_at: '2026-02-27T20:02:00+00:00' } });
    daemon.on(`GET ${pathOf(PRICES)}/checks?limit=1`, 200, { data: [checkOf(14, { outcome: 'changed' })] });
    daemon.on(`GET ${pathOf(QUIET)}/checks?limit=1`, 200, { data: [checkOf(3, { outcome: 'failed', reason: 'dns' })] });
    const { code, stdout } = await hydrant('check --all --wait');
    expect([code, stdout]).toEqual([2, `${QUIET.url}\tfailed\n${PRICES.url}\tchanged\n`]);
  });

  test('--all passes over what is paused, before and meanwhile', async () => {
    const { code, stderr } = await hydrant('check --all');
    expect(code).toBe(0);
    expect(stderr).toContain(`${FAILING.url}: paused meanwhile\n`);
    expect(daemon.sent(asked(PAUSED))).toEqual([]);
    expect(daemon.sent(asked(QUIET))).toHaveLength(1);
  });

  test.each(['check', 'check aaaa --all'])('`%s` asks for names or --all', async (words) => {
    expect((await hydrant(words)).code).toBe(2);
    expect(daemon.received).toEqual([]);
  });
});

describe('with a management key', () => {
  const { id, url, frequency_minutes, status, change_count, last_checked_at, created_at } = PRICES;
  const own = { id, url, frequency_minutes, status, change_count, last_checked_at, created_at };
  let remote: FakeDaemon;
  beforeEach(async () => {
    remote = await FakeDaemon.onPort();
    remote.on('GET /v1/url-watch', 200, { data: [own] });
  });
  afterEach(async () => remote.stop());
  const afar = async (words: string): Promise<Ran> =>
    run(['watch', ...words.split(' ')], {
      env: { HYDRANT_URL: remote.url, HYDRANT_KEY: 'svcm_x' },
      input: 'watches: []',
    });

  test('list has what there is, and says what there is besides', async () => {
    const { stdout, stderr } = await afar('list');
    expect(stdout).toContain(`${id}\t${url}\tactive\t6h`);
    expect(stderr).toContain('a management key cannot see failures and due times');
  });

  test('pause and remove go the public way', async () => {
    remote.on(`PUT /v1/url-watch/${id}`, 200, { data: own }).on(`DELETE /v1/url-watch/${id}`, 204);
    expect((await afar('pause aaaa')).code).toBe(0);
    expect((await afar('remove aaaa --yes')).code).toBe(0);
    expect(remote.sent(`PUT /v1/url-watch/${id}`)[0]?.body).toEqual({ status: 'paused' });
  });

  test.each([
    'list --failing',
    'check aaaa',
    'edit aaaa --only added',
    'apply -',
    'diff aaaa 12',
    'diff aaaa --patch',
    'log aaaa --failures',
  ])('`%s` says that it needs the daemon’s own machine', async (words) => {
    const { code, stderr } = await afar(words);
    expect(code).toBe(2);
    expect(stderr).toContain("on the daemon's own machine only");
    expect(stderr).toContain('through SSH: hydrant context add NAME ssh://user@host');
  });

  test.each(['follow', 'feed'])('`%s` does not say that all of `hydrant watch` needs that machine', async (words) => {
    expect((await afar(words)).stderr).toContain('error: this part of `hydrant watch` works on the daemon');
  });

  test('add sends each with its cadence', async () => {
    remote.on('POST /v1/url-watch', 201, { data: own });
    expect((await afar('add https://example.org/prices --every 1h -q')).stdout).toBe(`${id}\n`);
    expect(remote.sent('POST /v1/url-watch')[0]?.body).toEqual({
      url: 'https://example.org/prices',
      frequency_minutes: 60,
    });
  });
});
