import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type Categories,
  categoriesOf,
  CATEGORY_TYPES,
  CATEGORY_WORDS,
  loadCategories,
} from '../../../../src/shared/label/category/category.ts';
import { type Facts, NO_FACTS, type Page, type Zone } from '../../../../src/shared/page/page.ts';
import { CATEGORIES } from '../../../../src/shared/vocabulary/categories.ts';
import { LANGUAGES } from '../../../../src/shared/vocabulary/languages.ts';

let model: Categories;
beforeAll(async () => {
  model = await loadCategories();
});

interface Sample {
  readonly url?: string;
  readonly title?: string;
  readonly text?: string;
  readonly zone?: Zone;
  readonly facts?: Partial<Facts>;
}

function pageOf({ url = 'https://page.example/', title, text = '', zone = 'main', facts = {} }: Sample): Page {
  return {
    url,
    ...(title !== undefined && { title }),
    segments: text === '' ? [] : [{ text, kind: 'sentence', zone }],
    anchors: [],
    links: [],
    facts: { ...NO_FACTS, ...facts },
  };
}

const valuesOf = (sample: Sample, language?: string): string[] =>
  categoriesOf(pageOf(sample), language, model).map(({ value }) => value);

describe('the lexicons', () => {
  test.each(Object.keys(CATEGORY_WORDS))('%s is a language of the vocabulary, and all its categories are', (code) => {
    expect(LANGUAGES).toContain(code);
    for (const line of CATEGORY_WORDS[code]!.trim().split('\n')) {
      expect(CATEGORIES).toContain(line.slice(0, line.indexOf(': ')));
    }
  });

  test('schema.org types lead to categories of the vocabulary', () => {
    for (const { category } of CATEGORY_TYPES.values()) expect(CATEGORIES).toContain(category);
  });
});

