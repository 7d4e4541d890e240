import { describe, expect, test } from 'vitest';
import { compare } from '../../../../src/shared/page/compare.ts';
import { carriesFigure } from '../../../../src/shared/page/read/figures.ts';
import { pageOf, textsOf } from '../reading.ts';

const PROSE = Array.from(
  { length: 5 },
  (_, index) =>
    `<p>Boat number ${index} leaves the old harbour at dawn, crosses the bay in the lee of the island, and is back by noon.</p>`,
).join('');
const main = (html: string): string => `<main><h1>Boats</h1>${html}${PROSE}</main>`;
const isSeen = (before: string, after: string): boolean =>
  compare(pageOf(main(before)), pageOf(main(after))).change !== undefined;

describe('what a reader sees of a control', () => {
  test.each([
    ['a button that sells', '<button>Add to basket</button>', '<button>Out of stock</button>'],
    ['in another language', '<button>Lägg i varukorgen</button>', '<button>Slutsåld</button>'],
    [
      'a button by its name in the code',
      '<button class="btn add-to-cart">Hop!</button>',
      '<button class="btn add-to-cart">Uh</button>',
    ],
    ['a button that is switched on', '<button disabled>Add to cart</button>', '<button>Add to cart</button>'],
    [
      'the value of a submit button',
      '<input type=submit value="Buy for 9 EUR">',
      '<input type=submit value="Buy for 8 EUR">',
    ],
    [
      'a price of an option',
      '<select><option>S – 9 €<option>L – 12 €</select>',
      '<select><option>S – 9 €<option>L – 13 €</select>',
    ],
    [
      'the option that is chosen',
      '<select><option selected>Small<option>Large</select>',
      '<select><option>Small<option selected>Large</select>',
    ],
    ['a field that nobody can change', '<input readonly value="12 kg">', '<input readonly value="13 kg">'],
    ['a price that is struck out no more', '<p><s>10 EUR</s></p>', '<p>10 EUR</p>'],
    ['a tick in a table', '<table><tr><td>SSO<td><img alt=No></table>', '<table><tr><td>SSO<td><img alt=Yes></table>'],
  ])('%s is seen', (_, before, after) => {
    expect(isSeen(before, after)).toBe(true);
  });

  test.each([
    ['a button that opens something', '<button>Show more</button>', '<button>Show less</button>'],
    [
      'a list of countries',
      `<select>${'<option>Chad'.repeat(70)}</select>`,
      `<select>${'<option>Mali'.repeat(70)}</select>`,
    ],
    ['a field that readers fill in', '<input value=a>', '<input value=b>'],
    ['the sign of a heading', '<h2>Tides<a href="#tides">¶</a></h2>', '<h2>Tides</h2>'],
    ['a reading beside its characters', '<p><ruby>港<rt>みなと</rt></ruby></p>', '<p>港</p>'],
  ])('%s is not', (_, before, after) => {
    expect(isSeen(before, after)).toBe(false);
  });
});

describe('text that something on the page opens', () => {
  test.each([
    ['by aria-controls', '<button aria-controls="a b">Fees</button><div id=b hidden><p>One euro.</p></div>'],
    ["by Bootstrap's names", '<a data-bs-target="#b">Fees</a><div id=b aria-hidden=true><p>One euro.</p></div>'],
    ['as a tab', '<div role=tabpanel hidden><p>One euro.</p></div>'],
    ['as a shadow root', '<fee-table><template shadowrootmode=open><p>One euro.</p></template></fee-table>'],
  ])('%s is read', (_, html) => {
    expect(textsOf(main(html))).toContain('One euro.');
  });

  test('what is hidden for good is not, nor a template', () => {
    const texts = textsOf(main('<div id=c hidden><p>One euro.</p></div><template><p>Two euros.</p></template>'));
    expect(texts).not.toContain('One euro.');
    expect(texts).not.toContain('Two euros.');
  });
});

describe('a page with little text of its own', () => {
  test.each([
    '<noscript><p>The fare is one euro.</p></noscript>',
    '<template><p>The fare is one euro.</p></template>',
    '<script type="text/template"><p>The fare is one euro.</p></script>',
  ])('is read with what it has for readers without scripts: %s', (html) => {
    expect(textsOf(`<h1>Fares</h1>${html}`)).toEqual(['Fares', 'The fare is one euro.']);
    expect(textsOf(`${main('')}${html}`)).not.toContain('The fare is one euro.');
  });

  test('but for the request to turn scripts on', () => {
    expect(textsOf('<h1>Fares</h1><noscript>Please enable JavaScript.</noscript>')).toEqual(['Fares']);
  });
});

test('words of neighbouring elements are kept apart, and parts of one word are not', () => {
  expect(textsOf('<p><del>12 EUR</del><ins>10 EUR</ins></p>')).toEqual(['~~12 EUR~~ 10 EUR']);
  expect(textsOf('<div><span class=a>Gateway</span><span class=b>Operational</span></div>')).toEqual([
    'Gateway Operational',
  ]);
  expect(textsOf('<div><span class=c>$</span><span class=n>19</span><span class=p>/mo</span></div>')).toEqual([
    '$19/mo',
  ]);
  expect(textsOf('<p><b>H</b><sub>2</sub>O</p>')).toEqual(['H2O']);
});

test('a date with dots and spaces is one text', () => {
  expect(textsOf('<p>입력 2026. 11. 22. 14:05</p>')).toEqual(['입력 2026. 11. 22. 14:05']);
});

test.each([
  ['$19', true],
  ['19,90 €', true],
  ['1 299 kr', true],
  ['￥3,000', true],
  ['₹ 1,49,900', true],
  ['v2.4.1', true],
  ['4.5 %', true],
  ['5 things to know', false],
  ['Richest man spends $1B on a shop', false],
  ['3 May 2026', false],
  ['Page 2', false],
])('%s carries a figure: %s', (text, carries) => {
  expect(carriesFigure(text)).toBe(carries);
});
