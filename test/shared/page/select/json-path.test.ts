import { describe, expect, test } from 'vitest';
import { extractSelected } from '../../../../src/shared/page/read/extract-selected.ts';
import { checkSelector } from '../../../../src/shared/page/select/selectors.ts';

const SHOP = {
  title: 'Shop',
  items: [
    { name: 'tea', price: 3, tags: ['hot', 'green'] },
    { name: 'coffee', price: 4 },
  ],
};

function lines(
  document: unknown,
  select: readonly string[],
  ignore: readonly string[] = [],
): readonly string[] | string {
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  const body = { url: 'https://a.test/', contentType: 'application/json', bytes: Buffer.from(text) };
  const read = extractSelected(body, { select, ignore });
  return read.ok ? read.page.segments.map((segment) => segment.text) : `${read.reason}: ${read.detail}`;
}

describe('JSONPath', () => {
  test.each([
    ['$.items[*].price', ['items.price: 3', 'items.price: 4']],
    ['$.items[0]', ['items.name: tea', 'items.price: 3', 'items.tags: hot', 'items.tags: green']],
    ['$.items[?@.price > 3].name', ['items.name: coffee']],
    ['$.items[?match(@.name, "t.*")].price', ['items.price: 3']],
    ["$..['name']", ['items.name: tea', 'items.name: coffee']],
    ['$.title', ['title: Shop']],
  ])('%s selects what it says, as lines that the whole document has', (path, expected) => {
    expect(lines(SHOP, [path])).toEqual(expected);
    for (const line of expected) expect(lines(SHOP, ['$'])).toContain(line);
  });

  test('that finds nothing is a failure that names it, as for any selector', () => {
    expect(lines(SHOP, ['$.items[*].cost'])).toBe('selector: Nothing in the JSON matches "$.items[*].cost".');
  });

  test.each([
    ['$.items[', 'is not understood'],
    ['$.a..b..c', '".." more than once'],
    ['$[?count(@.*) > 1]', 'looks at many values'],
    ['$[?@..price]', 'looks at many values'],
    ['$[?@.a[?@.b]]', 'looks at many values'],
    ["$['a','b']['c','d']", 'more than one pair of brackets'],
    [`$[${Array.from({ length: 21 }, (_, n) => n).join(',')}]`, 'more than 20 selectors'],
    ['$[?match(@.name, @.pattern)]', 'as a text in quotes'],
    ['$[?search(@.name, "(a")]', 'not in RE2 syntax'],
    [String.raw`$[?search(@.name, "(a)\\1")]`, 'not in RE2 syntax'],
    ['$[?search(@.name, "(a{1000}){1000}")]', 'expression'],
  ])('%s is refused when it is set: it could cost more than a look at the document', (path, words) => {
    expect(checkSelector(path)).toContain(words);
  });

  test('never goes back in a regular expression, and is not ended by depth or number', () => {
    const evil = [{ name: `${'a'.repeat(5_000)}!` }];
    expect(lines(evil, ['$[?search(@.name, "^(a+)+$")]'])).toMatch(/^selector: Nothing/);
    expect(lines(`${'['.repeat(20_000)}${']'.repeat(20_000)}`, ['$..x'])).toMatch(/^(?:selector|malformed): /);
    expect(
      lines(
        Array.from({ length: 10_001 }, (_, n) => ({ n })),
        ['$[*].n'],
      ),
    ).toMatch(/more than 10000 values/);
  });

  test('needs JSON, and selectors of CSS do not select in it', () => {
    const html = { url: 'https://a.test/', contentType: 'text/html', bytes: Buffer.from('<p>Text') };
    expect(extractSelected(html, { select: ['$.a'], ignore: [] })).toMatchObject({
      reason: 'selector',
      detail: expect.stringContaining('needs JSON') as string,
    });
    expect(lines(SHOP, ['main'])).toContain('select in it with JSONPath');
    expect(lines(SHOP, ['$.title'], ['.ad'])).toContain('select in it with JSONPath');
  });
});

describe('selectors in XML', () => {
  const RATES = `<rates><Rate currencyCode="USD">1.09</Rate><Rate currencyCode="CHF">0.95<note>Friday</note></Rate>
    <m:media xmlns:m="urn:m">A film</m:media><br>kept</br></rates>`;
  const read = (select: readonly string[], ignore: readonly string[] = []) =>
    extractSelected(
      { url: 'https://a.test/', contentType: 'application/xml', bytes: Buffer.from(RATES) },
      { select, ignore },
    );

  test.each<[readonly string[], readonly string[], readonly string[]]>([
    [['Rate[currencyCode="CHF"]'], [], ['Rate: 0.95 | currencyCode: CHF', 'note: Friday']],
    [['rate'], ['note'], ['Rate: 1.09 | currencyCode: USD', 'Rate: 0.95 | currencyCode: CHF']],
    [['media'], [], ['media: A film']],
    [['rates > br'], [], ['br: kept']],
    [['rates', 'note'], ['rate'], ['media: A film', 'br: kept']],
  ])('%j without %j', (select, ignore, expected) => {
    const found = read(select, ignore);
    expect(found.ok && found.page.segments.map(({ text }) => text)).toEqual(expected);
  });

  test('that find nothing are a failure that names them', () => {
    expect(read(['price'])).toMatchObject({
      ok: false,
      reason: 'selector',
      detail: 'No element of the page matches "price".',
    });
  });
});
