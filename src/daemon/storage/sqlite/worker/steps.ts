import type { DatabaseSync } from 'node:sqlite';
import { faultPoint } from '../../../fault-points.ts';
import type { AgedTimes, TimesWalk } from '../events/aged.ts';
import type { Discovered, FrontierSource, Lead } from '../../frontier.ts';
import { type Committed, discoveredBy, type Visit } from '../../pages.ts';
import type { RatedDomain } from '../../ratings.ts';
import type { RobotsCopy } from '../../robots-copies.ts';
import type { FrontierStore, ClockWalk } from '../crawl/frontier-store.ts';
import type { GraphStore } from '../crawl/graph-store.ts';
import type { Step } from './group-commit.ts';
import type { Intake } from '../crawl/intake-store.ts';
import type { LogStore } from '../events/log-store.ts';
import type { RatingStore } from '../crawl/rating-store.ts';
import type { RecentChangeStore } from '../crawl/recent-change-store.ts';
import type { RobotsStore } from '../crawl/robots-store.ts';
import type { SourceStore, Walk } from '../crawl/source-store.ts';
import type { Stores } from './stores.ts';

/**
 * Writes that are long, cut into steps: each leaves a state that is right to stop in, and none holds up a visit. A step
 * is a transaction's share; what comes of a write that the end of the process cut short is finished by the next one.
 */

/** Rows a transaction removes at most: about a millisecond (measured), so that no visit waits for a cleaning. */
const ROWS_A_STEP = 200;
/** Rated domains that a step adds or removes: their rows are short, and a step takes about ten milliseconds (measured). */
const RATINGS_A_STEP = 2_000;
/** URLs that a step takes in. */
const LEADS_A_STEP = 500;
/** Pages of 8 kB that one step gives back to the file system. */
const VACUUM_PAGES = 64;
/** Free pages that are kept: they will be needed again, and moving pages about is work. */
const SLACK_PAGES = 128;

interface Sweepable {
  sweepSome(atMost: number): boolean;
}

export function sweeping(store: Sweepable, atMost = ROWS_A_STEP): () => Step<void> {
  return () => {
    const isMore = store.sweepSome(atMost);
    faultPoint('clean:swept');
    return { done: !isMore, answer: undefined };
  };
}

/** Forgotten in the first step, swept in the others. */
export function forgetting(forget: () => void, store: Sweepable): () => Step<void> {
  const sweep = sweeping(store);
  let isForgotten = false;
  return () => {
    if (isForgotten) return sweep();
    forget();
    isForgotten = true;
    faultPoint('clean:forgotten');
    return { done: false, answer: undefined };
  };
}

/** What the former process began to bring to the pages of a source, and could not finish. */
export function settling(sources: SourceStore, id: string): () => Step<void> {
  let walk: Walk | undefined;
  return () => {
    walk ??= sources.walk(id);
    return { done: !sources.settleSome(id, walk, ROWS_A_STEP), answer: undefined };
  };
}

/** The terms and the seeds first, then whatever the terms mean for pages that are there. */
export function puttingSource(
  { sources, intake }: Stores,
  source: FrontierSource,
  seeds: readonly Lead[],
  at: number,
): () => Step<void> {
  const portions = inPortions([{ sourceId: source.id, leads: seeds }], { at, isSeed: true });
  const settle = settling(sources, source.id);
  let needsSettling: boolean | undefined;
  return () => {
    const isNew = needsSettling === undefined;
    needsSettling ??= sources.put(source).todo !== 0;
    const portion = portions.shift();
    if (portion) intake.take(portion);
    else if (!isNew) return settle();
    return { done: portions.length === 0 && !needsSettling, answer: undefined };
  };
}

export function offering({ intake }: Stores, found: readonly Discovered[], at: number): () => Step<number> {
  const portions = inPortions(found, { at });
  let taken = 0;
  return () => {
    const portion = portions.shift();
    if (portion) taken += intake.take(portion);
    return { done: portions.length === 0, answer: taken };
  };
}

/**
 * One step for most visits. Where a page leads to thousands of URLs they come first, in steps of their own, and the visit
 * last: if the process ends in between the visit is made again, and URLs that are known already do no harm.
 */
export function committing({ intake, log, pages }: Stores, visit: Visit): () => Step<Committed> {
  const portions = inPortions(discoveredBy(visit), { at: visit.at });
  let drops: number | undefined;
  return () => {
    drops ??= log.drops;
    const since = drops;
    const page = pages.held(visit.pageId);
    if (!page) return { done: true, answer: pages.commit(visit) };
    for (let urls = 0; portions[0] && (urls === 0 || urls + portions[0].leads.length <= LEADS_A_STEP);) {
      urls += portions[0].leads.length;
      intake.take({ ...portions[0], from: page });
      portions.shift();
    }
    if (portions.length > 0) return { done: false, answer: { events: [] } };
    faultPoint('visit:commit-leads');
    // A tap that was revoked between the steps is not to have a log again.
    const events = visit.events.filter(({ tapId }) => !log.isDroppedSince(since, tapId));
    return { done: true, answer: pages.commit({ ...visit, events }) };
  };
}

