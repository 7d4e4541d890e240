import { LANGUAGES } from '../../src/shared/vocabulary/languages.ts';
import { type Languages, languageOf, loadLanguages } from '../../src/shared/label/language/language.ts';
import { halfOf, type Half, readLines } from './corpus.ts';
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
 * answer is wrong), the share that is right where there is an answer, and the language with the fewest right.
 */
export async function figures(half: Half): Promise<Figure[]> {
  const model = await loadLanguages();
  const snippets = (readLines('language/public/snippets.jsonl.gz') as Snippet[]).filter(
    ({ text }) => halfOf(text) === half,
  );
  return Object.entries(GOALS).flatMap(([length, goal]) => {
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
}

function worstOf(snippets: readonly Snippet[], model: Languages): [language: string, share: number] {
  const shares = LANGUAGES.map((language): [string, number] => {
    const some = snippets.filter(({ lang }) => lang === language);
    const right = some.filter((snippet) => languageOf(snippet, model)?.value === language);
    return [language, right.length / some.length];
  });
  return shares.reduce((worst, found) => (found[1] < worst[1] ? found : worst));
}
