import { describe, expect, test } from 'vitest';
import { visibleDifferences } from '../../fixtures/listed-pairs.ts';
import { bytesOf, corpusIsHere, listedPages, type ListedPage } from '../../fixtures/listed-versions.ts';
import { said, Watch } from './watch-series.ts';

/** Checked one after another as the daemon would. What each version comes to; one that is hard to believe is looked at a second time, a minute later. */
async function checked(page: ListedPage): Promise<string[]> {
  const seen = visibleDifferences(page);
  const watch = new Watch();
  const wrong: string[] = [];
  for (const [index, version] of page.versions.entries()) {
    const bytes = Uint8Array.from(bytesOf(version));
    const first = said(await watch.check(bytes));
    const found = first === 'failed doubtful' ? said(await watch.check(bytes)) : first;
    const expected = index === 0 ? 'baseline' : seen[index - 1]?.content === true ? 'changed' : 'unchanged';
    if (found.split(' ')[0] !== expected) wrong.push(`${version.file}: ${found}`);
  }
  return wrong;
}

describe.skipIf(!corpusIsHere)('a watch of real pages (skipped where the corpus is not at hand)', () => {
  test('has a baseline, one change for each version in which people see another text, and none for the others', async () => {
    const pages = listedPages();
    expect(pages.length).toBeGreaterThan(40);
    expect((await Promise.all(pages.map(checked))).flat()).toEqual([]);
  });
});
