import { CONFIRM_MS } from '../../shared/limits.ts';
import { type AnalysisFailure, failed } from './findings.ts';

/**
 * What is hard to believe of a page is looked at again, a minute later, before it counts: a mass deletion, a page that may not
 * have been complete when a browser read it, a change that its watch wants to have confirmed.
 */
interface Sight {
  /** Since when something waits for its second look; undefined: nothing does. */
  readonly doubtedAt: number | undefined;
  /** What that is, as `Waiting` has it. */
  readonly doubt?: string | undefined;
  readonly at: number;
}

/** What waits for a second word: since when, and what it is about. */
export interface Waiting {
  readonly doubtedAt: number;
  readonly doubt: string;
}

/** Whether what is hard to believe is found for the first time, and waits for a second. */
export function isFirstSight({ doubtedAt, at }: Sight): boolean {
  return doubtedAt === undefined || at < doubtedAt + CONFIRM_MS;
}

export function doubtful({ doubtedAt, at }: Sight, doubt: string): AnalysisFailure {
  // One in the future is that of a clock that was set back: nobody would look for it until then.
  return { ...failed('doubtful', doubt), doubtedAt: Math.min(doubtedAt ?? at, at) };
}

/**
 * What is hard to believe is believed when it is seen again, a minute later: `undefined`. Something else by then is a first
 * word of its own, and waits in its turn; a page that is never the same for two checks is believed at the fourth.
 */
export function waiting({ doubtedAt, doubt = '', at }: Sight, about: string): Waiting | undefined {
  const [, times = '0', former] = /^(\d+) (.*)$/.exec(doubt) ?? [];
  const seen = doubtedAt === undefined ? 0 : Number(times);
  const isSettled = former === about || seen >= MOST_WORDS;
  // In the future: the clock was set back.
  if (doubtedAt === undefined || !isSettled || doubtedAt > at) {
    return { doubtedAt: at, doubt: `${Math.min(seen + 1, MOST_WORDS)} ${about}` };
  }
  return at < doubtedAt + CONFIRM_MS ? { doubtedAt, doubt } : undefined;
}

/** First words that wait, one after the other. */
const MOST_WORDS = 3;

/** Half a page as what all others are compared with would make a change of the next whole one: once, it is not taken. */
export function halfAPage(given: Sight & Rendered): AnalysisFailure | undefined {
  const { unsettled } = given.fetched;
  return unsettled !== undefined && isFirstSight(given) ? doubtful(given, unsettledWords(unsettled)) : undefined;
}

interface Rendered {
  readonly fetched: { readonly unsettled?: string };
}

/** @param why the rest of a sentence, as `FetchedBody.unsettled` has it */
export function unsettledWords(why: string): string {
  return `the page may not have been complete when it was read: ${why}; a second look decides`;
}
