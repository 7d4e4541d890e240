import type { Matcher } from '../automaton/matcher.ts';
import { compileRegex } from '../automaton/regex.ts';
import { QUALITY_AGE_SECONDS } from '../limits.ts';
import { ADULT, QUALITY_EXCLUSIONS } from '../query/check/quality.ts';
import type { FieldValues } from './document.ts';
import type { Withheld } from '../api/rule-report.ts';

/**
 * The `quality` filter (spec, Rule): published within the last seven days, and no query string in the address,
 * which is not that of a further page or of an index of a tag, a category, a topic or an author. A page without a date has no age and does not pass.
 * Undefined when the page passes, else why it does not.
 */
export function lowQuality(values: FieldValues): Exclude<Withheld, 'adult'> | undefined {
  const { age } = values.numbers;
  if (age === undefined) return values.ahead === undefined ? 'no_date' : 'future_date';
  if (age < 0) return 'future_date';
  if (age > QUALITY_AGE_SECONDS) return 'too_old';
  const url = urlOf(values);
  excluded ??= QUALITY_EXCLUSIONS.map((pattern) => compileRegex(pattern));
  return excluded.some((pattern) => pattern.matches(url)) ? 'url' : undefined;
}

/** Undefined when the page passes, else what is in the way, to be read after "quality: ". */
export function qualityProblem(values: FieldValues): string | undefined {
  const { ahead = 0 } = values;
  const { age = -ahead } = values.numbers;
  switch (lowQuality(values)) {
    case undefined:
      return undefined;
    case 'no_date':
      return 'no publish date';
    case 'future_date':
      return howLongAgo(age);
    case 'too_old':
      return `${howLongAgo(age)}, and ${QUALITY_AGE_SECONDS / 86_400} days are allowed`;
    case 'url':
      return NAMED.find(([pattern]) => pattern.test(urlOf(values)))?.[1] ?? 'the URL is a further page of a list';
  }
}

function urlOf({ texts }: FieldValues): string {
  return texts.url?.[0] ?? '';
}

/** Made when the first page is asked: a command that matches nothing should not wait for them. */
let excluded: readonly Matcher[] | undefined;

/** Which of the exclusions it was, for people. */
const NAMED: readonly (readonly [RegExp, string])[] = [
  [/^[^?#]*\?[^#]/, 'the URL has a query string'],
  [/^[^?#]*\/(?:tags?(?:[/?#]|$)|tagged\/)/i, 'the URL is a tag page'],
  [/^[^?#]*\/categor(?:y|ies)(?:[/?#]|$)/i, 'the URL is a category page'],
  [/^[^?#]*\/(?:topic|label)s?\/[^/?#]+(?:\/\d*)?(?:[?#]|$)/i, 'the URL is a topic page'],
  [/^[^?#]*\/authors?\/[^/?#]+(?:\/\d*)?(?:[?#]|$)/i, 'the URL is an author page'],
];

export function isAdult(values: FieldValues): boolean {
  return values.texts.page_category?.includes(ADULT) === true;
}

/** Undefined when the page passes, else what is in the way, to be read after "nsfw: ". */
export function adultProblem(values: FieldValues): string | undefined {
  return isAdult(values) ? `the page is labelled ${ADULT}` : undefined;
}

const UNITS: readonly (readonly [seconds: number, name: string])[] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
];

/** `published 3 days ago`, for an age in seconds; rounded down, in the largest unit of which it has two. */
export function howLongAgo(age: number): string {
  const seconds = Math.floor(Math.abs(age));
  const [size, name] = UNITS.find(([size]) => seconds >= 2 * size) ?? [1, 'second'];
  const count = Math.floor(seconds / size);
  const span = `${count} ${name}${count === 1 ? '' : 's'}`;
  return age < 0 ? `published ${span} from now` : `published ${span} ago`;
}
