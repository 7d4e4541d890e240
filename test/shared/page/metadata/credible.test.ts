import { expect, test } from 'vitest';
import { credible } from '../../../../src/shared/page/metadata/credible.ts';
import { NO_FACTS, type Page } from '../../../../src/shared/page/page.ts';

const DAY = 86_400_000;
const page: Page = {
  url: 'https://example.org/',
  publishTime: { local: '2026-02-13T08:00:00', instant: Date.UTC(2026, 1, 13, 8) },
  segments: [],
  anchors: [],
  links: [],
  facts: NO_FACTS,
};

test('a date up to a day ahead of the visit is believed, one beyond it is kept apart', () => {
  const { publishTime, ...rest } = page;
  const published = Date.UTC(2026, 1, 13, 8);
  expect(credible(page, published - DAY)).toBe(page);
  expect(credible(page, published - DAY - 1)).toEqual({ ...rest, futureTime: publishTime });
});
