import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PageChangeReport, UrlPage, UrlReport, UrlSource, VisitOrder } from '../../../../src/shared/api/crawl.ts';
import { crawlFigures } from '../../../fixtures/crawl-figures.ts';
import { FakeDaemon, type Ran, run, type RunOptions } from '../../harness.ts';

const URL_ = 'https://example.org/a';
const WHY = `GET /admin/urls?url=${encodeURIComponent(URL_)}`;
const VISIT = 'POST /admin/urls/visit';

const source: UrlSource = {
  id: 's-0001-2345',
  url: 'https://example.org/',
  scope: 'host',
  paused: false,
  holds: true,
  because: null,
};
const page: UrlPage = {
  kind: 'article',
  due_at: '2126-02-27T00:00:00+00:00',
  urgency: 'none',
  ahead: 4,
  host: {
    leased: false,
    rests_until: '2126-02-27T00:00:00+00:00',
    backing_off: { since: '2026-02-27T00:00:00+00:00', times: 3, reason: '429' },
    failures: 0,
    response_ms: 120,
    today: { fetches: 14, bytes: 2_000_000 },
  },
  every_seconds: null,
  changes_every_seconds: 259_200,
  failures: 1,
  doubted_since: null,
  conditional: true,
  full_at: '2026-02-27T00:00:00+00:00',
  same_as: null,
  account: { read: 1_400, boilerplate: 120, shared: 60, hidden: 0, notes: [] },
  last_visit_ms: 1_000,
  answers: [
    {
      at: '2026-02-27T02:00:00+00:00',
      outcome: 'failed',
      reason: 'status',
      detail: 'the server says 503',
      status: 503,
    },
    { at: '2026-02-27T01:00:00+00:00', outcome: 'unchanged', status: 304 },
  ],
};
const report: UrlReport = {
  url: URL_,
  host: 'example.org',
  trap: null,
  sources: [source],
  robots: { verdict: 'allowed', detail: 'robots.txt of example.org allows it in line 2: "Allow: /a"' },
  page,
};
const order: VisitOrder = { url: URL_, last_visit_ms: 1_000, paused: false };

let daemon: FakeDaemon;
beforeEach(async () => {
  daemon = await FakeDaemon.onSocket();
});
afterEach(async () => daemon.stop());

async function hydrant(words: string, options: RunOptions = {}): Promise<Ran> {
  return run([...words.split(' '), '--data-dir', daemon.directory], options);
}

const CHANGE = `GET /admin/urls/change?url=${encodeURIComponent(URL_)}`;
const lastChange: PageChangeReport = {
  url: URL_,
  kept: true,
  since: '2026-02-26T03:00:00+00:00',
  changed_at: '2026-02-27T01:00:00+00:00',
  complete: true,
  change: {
    at: '2026-02-27T01:00:00.000Z',
    url: URL_,
    title: 'Ferries\u001b[31m',
    title_changed: true,
    chunks: [
      { typ: 'del', text: 'The ferry leaves at nine.' },
      { typ: 'ins', text: 'The ferry leaves at ten.\nBring a coat.' },
    ],
    added_anchors: ['Map'],
    removed_anchors: [],
    links: [{ text: 'Read more', before: 'https://example.org/1', after: 'https://example.org/2' }],
  },
  rules: [
    {
      rule_id: 'r1',
      tap_id: 't',
      tap: 'news',
      tag: 'boats',
      value: 'ferry',
      outcome: 'matched',
      event: '0-7',
      delivered: false,
    },
    { rule_id: 'r2', tap_id: 't', tap: 'news', value: 'coat', outcome: 'filtered', reason: 'no_date' },
    { rule_id: 'r3', tap_id: 't', tap: 'news', value: 'nine', outcome: 'matched' },
    { rule_id: 'r4', tap_id: 't', tap: 'news', value: 'tram', outcome: 'no_match' },
    { rule_id: 'r5', tap_id: 't', tap: 'news', value: 'bus', outcome: 'paused' },
    { rule_id: 'r6', tap_id: 't', tap: 'news', value: 'x', outcome: 'refused' },
  ],
};

