import { expect, test } from 'vitest';
import { identityOf } from '../../../src/daemon/discovery/canonical.ts';
import {
  type Given,
  leadTo,
  patternOf,
  seedHostOf,
  seedLead,
  targetOf,
} from '../../../src/daemon/discovery/discover.ts';
import { robotsSitemaps } from '../../../src/daemon/discovery/robots-sitemaps.ts';
import { type Lead, URGENT } from '../../../src/daemon/storage/frontier.ts';
import { terms } from './terms.ts';

const given = { seedHost: 'example.com', depth: 2, kind: 'article', urgency: URGENT.none, isBaseline: true } as const;

function leadFor(url: string, said: Given): Lead | undefined {
  const target = targetOf(url);
  return target && leadTo(target, said);
}

test('a lead has the URL as it is fetched, its identity, its pattern, and what was given', () => {
  const url = 'https://example.com/a?id=1';
  expect(leadFor(`${url}&utm_source=x#y`, given)).toEqual({
    url,
    ...identityOf(url),
    pattern: patternOf(url),
    depth: 2,
    kind: 'article',
    urgency: URGENT.none,
    isBaseline: true,
    isForeign: false,
  });
});

test('another host than the seed has is foreign, also one of its domain', () => {
  expect(leadFor('https://shop.example.com/', given)?.isForeign).toBe(true);
  expect(leadFor('https://example.com:8443/', given)?.isForeign).toBe(true);
});

test('the twin of the seed, with or without www., is not foreign', () => {
  expect(leadFor('https://www.example.com/', given)?.isForeign).toBe(false);
  expect(leadFor('https://example.com/', { ...given, seedHost: 'www.example.com' })?.isForeign).toBe(false);
});

test('a trap gives no lead, unless the operator named it', () => {
  const trap = 'https://example.com/a/a/a/a';
  expect(leadFor(trap, given)).toBeUndefined();
  expect(seedLead(trap, false)).toMatchObject({
    url: trap,
    depth: 0,
    kind: 'hub',
    isForeign: false,
    isBaseline: false,
  });
});

test('what is no page to visit gives no lead', () => {
  expect(leadFor('mailto:a@example.com', given)).toBeUndefined();
  expect(seedLead('ftp://example.com/', false)).toBeUndefined();
});

test('the host of a seed is that of its canonical form', () => {
  expect(seedHostOf({ url: 'https://EXAMPLE.com.:443/a' })).toBe('example.com');
});

test('sitemaps of a robots.txt are followed on any host, at the depth of the page', () => {
  const [found, ...others] = robotsSitemaps(
    ['https://example.com/sitemap.xml', 'https://cdn.example/s.xml', 'no URL'],
    [terms({ id: 's1', depth: 1 }), terms({ id: 's2', scope: 'page' }), terms({ id: 's3', maxDepth: 1, depth: 1 })],
    true,
  );
  expect(others).toEqual([]);
  expect(found).toMatchObject({
    sourceId: 's1',
    leads: [
      { url: 'https://example.com/sitemap.xml', kind: 'sitemap', depth: 1, isForeign: false, isBaseline: true },
      { url: 'https://cdn.example/s.xml', kind: 'sitemap', depth: 1, isForeign: true, isBaseline: true },
    ],
  });
});
