import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Extraction } from '../../../../src/shared/page/read/extract.ts';
import { extractSelected } from '../../../../src/shared/page/read/extract-selected.ts';
import { contentOf } from '../../../../src/shared/page/structure/content.ts';
import { checkSelector } from '../../../../src/shared/page/select/selectors.ts';
import { bytesOf, textsOf } from '../reading.ts';

const read = (
  html: string,
  select: readonly string[],
  ignore: readonly string[] = [],
  contentType = 'text/html',
): Extraction =>
  extractSelected({ url: 'https://example.com/', contentType, bytes: bytesOf(html) }, { select, ignore });

function lines(...given: Parameters<typeof read>): string[] {
  const found = read(...given);
  if (!found.ok) throw new Error(found.detail);
  expect(found.page.segments.every(({ zone }) => zone === 'main' || given[1].length === 0)).toBe(true);
  return contentOf(found.page).map(({ text }) => text);
}

describe('a selection', () => {
  test('is read in the order of the page, nested elements once', () => {
    const html = '<p class=b>One.</p><div class=a><p class=b>Two.</p></div><p>Three.</p>';
    expect(lines(html, ['.a', '.b'])).toEqual(['One.', 'Two.']);
    expect(read(html, ['.a', '.b', '.c'])).toMatchObject({
      found: [
        { selector: '.a', found: 1 },
        { selector: '.b', found: 2 },
        { selector: '.c', found: 0 },
      ],
    });
  });

  test('counts wherever it stands: in the navigation, in a hidden box, as a button', () => {
    const html = '<nav><a href=/x>Prices</a></nav><div hidden><p id=h>Hidden.</p></div><button>Sold out</button>';
    expect(lines(html, ['nav', '#h', 'button'])).toEqual(['Prices', 'Hidden.', 'Sold out']);
    expect(lines('<div class=a>10 EUR<button>Buy</button><p hidden>No.</p><script>x()</script></div>', ['.a'])).toEqual(
      ['10 EUR', 'Buy'],
    );
  });

  test('parts what stands side by side, and keeps cells of a row together', () => {
    expect(lines('<span class=a>10</span><span class=a>20</span>', ['.a'])).toEqual(['10', '20']);
    expect(lines('<table><tr><td class=a>1<td>2<td class=a>3</table>', ['.a'])).toEqual(['1 | | 3']);
  });

  test('leaves the title, and takes out first what is ignored', () => {
    const html = '<title>Shop</title><div class=a>Lamp <b class=x>new</b></div><div class=b><i class=x>y</i></div>';
    expect(read(html, ['.a'], ['.x'])).toMatchObject({ page: { title: 'Shop', segments: [{ text: 'Lamp' }] } });
    expect(read(html, ['div:has(i)'], ['.x'])).toMatchObject({ ok: false, reason: 'selector' });
    expect(lines(html, [], ['.x', '.b'])).toEqual(['Lamp']);
  });

  test('may be without text, and is then no empty page', () => {
    expect(lines('<p id=alert></p>', ['#alert'])).toEqual([]);
  });

  test('that finds nothing is a failure, which names all that was asked for', () => {
    expect(read('<p>One.</p>', ['.a', '#b > c'])).toEqual({
      ok: false,
      reason: 'selector',
      detail: 'No element of the page matches ".a" or "#b > c".',
    });
  });

  test.each([
    ['text/plain', '<p>One.</p>', 'plain text'],
    ['application/pdf', '%PDF-1.4', 'a PDF'],
  ])('of %s is a failure: selectors need HTML or XML', (contentType, body, name) => {
    expect(read(body, ['p'], [], contentType)).toEqual({
      ok: false,
      reason: 'selector',
      detail: `Selectors need an HTML page or XML, and this is ${name}.`,
    });
  });

  test('of XHTML works, and classes are compared as the page has it: without a doctype in either case', () => {
    const xhtml =
      '<html xmlns="http://www.w3.org/1999/xhtml"><body><script src="a"/><p class="a">One.</p></body></html>';
    expect(lines(xhtml, ['.a'], [], 'application/xhtml+xml')).toEqual(['One.']);
    expect(lines('<p class=Price>10', ['.price'])).toEqual(['10']);
    expect(read('<!doctype html><p class=Price>10', ['.price'])).toMatchObject({ reason: 'selector' });
  });

  test.each([
    'li:nth-child(2)',
    'li + .x',
    '.x ~ li.y',
    'ul > :last-of-type',
    'li:not(.x):not(.y):nth-child(2)',
    'ul:has(> .y) li:nth-of-type(2)',
    'li:contains("Two")',
    'svg linearGradient, [data-n="2"]',
  ])('%s', (selector) => {
    const html = '<ul><li class=x>One<li data-n=2>Two<li class=y>Three<li class=z>Four</ul>';
    const expected: Record<string, string[]> = {
      '.x ~ li.y': ['Three'],
      'ul > :last-of-type': ['Four'],
      'li + .x': [],
    };
    expect(read(html, [selector, 'ul']).ok).toBe(true);
    const found = read(html, [selector]);
    expect(found.ok ? found.page.segments.map(({ text }) => text) : []).toEqual(expected[selector] ?? ['Two']);
  });

  test('of everything is what the page says, whatever stands where', () => {
    const part = fc.constantFrom('<p>One.</p>', '<li>Two</li>', '<div><b>Three</b> here.</div>', '<h2>Four</h2>', 'x ');
    fc.assert(
      fc.property(fc.array(part, { minLength: 1 }), (parts) => {
        const html = `<main>${parts.join('')}</main>`;
        expect(lines(html, ['main'])).toEqual(textsOf(html));
      }),
    );
  });
});

