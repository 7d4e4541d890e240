import { describe, expect, test } from 'vitest';
import { identityOf } from '../../src/daemon/discovery/canonical.ts';
import type { Fetched, FetchedBody } from '../../src/daemon/fetch/fetched.ts';
import { CALLED_OFF } from '../../src/daemon/analysis/findings.ts';
import { visitPage } from '../../src/daemon/pipeline.ts';
import { answer, body, failure, hour, minute, page, url, world } from './pipeline-world.ts';

const signal = new AbortController().signal;
const validators = { etag: 'W/"a;b"', lastModified: 'yesterday, or so' };
const notModified: Fetched = { outcome: 'not_modified', url, answer: answer(304), validators };

describe('what is asked of a server', () => {
  test('its own validators are sent back, and what it says is unchanged costs no reading', async () => {
    const it = await world();
    it.serve(page('The harbour opens at nine.'), { validators });
    await it.visit();
    expect(it.requests[0]).toMatchObject({ url, validators: undefined });
    it.later();
    it.answer = notModified;
    expect(await it.visit()).toMatchObject({ outcome: 'unchanged', status: 304, events: 0 });
    expect(it.requests[1]).toMatchObject({ validators });
    expect(it.commits[1]).not.toHaveProperty('version');
    expect((await it.known()).state).toMatchObject({ validators, fullAt: it.now - 10 * minute });
  });

  test('once a day the page is asked for without a condition', async () => {
    const it = await world();
    it.serve(page('The harbour opens at nine.'), { validators });
    await it.visit();
    it.answer = notModified;
    for (let visit = 0; visit < 24 * 6; visit += 1) {
      it.later();
      await it.visit();
    }
    const sent = it.requests.map((request) => request.validators !== undefined);
    expect(sent.slice(1)).toEqual([...Array.from({ length: 24 * 6 - 1 }, () => true), false]);
  });

  test('a clock that was set back makes it ask without a condition, too', async () => {
    const it = await world();
    it.serve(page('The harbour opens at nine.'), { validators });
    await it.visit();
    const due = await it.known();
    await visitPage({ ...due, state: { ...due.state!, fullAt: it.now + hour } }, it.stages(), signal);
    expect(it.requests[1]).toMatchObject({ validators: undefined });
  });

  test('bytes that are the same are unchanged, and bring new validators', async () => {
    const it = await world();
    it.serve(page('The harbour opens at nine.'), { validators });
    await it.visit();
    it.later();
    it.serve(page('The harbour opens at nine.'), { validators: { etag: '"new"' } });
    expect(await it.visit()).toMatchObject({ outcome: 'unchanged', status: 200 });
    expect((await it.known()).state).toMatchObject({ validators: { etag: '"new"' }, fullAt: it.now });
  });

  test('a page that could not be believed leaves no validators: it has to be read again', async () => {
    const it = await world();
    it.serve('<title>Just a moment...</title><p>Checking if the site connection is secure</p>', { validators });
    expect(await it.visit()).toMatchObject({ outcome: 'failed', reason: 'challenge', status: 200 });
    expect((await it.known()).state).toMatchObject({ validators: undefined, bodyHash: undefined });
  });

  test('the status of a failure is told to whoever decides when to come back', async () => {
    const it = await world();
    it.answer = { outcome: 'failed', reason: 'status', detail: 'the server answered 503', answer: answer(503) };
    expect(await it.visit()).toMatchObject({ outcome: 'failed', reason: 'status', status: 503 });
    expect(it.seen).toMatchObject([{ outcome: 'failed', reason: 'status', status: 503, kind: 'hub' }]);
    expect((await it.known()).hostState).toMatchObject({ backoff: 1, backoffReason: '503' });
  });

  test('what the answer says of its life is told, too', async () => {
    const it = await world();
    it.serve(page('The harbour opens at nine.'), { answer: { ...answer(200), maxAgeMs: hour } });
    await it.visit();
    expect(it.seen).toMatchObject([{ outcome: 'changed', isMainChange: true, maxAgeMs: hour, matches: 0 }]);
  });

  test('a sitemap may be larger than a page, also before it is known as one', async () => {
    const it = await world();
    await it.visit();
    expect(it.requests[0]).toMatchObject({ isSitemap: false });
    await it.storage.frontier.removeSource('source');
    await it.add('map', 'http://news.example.com/sitemap.xml.gz');
    await it.visit();
    expect(await it.known('http://news.example.com/sitemap.xml.gz')).toMatchObject({ kind: 'hub' });
    expect(it.requests[1]).toMatchObject({ isSitemap: true });
  });

  test('what is fetched is kept before it is judged, and only bodies are', async () => {
    const it = await world();
    const kept: FetchedBody[] = [];
    const stages = {
      ...it.stages(),
      keep: async (fetched: FetchedBody) => {
        expect(it.commits).toHaveLength(0);
        kept.push(fetched);
      },
    };
    it.serve(page('The harbour opens at nine.'));
    await visitPage(await it.due(), stages, signal);
    expect(it.requests[0]).toMatchObject({ withExchange: true });
    it.later();
    it.answer = failure('dns');
    await visitPage(await it.due(), { ...stages }, signal);
    expect(kept).toEqual([body(page('The harbour opens at nine.'))]);
  });

  test('a visit that is called off after its request leaves the host its rest', async () => {
    const it = await world();
    it.permission = { kind: 'allowed', crawlDelayMs: 7_000 };
    const end = new AbortController();
    it.answer = () => {
      end.abort();
      return { outcome: 'failed', reason: 'aborted', detail: 'the fetch was cancelled' };
    };
    expect(await it.turn(end.signal)).toEqual({ asked: undefined, report: undefined });
    expect(it.commits).toEqual([]);
    expect(await it.known()).toMatchObject({ state: undefined, hostState: { notBefore: it.now + 7_000, failures: 0 } });
  });

  test('a visit whose lease is over is no visit: nobody is told what it found', async () => {
    const it = await world();
    it.serve(page('The harbour opens at nine.'));
    const { pages } = it.storage;
    const stages = {
      ...it.stages(),
      pages: { ...it.stages().pages, commit: async () => ({ events: [], isFenced: true }) as const },
    };
    expect(await visitPage(await it.due(), stages, new AbortController().signal)).toMatchObject({ report: undefined });
    expect(await pages.version(1)).toBeUndefined();
    expect(it.delivered).toEqual([]);
  });

  test('a connection is kept only where the host is asked again soon', async () => {
    const it = await world();
    it.permission = { kind: 'allowed', crawlDelayMs: 4_000 };
    it.serve(page('The harbour opens at nine.'));
    await it.visit();
    expect(it.closed).toEqual([]);
    it.later();
    it.permission = { kind: 'allowed', crawlDelayMs: 5_000 };
    await it.visit();
    it.later();
    it.permission = { kind: 'fetched', crawlDelayMs: 5_000, sitemaps: [] };
    await it.turn();
    expect(it.closed).toEqual(['news.example.com', 'news.example.com']);
  });

  test('a analysis that was called off records nothing, and the host has had its request', async () => {
    const it = await world();
    it.serve(page('The harbour opens at nine.'));
    const stages = { ...it.stages(), analyze: async () => CALLED_OFF };
    expect(await visitPage(await it.due(), stages, signal)).toEqual({ asked: undefined, report: undefined });
    expect(it.commits).toEqual([]);
    expect(await it.known()).toMatchObject({ state: undefined, hostState: { fetches: 1 } });
    expect((await it.due()).url).toBe(url);
  });
});

