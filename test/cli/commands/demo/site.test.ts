import { afterEach, describe, expect, it } from 'vitest';
import {
  pages,
  releases,
  type Site,
  startSite,
  status,
  stories,
  TICK_MS,
} from '../../../../src/cli/commands/demo/site.ts';

const published = '2026-02-13T08:06:32.000Z';
const all = (seed: number, tick: number) => Object.values(pages).map((render) => render({ seed, tick }, published));

describe('the town', () => {
  it('has the same story for the same seed, and another for another', () => {
    expect(all(7, 3)).toEqual(all(7, 3));
    expect(all(7, 3)).not.toEqual(all(8, 3));
  });

  it.each(Object.keys(pages))('%s changes again and again, and keeps most of what it had', (path) => {
    const render = pages[path]!;
    const versions = Array.from({ length: 12 }, (_, tick) => render({ seed: 7, tick }, published));
    expect(new Set(versions).size).toBeGreaterThan(4);
    for (const [index, version] of versions.slice(1).entries()) {
      const before = new Set(versions[index]!.split('\n'));
      const kept = version.split('\n').filter((line) => before.has(line));
      expect(kept.length).toBeGreaterThan(version.split('\n').length / 4);
    }
  });

  it('puts the newest first and drops the oldest', () => {
    const now = stories({ seed: 7, tick: 4 }, 5);
    expect(stories({ seed: 7, tick: 5 }, 5).slice(1)).toEqual(now.slice(0, 4));
    expect(releases({ seed: 7, tick: 2 }, 4).slice(1)).toEqual(releases({ seed: 7, tick: 0 }, 4).slice(0, 3));
  });

  it('has services in trouble, and services that recover', () => {
    const states = Array.from({ length: 40 }, (_, tick) => status({ seed: 7, tick })[0]?.state);
    expect(new Set(states)).toEqual(new Set(['Operational', 'Degraded performance', 'Major outage']));
  });
});

describe('the site', () => {
  const sites: Site[] = [];

  afterEach(async () => {
    for (const site of sites.splice(0)) await site.close();
  });

  async function started(now: () => number) {
    const site = await startSite({ seed: 7, now });
    sites.push(site);
    return site;
  }

  it('serves its pages on loopback hosts, and changes them with time', async () => {
    let now = 1_771_000_000_000;
    const site = await started(() => now);
    expect(site.urls.map((url) => new URL(url).pathname)).toEqual(Object.keys(pages));
    for (const url of site.urls) expect(new URL(url).hostname).toMatch(/^127\.0\.0\.[12]$/);
    const [news = ''] = site.urls;
    const first = await (await fetch(news)).text();
    expect(first).toContain(`content="${new Date(now).toISOString()}"`);
    now += TICK_MS;
    expect(await (await fetch(news)).text()).not.toBe(first);
  });

  it('has nothing else', async () => {
    const [news = ''] = (await started(() => 0)).urls;
    expect((await fetch(new URL('/robots.txt', news))).status).toBe(404);
  });
});
