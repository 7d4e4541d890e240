import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultsOfAtom, faultsOfJsonFeed } from '../conformance/feed-rules.ts';
import type { FeedCreated } from '../../src/shared/api/feed.ts';
import { ChangingSite } from './changing-site.ts';
import { loopback, RealDaemon, until } from './real-daemon.ts';

/** What a feed reader is given that has an address and nothing else. */
describe('a feed by address', () => {
  let site: ChangingSite;
  let daemon: RealDaemon;
  let [crawled, watched] = ['', ''];

  beforeAll(async () => {
    site = await ChangingSite.start(2, 170);
    [crawled = '', watched = ''] = site.urls;
    daemon = await RealDaemon.start([...loopback, '--log-level', 'debug']);
    await daemon.hydrant(['tap', 'create', 'news']);
    await daemon.hydrant(['rule', 'add', 'news', 'fox', '--tag', 'foxes', '--no-quality', '--no-try']);
    await daemon.hydrant(['crawl', 'add', crawled, '--every', '1d']);
    // Visited by itself, once: a visit that is asked for might be the second.
    await until('the first match', async () => (await daemon.hydrant(['tap', 'feed', 'news'])).includes('<entry>'));
    await daemon.hydrant(['watch', 'add', watched, '--tag', 'shop', '--wait']);
    // It says by its exit code that there is a change.
    await daemon.run('hydrant', ['watch', 'check', watched, '--wait']);
  });
  afterAll(async () => {
    site.close();
    await daemon.dispose();
  });

  const add = async (...words: string[]): Promise<FeedCreated['addresses']> => {
    const made = JSON.parse(await daemon.hydrant(['feed', 'add', ...words, '--json'])) as Pick<
      FeedCreated,
      'addresses'
    >;
    return made.addresses;
  };
  const titles = (atom: string): string[] =>
    [...atom.matchAll(/<link rel="alternate" href="([^"]*)"/g)].map(([, at = '']) => at);

  test('is what `hydrant tap feed` writes, and is sent again only where there is more, over a kill, too', async () => {
    const { atom, json } = await add('--tap', 'news', '--name', 'phone');
    const first = await fetch(atom);
    const text = await first.text();
    expect([first.status, faultsOfAtom(text), titles(text)]).toEqual([200, [], [crawled]]);
    expect(text).toBe(await daemon.hydrant(['tap', 'feed', 'news']).then((written) => `${written}\n`));
    const other = await (await fetch(json)).text();
    expect(faultsOfJsonFeed(other)).toEqual([]);
    expect(other).toBe(`${await daemon.hydrant(['tap', 'feed', 'news', '--format', 'json'])}\n`);

    const etag = first.headers.get('etag') ?? '';
    const known = async (): Promise<number> => (await fetch(atom, { headers: { 'if-none-match': etag } })).status;
    const modified = first.headers.get('last-modified') ?? '';
    expect((await fetch(atom, { headers: { 'if-modified-since': modified } })).status).toBe(304);
    expect(await known()).toBe(304);
    await daemon.kill();
    await daemon.start();
    expect(await known()).toBe(304);

    await daemon.hydrant(['crawl', 'visit', crawled, '--wait']);
    const next = await fetch(atom, { headers: { 'if-none-match': etag } });
    const more = await next.text();
    expect([next.status, faultsOfAtom(more), titles(more)]).toEqual([200, [], [crawled, crawled]]);
    for (const [id] of text.matchAll(/<id>.*<\/id>/g)) expect(more).toContain(id);

    await daemon.hydrant(['feed', 'remove', 'phone', '--yes']);
    const gone = await fetch(atom, { headers: { 'if-none-match': etag } });
    expect([gone.status, await gone.json()]).toEqual([404, { message: 'There is no such feed.' }]);
  });

  test('is of a watch, as `hydrant watch feed` writes it, and of a tag', async () => {
    const { atom } = await add('--watch', watched);
    const text = await (await fetch(atom)).text();
    expect([faultsOfAtom(text), titles(text)]).toEqual([[], [watched, watched]]);
    expect(text).toBe(`${await daemon.hydrant(['watch', 'feed', watched])}\n`);
    const { json } = await add('--tag', 'shop');
    const tagged = await (await fetch(json)).text();
    const { items } = JSON.parse(tagged) as { items: { id: string; url: string }[] };
    expect([faultsOfJsonFeed(tagged), items.map(({ url }) => url)]).toEqual([[], [watched]]);
    expect(text).toContain(`<id>${items[0]?.id}</id>`);
  });

  test('leaves its address in no log, no list and no file', async () => {
    const { atom } = await add('--tap', 'news');
    const secret = /svcf_(\w+)/.exec(atom)?.[1] ?? '';
    await fetch(atom);
    await fetch(`${atom}x`);
    const said = [daemon.log, await daemon.hydrant(['feed', 'list', '--json']), await daemon.operatorText('/metrics')];
    // No file comes or goes any more.
    await daemon.stop();
    const files = readdirSync(daemon.dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name)).toString('latin1'));
    expect(secret).toHaveLength(40);
    expect([said.join('\n').includes('svcf_'), files.some((text) => text.includes('"feeds"'))]).toEqual([true, true]);
    expect([...said, ...files].filter((text) => text.includes(secret))).toEqual([]);
  });
});
