import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ASKERS, type Scene } from '../../conformance/askers.ts';
import { faultsOfAtom, faultsOfJsonFeed } from '../../conformance/feed-rules.ts';
import { FedHouse } from '../feeds/fed-house.ts';
import { addNeighbour } from '../taps/house.ts';
import { Api } from './api.ts';

let api: Api;
let fed: FedHouse;
let secret: string;
beforeEach(async () => {
  api = await Api.open();
  fed = await FedHouse.open(api.house);
  ({ secret } = await fed.feed('tap', 'news'));
});
afterEach(() => api.close());

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

async function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  const answer = await fetch(api.url + path, { method, headers, redirect: 'manual' });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

const atom = (headers: Record<string, string> = {}, method?: string): Promise<Answer> =>
  ask(`/feeds/${secret}.atom`, headers, method);

const NOTHING = { status: 404, text: '{"message":"There is no such feed."}' };

describe('a feed', () => {
  test('is Atom or JSON, as its address ends, for its reader alone', async () => {
    await fed.match({ diff: { chunks: [{ typ: 'ins', text: '</ins><script>alert(1)</script>' }] } });
    const first = await atom();
    expect([first.status, faultsOfAtom(first.text)]).toEqual([200, []]);
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'content-type': 'application/atom+xml; charset=utf-8',
      'cache-control': 'private, max-age=60',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'ratelimit-limit': '30',
    });
    const json = await ask(`/feeds/${secret}.json`);
    expect([json.status, json.headers.get('content-type'), faultsOfJsonFeed(json.text)]).toEqual([
      200,
      'application/feed+json',
      [],
    ]);
    expect(json.text).toContain('&lt;script&gt;');
    expect(first.text + json.text).not.toContain('<script');
  });

  test('does not have its own address in it, which would go wherever it goes', async () => {
    await fed.match();
    for (const format of ['atom', 'json']) {
      const { text, headers } = await ask(`/feeds/${secret}.${format}`);
      expect(text + JSON.stringify([...headers])).not.toContain(secret.slice(5));
    }
  });

  test('says by HEAD that it is there, and charges nothing for it', async () => {
    await api.house.accounts.credit.set(api.house.organizationId, 100);
    await fed.match();
    const { status, headers, text } = await atom({}, 'HEAD');
    expect([status, headers.get('content-type'), text]).toEqual([200, 'application/atom+xml; charset=utf-8', '']);
    expect((await api.house.accounts.credit.show(api.house.organizationId)).balance).toBe(100);
    await atom();
    expect((await api.house.accounts.credit.show(api.house.organizationId)).balance).toBe(95);
    expect(await ask('/feeds/nothing.atom', {}, 'HEAD')).toMatchObject({ status: 404 });
  });

  test('of a watch that is gone is gone, too', async () => {
    await fed.watch('w');
    const { secret: watched } = await fed.feed('watch', 'w');
    expect(await ask(`/feeds/${watched}.json`, {}, 'HEAD')).toMatchObject({ status: 200 });
    expect(await ask(`/feeds/${watched}.json`)).toMatchObject({ status: 200 });
    await api.house.storage.watches.removeWatch('w');
    expect(await ask(`/feeds/${watched}.json`, {}, 'HEAD')).toMatchObject({ status: 404 });
    expect(await ask(`/feeds/${watched}.json`)).toMatchObject(NOTHING);
  });

  test('that nobody pays for is a 402', async () => {
    await api.house.accounts.credit.set(api.house.organizationId, 0);
    await fed.match();
    expect(await atom()).toMatchObject({ status: 402, text: expect.stringContaining('Out of credit') });
  });
});

describe('a reader that has the feed', () => {
  test('is told so by its tag, however that is written, until there is more', async () => {
    await fed.match();
    const { headers } = await atom();
    const etag = headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    for (const value of [etag, `W/${etag}`, `"other", ${etag}`, `W/"a,b",W/${etag}`, '*']) {
      const again = await atom({ 'if-none-match': value });
      expect([value, again.status, again.text, again.headers.get('etag')]).toEqual([value, 304, '', etag]);
      expect(again.headers.get('cache-control')).toBe('private, max-age=60');
    }
    for (const value of ['', '"other"', etag.slice(1, -1), etag.slice(0, -2)]) {
      expect([value, (await atom({ 'if-none-match': value })).status]).toEqual([value, 200]);
    }
    await fed.match();
    expect((await atom({ 'if-none-match': etag })).status).toBe(200);
  });

  test('is told so by its time, where it has no tag', async () => {
    const { headers } = await atom();
    const modified = headers.get('last-modified') ?? '';
    expect(modified).toBe('Fri, 27 Feb 2026 10:00:00 GMT');
    expect((await atom({ 'if-modified-since': modified })).status).toBe(304);
    expect((await atom({ 'if-modified-since': modified, 'if-none-match': '"other"' })).status).toBe(200);
    // Another time than the one that was sent is of another clock.
    for (const value of ['Sat, 28 Feb 2026 10:00:00 GMT', 'Fri, 27 Feb 2026 09:59:59 GMT', 'yesterday', '']) {
      expect([value, (await atom({ 'if-modified-since': value })).status]).toEqual([value, 200]);
    }
    api.house.clock.ms += 60_000;
    await fed.match();
    const later = await atom({ 'if-modified-since': modified });
    expect([later.status, later.headers.get('last-modified')]).toEqual([200, 'Fri, 27 Feb 2026 10:01:00 GMT']);
  });
});

