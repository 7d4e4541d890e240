/**
 * A made-up web with known change times, and the rules of other crawlers on it. 5 % of the pages change 2 to 48 times a
 * day, 25 % 0.1 to 2 times, 70 % 0.003 to 0.1 times, at times that know nothing of each other (Poisson). Of 60 % of the
 * pages a feed tells four of five changes within ten minutes, and one change that was none for each four that were.
 */
export interface Web {
  readonly pages: number;
  readonly minutes: number;
  readonly hints: readonly Hint[];
  /** How many pages there are to visit for the first time until then. */
  firstVisits(minute: number): number;
  tally(): Tally;
}

export interface Hint {
  readonly at: number;
  readonly page: number;
  readonly changedAt: number;
}

export function webOf({ pages, days, seed }: { pages: number; days: number; seed: number }): Web {
  const random = seededRandom(seed);
  const end = days * DAY_MS;
  const changes: Float64Array[] = [];
  const hints: Hint[] = [];
  for (let page = 0; page < pages; page += 1) {
    const perDay = rateOf(random);
    const times = poisson(perDay, end, random);
    changes.push(Float64Array.from(times));
    if (random() >= HINTED) continue;
    for (const changedAt of times) {
      if (random() < RECALL) hints.push({ at: changedAt + random() * HINT_DELAY_MS, page, changedAt });
    }
    for (const at of poisson(perDay * FALSE_PER_CHANGE, end, random)) hints.push({ at, page, changedAt: at });
  }
  hints.sort((one, other) => one.at - other.at);
  const minutes = days * 1_440;
  const firstVisits = (minute: number): number => Math.min(pages, Math.ceil(((minute + 1) / 1_440) * pages));
  return { pages, minutes, hints, firstVisits, tally: () => new Tally(changes, minutes) };
}

/** What a crawl saw, from the second day on: by then each page was visited once. A change that it never saw is as late as the end. */
export class Tally {
  readonly perMinute: Uint32Array;
  readonly #changes: readonly Float64Array[];
  readonly #next: Int32Array;
  #delay = 0;
  #seen = 0;
  #withinHour = 0;
  #withinSix = 0;
  #visits = 0;
  #fruitful = 0;

  constructor(changes: readonly Float64Array[], minutes: number) {
    this.#changes = changes;
    this.#next = new Int32Array(changes.length);
    this.perMinute = new Uint32Array(minutes);
  }

  /** Whether the page has changed since its last visit. */
  visit(page: number, at: number, minute: number): boolean {
    this.perMinute[minute]! += 1;
    const times = this.#changes[page]!;
    const first = this.#next[page]!;
    let next = first;
    for (; next < times.length && times[next]! <= at; next += 1) this.#see(at - times[next]!, times[next]!);
    this.#next[page] = next;
    if (at >= DAY_MS) {
      this.#visits += 1;
      if (next > first) this.#fruitful += 1;
    }
    return next > first;
  }

  figures(): Figures {
    const end = this.perMinute.length * 60_000;
    let delay = this.#delay;
    let all = this.#seen;
    for (const [page, times] of this.#changes.entries()) {
      for (const time of times.subarray(this.#next[page])) {
        if (time < DAY_MS) continue;
        delay += end - time;
        all += 1;
      }
    }
    return {
      delayHours: delay / all / HOUR_MS,
      withinHour: this.#withinHour / all,
      withinSix: this.#withinSix / all,
      fruitful: this.#fruitful / this.#visits,
      perDay: this.#visits / (this.perMinute.length / 1_440 - 1),
    };
  }

  #see(delay: number, time: number): void {
    if (time < DAY_MS) return;
    this.#seen += 1;
    this.#delay += delay;
    if (delay <= HOUR_MS) this.#withinHour += 1;
    if (delay <= 6 * HOUR_MS) this.#withinSix += 1;
  }
}

export interface Figures {
  readonly delayHours: number;
  /** Shares of all changes. */
  readonly withinHour: number;
  readonly withinSix: number;
  /** Share of the visits that found a change. */
  readonly fruitful: number;
  readonly perDay: number;
}

/** The next interval, of the last one and of whether there was a change. In days. */
export type Rule = (days: number, isChange: boolean) => number;

export const RULES = {
  uniform: () => 1,
  nutch: (days, isChange) => Math.min(365, Math.max(1 / 1_440, days * (isChange ? 0.8 : 1.4))),
  stormcrawler: (days, isChange) => (isChange ? days * 0.5 + 0.5 / 288 : Math.min(days * 1.5, 365)),
} satisfies Record<string, Rule>;

/**
 * Another crawler's rule, with as many visits in each minute as the crawl it is compared with. Where its intervals ask for
 * more or less than that, it has the page next that is latest in proportion to its interval: no rule can do better.
 */
export function crawlByRule(web: Web, rule: Rule, perMinute: Uint32Array, hasHints: boolean): Tally {
  const tally = web.tally();
  const last = new Float64Array(web.pages);
  const interval = new Float64Array(web.pages).fill(1);
  const told: number[] = [];
  const hints = hasHints ? web.hints : [];
  let heard = 0;
  let known = 0;
  const visit = (page: number, now: number, minute: number): void => {
    last[page] = now;
    interval[page] = rule(interval[page]!, tally.visit(page, now, minute));
  };
  for (let minute = 0; minute < web.minutes; minute += 1) {
    const now = minute * 60_000;
    let left = perMinute[minute]!;
    for (; known < web.firstVisits(minute); known += 1, left -= 1) {
      tally.visit(known, now, minute);
      last[known] = now;
    }
    for (let hint = hints[heard]; hint && hint.at <= now; hint = hints[(heard += 1)]) {
      if (hint.page < known) told.push(hint.page);
    }
    for (; left > 0; left -= 1) visit(told.shift() ?? latest(last, interval, known, now), now, minute);
  }
  return tally;
}

function latest(last: Float64Array, interval: Float64Array, known: number, now: number): number {
  let best = 0;
  let most = -1;
  for (let page = 0; page < known; page += 1) {
    const late = (now - last[page]!) / interval[page]!;
    if (late > most) [best, most] = [page, late];
  }
  return best;
}

/** Mulberry32: the same web on each machine. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function poisson(perDay: number, until: number, random: () => number): number[] {
  const times: number[] = [];
  const gap = (): number => (-Math.log(1 - random()) / perDay) * DAY_MS;
  for (let time = gap(); time < until; time += gap()) times.push(time);
  return times;
}

function rateOf(random: () => number): number {
  const share = random();
  const [least, most] = share < 0.05 ? [2, 48] : share < 0.3 ? [0.1, 2] : [0.003, 0.1];
  return least * (most / least) ** random();
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HINTED = 0.6;
const RECALL = 0.8;
const FALSE_PER_CHANGE = 0.25;
const HINT_DELAY_MS = 600_000;
