import { type PageKind, type Rate, URGENT, type Urgency } from '../storage/frontier.ts';

/**
 * How often a page changes, learned from visits that say only "changed since the last one" or "not", and what of the
 * budget that is worth. Changes are taken for a Poisson process, and what is known of its rate for a gamma distribution:
 * a visit that saw no change adds its time, one that saw a change moves mean and variance as Bayes' rule has it. Two
 * numbers a page: theta, the logarithm of the mean in changes a day, and info, the shape, which is about one over the
 * variance of ln λ; info / e^theta is for how long the page was watched, in days. What was seen long ago counts less
 * and less, since pages go quiet. The beginning is wide: a page that was not seen to change in twice the time since it is
 * known is taken for half as lively, and one visit that finds a change makes it several times as lively.
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

/**
 * Of an article that was found long after it came out: most edits come early, so half of its age, up to some days, counts as if it
 * had been watched and had stayed as it was.
 */
export function aged(rate: Rate, ageMs: number): Rate {
  const days = rate.info / Math.exp(rate.theta) + clamp(ageMs / DAY_MS, 0, MOST_AGE_DAYS) / 2;
  return { ...rate, theta: bounded(Math.log(rate.info / days)) };
}

/** For how long the page was watched since it is known, in milliseconds; what was long ago counts less. */
export function watchedMs({ theta, info }: Rate, kind: PageKind): number {
  return Math.max(0, info / Math.exp(theta) - START_INFO / START_PER_DAY[kind]) * DAY_MS;
}

/** The rate after one more look. Whatever the numbers, theta stays within its bounds. */
export function learn(rate: Rate, look: Look): Rate {
  if (!(look.ms >= 1)) return rate;
  const shape = clamp(rate.info, LEAST_INFO, MOST_INFO);
  const known = { shape, days: shape / Math.exp(rate.theta) };
  const days = Math.min(look.ms / DAY_MS, MOST_DAYS);
  const q = FALSE_HINTS[look.urgency];
  const seen = look.isChange ? afterChange(known, days, q) : { shape, days: known.days + days };
  const all = look.urgency === URGENT.feed ? afterHint(seen, days) : seen;
  const [least, most] = look.isChange ? [0, LONGEST_STEP] : [-Infinity, 0];
  const theta = clamp(Math.log(all.shape / all.days), rate.theta + least, rate.theta + most);
  return { ...rate, info: FORGET * all.shape, theta: bounded(theta) };
}

/** A gamma distribution of changes a day: its mean is `shape / days`. */
interface Known {
  readonly shape: number;
  readonly days: number;
}

/**
 * What is known once a change was seen after so many days: the gamma distribution that has the mean and the variance of
 * the posterior. `1 - q e^(-λτ)` is its likelihood, and each moment is one of gammas.
 */
function afterChange({ shape, days }: Known, after: number, q: number): Known {
  const decay = -Math.log1p(after / days);
  // 1 - q r^(shape + k) with r = days / (days + after); for q = 1 the difference of two numbers that are nearly equal.
  const part = (k: number): number => 1 - q - q * Math.expm1((shape + k) * decay);
  const mean = (shape / days) * (part(1) / part(0));
  const spread = ((shape + 1) / shape) * ((part(2) * part(0)) / part(1) ** 2) - 1;
  const moved = clamp(1 / spread, LEAST_INFO, MOST_INFO);
  return { shape: moved, days: moved / mean };
}

/** Of a page that feeds tell of, one change in five or so is not told: its hints say how often that is. */
function afterHint({ shape, days }: Known, after: number): Known {
  return { shape: shape + HINT_WORTH, days: days + HINT_WORTH * HINTS_A_MISSED * after };
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
/**
 * A change of a feed or of a front page is as a rule a page that nobody has seen, with all its text: it is worth several
 * edits. A copy or a page of a list is worth a rare look.
 */
const KIND_WEIGHT: Readonly<Record<PageKind, number>> = { feed: 8, hub: 8, sitemap: 2, article: 1, minor: 0.2 };
const MOST_MATCHES = 4;
const MATCHES_LAST_MS = 30 * DAY_MS;

const START_PER_DAY: Readonly<Record<PageKind, number>> = { feed: 8, hub: 4, sitemap: 1, article: 1.2, minor: 0.1 };
/** λ may be anywhere in four decades: the first visits move it far. */
const START_INFO = 0.2;
const MOST_AGE_DAYS = 7;
/** A feed's "new" is seldom wrong; a sitemap is believed until seven in ten of its dates are. */
const FALSE_HINTS: Readonly<Record<Urgency, number>> = {
  [URGENT.none]: 1,
  [URGENT.sitemap]: 0.5,
  [URGENT.feed]: 0.25,
  [URGENT.asked]: 1,
};
/** Hints of a feed, false ones too, for each change that it does not tell of; and what one says beside a visit that saw a change. */
const HINTS_A_MISSED = 5;
const HINT_WORTH = 0.1;
/** Of what is known this much is left after the next visit: the last 50 or so decide. */
const FORGET = 0.98;
/** Below it the first surprises would throw the rate about; nor does any one change move it by more than a factor of 4.5. */
const LEAST_INFO = 0.02;
const MOST_INFO = 100;
const LONGEST_STEP = 1.5;
/** Nobody would visit so late. */
const MOST_DAYS = 10_000;
/** One change in 500 days, 200 a day. */
const SLOWEST = Math.log(0.002);
const FASTEST = Math.log(200);
