import { type Categories, categoriesOf, loadCategories } from '../../src/shared/label/category/category.ts';
import { extract } from '../../src/shared/page/read/extract.ts';
import { NO_FACTS, type Page } from '../../src/shared/page/page.ts';
import { fileOf, type Half, halfOf, type LabelledPage, labelledPages, readLines } from './corpus.ts';
import type { Figure } from './run.ts';

/** A line of categories/public: the text of a page or a sentence, with all categories that count as right. */
interface Labelled {
  readonly accept: readonly string[];
  readonly lang: string;
  readonly text: string;
  readonly url?: string | null;
  readonly title?: string | null;
  readonly description?: string | null;
  /** Sentences: one number in all languages; neighbours are of one article. */
  readonly flores_index?: number;
}

interface Case {
  readonly page: Page;
  readonly language: string;
  readonly accept: readonly string[];
}

const NO_ADDRESS = 'http://page.example/';
const FLORES_BLOCK = 5;
const LANGUAGES = ['en', 'de'];

/**
 * How often the first top that a page is given is right, and on how many pages one is given. The pages are those of
 * `pages` and `types` that carry a category, with their HTML, and those of `categories` of which only the text is at
 * hand. The language is the corpus's own, so that only the category is measured.
 */
export async function figures(half: Half): Promise<Figure[]> {
  const model = await loadCategories();
  const pages = pagesOf(half);
  const others = pages.filter(({ language }) => !LANGUAGES.includes(language));
  return [
    ...judged('pages', pages, model, { spoken: 0.85, right: 0.8 }),
    ...LANGUAGES.flatMap((code) =>
      judged(
        `pages in ${code}`,
        pages.filter(({ language }) => language === code),
        model,
      ),
    ),
    ...judged('pages in other languages', others, model),
    ...judged('single sentences, 31 languages', sentencesOf(half), model),
  ];
}

function judged(
  of: string,
  cases: readonly Case[],
  model: Categories,
  goals?: { readonly spoken: number; readonly right: number },
): Figure[] {
  let spoken = 0;
  let right = 0;
  let given = 0;
  let rightOfGiven = 0;
  for (const { page, language, accept } of cases) {
    const tops = categoriesOf(page, language, model).filter(({ value }) => value.lastIndexOf('/') === 0);
    if (tops[0] === undefined) continue;
    spoken++;
    if (accept.includes(tops[0].value)) right++;
    given += tops.length;
    rightOfGiven += tops.filter(({ value }) => accept.includes(value)).length;
  }
  const count = `${cases.length} ${of}`;
  return [
    { name: `category given: ${of}`, value: spoken / cases.length, of: count, ...(goals && { goal: goals.spoken }) },
    {
      name: `first top right: ${of}`,
      value: right / spoken,
      of: `${spoken} given`,
      ...(goals && { goal: goals.right }),
    },
    { name: `all tops right: ${of}`, value: rightOfGiven / given, of: `${given} tops` },
  ];
}

function pagesOf(half: Half): Case[] {
  const withHtml = (['pages', 'types'] as const).flatMap((folder) =>
    labelledPages(folder, half).flatMap((labelled) => readCase(folder, labelled)),
  );
  const seen = new Set(withHtml.map(({ page }) => page.url));
  const others = readLines('categories/public/pages.jsonl.gz')
    .map((line) => line as Labelled)
    .filter(({ url, title }) => halfOf(URL.parse(url ?? '')?.hostname ?? title ?? '') === half && !seen.has(url ?? ''));
  return [...withHtml, ...others.map(caseOf)];
}

function readCase(folder: 'pages' | 'types', { file, url, lang, category_accept: accept }: LabelledPage): Case[] {
  if (accept === undefined) return [];
  const bytes = fileOf(folder, file);
  const extraction = extract({ url: url ?? NO_ADDRESS, contentType: 'text/html', bytes });
  return extraction.ok ? [{ page: extraction.page, language: lang ?? 'en', accept }] : [];
}

function sentencesOf(half: Half): Case[] {
  return readLines('categories/public/sentences.jsonl.gz')
    .map((line) => line as Labelled)
    .filter(({ flores_index: index = 0 }) => halfOf(String(Math.floor(index / FLORES_BLOCK))) === half)
    .map(caseOf);
}

function caseOf({ accept, lang, text, url, title, description }: Labelled): Case {
  const page: Page = {
    url: url ?? NO_ADDRESS,
    ...(title != null && { title }),
    segments: text.split('\n').map((line) => ({ text: line, kind: 'sentence', zone: 'main' })),
    anchors: [],
    links: [],
    facts: { ...NO_FACTS, ...(description != null && { description }) },
  };
  return { page, language: lang, accept };
}
