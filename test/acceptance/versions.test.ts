import { describe, expect, test } from 'vitest';
import { corpusIsHere } from '../fixtures/listed-versions.ts';
import { ownSeries, realSeries } from '../fixtures/series.ts';
import { replay } from './replay.ts';

/** All of the corpus is `npm run soak -- versions`; what its pages come to without a daemon, `shared/page/versions.test.ts`. */
const EVERY = 4;

describe.concurrent('every changed version is one event, every unchanged one none', () => {
  test('generated pages', async () => {
    const { seen, expected } = await replay(ownSeries(20, 6, 7));
    expect(seen).toEqual(expected);
  });

  test.skipIf(!corpusIsHere)(
    `of real pages with real revisions each ${EVERY}th (skipped where the corpus is not at hand)`,
    async () => {
      const { seen, expected } = await replay(realSeries().filter((_, index) => index % EVERY === 0));
      expect(seen).toEqual(expected);
    },
    420_000,
  );
});
