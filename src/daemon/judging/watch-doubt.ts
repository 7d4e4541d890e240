import { createHash } from 'node:crypto';
import type { PlacedHunk } from '../../shared/page/change.ts';
import { CONFIRM_MS } from '../../shared/limits.ts';
import type { WatchCase } from './watch-case.ts';

/** What waits for a second word: since when, and what it is about. */
export interface Waiting {
  readonly doubtedAt: number;
  readonly doubt: string;
}

/** Most of the page is gone: whatever is left of it. */
export const GONE = 'gone';

/** A change, by the lines that came and went. Where they stand is no matter: what is around them may change by itself. */
export function changeIn(hunks: readonly PlacedHunk[]): string {
  const blocks = hunks.flatMap((hunk) => hunk.blocks).filter((block) => !('ctx' in block));
  return createHash('sha256').update(JSON.stringify(blocks)).digest('hex').slice(0, 16);
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

type Sight = Pick<WatchCase, 'doubtedAt' | 'doubt' | 'at'>;

/** First words that wait, one after the other. */
const MOST_WORDS = 3;
