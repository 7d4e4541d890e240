import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, bytes, HostilePages, html, lines, WRONG } from './hostile-pages.ts';
import { loopback, type RealDaemon, until } from './real-daemon.ts';
import { WatchedUrls } from './watched-urls.ts';
import type { Source } from '../../src/shared/api/crawl.ts';
import { seeded } from '../fixtures/series.ts';

const TEA = 'Tea costs three euros a pound.';
const COFFEE = 'Coffee costs four euros a pound.';
const DEARER = 'Coffee costs five euros a pound.';

describe('a watched page whose server means harm, or is broken', () => {
  let urls: WatchedUrls;
  let pages: HostilePages;
  beforeAll(async () => {
    urls = await WatchedUrls.start();
    pages = new HostilePages();
  });
  afterAll(async () => {
    await urls.close();
    pages.close();
  });

  async function watched(answer: Answer) {
    const page = await pages.open(answer);
    const [id = ''] = await urls.add([page.url]);
    const check = async (next?: Answer): Promise<string> => {
      page.answer = next ?? page.answer;
      await urls.check(id);
      return (await urls.said(id)).at(-1) ?? '';
    };
    return { page, id, check };
  }

  /** What the newest check says has come and gone. */
  async function told(id: string): Promise<{ ins: string[]; del: string[] }> {
    const diff = (await urls.entries(id)).at(-1)?.diff;
    const blocks = diff && 'hunks' in diff ? diff.hunks.flat() : [];
    return { ins: blocks.flatMap(({ ins }) => ins ?? []), del: blocks.flatMap(({ del }) => del ?? []) };
  }

  test.concurrent.each(Object.entries(WRONG))(
    'that is bad (%s) fails, and is then compared with the last good one',
    async (name, wrong) => {
      const { id, check } = await watched(lines(TEA, COFFEE));
      expect(await check(wrong(TEA, DEARER))).toBe(`failed ${name.split(',')[0]}`);
      expect(await check(lines(TEA, COFFEE))).toMatch(/^unchanged/);
      expect(await check(wrong(TEA, COFFEE))).toMatch(/^failed/);
      expect(await check(lines(TEA, DEARER))).toBe('changed');
      expect(await told(id)).toEqual({ ins: [DEARER], del: [COFFEE] });
    },
  );

  test('that is good and bad by turns has each of its changes told once, and no other', async () => {
    const random = seeded(11);
    const wrongs = Object.values(WRONG);
    const walks = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const page = await pages.open(lines(TEA, 'Coffee costs 0 euros a pound.'));
        return { page, price: 0, seen: 0, expected: ['baseline'] };
      }),
    );
    const ids = await urls.add(walks.map(({ page }) => page.url));
    for (let step = 1; step <= 10; step += 1) {
      for (const walk of walks) {
        if (random() < 0.5) walk.price += 1;
        const said = [TEA, `Coffee costs ${walk.price} euros a pound.`];
        const wrong = wrongs[Math.floor(random() * wrongs.length)];
        // Five failures in a row, and the host is left alone for a minute.
        const isBad = random() < 0.5 && walk.expected.slice(-3).some((outcome) => outcome !== 'failed');
        walk.page.answer = isBad && wrong ? wrong(...said) : lines(...said);
        walk.expected.push(isBad ? 'failed' : walk.price === walk.seen ? 'unchanged' : 'changed');
        if (!isBad) walk.seen = walk.price;
      }
      await urls.check(...ids);
    }
    const outcomes = await Promise.all(ids.map(async (id) => (await urls.checks(id)).map(({ outcome }) => outcome)));
    expect(outcomes).toEqual(walks.map(({ expected }) => expected));
  });

  test('a storm of errors leaves next to nothing on the disk', async () => {
    const storm = await Promise.all(Array.from({ length: 20 }, () => pages.open(lines(TEA, COFFEE))));
    const ids = await urls.add(storm.map(({ url }) => url));
    const before = bytesUsed(urls.daemon);
    let served = 0;
    for (const page of storm) {
      page.answer = (response) => {
        const body = html(...Array.from({ length: 500 }, (_, line) => `${line} ${digest(`${served}`)}`));
        served += body.length;
        response.writeHead(500, { 'content-type': 'text/html' }).end(body);
      };
    }
    for (let round = 0; round < 4; round += 1) await urls.check(...ids);
    expect(served).toBeGreaterThan(2 * MIB);
    expect(bytesUsed(urls.daemon) - before).toBeLessThan(64 * 1_024);

    for (const page of storm) page.answer = lines(TEA, DEARER);
    await urls.check(...ids);
    for (const id of ids) {
      expect((await urls.entries(id)).map((entry) => entry.has_changes)).toEqual([...FIVE_WITHOUT, true]);
      expect((await urls.checks(id)).at(-1)).toMatchObject({ outcome: 'changed', recovered: 4 });
    }
  });

  test.each([0, -5, 5])(
    'whose clock is %i min ahead has changed when edited twice within a second, behind an ETag and a Last-Modified of it',
    async (minutes) => {
      const since = Date.now() + minutes * MINUTE;
      const fromFile = (body: string): Answer => {
        const lastModified = new Date(since).toUTCString();
        const etag = `"${Math.floor(since / 1_000).toString(16)}-${body.length.toString(16)}"`;
        return (response, { headers }) => {
          const isKnown = headers['if-none-match'] === etag || headers['if-modified-since'] === lastModified;
          const date = new Date(Date.now() + minutes * MINUTE).toUTCString();
          const head = { 'content-type': 'text/html', etag, 'last-modified': lastModified, date };
          if (isKnown) response.writeHead(304, head).end();
          else response.writeHead(200, head).end(body);
        };
      };
      const { id, check } = await watched(fromFile(html(TEA, COFFEE)));
      expect(await check(fromFile(html(TEA, DEARER)))).toBe('changed');
      expect(await told(id)).toEqual({ ins: [DEARER], del: [COFFEE] });
      expect(await check(fromFile(html(TEA, COFFEE)))).toBe('changed');
    },
  );

  test('whose ETag never changes, and which answers all the same, has changed when its lines have', async () => {
    const stuck = (body: string): Answer => {
      return (response) => void response.writeHead(200, { 'content-type': 'text/html', etag: '"1"' }).end(body);
    };
    const { check } = await watched(stuck(html(TEA, COFFEE)));
    expect(await check()).toBe('unchanged same_bytes');
    expect(await check(stuck(html(TEA, DEARER)))).toBe('changed');
  });

  test('that says 304 with its ETag has not changed, and after a failure is asked for as a whole', async () => {
    const asked: (string | undefined)[] = [];
    const tagged = (tag: string, answer: Answer): Answer => {
      return (response, request) => {
        asked.push(request.headers['if-none-match']);
        response.setHeader('etag', tag);
        if (request.headers['if-none-match'] === tag) response.writeHead(304).end();
        else answer(response, request);
      };
    };
    const { check } = await watched(tagged('"a"', lines(TEA, COFFEE)));
    expect(await check()).toBe('unchanged not_modified');
    // The new tag comes with a body that cannot be used.
    const challenge = WRONG['challenge']?.() ?? lines();
    expect(await check(tagged('"b"', challenge))).toBe('failed challenge');
    expect(await check(tagged('"b"', lines(TEA, DEARER)))).toBe('changed');
    expect(await check()).toBe('unchanged not_modified');
    expect(asked).toEqual([undefined, '"a"', '"a"', undefined, '"b"']);
  });

  test('that comes in one encoding after another has changed when its words have', async () => {
    const text = (...said: readonly string[]): string => html('Café au lait costs four euros.', ...said);
    const windows = (body: string): Answer => bytes(Buffer.from(body, 'latin1'), 'text/html; charset=windows-1252');
    const { id, check } = await watched(bytes(text(TEA), 'text/html; charset=utf-8'));
    expect(await check(bytes(text(TEA), 'text/html'))).toBe('unchanged same_bytes');
    expect(await check(windows(text(TEA)))).toMatch(/^unchanged/);
    expect(await check(bytes(Buffer.from(`\uFEFF${text(TEA)}`, 'utf16le'), 'text/html'))).toMatch(/^unchanged/);
    const declared = Buffer.from(`<meta charset="windows-1252">${text(TEA, COFFEE)}`, 'latin1');
    expect(await check(bytes(declared, 'text/html'))).toBe('changed');
    expect(await told(id)).toEqual({ ins: [COFFEE], del: [] });
  });

  test('on a host with one connection, which is crawled too, is asked for one request at a time', async () => {
    let inFlight = 0;
    let most = 0;
    let crawled = 0;
    let dropped = 0;
    const slowly = (next: Answer): Answer => {
      return (response, request) => {
        inFlight += 1;
        most = Math.max(most, inFlight);
        if (request.url !== '/page') crawled += 1;
        setTimeout(() => {
          inFlight -= 1;
          next(response, request);
        }, 20);
      };
    };
    const page = await pages.open(slowly(lines(TEA, COFFEE)));
    page.server.maxConnections = 1;
    page.server.on('drop', () => (dropped += 1));
    const { origin } = new URL(page.url);
    const { data: source } = await urls.daemon.operator<{ data: Source }>('POST', '/admin/sources', {
      url: `${origin}/crawled`,
      every_seconds: 1,
    });
    const [id = ''] = await urls.add([page.url]);
    await until('it is crawled', () => crawled > 0);
    for (const price of [5, 6, 7]) {
      page.answer = slowly(lines(TEA, `Coffee costs ${price} euros a pound.`));
      const before = crawled;
      await urls.check(id);
      await until('it is crawled again', () => crawled > before);
    }
    await urls.daemon.operator('DELETE', `/admin/sources/${source.id}`);
    expect(await urls.said(id)).toEqual(['baseline', 'changed', 'changed', 'changed']);
    expect({ most, dropped }).toEqual({ most: 1, dropped: 0 });
  });
});

