import { addressOf, bornAt, type Kind, type Terms, versionAt } from './kinds.ts';
import type { Ask } from './servers.ts';

/** What the hosts' own books say of a crawl. Times in milliseconds since 1970. */
export interface Course {
  readonly terms: Terms;
  readonly books: readonly (readonly Ask[])[];
  /** The URL of each host that a source has; undefined: there is none on it. */
  readonly sourcePath: (n: number) => string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** When nobody answered. */
  readonly outage: { readonly from: number; readonly to: number };
  /** The daemon's rest between two requests. */
  readonly restMs: number;
}

/** How long each change of the well hosts took to be asked for. */
export function delaysOf(course: Course, path: (n: number) => string | undefined, everyMs: number): number[] {
  const { terms, books, startedAt, endedAt, outage } = course;
  return terms.kinds.flatMap((kind, n) => {
    const of = path(n);
    if (kind !== 'well' || of === undefined) return [];
    const asked = (books[n] ?? []).filter((ask) => ask.path === of);
    const first = versionAt(n, startedAt, terms.changeMs) + 1;
    const last = versionAt(n, endedAt, terms.changeMs);
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, k) =>
      bornAt(n, first + k, terms.changeMs),
    ).flatMap((born) => {
      // The outage is counted apart: what came within it, or was to be seen in it, says nothing.
      const isOut = born < outage.to + AFTER_OUTAGE_MS && born + 2 * everyMs > outage.from;
      if (isOut || born + 2 * everyMs > endedAt) return [];
      const seen = asked.find(({ at }) => at >= born);
      return [seen === undefined ? Infinity : seen.at - born];
    });
  });
}

/** The longest time in which no well host was asked for anything, but for the outage. */
export function longestGap({ terms, books, startedAt, endedAt, outage }: Course): number {
  const times = terms.kinds.flatMap((kind, n) => (kind === 'well' ? (books[n] ?? []).map(({ at }) => at) : []));
  const before = [
    startedAt,
    ...times.filter((at) => at < outage.from).toSorted((one, other) => one - other),
    outage.from,
  ];
  const after = [outage.to, ...times.filter((at) => at > outage.to).toSorted((one, other) => one - other), endedAt];
  // How soon the first visit follows the outage is a matter of its own.
  return Math.max(...gaps(before), ...gaps(after).slice(1));
}

function gaps(times: readonly number[]): number[] {
  return times.slice(1).map((at, index) => at - (times[index] ?? at));
}

/** Hosts that were asked more than docs/crawl.md has it. */
export function tooOften(course: Course): string[] {
  return course.terms.kinds.flatMap((kind, n) => {
    const complaint = JUDGES[kind](course.books[n] ?? [], course, n);
    return complaint === undefined ? [] : [`asked too often: ${kind} ${addressOf(n)}: ${complaint}`];
  });
}

type Judge = (asks: readonly Ask[], course: Course, n: number) => string | undefined;

/** Of silent and refusing hosts nobody is there to count: there the failures that the daemon tells are looked at. */
const uncounted: Judge = () => undefined;

const asFailing = (asks: readonly Ask[], { startedAt, endedAt, restMs, outage }: Course): string | undefined => {
  const allowed = failuresAllowed(endedAt - startedAt, restMs);
  const { length } = asks.filter((ask) => !isCutOff(ask, outage));
  return length > allowed ? `${length} times, where ${allowed} are allowed` : undefined;
};

const byInterval: Judge = (asks, { terms, sourcePath, startedAt, endedAt }, n) => {
  const own = asks.filter(({ path }) => path === sourcePath(n));
  const most = Math.ceil((endedAt - startedAt) / terms.everyMs) + 2;
  return own.length > most ? `${own.length} times, where its interval allows ${most}` : undefined;
};

const pagesOf = (asks: readonly Ask[]): Ask[] => asks.filter(({ path }) => path !== '/robots.txt');

const JUDGES: Readonly<Record<Kind, Judge>> = {
  silent: uncounted,
  refusing: uncounted,
  tls: asFailing,
  dripping: (asks, course) => asFailing(pagesOf(asks), course),
  robots: (asks, course) => {
    const [page] = pagesOf(asks);
    return page === undefined ? asFailing(asks, course) : `for ${page.path} without its robots.txt`;
  },
  throttling: (asks, course) => soonest(pagesOf(asks), course, () => course.terms.retryAfterMs),
  // Five times its smoothed time to an answer, half a minute at most; a tenth for how the two of us measure it.
  slow: (asks, course) =>
    soonest(asks, course, (index) => 0.9 * Math.min(30_000, 5 * course.terms.slowMs * (1 - 0.75 ** (index + 1)))),
  gone: byInterval,
  soft404: byInterval,
  moved: byInterval,
  well: byInterval,
};

/** Whether one was asked for before the rest was over that the one before it has earned. */
function soonest(asks: readonly Ask[], course: Course, restMs: (index: number) => number): string | undefined {
  for (const [index, ask] of asks.slice(1).entries()) {
    const before = asks[index];
    const restedMs = ask.at - (before === undefined ? 0 : endOf(before, course));
    // The two clocks are one, read in two processes, and an answer ends there before it ends here.
    if (restedMs < restMs(index) - 50) return `after ${restedMs} ms, where ${Math.round(restMs(index))} are its rest`;
  }
  return undefined;
}

/** It was under way when all fell silent: called off, and no failure of the host. */
function isCutOff({ at, endedAt = at }: Ask, { from, to }: Course['outage']): boolean {
  return at < from && endedAt >= to;
}

/** Of what was cut off the end is noted when the outage is over: whoever asked had given up by its deadline. */
function endOf(ask: Ask, { outage, terms }: Course): number {
  return isCutOff(ask, outage) ? ask.at + deadlineMs(terms) : (ask.endedAt ?? ask.at);
}

/** How long the daemon is to wait for a page. */
export function deadlineMs({ slowMs }: Terms): number {
  return 2 * slowMs;
}

/**
 * How often a host that never answers may be asked in so long: twice the rest after the first failure, then four times and
 * so on, up to a minute; a minute after the fifth, and twice as long each time.
 */
export function failuresAllowed(withinMs: number, restMs: number): number {
  let [failures, at] = [0, 0];
  while (at <= withinMs) {
    failures += 1;
    at += failures < 5 ? Math.min(restMs * 2 ** failures, 60_000) : 60_000 * 2 ** (failures - 5);
  }
  return failures;
}

/** A host of the list has this long to be asked again when the network is back. */
export const AFTER_OUTAGE_MS = 30_000;
