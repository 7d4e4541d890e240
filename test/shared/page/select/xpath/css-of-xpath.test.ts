import fc from 'fast-check';
import { parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { describe, expect, test } from 'vitest';
import { NothingSelected } from '../../../../../src/shared/page/select/selection.ts';
import { checkSelector, selectIn } from '../../../../../src/shared/page/select/selectors.ts';
import { cssOfXPath } from '../../../../../src/shared/page/select/xpath/css-of-xpath.ts';
import { elementsByXPath } from '../../../../reference/xpath.ts';

describe('XPath as CSS', () => {
  test.each([
    ['//main', 'main'],
    ['//*', '*'],
    ['.//p', 'p'],
    ["//div[@id='x']", 'div[id="x"]'],
    ['//*[@id = "it\'s"]', `[id="it's"]`],
    [`//a[@title='say "no"\\']`, String.raw`a[title="say \"no\"\\"]`],
    ["//*[contains(@class,'a')]", '[class*="a"]'],
    ["//*[contains(normalize-space(@class), 'a')]", '[class*="a"]'],
    ["//p[contains(concat(' ', normalize-space(@class), ' '), ' price ')]", 'p[class~="price"]'],
    ["//p[contains(concat(' ', @class, ' '), ' price ')]", 'p[class~="price"]'],
    ["//a[starts-with(@href, 'https:') and ends-with(@href, '.pdf')]", 'a[href^="https:"][href$=".pdf"]'],
    ['/html/body/div[2]/p[1]', 'html > body > div:nth-of-type(2) > p:first-of-type'],
    ['/html//ul/*[last()]', 'html ul > :last-child'],
    ['//tr[position() > 1]/td[position()<=2]', 'tr:nth-of-type(n+2) > td:nth-of-type(-n+2)'],
    ['/child::html/descendant::p', 'html p'],
    ['//a[@href][not(@rel)]', 'a[href]:not([rel])'],
    ["//a[@rel='next' or @rel='prev']", 'a:is([rel="next" s], [rel="prev" s])'],
    ["//li[@class!='ad']", 'li[class]:not([class="ad"])'],
    ['//ul[li/a]', 'ul:has(> li > a)'],
    ["//tr[.//td[@class='new']]", 'tr:has(td[class="new"])'],
    ["//p[../@id='x']", 'p:is([id="x"] > *)'],
    ['//p[ancestor::article and preceding-sibling::h2]', 'p:is(article *):is(h2 ~ *)'],
    ['//h2/following-sibling::p', 'h2 ~ p'],
    ['//h2/following-sibling::*[1][self::ul]', 'h2 + :is(ul)'],
    ['//td/..', ':has(> td)'],
    ["//a[@class='x']/ancestor::li", 'li:has(a[class="x"])'],
    ["//*[local-name()='svg']", ':is(svg)'],
    ["//input[@type='Text']", 'input[type="Text" s]'],
    ['(//main)', 'main'],
    ['/div', 'div:root'],
  ])('%s is %s', (xpath, css) => {
    expect(cssOfXPath(xpath)).toEqual({ isOk: true, selectors: [css] });
    expect(checkSelector(css)).toBeUndefined();
  });

  test('of a union is a selector each, and each once', () => {
    expect(cssOfXPath('//h1|//h2 | .//h1')).toEqual({ isOk: true, selectors: ['h1', 'h2'] });
  });

  test.each([
    ['', 'it ends in the middle of a path or a condition'],
    ['//', 'it ends in the middle of a path or a condition'],
    ['//p[', 'it ends in the middle of a path or a condition'],
    ['//p]', '"]", at character 4, is not understood there'],
    ["//p[@a='x]", 'it is not understood from character 8 on'],
    ['//p[@a=$x]', '"$", at character 8, is not understood there'],
    ['p', 'it does not begin with / or //'],
    ['//x:p', '"x:p" has a prefix of a namespace'],
    ["id('x')/p", 'id() is no step to an element'],
    ['(//p)[1]', 'what follows the parentheses is about all that is found, and CSS looks at one element'],
    ["//p[@class='a'][1]", 'it counts among what another condition has left'],
    ['//p[position()=2 and @a]', 'it counts among what another condition has left'],
    ['/descendant::p[1]', 'it counts elements at any depth'],
    ['//p[0]', 'it asks for the place = 0'],
    ['//p[last() - 1]', '"-", at character 12, is not understood there'],
    ["//p[contains(text(), 'x')]", 'it selects by the text of the page'],
    ["//p[. = 'x']", 'it selects by the text of the page'],
    ["//p[normalize-space() = 'x']", 'it selects by the text of the page'],
    ["//p[b = 'x']", 'it selects by the text of the page'],
    ["//p[matches(@class, 'x')]", 'matches() has no counterpart'],
    ['//td[@colspan = 2]', 'it compares what is no text in quotes'],
    ['//p[count(a) = 2]', 'count() has no counterpart'],
    ['//p/constructor::a', 'the axis constructor is not known'],
    ["//p[constructor(@a, 'x')]", 'constructor() has no counterpart'],
    ['//p[//main]', 'a condition asks for what is elsewhere on the page'],
    ['//p[a[b]]', 'its conditions about other elements have such conditions themselves'],
    ['//ul/li/..', 'it goes back (parent) from the end of a path'],
    ['//comment()', 'it selects by comment(), and not elements'],
    ['//p/following::a', 'the axis following is not known'],
    ['//p[@*]', 'it asks for any attribute'],
    ['//p[false()]', 'no element can meet its conditions'],
    [`//p${'[a'.repeat(30)}${']'.repeat(30)}`, 'its conditions are nested too deeply'],
    [`//${'p'.repeat(1_000)}`, 'it is longer than 1000 characters'],
  ])('%s is refused: %s', (xpath, reason) => {
    expect(cssOfXPath(xpath)).toEqual({ isOk: false, reason });
  });

  test.each([
    ['//a/@href', 'it selects the attribute href, and not elements', 'a'],
    ["//div[@class='v']/text()", 'it selects texts, and not elements', 'div[class="v"]'],
  ])('%s has elements behind what it selects: %s', (xpath, reason, element) => {
    expect(cssOfXPath(xpath)).toEqual({ isOk: false, reason, element });
  });
});

const TAGS = ['div', 'p', 'ul', 'li', 'b'] as const;
const ATTRIBUTES = ['id', 'class', 'type', 'data-x'] as const;
const VALUES = ['a', 'b', 'A', 'a b', 'ab', 'b  a', ' a', '', 'x"\\y'] as const;

const tag = fc.constantFrom(...TAGS);
const attribute = fc.constantFrom(...ATTRIBUTES);
const text = fc.constantFrom(...VALUES);
const quoted = text.map((value) => `'${value}'`);

/** Nested blocks, which a parser of HTML leaves as they are. */
const { node: html } = fc.letrec<{ node: string }>((tie) => ({
  node: fc
    .record({
      name: fc.constantFrom('div', 'ul', 'li', 'b'),
      attributes: fc.uniqueArray(fc.tuple(attribute, text), { selector: ([name]) => name, maxLength: 3 }),
      inner: fc.array(
        fc.oneof({ maxDepth: 4 }, fc.constantFrom('a', ' '), fc.constant('<p class=a>x</p>'), tie('node')),
        {
          maxLength: 4,
        },
      ),
    })
    .map(({ name, attributes, inner }) => {
      const written = attributes.map(([key, value]) => ` ${key}="${value.replaceAll('"', '&quot;')}"`).join('');
      return `<${name}${written}>${inner.join('')}</${name}>`;
    }),
}));

const named = fc.oneof(tag, fc.constant('*'));
const place = fc.constantFrom(
  '1',
  '2',
  'last()',
  'position()=2',
  'position() > 1',
  'position() < 3',
  'position() >= 2',
);
const { condition } = fc.letrec<{ condition: string }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    attribute.map((name) => `@${name}`),
    fc.tuple(attribute, fc.constantFrom('=', '!='), quoted).map(([name, sign, value]) => `@${name} ${sign} ${value}`),
    fc
      .tuple(fc.constantFrom('contains', 'starts-with', 'ends-with'), attribute, quoted)
      .map(([name, of, value]) => `${name}(@${of}, ${value})`),
    fc
      .tuple(attribute, fc.constantFrom('a', 'b', 'ab'))
      .map(([name, word]) => `contains(concat(' ', normalize-space(@${name}), ' '), ' ${word} ')`),
    fc
      .tuple(attribute, fc.constantFrom('a', 'ab'))
      .map(([name, word]) => `contains(normalize-space(@${name}), '${word}')`),
    fc
      .tuple(fc.constantFrom('', './/', './', 'descendant::', 'following-sibling::'), named)
      .map((path) => path.join('')),
    fc.tuple(named, fc.constantFrom('/', '//'), named).map((path) => path.join('')),
    fc
      .tuple(fc.constantFrom('parent::', 'ancestor::', 'preceding-sibling::', 'self::'), named)
      .map((path) => path.join('')),
    fc
      .tuple(fc.constantFrom('..', 'p', './/li', 'ancestor::div'), attribute, fc.constantFrom('=', '!='), quoted)
      .map(([path, name, sign, value]) => `${path}/@${name}${sign}${value}`),
    tag.map((name) => `local-name()='${name}'`),
    tie('condition').map((inner) => `not(${inner})`),
    fc
      .tuple(tie('condition'), fc.constantFrom('and', 'or'), tie('condition'))
      .map(([one, sign, other]) => `(${one} ${sign} ${other})`),
    fc.tuple(tag, tie('condition')).map(([name, inner]) => `.//${name}[${inner}]`),
  ),
}));
const predicates = fc
  .tuple(fc.option(place, { freq: 4 }), fc.array(condition, { maxLength: 2 }))
  .map(([first, others]) => [...(first === null ? [] : [first]), ...others].map((one) => `[${one}]`).join(''));