function inPortions(found: readonly Discovered[], how: Omit<Intake, 'sourceId' | 'leads'>): Intake[] {
  return found.flatMap(({ sourceId, leads }) => {
    const count = Math.ceil(leads.length / LEADS_A_STEP);
    return Array.from({ length: count }, (_, index) => {
      return { ...how, sourceId, leads: leads.slice(index * LEADS_A_STEP, (index + 1) * LEADS_A_STEP) };
    });
  });
}

/** An import that ended with the last process goes first; one that begins meanwhile is none of its business. */
export function finishing(ratings: RatingStore): () => Step<void> {
  const sweep = sweepingRatings(ratings);
  let isFirst = true;
  return () => {
    if (isFirst) ratings.giveUpAll();
    isFirst = false;
    return sweep();
  };
}

export function sweepingRatings(ratings: RatingStore): () => Step<void> {
  return sweeping(ratings, RATINGS_A_STEP);
}

export function bringingForward(frontier: FrontierStore, now: number): () => Step<number> {
  let walk: ClockWalk | undefined;
  return () => {
    walk ??= frontier.clockWalk(now);
    if (!walk) return { done: true, answer: 0 };
    const isMore = frontier.bringSomeForward(walk, now, ROWS_A_STEP);
    return { done: !isMore, answer: walk.brought };
  };
}

/** First the old events, then the file's free space: also what removed sources and revoked taps have left. */
export function trimming(
  database: DatabaseSync,
  log: LogStore,
  before: number,
  mostBytes = Infinity,
): () => Step<number> {
  const freePages = database.prepare('PRAGMA freelist_count');
  let gone = 0;
  let freeBefore = Infinity;
  return () => {
    const some = log.trimSome(before, mostBytes, ROWS_A_STEP);
    faultPoint('clean:trimmed');
    gone += some;
    if (some > 0) return { done: false, answer: gone };
    const { freelist_count: free } = freePages.get() as { freelist_count: number };
    // None is given back where somebody's VACUUM has made it a file that gives none back.
    if (free <= SLACK_PAGES || free >= freeBefore) return { done: true, answer: gone };
    freeBefore = free;
    database.exec(`PRAGMA incremental_vacuum(${VACUUM_PAGES})`);
    return { done: false, answer: gone };
  };
}

export function repairingTimes(times: AgedTimes, now: number): () => Step<number> {
  let walk: TimesWalk | undefined;
  return () => {
    walk ??= times.walk(now);
    if (!walk) return { done: true, answer: 0 };
    const isMore = times.repairSome(walk, ROWS_A_STEP);
    return { done: !isMore, answer: walk.repaired };
  };
}

/** The taps are forgotten in the first step, and nobody waits for what they leave to be swept. */
export function retaining({ charges, log }: Stores, tapIds: readonly string[]): () => Step<number> {
  const kept = new Set(tapIds);
  const sweep = sweeping(log);
  let gone: number | undefined;
  return () => {
    if (gone !== undefined) return { done: sweep().done, answer: gone, isAnswered: true };
    const others = log.taps().filter((id) => !kept.has(id));
    for (const id of others) {
      charges.forget(id);
      log.forget(id);
    }
    gone = others.length;
    return { done: gone === 0, answer: gone, isAnswered: true };
  };
}

/** What removals left because a full disk, say, cut them short; then empty hosts whose rest is over. */
export function tidying({ hosts, log, sources, watching }: Stores, now: number): () => Step<void> {
  return () => {
    const left = [sources, log, watching.commits].find((store) => store.hasForgotten());
    if (left) left.sweepSome(ROWS_A_STEP);
    return { done: !left && !hosts.forgetEmpty(ROWS_A_STEP, now), answer: undefined };
  };
}

/** The space that they leave is given back by the trimming of the log. */
export function trimmingChanges(recent: RecentChangeStore, before: number, mostBytes: number): () => Step<number> {
  let gone = 0;
  return () => {
    const some = recent.trimSome(before, mostBytes, ROWS_A_STEP);
    gone += some;
    return { done: some === 0, answer: gone };
  };
}

/** A large file may take the place of many small ones. */
export function savingRobots(robots: RobotsStore, copy: RobotsCopy): () => Step<void> {
  let saved: number | undefined;
  return () => {
    saved ??= robots.save(copy);
    return { done: !robots.dropSome(saved, ROWS_A_STEP), answer: undefined };
  };
}

export function addingRatings(
  ratings: RatingStore,
  list: number,
  rated: readonly RatedDomain[],
): () => Step<number | undefined> {
  let next = 0;
  return () => {
    const domains = ratings.add(list, rated.slice(next, next + RATINGS_A_STEP));
    next += RATINGS_A_STEP;
    return { done: domains === undefined || next >= rated.length, answer: domains };
  };
}

export function counting(graph: GraphStore, at: number): () => Step<void> {
  const sum = { cursor: 0, domains: 0, links: 0 };
  return () => {
    const some = graph.countSome(sum.cursor, ROWS_A_STEP);
    if (some === undefined) {
      graph.saveOwn({ at, domains: sum.domains, links: sum.links });
      return { done: true, answer: undefined };
    }
    sum.cursor = some.cursor;
    sum.domains += some.domains;
    sum.links += some.links;
    return { done: false, answer: undefined };
  };
}
