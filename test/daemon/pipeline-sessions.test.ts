import { describe, expect, test } from 'vitest';
import type { Fetched } from '../../src/daemon/fetch/fetched.ts';
import { leadTo, targetOf } from '../../src/daemon/discovery/discover.ts';
import { answer, body, page, World } from './pipeline-world.ts';

const clean = 'http://news.example.com/story';
const session = 'PHPSESSID=0123456789abcdef0123456789';
const written = `${clean}?${session}`;
const story = page('The harbour opens at nine.');
const missing = (): Fetched => ({
  outcome: 'failed',
  reason: 'status',
  detail: 'it answered 404',
  answer: answer(404),
});

/** A world where a link with a session is what was found, and the answers go by the address that is asked for. */
async function linked(answers: (url: string) => Fetched): Promise<World> {
  const it = new World();
  await it.storage.frontier.putSource({ id: 'source', everyMs: 600_000, maxPages: 100, isPaused: false }, [], it.now);
  await lead(it, written);
  it.rule('all', 'domain:"example.com"');
  it.answer = () => answers(it.requests.at(-1)?.url ?? '');
  return it;
}

async function lead(it: World, url: string): Promise<void> {
  const target = targetOf(url);
  if (!target) throw new Error(`no page: ${url}`);
  const said = { seedHost: 'news.example.com', depth: 1, kind: 'article', urgency: 0, isBaseline: false } as const;
  await it.storage.frontier.offer([{ sourceId: 'source', leads: [leadTo(target, said)] }], it.now);
}

const asked = (it: World): string[] => it.requests.map(({ url }) => url);
const told = (it: World): string[] => it.delivered.map(({ document }) => (JSON.parse(document) as { url: string }).url);
const turns = async (it: World, count: number): Promise<void> => {
  for (let made = 0; made < count; made += 1) await it.turn();
};

describe('an address with a session in it', () => {
  test('that answers alike without it is reported and asked for without it, once for all of its host', async () => {
    const it = await linked((url) => body(story, { url }));
    await turns(it, 2);
    expect(asked(it)).toEqual([clean, written]);
    expect(told(it)).toEqual([clean]);
    await lead(it, `http://news.example.com/other;jsessionid=0A1B?${session}`);
    await turns(it, 1);
    it.later();
    await turns(it, 2);
    expect(asked(it).slice(2)).toEqual(['http://news.example.com/other', clean, 'http://news.example.com/other']);
  });

  test.each<[string, () => Fetched]>([
    ['is not there', missing],
    ['is a page of its own', () => body(page('Please begin at our front page.'), { url: clean })],
    ['says that it is not there', () => body('<title>Page not found</title><p>Sorry.', { url: clean })],
  ])('that without it %s is reported as it was found', async (_, without) => {
    const it = await linked((url) => (url === written ? body(story, { url }) : without()));
    await turns(it, 3).catch(() => undefined);
    expect(told(it)).toEqual([written]);
    it.later();
    await turns(it, 1);
    expect(asked(it).at(-1)).toBe(written);
  });

  test('whose session is over is asked for without it', async () => {
    const it = await linked((url) => (url === written ? missing() : body(story, { url })));
    await turns(it, 3);
    expect(told(it)).toEqual([clean]);
  });

  test('that a server writes into every address is reported without it', async () => {
    const it = await linked(() => body(story, { url: `${clean}?PHPSESSID=of-this-visit` }));
    await turns(it, 2);
    expect(told(it)).toEqual([clean]);
  });

  test('that is gone is a failed visit', async () => {
    const it = await linked(missing);
    await turns(it, 2);
    expect(it.commits).toMatchObject([{ outcome: 'failed', status: 404 }]);
  });

  test('is none where it names a thing', async () => {
    const it = await linked((url) => body(story, { url }));
    await lead(it, 'http://news.example.com/story?sid=12');
    await turns(it, 3);
    expect(asked(it)).toContain('http://news.example.com/story?sid=12');
  });
});
