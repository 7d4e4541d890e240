import { replay } from '../acceptance/replay.ts';
import { corpusIsHere } from '../fixtures/listed-versions.ts';
import { realSeries } from '../fixtures/series.ts';

/** Minutes, for a machine that does other work, too. */
const WITHIN_MS = 1_800_000;

/** Real pages with all their revisions: every changed version is one event, every unchanged one none. */
export async function versions(atMost: number): Promise<string[]> {
  if (!corpusIsHere) return ['the corpus is not at hand'];
  const series = realSeries().slice(0, atMost);
  const { seen, expected } = await replay(series, WITHIN_MS);
  const [told, due] = [new Set(seen), new Set(expected)];
  const doubled = seen.filter((version, index) => seen.indexOf(version) !== index);
  return [
    `${series.length} pages, ${expected.length} events expected, ${seen.length} seen`,
    ...expected.filter((version) => !told.has(version)).map((version) => `missed: ${version}`),
    ...seen.filter((version) => !due.has(version)).map((version) => `not a change: ${version}`),
    ...doubled.map((version) => `twice: ${version}`),
  ];
}