describe('what a page is about', () => {
  test.each([
    ['en', 'The goalkeeper saved a penalty and the striker scored twice before half-time.', '/Sports'],
    ['de', 'Der Torwart hielt den Elfmeter, der Stürmer traf zweimal vor der Halbzeit.', '/Sports'],
    ['es', 'El portero detuvo el penal y el delantero marcó dos goles en el estadio.', '/Sports'],
    ['fr', 'Préchauffez le four, mélangez la farine et le beurre : une recette de gâteau.', '/Food_and_Drink'],
    ['pt', 'O hospital atendeu pacientes com sintomas da doença, dizem os médicos.', '/Health'],
    ['it', 'Il regista ha presentato il film al cinema con la sua attrice.', '/Arts_and_Entertainment'],
    ['nl', 'De arts behandelde de patiënt in het ziekenhuis.', '/Health'],
    ['pl', 'Lekarz leczył pacjenta w szpitalu na rzadką chorobę.', '/Health'],
    ['ru', 'Вратарь отбил пенальти, и сборная выиграла матч чемпионата.', '/Sports'],
    ['sv', 'Läkaren behandlade patienten på sjukhuset.', '/Health'],
    ['da', 'Lægen behandlede patienten på sygehuset.', '/Health'],
    ['fi', 'Lääkäri hoiti potilasta sairaalassa.', '/Health'],
    ['ja', 'サッカーの試合で選手がゴールを決めて優勝した。', '/Sports'],
    ['zh-cn', '足球比赛中球员进球，球队获得冠军。', '/Sports'],
    ['ko', '축구 선수가 경기에서 득점해 우승했다.', '/Sports'],
  ])('%s: %s', (language, text, category) => {
    expect(valuesOf({ text }, language)[0]).toBe(category);
  });

  test('is said with the category above it first, and with the words that say it', () => {
    const labels = categoriesOf(
      pageOf({
        title: 'Pancakes',
        text: 'Whisk flour and eggs in a saucepan; a recipe with two tablespoons of sugar.',
      }),
      'en',
      model,
    );
    expect(labels.map(({ value }) => value)).toEqual(['/Food_and_Drink', '/Food_and_Drink/Cooking_and_Recipes']);
    expect(labels[0]?.reason).toMatch(/^title "pancakes", words: recipe/);
  });

  test('is told by a schema.org type alone, in any language', () => {
    const labels = categoriesOf(pageOf({ facts: { schemaTypes: ['WebPage', 'JobPosting'] } }), 'hu', model);
    expect(labels).toEqual([
      { value: '/Jobs_and_Education', reason: 'schema.org JobPosting' },
      { value: '/Jobs_and_Education/Jobs', reason: 'schema.org JobPosting' },
    ]);
  });

  test('is told by the section that the page names', () => {
    const [label] = categoriesOf(pageOf({ facts: { sections: ['Fußball'] } }), 'de', model);
    expect(label).toEqual({ value: '/Sports', reason: 'section "fußball"' });
  });

  test('is told by the words of the address, those written together in the host too', () => {
    expect(valuesOf({ url: 'https://www.gardenplants.example/lawn/' }, 'en')[0]).toBe('/Home_and_Garden');
  });

  test('a phrase says what its words alone do not', () => {
    expect(valuesOf({ title: 'Weight loss' }, 'en')[0]).toBe('/Beauty_and_Fitness');
    expect(valuesOf({ title: 'A loss in weight' }, 'en')).toEqual([]);
  });

  test('a forum is about what its members talk of', () => {
    const text =
      'Forum threads and posts: a puppy and its leash, dog food, a vet for kittens. Registered user, moderator.';
    expect(valuesOf({ url: 'https://forum.example/threads/1', text }, 'en')[0]).toBe('/Pets_and_Animals');
  });

  test('a report of a crime is news first', () => {
    const sample = { text: 'Police arrested a man after the murder; the court heard the attorney.' };
    expect(valuesOf(sample, 'en')[0]).toBe('/Law_and_Government');
    const labels = categoriesOf(pageOf({ ...sample, facts: { schemaTypes: ['NewsArticle'] } }), 'en', model);
    expect(labels[0]?.value).toBe('/News');
    expect(labels[0]?.reason).toContain('reports on /Law_and_Government');
    expect(labels.map(({ value }) => value)).toContain('/Law_and_Government');
  });

  test('a news article about nothing we know is news', () => {
    expect(valuesOf({ text: 'Lorem ipsum.', facts: { schemaTypes: ['NewsArticle'] } }, 'hu')).toEqual(['/News']);
  });

  test('one word of the text is not enough, however often it stands there', () => {
    expect(valuesOf({ text: 'Jobs. '.repeat(20) }, 'en')).toEqual([]);
    expect(valuesOf({ text: `${'Jobs. '.repeat(20)} Career, résumé, salary!` }, 'en')[0]).toBe('/Jobs_and_Education');
  });

  test('a word that begins like another says nothing: a former minister is no married couple', () => {
    const labels = categoriesOf(
      pageOf({ text: 'Ehemalige, ehemaliger, internationale, Transport, Angelegenheit.' }),
      'de',
      model,
    );
    expect(labels).toEqual([]);
  });

  test('stays unsaid when the page does not say it clearly', () => {
    expect(valuesOf({ title: 'Welcome', text: 'Hello there, this is it.' }, 'en')).toEqual([]);
    expect(valuesOf({ text: 'The goalkeeper saved a penalty.', facts: {} }, 'hu')).toEqual([]);
  });

  test('is read from the main part of the page when it has one', () => {
    const page = pageOf({ text: 'The recipe needs flour, butter, sugar and two tablespoons of milk.' });
    const teaser = { text: 'Goalkeeper, striker, penalty, football league!', kind: 'item', zone: 'body' } as const;
    const labels = categoriesOf({ ...page, segments: [teaser, ...page.segments] }, 'en', model);
    expect(labels[0]?.value).toBe('/Food_and_Drink');
  });

  test('words past the cap do not count, so a long page takes no longer', () => {
    const text = `${'lorem '.repeat(600)} goalkeeper striker football penalty league`;
    expect(valuesOf({ text }, 'en')).toEqual([]);
  });

  test('every value is of the vocabulary, follows its parent, and stands once; no text throws', () => {
    const words = 'Police goalkeeper recipe İstanbul 足球 forum flour \uD83D court murder a hotel shop bank'.split(' ');
    const text = fc
      .array(fc.oneof(fc.constantFrom(...words), fc.string({ unit: 'binary' })))
      .map((all) => all.join(' '));
    fc.assert(
      fc.property(text, text, fc.constantFrom(undefined, ...LANGUAGES), (title, body, language) => {
        const values = valuesOf(
          { title, text: body, url: `https://x.example/${encodeURIComponent(title.toWellFormed())}` },
          language,
        );
        expect(new Set(values).size).toBe(values.length);
        for (const [at, value] of values.entries()) {
          expect(CATEGORIES).toContain(value);
          const parent = value.slice(0, value.lastIndexOf('/'));
          expect(parent === '' || values[at - 1] === parent).toBe(true);
        }
      }),
    );
  });
});
