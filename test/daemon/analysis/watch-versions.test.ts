import { describe, expect, test } from 'vitest';
import { bytesOf, corpusIsHere, listedPages, type ListedPage } from '../../fixtures/listed-versions.ts';
import { disagreements, pairKey } from '../../fixtures/versions-disagreements.ts';
import { said, Watch } from './watch-series.ts';

/** Checked one after another as the daemon would. What each version comes to; one that is hard to believe is looked at a second time, a minute later. */
async function checked({ id, versions }: ListedPage): Promise<string[]> {
  const watch = new Watch();
  const wrong: string[] = [];
  for (const [index, version] of versions.entries()) {
    const { file, text_same_as_prev: isSame } = version;
    const bytes = Uint8Array.from(bytesOf(version));
    const first = said(await watch.check(bytes));
    const found = first === 'failed doubtful' ? said(await watch.check(bytes)) : first;
    const expected = index === 0 ? 'baseline' : expectedOf(pairKey(id, index), isSame === true);
    if (found.split(' ')[0] !== expected) wrong.push(`${file}: ${found}`);
  }
  return wrong;
}

function expectedOf(key: string, isSame: boolean): 'changed' | 'unchanged' {
  return isSame || disagreements.get(key)?.expected === 'none' ? 'unchanged' : 'changed';
}

describe.skipIf(!corpusIsHere)('a watch of real pages (skipped where the corpus is not at hand)', () => {
  test('has a baseline, one change for each version with another text, and none for the others', async () => {
    const pages = listedPages();
    expect(pages.length).toBeGreaterThan(40);
    expect((await Promise.all(pages.map(checked))).flat()).toEqual([]);
  });
});