describe('an address that is none', () => {
  test('is a 404 of one form, whatever is wrong with it', async () => {
    const { secret: revoked, record } = await fed.feed('tap', 'news');
    await api.house.feeds.remove(api.house.organizationId, record.id);
    const other = (letter: string): string => (letter === 'x' ? 'y' : 'x');
    const wrong = [
      `${revoked}.atom`,
      `svcf_${'x'.repeat(40)}.atom`,
      `${secret.slice(0, -1)}${other(secret.slice(-1))}.atom`,
      `${secret.slice(0, -1)}.atom`,
      `${secret}x.atom`,
      `${secret.toUpperCase()}.atom`,
      `${secret.slice(5)}.atom`,
      secret,
      `${secret}.rss`,
      `${secret}.atom.json`,
      `${secret}.ATOM`,
      `${secret}%00.atom`,
      `${record.hash}.atom`,
      `${record.id}.atom`,
      `${api.house.catalog.data.feeds[0]?.hash}.json`,
      '__proto__.atom',
      '%F0%9F%A6%A9',
      '..%2f..%2fv1%2ftaps',
    ];
    const forms = new Set<string>();
    for (const path of wrong) {
      // So that none of them is the one beyond the limit.
      api.house.clock.ms += 60_000;
      const { status, text, headers } = await ask(`/feeds/${path}`);
      expect([path, { status, text }]).toEqual([path, NOTHING]);
      const same = [...headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name));
      forms.add(JSON.stringify(same));
    }
    expect(forms.size).toBe(1);
  });

  test('is not repeated by what is no route', async () => {
    for (const path of [
      `/feeds/${secret}.atom/`,
      `/feeds//${secret}.atom`,
      `/feed/${secret}.atom`,
      `/feeds/${secret}.atom/%zz`,
    ]) {
      const { status, text } = await ask(path);
      expect([path, status, text.includes(secret.slice(5))]).toEqual([path, 404, false]);
    }
    for (const method of ['POST', 'DELETE', 'PUT']) {
      const { status, text } = await atom({}, method);
      expect([method, status, text.includes(secret.slice(5))]).toEqual([method, 404, false]);
    }
  });

  test('can be guessed thirty times a minute, which takes nothing from who has one', async () => {
    const guess = async (): Promise<number> => (await ask(`/feeds/svcf_${'x'.repeat(40)}.atom`)).status;
    for (let turn = 0; turn < 30; turn += 1) expect(await guess()).toBe(404);
    const { status, headers, text } = await ask(`/feeds/svcf_${'x'.repeat(40)}.atom`);
    expect([status, headers.get('retry-after')]).toEqual([429, '60']);
    expect(text).toBe('{"message":"Rate limit exceeded. /feeds takes 30 requests a minute. Try again in 60 seconds."}');
    expect((await atom()).status).toBe(200);
    api.house.clock.ms += 60_000;
    expect(await guess()).toBe(404);
  });
});

describe('who asks', () => {
  test('is anyone with the address, whatever key is sent with it, and no key stands for an address', async () => {
    const { key, organizationId } = api.house;
    const own = await api.newTap('own');
    const neighbour = await addNeighbour(api.house.catalog);
    const stranger = await api.house.taps.create(neighbour.organizationId, 'stranger');
    const none = { revokedKey: 'svcm_x', colleagueKey: 'svcm_y', strangerKey: 'svcm_z', ruleId: 'r', watchId: 'w' };
    const tokens = {
      token: own.token,
      revokedToken: 'svc_x',
      colleagueToken: own.token,
      strangerToken: stranger.token,
    };
    const scene: Scene = { key, keyHash: 'x', ...none, tapId: own.id, ...tokens };
    expect(organizationId).not.toBe(neighbour.organizationId);
    for (const asker of ASKERS) {
      api.house.clock.ms += 60_000;
      const authorization = asker.authorization(scene);
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      expect([asker.name, (await atom(headers)).status]).toEqual([asker.name, 200]);
      const { status, text } = await ask(`/feeds/svcf_${'x'.repeat(40)}.atom`, headers);
      expect([asker.name, { status, text }]).toEqual([asker.name, NOTHING]);
    }
    for (const word of [key, own.token, own.id]) {
      const { status, text } = await ask(`/feeds/${word}.atom`);
      expect({ status, text }).toEqual(NOTHING);
    }
  });

  test('may ask for one feed thirty times a minute, and for others as often', async () => {
    for (let turn = 0; turn < 30; turn += 1) expect((await atom()).status).toBe(200);
    expect((await atom()).status).toBe(429);
    expect((await ask(`/feeds/${secret}.json`)).status).toBe(429);
    const { secret: another } = await fed.feed('tap', 'news');
    expect((await ask(`/feeds/${another}.atom`)).status).toBe(200);
  });

  test('gets nothing of a feed that was revoked, not from what is kept of it either', async () => {
    const { headers } = await atom();
    await api.house.feeds.remove(api.house.organizationId, secret.slice(0, 9));
    const { status, text } = await atom({ 'if-none-match': headers.get('etag') ?? '' });
    expect({ status, text }).toEqual(NOTHING);
  });
});

describe('the log', () => {
  test('has no address of a feed in it, not where one could not be made', async () => {
    await fed.match();
    api.house.storage.eventLog.read = () => Promise.reject(new Error('the disk'));
    const { status, text } = await atom();
    expect([status, text]).toEqual([500, '{"message":"Internal error. The daemon’s log has the details."}']);
    await ask(`/feeds/${secret}.rss`);
    expect(api.log.lines).toMatchObject([{ level: 'error', facts: { method: 'GET', route: '/feeds/:file' } }]);
    expect(JSON.stringify(api.log.lines)).not.toContain(secret.slice(5));
  });
});
