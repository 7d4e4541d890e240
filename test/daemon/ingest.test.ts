import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canonical } from '../../src/shared/page/canonical-url.ts';
import { identityOf } from '../../src/daemon/discovery/canonical.ts';
import { seedLead } from '../../src/daemon/discovery/discover.ts';
import { Ingest } from '../../src/daemon/ingest.ts';
import { LocalAnalysis } from '../reference/local-analysis.ts';
import type { Outside } from '../../src/daemon/outside.ts';
import type { AppendedEvent } from '../../src/daemon/storage/event-log.ts';
import { ARCHIVE_SOURCE, NEW_HOST, type PageReport } from '../../src/daemon/storage/frontier.ts';
import { openSqlite } from '../../src/daemon/storage/sqlite/sqlite-storage.ts';
import { openMemory } from '../reference/storage/memory.ts';
import type { Storage } from '../../src/daemon/storage/storage.ts';
import { validate } from '../../src/shared/query/validate.ts';
import { response, warc } from '../shared/archive/warc-bytes.ts';

const now = Date.UTC(2026, 0, 1);
const url = 'http://a.example/page';
const outside: Outside = { now: () => now, randomBytes: (size) => new Uint8Array(size), uuid: () => 'id' };
let directory: string;
let storage: Storage;
let delivered: AppendedEvent[];
let analysis: LocalAnalysis;
let ingest: Ingest;

async function open(kind: string): Promise<void> {
  directory = mkdtempSync(path.join(tmpdir(), 'hydrant-ingest-'));
  storage = kind === 'memory' ? openMemory() : await openSqlite({ dataDir: directory, outside, onFatal: () => {} });
  delivered = [];
  analysis = new LocalAnalysis();
  ingest = new Ingest({
    pages: storage.pages,
    frontier: storage.frontier,
    outside,
    analyze: (given) => analysis.analyze(given),
    ratings: { of: async () => undefined },
    terms: () => [],
    isNamed: () => false,
    tapExists: () => true,
    deliver: (events) => delivered.push(...events),
    next: () => ({ rate: { theta: 1, info: 2, pull: 3 } }),
  });
}

afterEach(async () => {
  await storage.close();
  rmSync(directory, { recursive: true });
});

function rule(text: string): void {
  const { query } = validate(text);
  if (!query) throw new Error(`the test's own query is refused: ${text}`);
  analysis.register({ id: 'rule', tapId: 'tap', query, quality: false, nsfw: false });
}

const page = (...sentences: string[]): string =>
  `<title>A page</title><main>${sentences.map((text) => `<p>${text}</p>`).join('')}</main>`;
const shot = (at: string, body: string, of = url): Uint8Array => response({ url: of, at, body }).subarray(0, -4);
const look = async (of = url): Promise<PageReport | undefined> => {
  const found = canonical(of);
  return found && storage.frontier.look(identityOf(found));
};
const may = '2024-05-01T00:00:00Z';
const june = '2024-06-01T00:00:00Z';