const MIB = 1_024 * 1_024;
const MINUTE = 60_000;
const FIVE_WITHOUT = Array.from({ length: 5 }, () => false);
const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Of the pages of the database that hold something, the journal's among them. */
function bytesUsed({ dataDir }: RealDaemon): number {
  const database = new DatabaseSync(join(dataDir, 'hydrant.db'), { readOnly: true });
  const used = 'SELECT (page_count - freelist_count) * page_size AS bytes';
  const row = database.prepare(`${used} FROM pragma_page_count, pragma_freelist_count, pragma_page_size`).get();
  database.close();
  return Number(row?.['bytes']);
}

describe('a watched page that goes from A to B to A', () => {
  const open: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const thing of open.splice(0)) await thing.close();
  });

  test('has changed each time; with three checks kept, each of their texts is there', async () => {
    const urls = await WatchedUrls.start([...loopback, '--watch-history', '3']);
    const pages = new HostilePages();
    open.push(urls, pages);
    const versions = [lines(TEA, COFFEE), lines(TEA, DEARER)] as const;
    const page = await pages.open(versions[0]);
    const [id = ''] = await urls.add([page.url]);
    for (let check = 2; check <= 8; check += 1) {
      page.answer = versions[check % 2 === 0 ? 1 : 0];
      await urls.check(id);
      const kept = await urls.checks(id);
      expect(kept.map(({ n }) => n)).toEqual([check - 2, check - 1, check].filter((n) => n > 0));
      for (const { n, outcome } of kept) {
        expect(outcome).toBe(n === 1 ? 'baseline' : 'changed');
        expect((await urls.version(id, n)).lines).toEqual([TEA, n % 2 === 0 ? DEARER : COFFEE]);
      }
    }
    expect((await urls.reports())[0]).toMatchObject({ change_count: 7, checks: 8 });
  });
});
