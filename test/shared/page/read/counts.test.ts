import { expect, test } from 'vitest';
import { pageOf } from '../reading.ts';

const countsIn = (html: string): object => pageOf(`<p>text</p>${html}`).facts.counts;

test('counts what tells the kind of a page', () => {
  const html = `<article><time>now</time><img src=a><img src=b><video></video><audio></audio><iframe></iframe>
    <pre>a</pre><p><code>b</code></p><span itemprop="price">3</span><meta itemprop="lowPrice" content="2"></article>
    <form><input><input type=radio><textarea></textarea></form>`;
  expect(countsIn(html)).toEqual({
    article: 1,
    time: 1,
    image: 2,
    video: 1,
    audio: 1,
    iframe: 1,
    code: 2,
    price: 2,
    form: 1,
    input: 2,
    textarea: 1,
  });
});

test.each([
  ['boilerplate by its element', '<nav><form><input></form></nav>'],
  ['boilerplate by its name', '<div class="newsletter"><form><input></form></div>'],
  ['hidden things', '<div hidden><form><input></form></div>'],
  ['fields that nobody fills in', '<input type=hidden><input type=Submit>'],
  ['pixels', '<img width=1 height=1><img height="0px">'],
  ['nothing', ''],
])('leaves out %s', (_, html) => {
  expect(countsIn(html)).toEqual({});
});
