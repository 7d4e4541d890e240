import { LANGUAGES } from '../../src/shared/vocabulary/languages.ts';
import { languageOf, type Languages, loadLanguages } from '../../src/shared/label/language/language.ts';
import { languageOfPage } from '../../src/shared/label/labels.ts';
import { extract } from '../../src/shared/page/read/extract.ts';
import { fileOf, type Half, halfOf, labelledPages, readLines } from './corpus.ts';
import type { Figure } from './run.ts';

interface Snippet {
  readonly lang: string;
  readonly text: string;
  /** 20, 100 or 500: about so many characters. */
  readonly len: number;
}

const GOALS: Readonly<Record<number, number>> = { 20: 0.9, 100: 0.985, 500: 0.995 };

/**
 * Languages of the labelled snippets, in halves of their texts, without a hint: the share that is right (an absent
 * answer is wrong), the share that is right where there is an answer, and the language with the fewest right. And of
 * whole pages, with what they declare; the manifest's language is what they declare where a guess by trigrams agrees.
 */
export async function figures(half: Half): Promise<Figure[]> {
  const model = await loadLanguages();
  const snippets = (readLines('language/public/snippets.jsonl.gz') as Snippet[]).filter(
    ({ text }) => halfOf(text) === half,
  );
  const texts = Object.entries(GOALS).flatMap(([length, goal]) => {
    const some = snippets.filter(({ len }) => len === Number(length));
    const answers = some.map((snippet) => ({ snippet, answer: languageOf(snippet, model)?.value }));
    const right = answers.filter(({ snippet, answer }) => answer === snippet.lang);
    const given = answers.filter(({ answer }) => answer !== undefined);
    const of = `${some.length} texts of ${length} characters in ${LANGUAGES.length} languages`;
    const [worst, share] = worstOf(some, model);
    return [
      { name: `${length} characters: right`, value: right.length / some.length, of, goal },
      { name: `${length} characters: right where given`, value: right.length / given.length, of },
      { name: `${length} characters: right in the worst language`, value: share, of: `texts in ${worst}` },
    ];
  });
  return [...texts, wholePages(half, model)];
}

function wholePages(half: Half, model: Languages): Figure {
  const pages = (['pages', 'types'] as const).flatMap((folder) =>
    labelledPages(folder, half).flatMap(({ file, url, lang }) => {
      const bytes = fileOf(folder, file);
      const read = extract({ url: url ?? 'https://example.com/page', contentType: 'text/html', bytes });
      return lang !== null && read.ok ? [{ lang, page: read.page }] : [];
    }),
  );
  const right = pages.filter(({ lang, page }) => languageOfPage(page, model)?.value === lang);
  return { name: 'whole pages: right', value: right.length / pages.length, of: `${pages.length} pages`, goal: 0.99 };
}

function worstOf(snippets: readonly Snippet[], model: Languages): [language: string, share: number] {
  const shares = LANGUAGES.map((language): [string, number] => {
    const some = snippets.filter(({ lang }) => lang === language);
    const right = some.filter((snippet) => languageOf(snippet, model)?.value === language);
    return [language, right.length / some.length];
  });
  return shares.reduce((worst, found) => (found[1] < worst[1] ? found : worst));
}