describe('a page made to cost time', () => {
  const refused = { ok: false, reason: 'selector' };

  test('a long list with a selector that looks at all neighbours of each', () => {
    const html = `<ul>${'<li>a'.repeat(20_000)}</ul>`;
    expect(read(html, ['li:nth-child(odd)'])).toMatchObject(refused);
    expect(read(html, ['li + li:last-child']).ok).toBe(true);
  });

  test('100,000 nested elements', () => {
    expect(read('<div>'.repeat(100_000), ['div:has(> p)'])).toMatchObject(refused);
    expect(read(`${'<div>'.repeat(900)}<p>x`, ['div > p']).ok).toBe(true);
  });

  test('a class of a megabyte that each element below it looks at', () => {
    const html = `<div class="${'a '.repeat(500_000)}">${'<p>x</p>'.repeat(1_000)}</div>`;
    expect(read(html, ['.b p'])).toMatchObject(refused);
  });

  test('texts inside one another that are searched', () => {
    const html = `${'<div>'.repeat(990)}${'word '.repeat(400_000)}`;
    expect(read(html, ['div:contains(word)'])).toMatchObject(refused);
  });
});

describe('a selector', () => {
  test.each([
    'p',
    'div > p.a, #b',
    '[data-x="a,b]"] > i',
    'p:nth-child(2n + 1 of .x)',
    'div:has(p):not(:has(b))',
    'div:has(> p, + p)',
    'a[href^="http" i]',
    'p/* price, old */ b',
    '\\31 0',
    'h1 ~ p + p',
    ':is(.a, .b) b',
  ])('%s is taken', (selector) => {
    expect(checkSelector(selector)).toBeUndefined();
  });

  test.each([
    ['', 'is empty'],
    ['  ', 'is empty'],
    ['p::before', '"::before", at character 2'],
    ['a, p:first-line', '":first-line", at character 5'],
    ['a:hover', '":hover", at character 2'],
    ['div:has(p:has(b))', '":has" inside ":has", at character 10'],
    ['p(', 'The "(" at character 2 of the selector is never closed'],
    ['a, p)', 'The ")" at character 5 of the selector closes nothing'],
    ['[a', 'The "[" at character 1'],
    ['[a="x]', 'The quote at character 4'],
    ['p /* x', 'The comment at character 3'],
    ['p,', 'after the last comma'],
    ['p,,q', 'before the comma at character 3'],
    [':is()', 'before the ")" at character 5'],
    ['p >', 'Nothing follows the ">" at character 3'],
    ['p > , q', 'Nothing follows the ">" at character 3'],
    ['> p', 'Nothing stands before the ">" at character 1'],
    ['p, + q', 'Nothing stands before the "+" at character 4'],
    ['p:is(~ q)', 'Nothing stands before the "~" at character 6'],
    [':is(p +) q', 'Nothing follows the "+" at character 7'],
    ['p:foo', '":foo", at character 2'],
    ['p:nth-child(x)', "n-th rule couldn't be parsed"],
    ['p:nth-child', 'needs something in parentheses'],
    ['svg|a', 'Namespaced'],
    ['@media print', '"@", at character 1'],
    ['p..', 'not understood from character 3 on'],
    ['a b c '.repeat(20), 'more than 40 parts'],
  ])('%j is refused with its place', (selector, said) => {
    expect(checkSelector(selector)).toContain(said);
  });

  test('of any text is either taken, and then can be used, or refused in a sentence', () => {
    const pieces = fc.constantFrom(
      ...'a .b #c > + ~ , ( ) [ ] : :not( :has( :is( = " \' \\ * p:nth-child( 2n+1 | / < é'.split(' '),
      ' ',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const selector = parts.join('');
        const said = checkSelector(selector);
        const found = read('<p class=b>One <b id=c>two</b>.</p>', [], [selector]);
        expect(said === undefined ? found.ok : /^[A-Z"].*\.$/s.test(said)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
