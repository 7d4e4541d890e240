import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QUERY_FIELDS, type VocabularyName } from '../../../../src/shared/query/fields.ts';
import { fix, nearestField } from '../../../../src/shared/query/suggest/suggestions.ts';
import { isValue, nearestValue, valuesOf } from '../../../../src/shared/query/suggest/nearest-value.ts';
import { distance, misspelled, nearest } from '../../../../src/shared/query/suggest/misspelling.ts';
import { validate } from '../../../../src/shared/query/validate.ts';

/** What was written, and what may be suggested for it: one, one of several, or nothing. */
type Row = readonly [written: string, meant: string | readonly (string | undefined)[] | undefined];

function expectMeant(vocabulary: VocabularyName, [written, meant]: Row): void {
  const found = nearestValue(vocabulary, written)?.value;
  expect(typeof meant === 'object' ? meant : [meant], `${written}: ${found}`).toContain(found);
}

const CATEGORIES: readonly Row[] = [
  // Another way of writing it.
  ['/news', '/News'],
  ['News/', '/News'],
  ['/News/*', '/News'],
  ['/News/Technology News', '/News/Technology_News'],
  ['Arts & Entertainment', '/Arts_and_Entertainment'],
  ['/RealEstate', '/Real_Estate'],
  ['real-estate', '/Real_Estate'],
  ['Technology_News', '/News/Technology_News'],
  // Whole words of a root, of a label below it, of a deep one only where it is its name or a thing it speaks of.
  ['/Business', '/Business_and_Industrial'],
  ['/Industrial', '/Business_and_Industrial'],
  ['/Law', '/Law_and_Government'],
  ['/Government', '/Law_and_Government'],
  ['/Job', '/Jobs_and_Education'],
  ['/Education', '/Jobs_and_Education'],
  ['/Food', '/Food_and_Drink'],
  ['/Computer', '/Computers_and_Electronics'],
  ['/Pets', '/Pets_and_Animals'],
  ['/Home', '/Home_and_Garden'],
  ['/Technology', '/News/Technology_News'],
  ['/Politics', '/News/Politics'],
  ['/Music', '/Arts_and_Entertainment/Music_and_Audio'],
  ['/Movies', '/Arts_and_Entertainment/Movies'],
  ['/Video Games', '/Games/Computer_and_Video_Games'],
  ['/Insurance', '/Finance/Insurance'],
  ['/Environment', '/Science/Ecology_and_Environment'],
  ['/Marketing', '/Business_and_Industrial/Advertising_and_Marketing'],
  ['/Cancer', '/Health/Health_Conditions/Cancer'],
  ['/Chess', '/Games/Board_Games/Chess_and_Abstract_Strategy_Games'],
  ['/Technology news of Sweden', '/News/Technology_News'],
  // Beginnings of words.
  ['/Invest', '/Finance/Investing'],
  ['/Shop', '/Shopping'],
  ['/Bank', '/Finance/Banking'],
  // What no letters lead to.
  ['/Cars', '/Autos_and_Vehicles'],
  ['/Automobiles', '/Autos_and_Vehicles'],
  ['/Tech', '/News/Technology_News'],
  ['/Crypto', ['/Finance', '/Finance/Investing']],
  ['/Careers', '/Jobs_and_Education'],
  ['/Startups', '/Business_and_Industrial/Small_Business'],
  ['/Economy', '/Finance'],
  ['/Film', '/Arts_and_Entertainment/Movies'],
  ['/Medicine', '/Health'],
  ['/AI', '/Science/Computer_Science'],
  // Slips of the hand, within one part of the path.
  ['/Buisness', '/Business_and_Industrial'],
  ['/Technolgy', '/News/Technology_News'],
  ['/Sprots', '/Sports'],
  ['/Helth', '/Health'],
  ['/News/Tecnology_News', '/News/Technology_News'],
  ['/Nwes/Technology News', '/News/Technology_News'],
  ['/Technologynews', '/News/Technology_News'],
  ['/Skiing_and_Snowbording', '/Sports/Winter_Sports/Skiing_and_Snowboarding'],
  // Along the path; a part that nothing answers to leaves what stands above it.
  ['/Sports/Skiing_and_Snowboarding', '/Sports/Winter_Sports/Skiing_and_Snowboarding'],
  ['/Arts/Music', '/Arts_and_Entertainment/Music_and_Audio'],
  ['/News/Tech', '/News/Technology_News'],
  ['/Finance/Crypto', '/Finance/Investing'],
  ['/Business/Startups', '/Business_and_Industrial/Small_Business'],
  ['/Tech/Programming', '/Computers_and_Electronics/Programming'],
  ['/Autos/Electric', '/Autos_and_Vehicles'],
  ['/Sports/Quidditch', ['/Sports', undefined]],
  // Nothing is closer than anything else.
  ['/Pricing', undefined],
  ['/Guide', undefined],
  ['/Gas', undefined],
  ['/Training', undefined],
  ['/Services', undefined],
  ['/Water', undefined],
  ['/Social', undefined],
  ['/Electric', undefined],
  ['/Space', undefined],
  ['/Care', undefined],
  ['/Quidditch', undefined],
  ['/Xyzzy', undefined],
  ['/Bats', undefined],
  ['/Foo', undefined],
  ['qqqqqqqq', undefined],
  ['', undefined],
  ['///', undefined],
] as const;

