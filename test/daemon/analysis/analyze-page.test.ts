import { describe, expect, test } from 'vitest';
import type { PageFinding, PageInput } from '../../../src/daemon/analysis/findings.ts';
import { LocalAnalysis } from '../../reference/local-analysis.ts';
import { LISTING } from '../../../src/daemon/analysis/analyze-page.ts';
import { unzstd } from '../../../src/daemon/compression.ts';
import { pageOf } from '../../../src/daemon/analysis/packing.ts';
import { NO_LABELS } from '../../../src/shared/label/label.ts';
import { EXTRACTOR } from '../../../src/shared/page/page.ts';
import { page, pageInput, ruleOf, url } from './page-inputs.ts';

const analysis = new LocalAnalysis({ labeller: async () => () => NO_LABELS });
analysis.register(ruleOf('all', 'domain:"example.com"'));

type ReadPage = PageFinding & Required<Pick<PageFinding, 'isMainChange' | 'events' | 'discovered'>>;

/** That of a page which could be read. */
async function read(given: PageInput): Promise<ReadPage> {
  return readable(await analysis.analyze(given));
}

function readable(found: PageFinding): ReadPage {
  if (found.outcome === 'failed') throw new Error(`${found.detail} ${found.notes?.fault ?? ''}`);
  return { isMainChange: false, events: [], discovered: [], ...found };
}

/** The next visit of the same page. */
function after(one: PageInput, finding: ReadPage, text: string): PageInput {
  const next = pageInput(text);
  return {
    ...one,
    fetched: { ...one.fetched, bytes: next.fetched.bytes, hash: next.fetched.hash },
    at: one.at + 600_000,
    last: finding.version ?? one.last,
    boilerplate: finding.boilerplate,
    isFirstVisit: false,
  };
}

