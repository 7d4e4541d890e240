import { NO_LABELS } from '../../src/shared/label/label.ts';
import { compare } from '../../src/shared/page/compare.ts';
import { domainsOf } from '../../src/shared/page/domain.ts';
import { extract } from '../../src/shared/page/extract.ts';
import type { Page } from '../../src/shared/page/page.ts';
import { RuleIndex } from '../../src/shared/match/rule-index.ts';
import { validate } from '../../src/shared/query/validate.ts';
import { corpusIsHere, ownSeries, realSeries, seeded, type Series } from '../fixtures/series.ts';

const RULES = 1_000;

/** CPU of the pure stages, a page: successive versions of pages through extract, compare and match. */
export async function path(): Promise<string[]> {
  const series = corpusIsHere ? realSeries() : ownSeries(100, 8, 5);
  const bytes = series.flatMap((page) => page.versions.map((version) => version.body.length));
  const rules = armed();
  walk(series, rules);
  const spent = walk(series, rules);
  const pages = bytes.length;
  const size = Math.round(bytes.reduce((sum, length) => sum + length, 0) / pages / 1_000);
  return [
    `${pages} pages of ${size} kB on average (${corpusIsHere ? 'real versions' : 'generated: the corpus is not at hand'})`,
    ...Object.entries(spent).map(([stage, ms]) => `${stage.padEnd(8)} ${((ms / pages) * 1_000).toFixed(0)} µs a page`),
  ];
}

function walk(series: readonly Series[], rules: RuleIndex): Record<'extract' | 'compare' | 'match', number> {
  const spent = { extract: 0, compare: 0, match: 0 };
  for (const { id, versions } of series) {
    const url = `https://www.example.com/${id}`;
    let before: Page | undefined;
    for (const { body } of versions) {
      const extraction = timed(spent, 'extract', () => extract({ url, contentType: 'text/html', bytes: body }));
      if (!extraction.ok) continue;
      const { page } = extraction;
      const { change } = timed(spent, 'compare', () => compare(before, page));
      if (change)
        timed(spent, 'match', () => rules.match({ page, change, domains: domainsOf(url), labels: NO_LABELS }, 0));
      before = page;
    }
  }
  return spent;
}

function timed<Stage extends string, Result>(spent: Record<Stage, number>, stage: Stage, work: () => Result): Result {
  const begin = performance.now();
  const result = work();
  spent[stage] += performance.now() - begin;
  return result;
}

/** Pairs and phrases of common words: rules that pages meet often, which is the dear case. */
function armed(): RuleIndex {
  const random = seeded(3);
  const words = 'service data user account privacy right terms law cookie contract health case number test day'.split(
    ' ',
  );
  const pick = (): string => words[Math.floor(random() * words.length)] ?? '';
  const index = new RuleIndex();
  for (let rule = 0; rule < RULES; rule += 1) {
    const text = rule % 3 === 0 ? `"${pick()} ${pick()}"` : `${pick()} AND ${pick()} AND NOT topic${rule}`;
    const { query } = validate(text);
    if (query) index.arm({ id: String(rule), tapId: `tap-${rule % 10}`, query, quality: false, nsfw: false });
  }
  return index;
}
