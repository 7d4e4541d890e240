import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RuleTrial } from '../../src/shared/api/rule.ts';
import { ChangingSite } from './changing-site.ts';
import { loopback, RealDaemon, until } from './real-daemon.ts';

let daemon: RealDaemon;
let site: ChangingSite;
beforeAll(async () => {
  daemon = await RealDaemon.start(loopback);
  site = await ChangingSite.start(2, 90);
  await daemon.hydrant(['crawl', 'add', ...site.urls, '--every', '1s']);
});
afterAll(async () => {
  site.close();
  await daemon.dispose();
});

async function tried(query: string): Promise<RuleTrial> {
  const { stdout } = await daemon.run('hydrant', ['rule', 'try', query, '--no-quality', '--json']);
  return JSON.parse(stdout) as RuleTrial;
}

test('a rule is tried on what changed before there was one, and is told why it would be silent', async () => {
  await until('both pages have changed', async () => (await tried('fox')).pages === 2);
  const trial = await tried('fox');
  expect(trial).toMatchObject({ kept: true, complete: true, failed: 0, domains: 2 });
  expect(trial.newest[0]?.document).toMatchObject({ title: 'Changing', diff: { chunks: expect.anything() } });
  const withQuality = await daemon.run('hydrant', ['rule', 'try', 'fox']);
  expect([withQuality.exitCode, withQuality.stderr]).toEqual([1, expect.stringContaining('without a publish date')]);
});

test('a match that the quality filter held back is shown, counted when the filter goes, and replayed', async () => {
  const [url = ''] = site.urls;
  await daemon.hydrant(['tap', 'create', 'held']);
  await daemon.hydrant(['rule', 'add', 'held', 'fox', '--tag', 'held-fox', '--no-try']);
  const shown = JSON.parse((await daemon.run('hydrant', ['rule', 'try', 'fox', '--json'])).stdout) as RuleTrial;
  expect(shown).toMatchObject({ matches: 0, newest: [] });
  expect(shown.newest_withheld?.[0]).toMatchObject({ reason: 'no_date', document: { title: 'Changing' } });
  expect(shown.newest_withheld?.[0]?.document.diff?.chunks[0]?.text).toContain('fox');
  const replay = ['tail', '--rule', 'held-fox', '--since', '24h'];
  expect((await daemon.run('hydrant', replay)).stdout).toBe('');
  expect(await daemon.hydrant(['crawl', 'why', url])).toMatch(
    /^rule +held-fox \(held\): fits, filtered out: without a publish date$/m,
  );

  await daemon.hydrant(['crawl', 'pause', ...site.urls]);
  const edited = await daemon.run('hydrant', ['rule', 'edit', 'held-fox', '--no-quality']);
  const [, now] = /^(\d+) changes of the last 24 h match it now, 0 did before$/m.exec(edited.stderr) ?? [];
  expect(Number(now)).toBeGreaterThanOrEqual(2);
  expect(edited.stderr).toContain('next: hydrant digest --rule held-fox');

  // Both formats, and a command, have all of them: the oldest first, each under an id of its own.
  const lines = (await daemon.hydrant(replay)).split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines).toHaveLength(Number(now));
  expect(new Set(lines.map(({ id }) => id)).size).toBe(Number(now));
  const times = lines.map((line) => String(line['matched_at']));
  expect(times).toEqual(times.toSorted());
  expect(lines[0]).toMatchObject({ event: 'update', tap: 'held', tags: ['held-fox'] });
  const newest = lines.at(-1)?.['document'] as { url: string } | undefined;
  const told = await daemon.run('hydrant', [...replay, '--limit', '1', '--exec', 'echo "$HYDRANT_MATCH_URL"']);
  expect([told.exitCode, told.stdout]).toEqual([0, newest?.url]);
  expect(told.stderr).toContain('1 match replayed, the newest; there are more');
  const failed = await daemon.run('hydrant', [...replay, '--exec', 'exit 3']);
  expect(failed.exitCode).toBe(1);
  const digest = JSON.parse(await daemon.hydrant(['digest', '--rule', 'held-fox', '--format', 'json'])) as object;
  expect(digest).toMatchObject({ title: 'hydrant: held-fox', matches: Number(now), stories: 2 });
  // Nothing was written to the log: that stays what was delivered.
  expect(await daemon.hydrant(['digest', 'held', '--quiet-when-empty'])).toBe('');
  await daemon.hydrant(['crawl', 'resume', ...site.urls]);
});