describe('a page', () => {
  test('leaves its version packed, with the bytes that it was read from', async () => {
    const html = page('The harbour opens at nine.');
    const { version } = await read(pageInput(html));
    expect(version).toMatchObject({ url, contentType: 'text/html', extractor: EXTRACTOR });
    expect(unzstd(version!.body).toString()).toBe(html);
    expect(pageOf(version!)).toMatchObject({ title: 'Today', segments: [{ text: 'The harbour opens at nine.' }] });
    for (const view of [version!.page, version!.body]) expect(view.buffer.byteLength).toBe(view.byteLength);
  });

  test.each([
    ['Page not found', 'The page you are looking for does not exist.', 'not_found'],
    ['Under maintenance', 'We will be back soon.', 'maintenance'],
  ])(
    'that says "%s" in the place of its text is a failed visit, and is compared with it when it is back',
    async (...given) => {
      const [title, text, reason] = given;
      const story = (last: string): string =>
        page(...Array.from({ length: 30 }, (_, line) => `Ferry ${line} leaves at noon.`), last);
      const first = pageInput(story('The harbour opens at nine.'));
      const one = await read(first);
      const gone = after(first, one, `<title>${title}</title><main><p>${text}</p></main>`);
      for (const doubtedAt of [undefined, first.at]) {
        expect(await analysis.analyze({ ...gone, doubtedAt })).toMatchObject({ outcome: 'failed', reason });
      }
      const back = await read(after(first, one, story('The harbour opens at ten.')));
      expect(back.events).toHaveLength(1);
      expect(JSON.parse(back.events[0]?.document ?? '')).toMatchObject({ diff: { chunks: [{}, {}] } });
    },
  );

  test('that says so at its first visit is no page, and is news when it is there', async () => {
    const none = '<title>404</title><main><p>Nothing here.</p></main>';
    expect(await analysis.analyze(pageInput(none))).toMatchObject({ outcome: 'failed', reason: 'not_found' });
    expect((await read(pageInput(page('The harbour opens at nine.')))).events).toHaveLength(1);
  });

  test('changed in what it is about, or only beside it: the main text says which', async () => {
    const html = (main: string, beside: string): string =>
      `<title>Today</title><article><h1>Harbour</h1><p>${main}</p></article>
       <section class="comments"><p>${beside}</p></section>`;
    const text = 'The harbour opens at nine, as the town council decided yesterday after a long debate about ferries.';
    const first = pageInput(html(text, 'A storm is coming.'));
    const one = await read(first);
    expect(one).toMatchObject({ outcome: 'changed', isMainChange: true });
    const beside = after(first, one, html(text, 'The storm is over.'));
    const two = await read(beside);
    expect(two).toMatchObject({ outcome: 'changed', isMainChange: false, events: [{ tapId: 'tap' }] });
    const main = after(beside, two, html(`${text} It stays so.`, 'The storm is over.'));
    expect(await read(main)).toMatchObject({ outcome: 'changed', isMainChange: true });
  });

  test('says where it leads once a day, or when that is another place, or not known to all sources', async () => {
    const linking = (sentence: string, to = '/a'): string => page(sentence, `<a href="${to}">The other page</a>`);
    const first = pageInput(linking('The harbour opens at nine.'));
    const one = await read(first);
    const next = { ...after(first, one, linking('The harbour opens at ten.')), areLeadsKnown: true };
    const told = async (given: PageInput): Promise<number> => (await read(given)).discovered.length;
    expect(one.discovered).toHaveLength(1);
    expect(await told(next)).toBe(0);
    expect(await told({ ...next, areLeadsKnown: false })).toBe(1);
    expect(await told({ ...next, at: first.at + 24 * 3_600_000 })).toBe(1);
    const { fetched } = after(first, one, linking('The harbour opens at ten.', '/b'));
    expect(await told({ ...next, fetched })).toBe(1);
    // The version that this visit leaves says it, too.
    const third = after(next, await read(next), linking('The harbour opens at eleven.'));
    expect(await told({ ...third, at: next.at + 1 })).toBe(0);
  });

  test('that changes every hour says once a day all the same where it leads', async () => {
    let given = pageInput(page('Hour 0.', '<a href="/a">The other page</a>'));
    const told: number[] = [];
    for (let hour = 0; hour <= 48; hour += 1) {
      const found = await read(given);
      if (found.discovered.length > 0) told.push(hour);
      const next = after(given, found, page(`Hour ${hour + 1}.`, '<a href="/a">The other page</a>'));
      given = { ...next, at: given.at + 3_600_000, areLeadsKnown: true };
    }
    expect(told).toEqual([0, 24, 48]);
  });

  test('tells when it was published, and has a fingerprint of its site when it has enough text', async () => {
    const words = Array.from({ length: 120 }, (_, index) => `word${index}`).join(' ');
    const dated = `<meta property="article:published_time" content="2026-02-13T08:06:32Z">${page(words)}`;
    const judged = await read(pageInput(dated));
    expect(judged.hints?.publishedAt).toBe(Date.UTC(2026, 1, 13, 8, 6, 32));
    expect(judged.fingerprint).toMatchObject({
      group: 'example.com today',
      simhash: expect.stringMatching(/^[\da-f]{16}$/),
    });
    expect(await read(pageInput(page('Short.')))).not.toHaveProperty('fingerprint');
  });

  test('of a template, with a name of its own, is no near duplicate of the others', async () => {
    const text =
      'The lamp is made of steel and stands on a foot of oak that comes from the woods of the region. '.repeat(4);
    const product = (name: string, price: number): Promise<ReadPage> =>
      read(pageInput(`<title>${name}</title><main><h1>${name}</h1><p>${text}</p><p>${price} euros</p></main>`));
    const [one, other] = [await product('Lamp Anna', 120), await product('Lamp Berta', 80)];
    expect(one.fingerprint?.group).not.toBe(other.fingerprint?.group);
  });

  test('of another port is of another site', async () => {
    const words = Array.from({ length: 120 }, (_, index) => `word${index}`).join(' ');
    const groupAt = async (url: string): Promise<string | undefined> =>
      (await read(pageInput(page(words), { url }))).fingerprint?.group;
    expect(await groupAt('http://intranet.example:8080/a')).not.toBe(await groupAt('http://intranet.example:9090/a'));
    expect(await groupAt('http://example.com:80/a')).toBe(await groupAt('https://www.example.com/a'));
  });

  test('that is hard to believe keeps the time of the first doubt', async () => {
    const first = pageInput(
      page(...Array.from({ length: 30 }, (_, index) => `Ferry ${index} leaves the harbour at noon.`)),
    );
    const gone = after(first, await read(first), page('Loading.'));
    const doubt = await analysis.analyze(gone);
    expect(doubt).toMatchObject({ outcome: 'failed', reason: 'doubtful', doubtedAt: gone.at });
    const soon = { ...gone, at: gone.at + 1_000, doubtedAt: gone.at };
    expect(await analysis.analyze(soon)).toMatchObject({ reason: 'doubtful', doubtedAt: gone.at });
    expect(await analysis.analyze({ ...soon, at: gone.at + 60_000 })).toMatchObject({ outcome: 'changed' });
    const isSetBack = { ...soon, at: gone.at - 86_400_000 };
    expect(await analysis.analyze(isSetBack)).toMatchObject({ reason: 'doubtful', doubtedAt: isSetBack.at });
  });

  test('is not labelled where there is no rule to ask for it', async () => {
    const idle = new LocalAnalysis({
      labeller: () => {
        throw new Error('it was labelled');
      },
    });
    expect(readable(await idle.analyze(pageInput(page('The harbour opens at nine.'))))).toMatchObject({
      outcome: 'changed',
      events: [],
    });
  });

  describe('is labelled as late as can be:', () => {
    let labelled = 0;
    const tools = {
      labeller: async () => () => {
        labelled += 1;
        return { ...NO_LABELS, language: { value: 'en', reason: 'test' } };
      },
    };

    test.each([
      ['not for a rule whose words it lacks', 'museum AND language:en', 0, 0],
      ['once for a rule that asks for a label beside words it has', 'harbour AND language:en', 1, 1],
      ['once for a rule that the label refuses', 'harbour AND language:de', 1, 0],
      ['once for a rule that must not have the label', 'harbour NOT language:en', 1, 0],
      ['once for a rule of nothing but a label', 'language:en', 1, 1],
      ['once for a range of labels', 'language:[da TO en]', 1, 1],
      ['once for what is told of it', 'harbour', 1, 1],
    ])('%s', async (_, query, times, events) => {
      const late = new LocalAnalysis(tools);
      late.register(ruleOf('asking', query));
      labelled = 0;
      const finding = await late.analyze(pageInput(page('The harbour opens at nine.')));
      expect({ finding, labelled }).toMatchObject({
        finding: { outcome: 'changed', events: Array.from({ length: events }, () => expect.anything()) },
        labelled: times,
      });
    });

    test('and again when the rule of nothing but a label has gone', async () => {
      const late = new LocalAnalysis(tools);
      late.register(ruleOf('label', 'language:de'));
      late.register(ruleOf('words', 'museum AND language:en'));
      late.unregister('label');
      labelled = 0;
      await late.analyze(pageInput(page('The harbour opens at nine.')));
      expect(labelled).toBe(0);
    });
  });

  test('that our own code trips over is a failure with its cause', async () => {
    const broken = new LocalAnalysis({
      labeller: async () => () => {
        throw new Error('a bug');
      },
    });
    broken.register(ruleOf('all', 'domain:"example.com"'));
    const finding = await broken.analyze(pageInput(page('The harbour opens at nine.')));
    expect(finding).toMatchObject({
      outcome: 'failed',
      reason: 'internal',
      notes: { fault: expect.stringContaining('a bug') },
    });
  });
});

