import { expect, test } from 'vitest';
import { crawlList } from '../soak/list.ts';

/** The short form of `npm run soak -- list`. */
test('a list as people have it: the healthy hosts are seen, the others named and left alone, an outage blames nobody', async () => {
  const size = { hosts: 60, watches: 20, every: 10, slow: 3, retryAfter: 15 };
  const [seen, ...wrong] = await crawlList({ ...size, before: 35, after: 5, outage: 10 });
  expect({ seen, wrong }).toEqual({ seen, wrong: [] });
}, 300_000);
