import { InvalidArgumentError } from 'commander';
import { STREAM_SINCE_SECONDS } from '../../shared/limits.ts';
import { parseSeconds } from '../time.ts';

/** Seconds of a time up to the day that matches and changes are kept. */
export function upToADay(text: string): number {
  const seconds = parseSeconds(text);
  if (seconds !== undefined && seconds >= 1 && seconds <= STREAM_SINCE_SECONDS) return seconds;
  throw new InvalidArgumentError('It is a time up to 24h, as 5m, 1h, 24h.');
}

export function countUpTo(most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value <= most) return value;
    throw new InvalidArgumentError(`It is a whole number up to ${most}.`);
  };
}