test('crawl diff shows the last change of a page; crawl why what the rules made of it, and who has read it', async () => {
  const [url = ''] = site.urls;
  await daemon.hydrant(['tap', 'create', 'seen']);
  await daemon.hydrant(['rule', 'add', 'seen', 'fox', '--tag', 'seen-fox', '--no-quality', '--no-try']);
  await daemon.hydrant(['rule', 'add', 'seen', 'badger', '--tag', 'no-badger', '--no-quality', '--no-try']);
  await until('it has matched', async () => (await daemon.hydrant(['digest', 'seen', '--quiet-when-empty'])) !== '');
  await daemon.hydrant(['crawl', 'pause', ...site.urls]);
  const diff = await daemon.hydrant(['crawl', 'diff', url]);
  expect(diff).toMatch(/^changed \d{4}-.*Z$/m);
  expect(diff).toMatch(/^- one: the quick brown fox jumps over dog \d+ today\.$/m);
  expect(diff).toMatch(/^\+ three: the quick brown fox jumps over dog \d+ today\.$/m);
  const rule = /^rule +seen-fox \(seen\): matched, event (\d+-\d+): (.*)$/m;
  await daemon.hydrant(['digest', 'seen']);
  const [, event = '', delivered] = rule.exec(await daemon.hydrant(['crawl', 'why', url])) ?? [];
  expect(delivered).toBe('delivered and charged');
  const logged = await daemon.hydrant(['tail', 'seen', '--once', '--fields', 'id,document.url']);
  expect(logged).toContain(JSON.stringify({ id: event, document: { url } }));
  const why = await daemon.hydrant(['crawl', 'why', url]);
  expect(why).toMatch(/^rules +.*\d+ rules? (?:does|do) not fit/m);
  expect(why).not.toContain('no-badger');
  const { exitCode, stderr } = await daemon.run('hydrant', ['crawl', 'diff', 'http://127.0.0.99/nobody']);
  expect([exitCode, stderr]).toEqual([5, expect.stringContaining('no source contains')]);
  await daemon.hydrant(['crawl', 'resume', ...site.urls]);
});

test('a page that says a date of years to come is counted as that, and not as one without a date', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/robots.txt') return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(
      `<meta property="article:published_time" content="${new Date().getUTCFullYear() + 5}-02-13T08:00:00Z">
      <title>To come</title><main><p>The heron flies over the harbour at noon.</p></main>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.93', resolve));
  const url = `http://127.0.0.93:${(server.address() as AddressInfo).port}/`;
  try {
    await daemon.hydrant(['crawl', 'add', url]);
    await until('the page is visited', async () => (await tried('heron')).matches === 1);
    const { stdout, stderr } = await daemon.run('hydrant', ['rule', 'try', 'heron', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ matches: 0, withheld: { future_date: 1, no_date: 0 } });
    expect(stderr).toBe('');
    expect(await daemon.hydrant(['extract', url])).toMatch(/which the page says,\s+is\s+in\s+the\s+future/);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('a file makes taps and rules, once; a digest and a feed tell what they matched', async () => {
  const file = join(daemon.dataDir, 'hydrant.yaml');
  writeFileSync(file, 'taps: [{ name: news }]\nrules: [{ tap: news, tag: foxes, value: fox, quality: false }]\n');
  expect(await daemon.hydrant(['apply', file, '-y'])).toBe('+ tap news\n+ rule news/foxes');
  const again = await daemon.run('hydrant', ['apply', file, '-y']);
  expect([again.exitCode, again.stdout, again.stderr]).toEqual([0, '', expect.stringContaining('nothing to do')]);
  const exported = await daemon.hydrant(['export']);
  expect(exported).toContain('tag: foxes');
  expect(exported).not.toMatch(/svcm?_/);
  const same = await daemon.run('hydrant', ['apply', '-', '-y'], exported);
  expect([same.exitCode, same.stderr]).toEqual([0, expect.stringContaining('nothing to do')]);
  await daemon.hydrant(['rule', 'pause', 'foxes']);
  expect(await daemon.hydrant(['export', '--rules'])).toContain('paused: true');
  expect(await daemon.hydrant(['apply', file, '-y'])).toBe('~ rule news/foxes: paused');
  expect(await daemon.hydrant(['export', '--rules'])).not.toContain('paused');
  // Of this tap: others of this daemon may have had matches before.
  const matched = async (): Promise<boolean> => (await daemon.hydrant(['digest', 'news', '--quiet-when-empty'])) !== '';
  await until('something matched', matched);
  expect(await daemon.hydrant(['digest', 'news'])).toMatch(/^## foxes$/m);
  expect(await daemon.hydrant(['tap', 'feed', 'news'])).toContain('<category term="foxes"/>');
});

test('a rule that its own settings make unmatchable is added with a warning, over HTTP and on the command line', async () => {
  await daemon.run('hydrant', ['tap', 'create', 'warned']);
  const add = (query: string, ...flags: string[]) =>
    daemon.run('hydrant', ['rule', 'add', 'warned', query, '--no-try', ...flags]);
  const adult = await add('page_category:"/Adult"');
  expect([adult.exitCode, adult.stderr]).toEqual([
    0,
    expect.stringContaining('The rule can never match: pages labelled'),
  ]);
  expect((await add('page_category:"/Adult"', '--nsfw')).stderr).not.toContain('never match');
  const old = await add('ferry AND publish_time:[2024-01-01 TO 2024-02-01}');
  expect(old.stderr).toContain('published within the last 7 days');
  const valid = await daemon.run('hydrant', ['validate', 'url:*\\/tag\\/*']);
  expect([valid.exitCode, valid.stdout]).toEqual([0, expect.stringContaining('turn quality off')]);
});
