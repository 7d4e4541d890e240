import { InvalidArgumentError, Option } from 'commander';
import { SOURCE_DEPTH, SOURCE_PAGES } from '../../../shared/limits.ts';
import { secondsOf } from '../words.ts';

/** What the crawl's flags and words may be. */
export const scopes = ['page', 'prefix', 'host', 'domain', 'any'] as const;

export function scopeOption(): Option {
  const doc = 'this page alone, what is below it, its host, its domain, or anywhere';
  return new Option('--scope <scope>', doc).choices(scopes);
}

export function maxPagesOption(): Option {
  return new Option('--max-pages <count>', 'pages held at once').argParser((text) => whole(text, 1, SOURCE_PAGES));
}

/** Seconds, or the word that means "none". Commander takes null for an empty text. */
export function secondsOr<Word extends string>(word: Word): (text: string) => number | Word {
  return (text) => (text === word ? word : secondsOf(text));
}

export function depthOf(text: string): number {
  return whole(text, 0, SOURCE_DEPTH);
}

export function depthOr<Word extends string>(word: Word): (text: string) => number | Word {
  return (text) => (text === word ? word : depthOf(text));
}

function whole(text: string, least: number, most: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new InvalidArgumentError(`It is a whole number from ${least} to ${most}.`);
}
