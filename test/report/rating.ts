import { RatingList } from '../../src/shared/rating/list.ts';
import { ratingOfReferring } from '../../src/shared/rating/rating.ts';
import { siteOf } from '../../src/shared/page/domain.ts';
import { fileOf, type Half, halfOf } from './corpus.ts';
import type { Figure } from './run.ts';

/**
 * How plausible domain ratings are: against a public list of well-known sites that has both the domains linking to
 * each and a rating from 0 to 100, and against lists of often and seldom visited domains, with the links of the corpus'
 * pages. Those are about 2,000 sites of which most are one page: they show what a small crawl sees.
 */
export async function figures(half: Half): Promise<Figure[]> {
  const known = wellKnown(half);
  const referring = referringDomains();
  const visited = ratedBy('top_domains_opendns.csv.gz', half);
  const random = rows('random_domains_opendns.csv.gz').flatMap((row) => siteOf(row[0] ?? '') ?? []);
  const seen = [...known].filter(([domain]) => referring.has(domain));
  const both = [...visited.rated].filter(([domain]) => referring.has(domain));
  const tooHigh = both.filter(([domain, rating]) => own(referring.get(domain) ?? 0) > rating + 10);
  const differences = [...known.values()].map(({ linking, rating }) => Math.abs(own(linking) - rating));
  const named = (domains: readonly string[]): number => mean(domains.map((domain) => Number(referring.has(domain))));
  const order = rankCorrelation(seen.map(([domain, { linking }]) => [referring.get(domain) ?? 0, linking]));
  const ofKnown = `${known.size} well-known sites, rated by how many domains link to them`;
  return [
    { name: 'mean distance from the list’s own rating', value: mean(differences), of: ofKnown, goal: 5 },
    { name: 'rank correlation, own links with those of the web', value: order, of: `${seen.length} of them` },
    {
      name: 'own rating over the imported one by 10',
      value: tooHigh.length / both.length,
      of: `${both.length} sites`,
      goal: 0,
    },
    {
      name: 'often visited domains that have an own rating',
      value: named([...visited.rated.keys()]),
      of: `${visited.rated.size}`,
    },
    {
      name: 'random domains that have one',
      value: named(random.filter((domain) => halfOf(domain) === half)),
      of: 'half of 10,000',
    },
    { name: 'lines of a public list that cannot be read', value: visited.bad, of: '10,000 lines', goal: 0 },
  ];
}

interface Known {
  readonly linking: number;
  readonly rating: number;
}

function rows(name: string): string[][] {
  const lines = new TextDecoder().decode(fileOf('links', name)).trim().split('\n');
  return lines.slice(1).map((line) => line.trim().split(','));
}

/** By registrable domain; of several hosts the one that most domains link to. */
function wellKnown(half: Half): Map<string, Known> {
  const known = new Map<string, Known>();
  for (const [, host = '', linking, rating] of rows('moz_top_sites.csv')) {
    const domain = siteOf(host) ?? host;
    const found = { linking: Number(linking), rating: Number(rating) };
    if (halfOf(domain) === half && found.linking > (known.get(domain)?.linking ?? 0)) known.set(domain, found);
  }
  return known;
}

/** Both halves: a vote from the one may be for the other, and nothing is chosen here. */
function referringDomains(): Map<string, number> {
  const sources = new Map<string, Set<string>>();
  for (const [source = '', target = ''] of rows('host_edges.csv.gz')) {
    const [from, to] = [siteOf(source), siteOf(target)];
    if (from === undefined || to === undefined || from === to) continue;
    sources.set(to, (sources.get(to) ?? new Set()).add(from));
  }
  return new Map([...sources].map(([domain, found]) => [domain, found.size]));
}

function ratedBy(name: string, half: Half): { rated: Map<string, number>; bad: number } {
  const list = new RatingList();
  const rated = new Map<string, number>();
  let bad = 0;
  for (const line of new TextDecoder().decode(fileOf('links', name)).split('\n')) {
    const found = list.read(line.replace(/\r$/, ''));
    if (found.kind === 'bad') bad += 1;
    if (found.kind !== 'rated' || halfOf(found.domain) !== half) continue;
    rated.set(found.domain, Math.max(found.rating, rated.get(found.domain) ?? 0));
  }
  return { rated, bad };
}

function own(referring: number): number {
  return ratingOfReferring(referring) ?? 0;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Spearman's, with the mean place for equal values. */
function rankCorrelation(pairs: readonly (readonly [number, number])[]): number {
  const [one, other] = [places(pairs.map(([first]) => first)), places(pairs.map(([, second]) => second))];
  const [middle, products] = [(pairs.length - 1) / 2, one.map((place, index) => [place, other[index] ?? 0] as const)];
  const sum = (of: (first: number, second: number) => number): number =>
    products.reduce((total, [first, second]) => total + of(first - middle, second - middle), 0);
  return sum((a, b) => a * b) / Math.sqrt(sum((a) => a * a) * sum((_, b) => b * b));
}

function places(values: readonly number[]): number[] {
  return values.map((value) => {
    const below = values.filter((other) => other < value).length;
    return below + (values.filter((other) => other === value).length - 1) / 2;
  });
}