const PAGE_TYPES: readonly Row[] = [
  ['Recipe', '/Article/Recipe'],
  ['/article', '/Article'],
  ['/Articles', '/Article'],
  ['/Article/News', '/Article/News_Update'],
  ['/Article/Guide', '/Article/Tutorial_or_Guide'],
  ['/Article/Review', '/Article/Product_or_Brand_Review'],
  ['/Article/Reciepes', '/Article/Recipe'],
  ['/Video/Receipe', '/Video/Recipe'],
  ['/Core/Homepage', '/Core_Page/Homepage'],
  ['/Landing/Pricing', '/Landing_Page/Pricing_Page'],
  ['/Listing/Jobs', '/Listing/Job'],
  ['/Job Posting', '/Listing/Job'],
  ['/Pricing', '/Landing_Page/Pricing_Page'],
  ['/Careers', '/Core_Page/Careers_Page'],
  ['/Guide', '/Article/Tutorial_or_Guide'],
  ['/Tutorial', '/Article/Tutorial_or_Guide'],
  ['/News', '/Article/News_Update'],
  ['/Blog', ['/Core_Page/Blog_Index', '/Article']],
  ['/Blog Post', '/Article'],
  ['/Music', '/Audio/Music'],
  ['/FAQ', ['/Article/FAQ', '/Core_Page/FAQ_Page']],
  ['/Whitepaper', '/Document/White_Paper'],
  ['/PDF', '/Document'],
  ['/Home', '/Core_Page/Homepage'],
  ['/Privacy', '/Core_Page/Privacy_Policy_Page'],
  ['/Terms', '/Core_Page/T&C_Page'],
  ['/Forum', '/User_Generated_Content/Forum_Thread'],
  ['/Law', undefined],
  ['/Crypto', undefined],
  ['/Tech', undefined],
  ['/Cars', undefined],
  ['/Page', undefined],
  ['qqqqqqqq', undefined],
];

