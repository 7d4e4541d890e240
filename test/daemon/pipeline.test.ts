import { describe, expect, test, vi } from 'vitest';
import type { Fetched } from '../../src/daemon/fetch/fetched.ts';
import { zstd } from '../../src/daemon/compression.ts';
import type { PackedVersion } from '../../src/daemon/storage/pages.ts';
import { EXTRACTOR } from '../../src/shared/page/page.ts';
import { visitPage } from '../../src/daemon/pipeline.ts';
import { body, failure, hour, minute, page, url, type World, world } from './pipeline-world.ts';

/** As if another release had made it. */
async function replaceVersion(it: World, different: Partial<PackedVersion>): Promise<void> {
  const { id } = await it.known();
  const version = await it.storage.pages.version(id);
  if (!version) throw new Error('there is no version');
  vi.spyOn(it.storage.pages, 'version').mockResolvedValueOnce({ ...version, ...different });
}

describe('the path of a page', () => {
  test('first sight: one event with the matching rules, the title and the chunk', async () => {
    const it = await world();
    it.rule('harbour', 'harbour');
    it.rule('title', 'title:today');
    it.rule('other', 'mountain');
    it.serve(page('The harbour opens at nine.'));
    const report = await it.visit();
    expect(report).toMatchObject({ outcome: 'changed', events: 1 });
    expect(it.delivered).toHaveLength(1);
    expect(it.delivered[0]).toMatchObject({ tapId: 'tap', offset: 0, at: it.now });
    expect(JSON.parse(it.delivered[0]!.queryIds)).toEqual(['harbour', 'title']);
    expect(JSON.parse(it.delivered[0]!.document)).toEqual({
      url,
      title: 'Today',
      diff: { chunks: [{ typ: 'ins', text: 'The harbour opens at nine.' }] },
    });
  });

  test('what the rules saw is kept with the visit, where that is wanted', async () => {
    const it = await world();
    const recent = () => it.storage.recentChanges.recentChanges({ since: 0, atMost: { changes: 9, bytes: 1_000_000 } });
    it.serve(page('The harbour opens at nine.'));
    await it.visit();
    expect(await recent()).toEqual([]);
    it.keepsChanges = true;
    it.later();
    it.serve(page('The harbour opens at ten.'));
    await it.visit();
    expect(await recent()).toMatchObject([{ seq: 1, at: it.now }]);
    it.later();
    await it.visit();
    expect(await recent()).toHaveLength(1);
  });

  test('labels are asked by rules and delivered, each with its parents and without its reason', async () => {
    const it = await world();
    it.rule('travel', 'page_category:"/Travel_and_Transportation" AND language:"en"');
    it.rule('german', 'language:"de"');
    const reason = 'as the test says';
    it.labels = {
      language: { value: 'en', reason },
      pageTypes: [],
      categories: ['/Travel_and_Transportation/Hotels', '/Travel_and_Transportation'].map((value) => ({
        value,
        reason,
      })),
    };
    it.serve(page('The harbour opens at nine.'));
    await it.visit();
    expect(it.delivered.map(({ queryIds }) => queryIds)).toEqual(['["travel"]']);
    const document = JSON.parse(it.delivered[0]!.document) as object;
    expect(document).toMatchObject({
      language: 'en',
      page_category: ['/Travel_and_Transportation/Hotels', '/Travel_and_Transportation'],
    });
    expect(document).not.toHaveProperty('page_types');
  });

  test('an edited sentence is one del and one ins; what stayed is not in it', async () => {
    const it = await world();
    it.rule('all', 'domain:"example.com"');
    it.serve(page('The harbour opens at nine.', 'Tickets cost five crowns.'));
    await it.visit();
    it.later();
    it.serve(page('The harbour opens at ten.', 'Tickets cost five crowns.'));
    await it.visit();
    const document = JSON.parse(it.delivered[1]!.document) as object;
    expect(document).toMatchObject({
      diff: {
        chunks: [
          { typ: 'del', text: 'The harbour opens at nine.' },
          { typ: 'ins', text: 'The harbour opens at ten.' },
        ],
      },
    });
  });

  test('equal bytes, and other bytes with the same text, are unchanged: no event, no new version', async () => {
    const it = await world();
    it.rule('all', 'domain:"example.com"');
    it.serve(page('The harbour opens at nine.'));
    await it.visit();
    it.later();
    expect(await it.visit()).toMatchObject({ outcome: 'unchanged', events: 0 });
    it.later();
    it.serve(`<!-- token 17 -->${page('The harbour opens at nine.')}`);
    expect(await it.visit()).toMatchObject({ outcome: 'unchanged', events: 0 });
    expect(it.delivered).toHaveLength(1);
    expect(it.commits.map((commit) => commit.version !== undefined)).toEqual([true, false, false]);
  });

  test('a failed visit is neither a change nor a baseline', async () => {
    const it = await world();
    it.rule('all', 'domain:"example.com"');
    it.serve(page('The harbour opens at nine.'));
    await it.visit();
    const answers: Fetched[] = [failure('dns'), body('')];
    for (const answer of answers) {
      it.later();
      it.answer = answer;
      expect(await it.visit()).toMatchObject({ outcome: 'failed', events: 0 });
    }
    it.later();
    it.serve(page('The harbour opens at nine.'));
    expect(await it.visit()).toMatchObject({ outcome: 'unchanged' });
    expect(it.delivered).toHaveLength(1);
  });

  test('a page whose hash was forgotten is read, and not taken for new', async () => {
    const it = await world();
    it.rule('all', 'domain:"example.com"');
    it.serve(page('The harbour opens at nine.', '<a href="/tides">Tides</a>'));
    await it.visit();
    await it.add('other', url, { everyMs: minute });
    expect(await it.visit()).toMatchObject({ outcome: 'unchanged' });
    const leads = [{ url: 'http://news.example.com/tides' }];
    expect(it.commits[1]).toMatchObject({
      sourceIds: ['source', 'other'],
      bodyHash: it.commits[0]!.bodyHash,
      discovered: [
        { sourceId: 'source', leads },
        { sourceId: 'other', leads },
      ],
    });
    expect(it.delivered).toHaveLength(1);
  });

  test('a page that our own code trips over is a failed visit, told with its cause, and comes round again', async () => {
    const it = await world();
    it.serve(page('The harbour opens at nine.'));
    const cause = new Error('a bug');
    vi.spyOn(it.storage.pages, 'version').mockRejectedValueOnce(cause);
    expect(await it.visit()).toMatchObject({ outcome: 'failed', reason: 'internal', notes: { fault: cause.stack } });
    it.later();
    expect(await it.visit()).toMatchObject({ outcome: 'changed' });
  });

  test('a version that another extractor made is read again from its bytes: our change is not the page’s', async () => {
    const it = await world();
    it.rule('all', 'domain:"example.com"');
    it.serve(page('The harbour opens at nine.'));
    await it.visit();
    const other = zstd(
      JSON.stringify({ url, segments: [{ text: 'other rules', kind: 'item' }], anchors: [], links: [] }),
    );
    await replaceVersion(it, { extractor: EXTRACTOR - 1, page: other });
    it.later();
    it.serve(`<!-- other bytes -->${page('The harbour opens at nine.')}`);
    expect(await it.visit()).toMatchObject({ outcome: 'unchanged' });
    expect(it.delivered).toHaveLength(1);
  });

  test('a version that this extractor refuses to read is replaced in silence: the page is not new', async () => {
    const it = await world();
    it.rule('all', 'domain:"example.com"');
    it.serve(page('The harbour opens at eight.'));
    await it.visit();
    await replaceVersion(it, { extractor: EXTRACTOR - 1, contentType: 'image/png', body: zstd(new Uint8Array([1])) });
    it.later();
    it.serve(page('The harbour opens at nine.'));
    expect(await it.visit()).toMatchObject({ outcome: 'unchanged', events: 0 });
    it.later();
    it.serve(page('The harbour opens at ten.'));
    expect(await it.visit()).toMatchObject({ outcome: 'changed', events: 1 });
  });

  test('a tap that was revoked while its page was on the way gets no event', async () => {
    const it = await world();
    it.rule('one', 'harbour', 'tap-a');
    it.rule('two', 'harbour', 'tap-b');
    it.revoked.add('tap-a');
    it.serve(page('The harbour opens at nine.'));
    await it.visit();
    expect(it.delivered.map((event) => event.tapId)).toEqual(['tap-b']);
  });

  test('a visit that was called off records nothing: the page stays due', async () => {
    const it = await world();
    it.serve(page('The harbour opens at nine.'));
    expect(await it.visit(AbortSignal.abort())).toBeUndefined();
    expect(it.commits).toEqual([]);
    expect((await it.due()).url).toBe(url);
  });

  test.each(['aborted', 'stale'] as const)(
    'a fetch that learnt nothing (%s) records nothing: the page stays due, and its host is free again',
    async (reason) => {
      const it = await world();
      it.answer = failure(reason);
      expect(await it.visit()).toBeUndefined();
      expect(it.commits).toEqual([]);
      expect((await it.due()).url).toBe(url);
    },
  );

  test('slots are fixed: a late visit does not push the next, and missed slots are not made up for', async () => {
    const it = await world();
    const begin = it.now;
    it.serve(page('One.'));
    it.now = begin + 3 * minute;
    await it.visit();
    it.now = begin + 47 * minute;
    await it.visit();
    expect(it.commits.map((commit) => (commit.nextDue - begin) / minute)).toEqual([10, 50]);
  });

  test('a date more than a day ahead is no date', async () => {
    const it = await world();
    it.rule('all', 'domain:"example.com"');
    const dated = (iso: string): string =>
      `<meta property="article:published_time" content="${iso}">${page(`Published ${iso}.`)}`;
    it.serve(dated(new Date(it.now + 25 * 60 * minute).toISOString()));
    await it.visit();
    it.later();
    it.serve(dated(new Date(it.now - 60 * minute).toISOString()));
    await it.visit();
    const times = it.delivered.map((event) => (JSON.parse(event.document) as { publish_time?: string }).publish_time);
    expect(times).toEqual([undefined, new Date(it.now - 60 * minute).toISOString().slice(0, 19)]);
  });

  test('a mass deletion is news only when a second visit, a minute later, finds it too', async () => {
    const it = await world();
    it.rule('all', 'domain:"example.com"');
    const lines = Array.from({ length: 30 }, (_, index) => `Ferry ${index} leaves the harbour at noon.`);
    it.serve(page(...lines));
    await it.visit();
    it.later();
    it.serve(page('Loading.'));
    expect(await it.visit()).toMatchObject({ outcome: 'failed', reason: 'doubtful', events: 0 });
    expect((await it.known()).due).toBe(it.now + minute);
    it.now += minute;
    expect(await it.visit()).toMatchObject({ outcome: 'changed', events: 1 });
  });

  test('a page that was half there once has neither lost nor won anything', async () => {
    const it = await world();
    it.rule('all', 'domain:"example.com"');
    const lines = Array.from({ length: 30 }, (_, index) => `Ferry ${index} leaves the harbour at noon.`);
    it.serve(page(...lines));
    await it.visit();
    it.later();
    it.serve(page('Loading.'));
    await it.visit();
    it.now += minute;
    it.serve(`<!-- back -->${page(...lines)}`);
    expect(await it.visit()).toMatchObject({ outcome: 'unchanged', events: 0 });
    it.later();
    expect((await it.known()).state).toMatchObject({ doubtedAt: undefined, failures: 0 });
  });

  test('a challenge is no version of the page', async () => {
    const it = await world();
    it.rule('all', 'domain:"example.com"');
    it.serve('<title>Just a moment...</title><p>Checking if the site connection is secure</p>');
    expect(await it.visit()).toMatchObject({ outcome: 'failed', reason: 'challenge' });
    it.later();
    it.serve(page('The harbour opens at nine.'));
    expect(await it.visit()).toMatchObject({ outcome: 'changed', events: 1 });
  });

  test('a clock is no event, and the next visit is compared with what it shows now', async () => {
    const it = await world();
    it.rule('all', 'domain:"example.com"');
    for (const ago of ['3 minutes ago', '13 minutes ago', '23 minutes ago']) {
      it.serve(page('The harbour opens at nine.', ago));
      await it.visit();
      it.later();
    }
    expect(it.commits.map(({ outcome, version }) => [outcome, version !== undefined])).toEqual([
      ['changed', true],
      ['unchanged', true],
      ['unchanged', true],
    ]);
  });

  /** Which of twelve pages that show a notice deliver it, after a first page that leads to them. */
  async function delivering(notice: string, days: number): Promise<{ it: World; shown: boolean[] }> {
    const it = await world();
    it.rule('all', 'domain:"example.com"');
    it.serve(Array.from({ length: 12 }, (_, index) => `<a href="/${index}">${index}</a>`).join(' '));
    await it.visit();
    it.later(days * 24 * hour);
    for (let visit = 0; visit < 12; visit += 1) {
      it.answer = () => {
        const { url } = it.requests.at(-1)!;
        return body(page(`This is ${url}.`, notice), { url });
      };
      await it.visit();
    }
    const [, ...shown] = it.delivered.map(({ document }) => document.includes(notice));
    return { it, shown };
  }

  test('what ten pages of a host share is no event of the eleventh', async () => {
    const { shown } = await delivering('We bake cookies', 0);
    expect(shown).toEqual(Array.from({ length: 12 }, (_, index) => index < 10));
  });

  test('a sentence that ten pages share counts in the first days of a host, and is named when it no longer does', async () => {
    const early = await delivering('We bake cookies.', 2);
    expect(early.shown).toEqual(Array.from({ length: 12 }, () => true));
    const later = await delivering('We bake cookies.', 3);
    expect(later.shown).toEqual(Array.from({ length: 12 }, (_, index) => index < 10));
    expect(later.it.commits.at(-1)?.detail).toBe(
      'A sentence of the main text did not count, being on many pages of the host: "We bake cookies.".',
    );
    expect(later.it.commits.at(-3)?.detail).toBeUndefined();
  });

  test('links go to the frontier in the same commit', async () => {
    const it = await world();
    it.serve(`<main><p>See <a href="/more">more</a>.</p></main>`);
    await it.visit();
    expect(await it.due()).toMatchObject({ url: 'http://news.example.com/more', holders: [{ depth: 1 }] });
  });

  test('links that stayed are not written again, but for a source that came to hold the page', async () => {
    const it = await world();
    const visit = async (sentence: string): Promise<number> => {
      it.later();
      it.serve(`<main><p>${sentence}</p><p>See <a href="/more">more</a>.</p></main>`);
      await visitPage(await it.known(), it.stages(), new AbortController().signal);
      return it.commits.at(-1)?.discovered.length ?? Number.NaN;
    };
    expect(await visit('The harbour opens at nine.')).toBe(1);
    expect(await visit('The harbour opens at ten.')).toBe(0);
    await it.add('other');
    expect(await visit('The harbour opens at eleven.')).toBe(2);
    expect(await visit('The harbour opens at noon.')).toBe(0);
  });
});