describe('the last change of a page', () => {
  test('crawl diff prints it as rules saw it, as data with --json', async () => {
    daemon.on(CHANGE, 200, { data: lastChange });
    const { code, stdout } = await hydrant(`crawl diff ${URL_}`);
    expect([code, stdout.split('\n')]).toEqual([
      0,
      [
        URL_,
        'changed 2026-02-27T01:00:00Z · title: Ferries\u{fffd}[31m',
        '@@',
        '- The ferry leaves at nine.',
        '+ The ferry leaves at ten.',
        '+ Bring a coat.',
        '@@ links @@',
        '- Read more -> https://example.org/1',
        '+ Read more -> https://example.org/2',
        '',
        '+ link: Map',
        '',
      ],
    ]);
    expect(JSON.parse((await hydrant(`crawl diff ${URL_} --json`)).stdout)).toEqual(lastChange);
  });

  test.each([
    [{}, 5, `no change of ${URL_} is kept: it last changed`, 'hydrant watch add'],
    [{ changed_at: null }, 5, 'it has not changed in its last visits', 'kept for 24 hours'],
    [{ complete: false }, 8, 'the time limit was reached', 'hydrant crawl why'],
    [{ kept: false }, 6, 'keeps no changes', 'recent-bytes is 0'],
  ])('crawl diff says why there is none: %j', async (different, code, why, next) => {
    daemon.on(CHANGE, 200, { data: { ...lastChange, change: null, rules: [], ...different } });
    const ran = await hydrant(`crawl diff ${URL_}`);
    expect([ran.code, ran.stderr]).toEqual([code, expect.stringContaining(why)]);
    expect(ran.stderr).toContain(next);
  });

  test('crawl why tells what each rule makes of it', async () => {
    daemon.on(WHY, 200, { data: report }).on(CHANGE, 200, { data: lastChange });
    const { stdout } = await hydrant(`crawl why ${URL_}`);
    expect(stdout.slice(stdout.indexOf('change ')).split('\n')).toEqual([
      `change    2026-02-27T01:00:00.000Z: 3 lines added or removed · hydrant crawl diff ${URL_}`,
      'rule      boats (news): matched, event 0-7: not delivered yet',
      'rule      coat (news): fits, filtered out: without a publish date',
      'rule      nine (news): matches it now; no event, as it was not the same rule then',
      'rule      x (news): matches nothing: its query is refused',
      'rules     1 rule does not fit · 1 rule is paused',
      '',
    ]);
    expect(JSON.parse((await hydrant(`crawl why ${URL_} --json`)).stdout)).toEqual({
      ...report,
      last_change: lastChange,
    });
  });
});

describe('hydrant crawl why', () => {
  test('tells all that decides when a page is visited', async () => {
    daemon.on(WHY, 200, { data: report });
    const { code, stdout } = await hydrant(`crawl why ${URL_}`);
    expect(code).toBe(0);
    expect(stdout).toBe(`https://example.org/a
source    https://example.org/ (host, s-0001-2)
due       2126-02-27T00:00:00+00:00
host      next request not before 2126-02-27T00:00:00+00:00 · backing off since 2026-02-27T00:00:00+00:00: 429, 3 times in a row · answers in 120 ms · 14 requests today
robots    robots.txt of example.org allows it in line 2: "Allow: /a"
interval  changes about every 3 d
page      article · fetched with conditional requests · last fetched in full 2026-02-27T00:00:00+00:00 · 1 failure in a row
not read  120 characters of boilerplate, 60 characters that many pages of its host have
visit     2026-02-27T02:00:00+00:00: failed: the server says 503 (503)
visit     2026-02-27T01:00:00+00:00: unchanged (304)
`);
  });

  test('of a page that is due tells what is taken before it', async () => {
    const due = { ...page, due_at: '2026-02-27T00:00:00+00:00', urgency: 'feed', ahead: 1_000 } as const;
    daemon.on(WHY, 200, { data: { ...report, page: due } });
    expect((await hydrant(`crawl why ${URL_}`)).stdout).toContain(
      'due       since 2026-02-27T00:00:00+00:00 · announced by a feed · over 1,000 pages of its host before it\n',
    );
  });

  test('of a URL that nobody holds tells what keeps each source from it, and how to add it', async () => {
    const sources: UrlSource[] = [
      { ...source, holds: false, because: 'budget' },
      { ...source, holds: false, because: 'scope', scope: 'page' },
    ];
    const robots = { verdict: 'unknown', detail: null } as const;
    const trap = 'its path has 17 segments';
    daemon.on(WHY, 200, { data: { ...report, sources, robots, trap, page: null } });
    const { stdout, stderr } = await hydrant(`crawl why ${URL_}`);
    expect(stdout).toBe(`https://example.org/a
source    https://example.org/ (host, s-0001-2): it is full and admits only a few new pages a day (--max-pages)
source    https://example.org/ (page, s-0001-2): the URL is outside its scope
trap      its path has 17 segments: links to such URLs are not followed
robots    robots.txt of example.org is not known yet; it is fetched before the first visit
`);
    expect(stderr).toBe(`it is not visited\nnext: hydrant crawl add ${URL_}\n`);
  });

  test('is the daemon’s own object with --json', async () => {
    daemon.on(WHY, 200, { data: report });
    expect(JSON.parse((await hydrant(`crawl why ${URL_} --json`)).stdout)).toEqual(report);
  });

  test('wants a URL', async () => {
    expect(await hydrant('crawl why example.org')).toMatchObject({ code: 2 });
  });
});