describe('a feed', () => {
  const feed = (...names: readonly string[]): string =>
    `<rss version="2.0"><channel><title>News</title>${names
      .map((name) => `<item><title>${name}</title><link>https://news.example.com/${name}</link></item>`)
      .join('')}</channel></rss>`;
  const given = (different: Partial<PageInput> = {}): PageInput => {
    const made = pageInput(feed('one', 'two'), { url: 'https://news.example.com/feed', kind: 'feed', ...different });
    return { ...made, fetched: { ...made.fetched, contentType: 'application/rss+xml' } };
  };

  const caseOfFeed = (text: string): Pick<PageInput, 'fetched'> => ({ fetched: pageInput(text).fetched });

  test('that was found leads to its entries, and is no news itself', async () => {
    const first = given();
    const one = await read(first);
    expect(one).toMatchObject({ outcome: 'changed', kind: 'feed', isMainChange: true, events: [] });
    expect(one.discovered[0]?.leads.map((lead) => lead.url)).toEqual([
      'https://news.example.com/one',
      'https://news.example.com/two',
    ]);
    expect(one.version).toMatchObject({ extractor: LISTING, body: new Uint8Array() });
  });

  test('has changed when it has a new entry, and not when one is gone', async () => {
    const first = given();
    const one = await read(first);
    const less = after(first, one, feed('two'));
    const two = await read(less);
    expect(two).toMatchObject({ outcome: 'unchanged', isMainChange: false });
    const again = after(less, two, feed('two'));
    const three = await read(again);
    expect(three.version).toBeUndefined();
    expect(await read(after(again, three, feed('two', 'three')))).toMatchObject({
      outcome: 'changed',
      isMainChange: true,
    });
  });

  test('that breaks off is read as far as it goes, and the visit says so; the next one tells what is new', async () => {
    const whole = feed('one', 'two');
    const broken = await read(given(caseOfFeed(whole.slice(0, whole.indexOf('<item><title>two') + 9))));
    expect(broken).toMatchObject({ outcome: 'changed', detail: 'The feed breaks off after 1 entries.' });
    expect(broken.discovered[0]?.leads).toHaveLength(1);
    expect(await read(given())).not.toHaveProperty('detail');
  });

  test('of which nothing can be read is a failed visit, so that the first one that can is the first', async () => {
    for (const text of ['<rss><channel><item', '<urlset><url>']) {
      const finding = await analysis.analyze(given(caseOfFeed(text)));
      expect(finding).toMatchObject({ outcome: 'failed', reason: 'malformed', detail: expect.stringContaining('.') });
    }
  });

  test('with more entries than are remembered has changed when a remembered one is new', async () => {
    const names = Array.from({ length: 1_000 }, (_, index) => `entry-${index}`);
    const sitemap = (paths: readonly string[]): string =>
      `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths
        .map((path) => `<url><loc>https://news.example.com/${path}</loc></url>`)
        .join('')}</urlset>`;
    const all = [...names, ...names.map((name) => `${name}-b`)];
    const first = given({ kind: 'sitemap', url: 'https://news.example.com/sitemap.xml' });
    const one = await read({ ...first, fetched: { ...first.fetched, bytes: Buffer.from(sitemap(all)) } });
    const next = after(first, one, sitemap(all.slice(0, -100)));
    expect(await read(next)).toMatchObject({ kind: 'sitemap', outcome: 'unchanged' });
    const more = after(first, one, sitemap([...all, ...names.map((name) => `${name}-c`)]));
    expect(await read(more)).toMatchObject({ outcome: 'changed' });
  });

  test('that the operator gave is news only where its entries are not followed', async () => {
    const seed = { id: 'source', url: 'https://news.example.com/feed', scope: 'page', depth: 0, maxPages: 1 } as const;
    const followed = await read(given({ isNamed: true, holders: [{ ...seed, maxDepth: null }] }));
    expect(followed).toMatchObject({ events: [], version: { extractor: LISTING } });
    const alone = await read(given({ isNamed: true, holders: [{ ...seed, maxDepth: 0 }] }));
    expect(alone).toMatchObject({ kind: 'feed', events: [{ tapId: 'tap' }], version: { extractor: EXTRACTOR } });
    expect(alone.discovered).toEqual([]);
  });

  test('that comes to be read as a page is no news at first', async () => {
    const first = given();
    const one = await read(first);
    const seed = {
      id: 'source',
      url: 'https://news.example.com/feed',
      scope: 'page',
      depth: 0,
      maxDepth: 0,
      maxPages: 1,
    } as const;
    const named = { ...after(first, one, feed('one', 'two', 'three')), isNamed: true, holders: [seed] };
    expect(await read(named)).toMatchObject({ outcome: 'unchanged', events: [], version: { extractor: EXTRACTOR } });
  });

  test('that is none is a page like any other; a sitemap that is none is no news, unless the operator gave it', async () => {
    const given = pageInput(page('Not found, but here are some other articles.'), { kind: 'sitemap' });
    expect(await analysis.analyze(given)).toMatchObject({ outcome: 'failed', reason: 'content_type' });
    expect(await analysis.analyze({ ...given, isNamed: true })).toMatchObject({ outcome: 'changed' });
    expect(await analysis.analyze({ ...given, kind: 'feed' })).toMatchObject({ outcome: 'changed', kind: 'article' });
  });
});
