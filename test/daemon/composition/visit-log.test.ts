import { expect, test } from 'vitest';
import { RecentProblems, type Subject } from '../../../src/daemon/composition/status.ts';
import { outside } from '../../../src/daemon/outside.ts';

const all = (): Promise<boolean> => Promise.resolve(true);
const page = (url: string): Subject => ({ kind: 'page', url });

test('losses take the places of the oldest problems, and more losses than places leave none', async () => {
  const problems = new RecentProblems(outside);
  const messages = async (): Promise<string[]> => (await problems.newest(all)).map(({ message }) => message);
  for (const message of ['one', 'two', 'three']) problems.note(message);
  problems.keep('loss 1');
  expect(await messages()).toEqual(['three', 'two', 'one', 'loss 1']);
  const losses = Array.from({ length: 11 }, (_, index) => `loss ${index + 1}`);
  for (const loss of losses.slice(1)) problems.keep(loss);
  expect(await messages()).toEqual(losses);
});

test('a page, and a watch, that fails again and again is one problem, the newest, with how often', async () => {
  const problems = new RecentProblems(outside);
  for (const url of ['http://a.example/', 'http://b.example/', 'http://a.example/'])
    problems.note(`${url}: 503`, page(url));
  problems.note('http://a.example/: 404', page('http://a.example/'));
  for (let times = 0; times < 20; times += 1) problems.note('watch http://w.example/: 401', { kind: 'watch', id: 'w' });
  expect(await problems.newest(all)).toMatchObject([
    { message: 'watch http://w.example/: 401', count: 20 },
    { message: 'http://a.example/: 404', count: 3 },
    { message: 'http://b.example/: 503' },
  ]);
});

test('problems of what was removed are forgotten, and those behind them take their places', async () => {
  const problems = new RecentProblems(outside);
  problems.note('the disk is full');
  for (let at = 0; at < 30; at += 1) problems.note(`http://x.example/${at}: 404`, page(`http://x.example/${at}`));
  const isThere = (subject: Subject): Promise<boolean> =>
    Promise.resolve(subject.kind === 'page' && subject.url.endsWith('/7'));
  expect((await problems.newest(isThere)).map(({ message }) => message)).toEqual([
    'http://x.example/7: 404',
    'the disk is full',
  ]);
});