describe('hydrant crawl visit', () => {
  const after = (answer: UrlPage['answers'][number]): { data: UrlReport } => ({
    data: { ...report, page: { ...page, last_visit_ms: 2_000, answers: [answer, ...page.answers] } },
  });

  test('in a pipe asks and is done', async () => {
    daemon.on(VISIT, 200, { data: order });
    expect(await hydrant(`crawl visit ${URL_}`)).toEqual({
      code: 0,
      stdout: '',
      stderr: `${URL_} is due now\nnext: hydrant crawl why ${URL_}\n`,
    });
    expect(daemon.sent(VISIT).map(({ body }) => body)).toEqual([{ url: URL_ }]);
  });

  test('with --wait follows until the visit has been made', async () => {
    daemon.on(VISIT, 200, { data: order }).on(WHY, 200, { data: report });
    daemon.on(WHY, 200, after({ at: '2026-02-27T03:00:00+00:00', outcome: 'changed', status: 200 }));
    expect(await hydrant(`crawl visit ${URL_} --wait`)).toEqual({ code: 0, stdout: 'changed (200)\n', stderr: '' });
    expect(daemon.sent(WHY)).toHaveLength(2);
  });

  test('that failed is exit code 1, with the reason', async () => {
    const failed = { at: '2026-02-27T03:00:00+00:00', outcome: 'failed', reason: 'dns', detail: 'no address' } as const;
    daemon.on(VISIT, 200, { data: order }).on(WHY, 200, after(failed));
    const { code, stderr } = await hydrant(`crawl visit ${URL_} --wait`);
    expect(code).toBe(1);
    expect(stderr).toContain('error: the visit failed: no address\n');
  });

  test('of a URL that no source holds says how to add it', async () => {
    daemon.on(VISIT, 404, { message: `No source holds ${URL_}.` });
    const { code, stderr } = await hydrant(`crawl visit ${URL_}`);
    expect(code).toBe(5);
    expect(stderr).toContain(`hydrant crawl add ${URL_}`);
  });

  test('of a page whose sources are paused does not wait for it', async () => {
    daemon.on(VISIT, 200, { data: { ...order, paused: true } });
    const { code, stderr } = await hydrant(`crawl visit ${URL_} --wait`);
    expect(code).toBe(1);
    expect(stderr).toContain('has paused sources only');
  });
});

describe('hydrant crawl status', () => {
  test('is one screen in a pipe', async () => {
    daemon.on('GET /admin/crawl', 200, { data: crawlFigures });
    const { code, stdout } = await hydrant('crawl status');
    expect(code).toBe(0);
    expect(stdout).toBe(`crawl    4.2 pages/s · 2 in flight · 11 sources · 1 paused
due      50 % within 1 s · 95 % within 1 m · the oldest has waited 4 m
pages    18,204 known · 1,204 not visited yet
visits   91,000 · 4,100 changed · 310 failed
hosts    140 known · 2 being visited · 3 backing off
outcomes unchanged 800 · changed 90
failures http_5xx 12 · timeout 7 · robots 3
robots   139 files · 1 cannot be fetched · 1,204 pages refused
left out 900 by --max-pages · 20 by the budget of a host
threads  1 running · 3 pages waiting
slowest  slow.example 8 s
`);
  });

  test('fits a terminal of 80 columns, and says when no host answers', async () => {
    const network_doubted_since = '2026-02-27T13:38:00+00:00';
    daemon.on('GET /admin/crawl', 200, { data: { ...crawlFigures, network_doubted_since } });
    const { stdout } = await hydrant('crawl status --once', { columns: 80 });
    expect(stdout).toContain("warning  no host has answered for 3 m: is this machine's network down?\n");
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  test('is the daemon’s own object with --json', async () => {
    daemon.on('GET /admin/crawl', 200, { data: crawlFigures });
    expect(JSON.parse((await hydrant('crawl status --json')).stdout)).toEqual(crawlFigures);
  });

  test('--watch needs a terminal', async () => {
    expect(await hydrant('crawl status --watch')).toMatchObject({ code: 2 });
    expect(daemon.received).toEqual([]);
  });
});
