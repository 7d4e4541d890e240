import type { Page } from '../../page/page.ts';
import type { Label } from '../label.ts';
import { documentClues } from './documents.ts';
import { Evidence } from './evidence.ts';
import { addressOf, isHome, pathClues } from './path.ts';
import { generatorClue, ogClue, schemaClues } from './schema.ts';
import { countsOf } from './counts.ts';
import { structureClues, writtenBy } from './structure.ts';
import { headingClue, titleClues } from './words.ts';

/**
 * What kind of page it is: values of the page-type vocabulary, the best first, with each value its parent. Empty when
 * nothing says so clearly. A pure function; what the page says to machines (schema.org, og:type, the program that made
 * it), its address, its title in the larger languages, and what stands on it all give points (`evidence.ts`).
 *
 * Decided against: a model learnt from labelled pages. There are a few hundred of them for 110 kinds, and an operator
 * who wonders about a label wants to read why.
 */
export function pageTypesOf(page: Page): Label[] {
  const evidence = new Evidence();
  for (const clue of schemaClues(page.facts)) evidence.add(clue);
  evidence.add(ogClue(page.facts));
  evidence.add(generatorClue(page.facts));
  const address = addressOf(page.url);
  const counts = countsOf(page);
  const written = writtenBy(page, counts, evidence);
  const marked = written === 'markup';
  for (const clue of pathClues(address, written)) evidence.add(clue);
  const isArticle = evidence.has('/Article', 6) || written === 'text';
  titleClues(page, address, evidence, isArticle);
  documentClues(page, address, evidence, isArticle);
  evidence.add(headingClue(page));
  structureClues(page, counts, evidence, { isWritten: marked, home: isHome(address) });
  return evidence.labels();
}
