import { type PageKind, type Rate, URGENT, type Urgency } from '../storage/frontier.ts';

/**
 * How often a page changes, learned from visits that say only "changed since the last one" or "not", and what of the
 * budget that is worth. Changes are taken for a Poisson process. Two numbers a page: theta, the logarithm of the rate,
 * and info, how much is known. Each visit is one step up the likelihood of what it saw; what was seen long ago
 * counts less and less, since pages go quiet.
 *
 * The rate is that of the changes that nobody announces. Where feeds and sitemaps tell of a change, its visit is made
 * for the hint, and a schedule of the page's own need only find the rest. With q the share of hints that are false, a
 * visit made for one finds nothing with probability q e^(-λτ): what such a visit finds is mostly put down to the hint.
 *
 * Decided against: the share of visits that found a change (too low for fast pages), and what peers do – shorter by a
 * factor after a change, longer without one – which with as many visits sees changes a third later.
 */
export const DAY_MS = 86_400_000;

export interface Look {
  /** Since the last look; below 1, nothing is learned. */
  readonly ms: number;
  readonly isChange: boolean;
  /** What the visit was made for. */
  readonly urgency: Urgency;
}

/** What is taken for likely of a page that was never seen twice. `pull` is still to be set. */
export function startRate(kind: PageKind): Rate {
  return { theta: Math.log(START_PER_DAY[kind]), info: START_INFO, pull: 0 };
}

/** The rate after one more look. Whatever the numbers, theta stays within its bounds. */
export function learn(rate: Rate, look: Look): Rate {
  if (!(look.ms >= 1)) return rate;
  const q = FALSE_HINTS[look.urgency];
  const expected = Math.min(MOST_EXPECTED, (Math.exp(rate.theta) * look.ms) / DAY_MS);
  // e^x - q, which for a small x and q = 1 is the difference of two numbers that are nearly equal.
  const odds = (q * expected) / (Math.expm1(expected) + (1 - q));
  const slope = look.isChange ? odds : -expected;
  const info = FORGET * rate.info + expected * odds;
  const step = slope / Math.max(info, LEAST_INFO);
  return { ...rate, info, theta: bounded(rate.theta + clamp(step, -LONGEST_STEP, LONGEST_STEP)) };
}

/** Rates from a database may be anything. */
export function sound(rate: Rate | undefined, kind: PageKind): Rate {
  const isSound = rate !== undefined && Number.isFinite(rate.theta) && rate.info >= 0 && rate.info < Infinity;
  return isSound ? { ...rate, theta: bounded(rate.theta) } : startRate(kind);
}

/** What a change of a page is worth: by its domain's rating, the page's own matches and what it is for the crawl. */
export function weightOf(kind: PageKind, dr: number | undefined, matches: number): number {
  return standing(kind, dr) * (1 + clamp(matches, 0, MOST_MATCHES));
}

/** A page's share of the budget. Between 1/2 (least mean delay) and 1 (most within the hour; bad for all others). */
export function pullOf(weight: number, theta: number): number {
  return (weight * Math.exp(theta)) ** EXPONENT;
}

/**
 * How often the page matched in the last 30 days or so, read back from its pull: the third number of a page that has
 * only two. Exact while kind and rating stay; when they do not, it is wrong for some weeks, and never out of bounds.
 */
export function matchesIn(rate: Rate, kind: PageKind, dr: number | undefined, agoMs: number): number {
  const weight = rate.pull ** (1 / EXPONENT) / Math.exp(rate.theta);
  const matches = clamp(weight / standing(kind, dr) - 1, 0, MOST_MATCHES);
  return matches * Math.exp(-Math.max(0, agoMs) / MATCHES_LAST_MS);
}

function standing(kind: PageKind, dr: number | undefined): number {
  return (0.5 + clamp(dr ?? 0, 0, 100) / 100) * KIND_WEIGHT[kind];
}

function bounded(theta: number): number {
  return clamp(theta, SLOWEST, FASTEST);
}

/** What is no number at all becomes `least`. */
export function clamp(value: number, least: number, most: number): number {
  return value >= least ? Math.min(most, value) : least;
}

const EXPONENT = 0.6;
/** A copy or a page of a list is worth a rare look; a feed speaks for many pages. */
const KIND_WEIGHT: Readonly<Record<PageKind, number>> = { feed: 4, hub: 2, sitemap: 2, article: 1, minor: 0.2 };
const MOST_MATCHES = 4;
const MATCHES_LAST_MS = 30 * DAY_MS;

const START_PER_DAY: Readonly<Record<PageKind, number>> = { feed: 4, hub: 2, sitemap: 1, article: 0.3, minor: 0.1 };
/** One over the variance of ln λ, where λ may be anywhere in four decades: the first visits move it far. */
const START_INFO = 0.125;
/** A feed's "new" is seldom wrong; a sitemap is believed until seven in ten of its dates are. */
const FALSE_HINTS: Readonly<Record<Urgency, number>> = {
  [URGENT.none]: 1,
  [URGENT.sitemap]: 0.5,
  [URGENT.feed]: 0.25,
  [URGENT.asked]: 1,
};
/** Of what is known this much is left after the next visit: the last 30 or so decide. */
const FORGET = 0.97;
/** Below it the first surprises would throw the rate about; nor does any one visit move it by more than a factor of 7. */
const LEAST_INFO = 0.25;
const LONGEST_STEP = 2;
/** e^50 is no problem for a double, and nobody would visit so late. */
const MOST_EXPECTED = 50;
/** One change in 500 days, 200 a day. */
const SLOWEST = Math.log(0.002);
const FASTEST = Math.log(200);