const step = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(fc.constantFrom('/', '//'), named, predicates).map((parts) => parts.join('')) },
  fc.tuple(fc.constantFrom('/descendant::', '/following-sibling::'), named, predicates).map((parts) => parts.join('')),
  fc.constantFrom(
    '/following-sibling::*[1]',
    '/following-sibling::*[1][self::p]',
    '/self::div',
    '/..',
    '/ancestor::div',
  ),
  fc.tuple(fc.constantFrom('/parent::', '/preceding-sibling::'), named).map((parts) => parts.join('')),
);
const xpath = fc
  .tuple(
    fc.constantFrom('//', './/', '/html/body/', '/descendant::', '/'),
    named,
    predicates,
    fc.array(step, { maxLength: 3 }),
  )
  .map(([begin, name, of, steps]) => begin + name + of + steps.join(''));

function selected(document: Tree.Document, selectors: readonly string[]): Set<Tree.Element> {
  try {
    return new Set(selectIn(document, { select: selectors, ignore: [] }).elements);
  } catch (refusal) {
    if (refusal instanceof NothingSelected && refusal.message.startsWith('No element')) return new Set();
    throw refusal;
  }
}

describe('a translated XPath', () => {
  test('selects the elements that XPath selects, on any page', () => {
    const counts = { all: 0, translated: 0, found: 0 };
    const page = fc.tuple(fc.constantFrom('<!doctype html>', ''), fc.array(html, { maxLength: 5 }));
    fc.assert(
      fc.property(xpath, page, (path, [doctype, blocks]) => {
        counts.all += 1;
        const translation = cssOfXPath(path);
        if (!translation.isOk) return;
        counts.translated += 1;
        const { selectors } = translation;
        for (const selector of selectors) expect(checkSelector(selector)).toBeUndefined();
        const document = parse(doctype + blocks.join(''));
        const wanted = new Set(elementsByXPath(path, document));
        if (wanted.size > 0) counts.found += 1;
        expect(selected(document, selectors)).toEqual(wanted);
      }),
      { numRuns: 1_000 },
    );
    // Else it would hold by refusing.
    expect(counts.translated).toBeGreaterThan(counts.all / 2);
    expect(counts.found).toBeGreaterThan(counts.all / 20);
  });

  test('is one or a reason, for any text', () => {
    const words = fc.constantFrom(..."/ // [ ] ( ) @ * . .. :: p and 'a' 1 not = |".split(' '), ' ');
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(words, { maxLength: 20 }).map((some) => some.join('')),
        ),
        (written) => {
          const translation = cssOfXPath(written);
          const flaws = translation.isOk ? translation.selectors.flatMap((one) => checkSelector(one) ?? []) : [];
          expect([flaws, 'reason' in translation && translation.reason === '']).toEqual([[], false]);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
