import { describe, expect, test } from 'vitest';
import { compare } from '../../../src/shared/page/compare.ts';
import { extract } from '../../../src/shared/page/read/extract.ts';
import type { Page } from '../../../src/shared/page/page.ts';
import { bytesOf, corpusIsHere, listedPages, type ListedPage } from '../../fixtures/listed-versions.ts';
import { disagreements, pairKey } from '../../fixtures/versions-disagreements.ts';

/** Real pages with real revisions, each pair judged as the crawl would: against the last version that differed. */
interface Verdict {
  readonly key: string;
  readonly file: string;
  readonly sameText: boolean;
  readonly event: boolean;
  readonly chunks: number;
}

function judged({ id, versions }: ListedPage): Verdict[] {
  let last: Page | undefined;
  return versions.flatMap((version, index) => {
    const { file, text_same_as_prev: sameText } = version;
    const bytes = bytesOf(version);
    const read = extract({ url: `http://127.0.0.2/${id}`, contentType: 'text/html', bytes });
    if (!read.ok) throw new Error(`${file}: ${read.detail}`);
    const { change } = compare(last, read.page);
    if (change) last = read.page;
    if (sameText === undefined) return [];
    const chunks = change?.chunks.length ?? 0;
    return [{ key: pairKey(id, index), file, sameText, event: change !== undefined, chunks }];
  });
}

describe.skipIf(!corpusIsHere)('real page versions (skipped where the corpus is not at hand)', () => {
  const verdicts = listedPages().flatMap(judged);

  test('the corpus has pairs of both kinds', () => {
    expect(verdicts.filter(({ sameText }) => sameText).length).toBeGreaterThan(50);
    expect(verdicts.filter(({ sameText }) => !sameText).length).toBeGreaterThan(200);
  });

  test('a pair with the same visible text has no chunk', () => {
    expect(verdicts.filter(({ sameText, chunks }) => sameText && chunks > 0)).toEqual([]);
  });

  test('a pair is an event if and only if its text changed, save for the listed ones', () => {
    const surprising = verdicts.filter(({ sameText, event }) => sameText === event);
    const unlisted = surprising.filter(
      ({ key, event }) => disagreements.get(key)?.expected !== (event ? 'event' : 'none'),
    );
    expect(unlisted.map(({ file, event }) => `${file}: ${event ? 'event' : 'none'}`)).toEqual([]);
  });

  test('every listed disagreement still is one', () => {
    const surprising = new Set(verdicts.filter(({ sameText, event }) => sameText === event).map(({ key }) => key));
    expect([...disagreements.keys()].filter((key) => !surprising.has(key))).toEqual([]);
  });
});