describe('a redirect', () => {
  const elsewhere = new URL('http://elsewhere.example/today');

  test('is followed within the scope of a source that holds the page, and no further', async () => {
    const it = await world();
    await it.visit();
    const { mayFollow } = it.requests[0]!;
    expect(await mayFollow?.(new URL('http://news.example.com/other'), signal)).toBeUndefined();
    expect(await mayFollow?.(elsewhere, signal)).toMatchObject({ reason: 'redirects' });
  });

  test('of a URL that the operator gave is followed wherever it leads', async () => {
    const it = await world();
    it.isNamed = true;
    await it.visit();
    expect(await it.requests[0]!.mayFollow?.(elsewhere, signal)).toBeUndefined();
  });

  test('to another host is not followed, but visited when it is the turn of that one', async () => {
    const it = await world();
    it.terms = { ...it.terms, scope: 'any' };
    const detail = 'that host has its own queue: the target is visited when its turn comes';
    it.answer = { outcome: 'failed', reason: 'moved', detail, leadsTo: elsewhere.href, answer: answer(301) };
    expect(await it.visit()).toMatchObject({ outcome: 'failed', reason: 'moved', status: 301 });
    expect(await it.requests[0]!.mayFollow?.(elsewhere, signal)).toMatchObject({
      reason: 'moved',
      leadsTo: elsewhere.href,
    });
    expect(await it.known(elsewhere.href)).toMatchObject({ kind: 'hub', holders: [{ sourceId: 'source', depth: 0 }] });
    expect(await it.known()).toMatchObject({ hostState: { failures: 0, backoff: 0 } });
    expect((await it.due()).url).toBe(elsewhere.href);
  });

  test('of an entry of a feed that is a source leads there, too', async () => {
    const it = await world();
    it.terms = { ...it.terms, scope: 'page' };
    it.answer = { outcome: 'failed', reason: 'moved', detail: '', leadsTo: elsewhere.href, answer: answer(302) };
    const due = await it.due();
    await visitPage({ ...due, holders: [{ sourceId: 'source', depth: 1 }] }, it.stages(), signal);
    expect(await it.requests[0]!.mayFollow?.(elsewhere, signal)).toMatchObject({ reason: 'moved' });
    expect(await it.known(elsewhere.href)).toMatchObject({ holders: [{ sourceId: 'source', depth: 1 }] });
  });

  test('of such a URL is not followed again before the time that the other host has named', async () => {
    const it = await world();
    it.isNamed = true;
    const busy = { ...answer(429), host: 'elsewhere.example', retryAfterMs: 5 * hour };
    it.answer = { outcome: 'failed', reason: 'status', detail: 'the server answered 429', answer: busy };
    await it.visit();
    expect(it.commits[0]!.nextDue).toBeGreaterThanOrEqual(it.now + 5 * hour);
    expect((await it.known()).hostState).toMatchObject({ backoff: 0 });
  });

  test('for good makes the page another one, which tells the news once it has been seen itself', async () => {
    const it = await world();
    it.rule('all', 'domain:"example.com"');
    const movedTo = 'http://news.example.com/new';
    const serve = (text: string): void => {
      it.answer = () => body(page(text), { url: movedTo, ...(it.requests.at(-1)?.url === url && { movedTo }) });
    };
    serve('The harbour opens at nine.');
    await it.visit();
    expect(it.commits[0]).toMatchObject({ sameAs: identityOf(movedTo), discovered: [{ leads: [{ url: movedTo }] }] });
    await it.visit();
    expect(it.requests.map((request) => request.url)).toEqual([url, movedTo]);
    it.later();
    serve('The harbour opens at ten.');
    const reports = [await it.visit(), await it.visit()];
    expect(it.requests.slice(2).map((request) => request.url)).toEqual([url, movedTo]);
    expect(reports).toMatchObject([
      { outcome: 'changed', events: 0, withheld: 'alias' },
      { outcome: 'changed', events: 1 },
    ]);
  });

  test('for good leaves a URL that the operator gave the page that it is, and is noted, read anew or not', async () => {
    const it = await world();
    it.isNamed = true;
    it.rule('all', 'domain:"example.com"');
    const movedTo = 'http://news.example.com/new';
    it.serve(page('The harbour opens at nine.'), { movedTo });
    expect(await it.visit()).toMatchObject({ outcome: 'changed', events: 1 });
    it.later();
    expect(await it.visit()).toMatchObject({ outcome: 'unchanged' });
    expect(it.commits).toMatchObject([{ movedTo }, { movedTo }]);
    for (const commit of it.commits) expect(commit).not.toHaveProperty('sameAs');
    it.later();
    it.serve(page('The harbour opens at nine.'));
    await it.visit();
    expect(it.commits[2]).not.toHaveProperty('movedTo');
  });

  test('for good to what is the same page is no move', async () => {
    const it = await world();
    it.isNamed = true;
    it.serve(page('The harbour opens at nine.'), { movedTo: `${url}?utm_source=feed` });
    await it.visit();
    expect(it.commits[0]).not.toHaveProperty('movedTo');
  });
});

test('what a source finds at first is no news where the operator says so; what comes later is', async () => {
  const it = await world();
  it.rule('all', 'domain:"example.com"');
  await it.storage.frontier.removeSource('source');
  await it.add('source', url, { isBaseline: true });
  expect(await it.visit()).toMatchObject({ outcome: 'failed' });
  it.later();
  it.serve(page('The harbour opens at nine.'));
  expect(await it.visit()).toMatchObject({ outcome: 'changed', events: 0 });
  it.later();
  it.serve(page('The harbour opens at ten.'));
  expect(await it.visit()).toMatchObject({ outcome: 'changed', events: 1 });
});
