import { Option } from '@commander-js/extra-typings';
import { InvalidArgumentError } from 'commander';
import { SOURCE_EVERY_SECONDS, STREAM_RETENTION_SECONDS, TRIAL_SECONDS } from '../../shared/limits.ts';
import { UsageError } from '../runtime/failure.ts';
import { parseSeconds } from '../text/time.ts';

/** A time of an option, in seconds. @throws {InvalidArgumentError} */
export function secondsOf(text: string): number {
  const seconds = parseSeconds(text);
  if (seconds !== undefined && seconds > 0 && seconds <= SOURCE_EVERY_SECONDS) return seconds;
  throw new InvalidArgumentError('It must be a time like 30s, 10m, 6h or 1d, up to 90d.');
}

/** The same with its unit: `5` would be seconds for a source, and minutes for whoever thinks of a watch. */
export function intervalOf(text: string): number {
  if (/^\s*\d+\s*$/.test(text))
    throw new InvalidArgumentError(`Its unit is missing: ${text.trim()}s, ${text.trim()}m or ${text.trim()}h.`);
  return secondsOf(text);
}

/** A URL as a word of the command line. @throws {UsageError} */
export function checkedUrl(text: string): string {
  const url = URL.parse(text);
  if (url !== null && ['http:', 'https:'].includes(url.protocol)) return text;
  const isBare = text.includes('.') && !/[\s:]\/?\//.test(text) && URL.canParse(`https://${text}`);
  const hint = isBare ? `did you mean https://${text}?` : 'a URL begins with https:// or http://';
  throw new UsageError(`\`${text}\` is not a URL that hydrant can crawl`, { hint });
}

/** Seconds of a time up to the longest that matches may be kept; how long they are is a setting of the daemon. */
export function upToRetention(text: string): number {
  const seconds = parseSeconds(text);
  if (seconds !== undefined && seconds >= 1 && seconds <= STREAM_RETENTION_SECONDS.most) return seconds;
  throw new InvalidArgumentError('It must be a time up to 90d, such as 5m, 24h, 7d.');
}

/** Seconds of a time up to the day that changes are kept. */
export function upToADay(text: string): number {
  const seconds = parseSeconds(text);
  if (seconds !== undefined && seconds >= 1 && seconds <= TRIAL_SECONDS) return seconds;
  throw new InvalidArgumentError('It must be a time up to 24h, such as 5m, 1h, 24h.');
}

export function countUpTo(most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number up to ${most}.`);
  };
}

/** Of a feed that is written: each reader has one of them. */
export const FEED_FORMAT = new Option('--format <form>', 'atom, or json for JSON Feed')
  .choices(['atom', 'json'] as const)
  .default('atom' as const);

/** The instant that `2h` ago, a date or a timestamp names, in milliseconds. @throws {UsageError} */
export function instantOf(text: string, now: number, flag: string): number {
  const seconds = parseSeconds(text);
  const at = seconds === undefined ? Date.parse(text) : now - seconds * 1_000;
  if (!Number.isNaN(at)) return at;
  throw new UsageError(`${flag}: \`${text}\` is not a time`, {
    hint: 'write it as 2h, 3d, 2026-02-27 or 2026-02-27T14:00:00Z',
  });
}
