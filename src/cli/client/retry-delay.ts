/** Milliseconds a server may ask us to wait: longer, and it is a mistake or a way to switch the client off. */
const LONGEST_ASKED_MS = 10 * 60_000;
const LEAST_MS = 2_000;
const MOST_MS = 60_000;

/** Milliseconds before the next try. */
export interface RetryFacts {
  /** Tries in a row that gave nothing, the last one included. */
  readonly failures: number;
  /** We know which event comes next, so a quick return loses nothing. */
  readonly resumable: boolean;
  /** The `Retry-After` of the answer: seconds, or an HTTP date. */
  readonly retryAfter?: string | undefined;
  readonly now: number;
  /** 0 ≤ random < 1 */
  readonly random: number;
}

/**
 * `Retry-After` when the server named one, stretched by up to a quarter so that clients sent away together do not
 * come back together. A connection lost for the first time: 0.5–2 s. Else full jitter over a doubling window, 2 s to
 * 60 s: the least is above 60 s ÷ 30, the stream connections a tap may open in a minute (spec, Limits).
 */
export function retryDelay(facts: RetryFacts): number {
  const asked = askedFor(facts);
  if (asked !== undefined) return Math.round(asked * (1 + facts.random / 4));
  if (facts.resumable && facts.failures <= 1) return Math.round(500 + 1_500 * facts.random);
  const window = Math.min(MOST_MS, LEAST_MS * 2 ** Math.min(facts.failures, 10));
  return Math.round(Math.max(LEAST_MS, window * facts.random));
}

function askedFor({ retryAfter, now }: RetryFacts): number | undefined {
  if (retryAfter === undefined || retryAfter.trim() === '') return undefined;
  const seconds = Number(retryAfter);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(retryAfter) - now;
  return ms >= 0 ? Math.min(ms, LONGEST_ASKED_MS) : undefined;
}