const LANGUAGES: readonly Row[] = [
  ['english', 'en'],
  ['English (US)', 'en'],
  ['EN', 'en'],
  ['en_GB', 'en'],
  ['en-US', 'en'],
  ['eng', 'en'],
  ['engl', 'en'],
  ['englsh', 'en'],
  ['fr-FR', 'fr'],
  ['francais', 'fr'],
  ['Deutsch', 'de'],
  ['deu', 'de'],
  ['español', 'es'],
  ['Brazilian Portuguese', 'pt'],
  ['pt-BR', 'pt'],
  ['zh', 'zh-cn'],
  ['zh-Hant', 'zh-tw'],
  ['chinese', 'zh-cn'],
  ['日本語', 'ja'],
  ['jp', 'ja'],
  ['swedsh', 'sv'],
  ['xx', undefined],
  ['klingon', undefined],
  ['frog', undefined],
  ['test', undefined],
  ['code', undefined],
  ['', undefined],
];

describe('a value that is none is answered by the closest in meaning, or by nothing', () => {
  it.each(CATEGORIES)('page_category %j: %j', (...row) => expectMeant('page_category', row));
  it.each(PAGE_TYPES)('page_type %j: %j', (...row) => expectMeant('page_type', row));
  it.each(LANGUAGES)('language %j: %j', (...row) => expectMeant('language', row));

  it('and what is written right is its own answer', () => {
    for (const vocabulary of ['page_category', 'page_type', 'language'] as const) {
      for (const value of valuesOf(vocabulary)) {
        const [found, shouted] = [nearestValue(vocabulary, value), nearestValue(vocabulary, value.toUpperCase())];
        expect([found?.value, shouted?.value]).toEqual([value, value]);
      }
    }
  });

  it('which is a label of the same vocabulary, whatever is written', () => {
    const part = fc.constantFrom('/', '_', ' ', 'News', 'tech', 'Car', 's', 'and', 'Guide', '&', '(', 'é', 'Business');
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 9 }),
        fc.constantFrom('page_category', 'page_type'),
        (parts, vocabulary) => {
          const found = nearestValue(vocabulary, parts.join(''));
          expect(found === undefined || isValue(vocabulary, found.value)).toBe(true);
        },
      ),
    );
  });
});

describe('a suggestion that --fix may follow', () => {
  it.each([
    ['page_category', '/Business', true],
    ['page_category', '/Buisness', true],
    ['page_category', '/news', true],
    ['page_category', '/Music', true],
    ['page_type', '/Article/News', true],
    ['page_category', '/Technology', false],
    ['page_category', '/Cars', false],
    ['page_category', '/Crypto', false],
    ['page_category', '/Sports/Quidditch', false],
  ] as const)('%s %s: %s', (vocabulary, written, isSure) => {
    expect(nearestValue(vocabulary, written)?.isSure).toBe(isSure);
  });

  it.each([
    ['page_category:"/Buisness"', 'page_category:"/Business_and_Industrial"'],
    ['ferry AND page_category:"/Cars"', 'ferry AND page_category:"/Cars"'],
    ['ferry OR page_category:"/Technology"', 'ferry OR page_category:"/Technology"'],
    ['page_type:"/Article/News" OR language:english', 'page_type:"/Article/News_Update" OR language:en'],
    ['page_category:/Technology', 'page_category:/Technology'],
  ])('%s becomes %s', (query, mended) => {
    const { diagnostics, guesses } = validate(query);
    expect(diagnostics.every(({ hint }) => hint !== undefined)).toBe(true);
    expect(fix(query, diagnostics, guesses)).toBe(mended);
  });
});

