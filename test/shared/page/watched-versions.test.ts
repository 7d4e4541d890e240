import { describe, expect, test } from 'vitest';
import { extract } from '../../../src/shared/page/read/extract.ts';
import { NO_HISTORY } from '../../../src/shared/page/history.ts';
import { NO_FACTS, type Page } from '../../../src/shared/page/page.ts';
import { applied, compareWatched, linesOf, unapplied, watchedPage } from '../../../src/shared/page/select/watched.ts';
import { contentOf } from '../../../src/shared/page/structure/content.ts';
import { bytesOf, corpusIsHere, listedPages, type ListedPage } from '../../fixtures/listed-versions.ts';
import { visibleDifferences } from '../../fixtures/listed-pairs.ts';

/** Real pages with real revisions, each pair judged as a watch would: against the version before, one check after another. */
interface Verdict {
  readonly file: string;
  readonly sameText: boolean;
  /** Whether people see another text outside navigation, header, footer and dialogs, by a plain reading. */
  readonly seen: boolean;
  readonly changed: boolean;
  /** What is wrong with its hunks. */
  readonly flaws: readonly string[];
}

function judged(listed: ListedPage): Verdict[] {
  const { id, versions } = listed;
  const seen = visibleDifferences(listed);
  let last: Page | undefined;
  let history = NO_HISTORY;
  return versions.flatMap((version, index) => {
    const { file, text_same_as_prev: sameText } = version;
    const bytes = bytesOf(version);
    const read = extract({ url: `http://127.0.0.2/${id}`, contentType: 'text/html', bytes });
    if (!read.ok) throw new Error(`${file}: ${read.detail}`);
    const before = last ?? { url: '', segments: [], anchors: [], links: [], facts: NO_FACTS };
    const page = watchedPage(read.page, contentOf(read.page));
    const found = compareWatched(before, page, history, 1);
    ({ history } = found);
    last = page;
    if (sameText === undefined) return [];
    const isSeen = seen[index - 1]?.content === true;
    return [{ file, sameText, seen: isSeen, changed: found.hunks.length > 0, flaws: flawsOf(before, page) }];

    function flawsOf(was: Page, is: Page): string[] {
      const after = linesOf(is);
      const old = unapplied(after, found.hunks);
      const again = old && applied(old, found.hunks);
      const quiet = (side: 'before' | 'after'): string[] => found.ignored.map((pair) => pair[side]);
      const same = old && sorted([...old, ...quiet('before')]) === sorted([...linesOf(was), ...quiet('after')]);
      const flaws: string[] = [];
      if (again?.join('\n') !== after.join('\n')) flaws.push('its hunks do not apply');
      if (!same) flaws.push('its old lines are not those of the version before');
      return flaws;
    }
  });
}

const sorted = (lines: readonly string[]): string => [...lines].sort().join('\n');

describe.skipIf(!corpusIsHere)('watched versions of real pages (skipped where the corpus is not at hand)', () => {
  const verdicts = listedPages().flatMap(judged);

  test('the corpus has pairs of both kinds', () => {
    expect(verdicts.filter(({ sameText }) => sameText).length).toBeGreaterThan(50);
    expect(verdicts.filter(({ sameText }) => !sameText).length).toBeGreaterThan(200);
  });

  test('the hunks of every pair apply: old lines and hunks make the new lines', () => {
    expect(verdicts.filter(({ flaws }) => flaws.length > 0)).toEqual([]);
  });

  test('a pair with the same visible text has not changed', () => {
    expect(verdicts.filter(({ sameText, changed }) => sameText && changed)).toEqual([]);
  });

  // Another title or link is an event of the crawl, and no change of a watch.
  test('a pair has changed if and only if people see another text of the page itself', () => {
    expect(verdicts.filter(({ seen }) => seen).length).toBeGreaterThan(220);
    expect(verdicts.filter(({ seen, changed }) => seen !== changed).map(({ file }) => file)).toEqual([]);
  });
});