describe('the rating of the domain', () => {
  test('is matched by its rules and delivered, by the registrable domain of the page', async () => {
    const it = await world();
    it.rule('known', 'dr:[50 TO 100]');
    it.rule('unknown', 'dr:[0 TO 49]');
    it.ratings.set('example.com', 57);
    it.serve(page('The harbour opens at nine.'));
    await it.visit();
    expect(JSON.parse(it.delivered[0]!.queryIds)).toEqual(['known']);
    expect(JSON.parse(it.delivered[0]!.document)).toMatchObject({ domain_rating: 57 });
  });

  test('is absent where none is known: no dr clause matches, and nothing is delivered of it', async () => {
    const it = await world();
    it.rule('any', 'dr:[0 TO 100]');
    it.rule('harbour', 'harbour');
    it.serve(page('The harbour opens at nine.'));
    await it.visit();
    expect(JSON.parse(it.delivered[0]!.queryIds)).toEqual(['harbour']);
    expect(JSON.parse(it.delivered[0]!.document)).not.toHaveProperty('domain_rating');
  });

  test('of 0 is a rating', async () => {
    const it = await world();
    it.rule('least', 'dr:0');
    it.ratings.set('example.com', 0);
    it.serve(page('The harbour opens at nine.'));
    await it.visit();
    expect(JSON.parse(it.delivered[0]!.document)).toMatchObject({ domain_rating: 0 });
  });

  test('the other sites that the content links to are in the commit, also when nothing else changed', async () => {
    const it = await world();
    const linking = page('The harbour opens at nine. <a href="https://www.papers.example/harbour">The papers</a>');
    it.serve(linking);
    await it.visit();
    it.later();
    it.serve(`<!-- token 17 -->${linking}`);
    await it.visit();
    const linksTo = { from: 'example.com', to: ['papers.example'] };
    expect(it.commits).toMatchObject([
      { outcome: 'changed', linksTo },
      { outcome: 'unchanged', linksTo },
    ]);
  });

  test('a visit that failed leaves the links as they were', async () => {
    const it = await world();
    await it.visit();
    expect(it.commits[0]).toMatchObject({ outcome: 'failed' });
    expect(it.commits[0]).not.toHaveProperty('linksTo');
  });
});