describe('a name of a field that is none', () => {
  it.each([
    ['titel', 'title'],
    ['tilte', 'title'],
    ['ulr', 'url'],
    ['URL', 'url'],
    ['source_url', 'url'],
    ['lang', 'language'],
    ['langauge', 'language'],
    ['locale', 'language'],
    ['category', 'page_category'],
    ['catgory', 'page_category'],
    ['pageType', 'page_type'],
    ['page-category', 'page_category'],
    ['type', 'page_type'],
    ['publishTime', 'publish_time'],
    ['published', 'publish_time'],
    ['pubdate', 'publish_time'],
    ['time', 'publish_time'],
    ['site', 'domain'],
    ['domian', 'domain'],
    ['dom', 'domain'],
    ['anchor', 'added_anchor'],
    ['add', 'added'],
    ['remvoed', 'removed'],
    ['body', 'added'],
    ['text', 'added'],
    ['da', 'dr'],
    ['DR', 'dr'],
    ['recents', 'recent'],
    ['foo', undefined],
    ['bar', undefined],
    ['page', undefined],
    ['author', undefined],
    ['name', undefined],
    ['id', undefined],
    ['x', undefined],
    ['price', undefined],
    ['country', undefined],
    ['https', undefined],
    ['constructor', undefined],
    ['', undefined],
  ])('%s is %s', (name, field) => {
    expect(nearestField(name)).toBe(field);
    expect(field === undefined || QUERY_FIELDS.includes(field)).toBe(true);
  });

  it('is said to be none, without one that is merely the nearest', () => {
    const [found] = validate('foo:ferry').diagnostics;
    expect(found).toMatchObject({ code: 'unknown_field', message: expect.not.stringContaining('Did you mean') });
    expect(found).not.toHaveProperty('hint');
  });

  it('and so is a saved filter', () => {
    const filterNames = ['no-junk', 'boats'];
    const options = { filters: (name: string) => (filterNames.includes(name) ? 'x' : undefined), filterNames };
    const hintOf = (query: string) => validate(query, options).diagnostics[0]?.hint?.replacement;
    expect(hintOf('ferry $nojunk')).toBe('$no-junk');
    expect(hintOf('ferry $bots')).toBe('$boats');
    expect(hintOf('ferry $other')).not.toMatch(/^\$/);
  });
});

describe('the nearest word', () => {
  it.each([
    ['tilte', ['title', 'url'], 'title'],
    ['TITLE', ['title', 'url'], 'title'],
    ['ab', ['ba', 'abc'], 'ba'],
    ['', ['abc', 'de'], 'de'],
  ])('to %s among %j is %s', (word, candidates, wanted) => {
    expect(nearest(word, candidates)).toBe(wanted);
  });
});

describe('a misspelling', () => {
  it.each([
    ['ulr', ['url', 'dr'], 'url'],
    ['no_junk', ['no-junk'], 'no-junk'],
    ['foo', ['url', 'dr', 'added'], undefined],
    ['list', ['lint', 'tail'], 'lint'],
    ['revok', ['revoke', 'rotate'], 'revoke'],
    ['', ['a'], undefined],
  ] as const)('%s among %j is %s', (word, candidates, wanted) => {
    expect(misspelled<string>(word, candidates)).toBe(wanted);
  });
});

/** The whole table, cell by cell. */
function plainDistance(left: string, right: string): number {
  const table = Array.from({ length: left.length + 1 }, (_, row) =>
    Array.from({ length: right.length + 1 }, (_, column) => (row === 0 ? column : column === 0 ? row : 0)),
  );
  const cell = (row: number, column: number): number => table[row]?.[column] ?? Infinity;
  for (let row = 1; row <= left.length; row++) {
    for (let column = 1; column <= right.length; column++) {
      const replaced = cell(row - 1, column - 1) + Number(left[row - 1] !== right[column - 1]);
      const isSwap =
        left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1] && row > 1 && column > 1;
      const swapped = isSwap ? cell(row - 2, column - 2) + 1 : Infinity;
      table[row]![column] = Math.min(cell(row - 1, column) + 1, cell(row, column - 1) + 1, replaced, swapped);
    }
  }
  return cell(left.length, right.length);
}

describe('the number of edits between two words', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 12 });

  it('is that of the whole table, or the limit where it is not less', () => {
    fc.assert(
      fc.property(word, word, fc.integer({ min: 1, max: 14 }), (left, right, limit) => {
        expect(distance(left, right)).toBe(plainDistance(left, right));
        expect(distance(left, right, limit)).toBe(Math.min(plainDistance(left, right), limit));
      }),
    );
  });
});
