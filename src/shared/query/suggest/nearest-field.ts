import { OTHER_NAMES, QUERY_FIELDS } from '../fields.ts';
import { misspelled } from './suggest.ts';

/** Shorter beginnings are those of too many words. */
const SHORTEST_BEGINNING = 3;
/** Other names that are long enough to be known by a misspelling. */
const LONG_OTHER_NAMES = Object.keys(OTHER_NAMES).filter((name) => name.length > SHORTEST_BEGINNING);
/** Longer names are no names. */
const LONGEST = 64;

/**
 * The field that was meant by a name there is none of: what it is called elsewhere, its words in another form
 * (`publishTime`, `time`), its beginning (`lang`), or a misspelling of it. Undefined when none is near: `foo` is no `url`.
 */
export function nearestField(name: string): string | undefined {
  const written = name.slice(0, LONGEST);
  const words = wordsOf(written);
  const joined = words.join('_');
  const other = otherName(written.toLowerCase()) ?? otherName(joined);
  return other ?? sameWords(words) ?? begunBy(joined) ?? misspelled(joined, QUERY_FIELDS) ?? otherMisspelled(joined);
}

function otherName(name: string): string | undefined {
  return Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : undefined;
}

/** A short name is one letter from too many words: `page` is no misspelt `age`. */
function otherMisspelled(name: string): string | undefined {
  const near = misspelled(name, LONG_OTHER_NAMES);
  return near === undefined ? undefined : otherName(near);
}

function wordsOf(name: string): string[] {
  return name
    .replace(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** The field with most of the words among those written (`source_url`), else the only one that has all of those. */
function sameWords(words: readonly string[]): string | undefined {
  if (words.length === 0) return undefined;
  const within = QUERY_FIELDS.filter((field) => field.split('_').every((word) => words.includes(word)));
  const [most] = within.toSorted((one, other) => other.length - one.length);
  if (most !== undefined) return most;
  const around = QUERY_FIELDS.filter((field) => words.every((word) => field.split('_').includes(word)));
  return around.length === 1 ? around[0] : undefined;
}

function begunBy(beginning: string): string | undefined {
  if (beginning.length < SHORTEST_BEGINNING) return undefined;
  const [shortest, next] = QUERY_FIELDS.filter((field) => field.startsWith(beginning)).toSorted(
    (one, other) => one.length - other.length,
  );
  // `add` begins `added` and `added_anchor`; `page` begins two that have nothing in common.
  return next === undefined || (shortest !== undefined && next.startsWith(shortest)) ? shortest : undefined;
}