describe.each(['memory', 'sqlite'])('ingest, with storage %s', (kind) => {
  beforeEach(() => open(kind));

  test('a page and its next version make the events that visits would have made, told now', async () => {
    rule('reactor');
    expect(await ingest.add(shot(may, page('The reactor runs.')))).toEqual({ outcome: 'changed', events: 1 });
    expect(await ingest.add(shot(june, page('The reactor runs.', 'A second reactor was built.')))).toEqual({
      outcome: 'changed',
      events: 1,
    });
    expect(delivered.map(({ at, offset }) => [at, offset])).toEqual([
      [now, 0],
      [now, 1],
    ]);
    expect(delivered[1]?.document).toContain('A second reactor was built.');
    expect(await look()).toMatchObject({ page: { state: { visitedAt: Date.parse(june) } } });
  });

  test('a record that is sent again changes nothing, nor does one that is older', async () => {
    rule('reactor');
    const record = shot(june, page('The reactor runs.'));
    await ingest.add(record);
    expect(await ingest.add(record)).toEqual({ outcome: 'skipped', events: 0, reason: 'known' });
    expect(await ingest.add(shot(may, page('The reactor is planned.')))).toMatchObject({ reason: 'known' });
    expect(delivered).toHaveLength(1);
  });

  test('says beforehand which records are known', async () => {
    await ingest.add(shot(may, page('One.')));
    const at = Date.parse(may);
    const records = [
      { url, at },
      { url: `${url}#part`, at: at - 1 },
      { url, at: at + 1 },
      { url: 'http://b.example/', at },
      { url: 'no URL', at },
    ];
    expect(await ingest.known({ records })).toEqual([true, true, false, false, false]);
  });

  test('the pages of a host go one after another, however they are sent', async () => {
    rule('reactor');
    const months = ['01', '02', '03', '04', '05'];
    const records = months.map((month) => shot(`2024-${month}-01T00:00:00Z`, page(`The reactor in month ${month}.`)));
    const answers = await Promise.all(records.map((record) => ingest.add(record)));
    expect(answers.map(({ outcome }) => outcome)).toEqual(months.map(() => 'changed'));
    expect(delivered.map(({ offset }) => offset)).toEqual([0, 1, 2, 3, 4]);
  });

  test('the same bytes, later, are a visit without change', async () => {
    await ingest.add(shot(may, page('One.')));
    expect(await ingest.add(shot(june, page('One.')))).toEqual({ outcome: 'unchanged', events: 0 });
    expect(await look()).toMatchObject({ page: { state: { visitedAt: Date.parse(june) } } });
  });

  test('what a rule asks of time is asked as of the record', async () => {
    rule('reactor AND recent:7d');
    const dated = `<meta property="article:published_time" content="2024-04-29T00:00:00Z">${page('The reactor runs.')}`;
    expect(await ingest.add(shot(may, dated))).toMatchObject({ events: 1 });
    expect(await ingest.add(shot(june, dated, 'http://b.example/'))).toMatchObject({ events: 0 });
  });

  test('noindex is obeyed', async () => {
    rule('reactor');
    const body = `<meta name="robots" content="noindex">${page('The reactor runs.')}`;
    expect(await ingest.add(shot(may, body))).toMatchObject({ events: 0 });
  });

  test.each([
    ['future', shot('2026-01-02T00:00:00Z', page('One.'))],
    ['url', shot(may, page('One.'), 'http://user:secret@a.example/')],
    ['empty', shot(may, '')],
    ['malformed', warc('request', 'GET / HTTP/1.1')],
  ])('%s: it is skipped, and nothing is recorded', async (reason, record) => {
    expect(await ingest.add(record)).toMatchObject({ outcome: 'skipped', reason });
    expect(await look()).toBeUndefined();
  });
});

describe.each(['memory', 'sqlite'])('the crawl, with storage %s', (kind) => {
  beforeEach(() => open(kind));

  const taken = async () =>
    storage.frontier.take({ now: now + 365 * 86_400_000, atMost: 10, leaseMs: 1_000, except: [] });
  const source = { id: 'live', everyMs: 600_000, maxPages: 10, isPaused: false };
  const seed = seedLead(url, false);

  test('never visits what only an archive knows', async () => {
    await ingest.add(shot(may, page('One.', '<a href="/other">other</a>')));
    expect((await taken()).pages).toEqual([]);
    expect((await look())?.pausedSourceIds).toEqual([ARCHIVE_SOURCE]);
    expect((await look())?.page.state?.rate.pull).toBe(0);
  });

  test('keeps its due time, what its host can bear, and its lease', async () => {
    await storage.frontier.putSource(source, seed ? [seed] : [], now);
    const [leased] = (await storage.frontier.take({ now, atMost: 1, leaseMs: 60_000, except: [] })).pages;
    await ingest.add(shot(may, page('One.')));
    const after = await look();
    expect(after).toMatchObject({
      isHostLeased: true,
      pausedSourceIds: [],
      page: { due: leased?.due, hostState: NEW_HOST },
    });
    expect(after?.page.state?.rate.pull).toBe(3);
  });

  test('that was there later than the record is not set back', async () => {
    rule('reactor');
    await storage.frontier.putSource(source, seed ? [seed] : [], now);
    await ingest.add(shot(june, page('The reactor runs.')));
    expect(await ingest.add(shot(may, page('The reactor is planned.')))).toMatchObject({ reason: 'known' });
  });

  test('visits a page at once that a source comes to hold after the archive', async () => {
    await ingest.add(shot(may, page('One.')));
    await storage.frontier.putSource(source, seed ? [seed] : [], now);
    const { pages } = await storage.frontier.take({ now, atMost: 10, leaseMs: 1_000, except: [] });
    expect(pages.map((due) => due.url)).toEqual([url]);
    expect(pages[0]?.state).toMatchObject({ visitedAt: Date.parse(may), bodyHash: undefined });
  });
});
