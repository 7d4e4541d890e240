import type { DatabaseSync } from 'node:sqlite';
import type { EventLog } from '../event-log.ts';
import type { Pages } from '../pages.ts';
import type { RatedDomain, Ratings } from '../ratings.ts';
import type { RobotsCopies, RobotsCopy } from '../robots-copies.ts';
import { FrontierStore } from './frontier-store.ts';
import { GraphStore } from './graph-store.ts';
import type { Step } from './group-commit.ts';
import { LogStore } from './log-store.ts';
import { PageStore } from './page-store.ts';
import { RatingStore } from './rating-store.ts';
import { RobotsStore } from './robots-store.ts';
import type { Standing } from '../../../shared/rating/rating.ts';

type Synchronous<Port> = {
  [Name in keyof Port]: Port[Name] extends (...args: infer Args) => Promise<infer Answer>
    ? (...args: Args) => Answer
    : never;
};
/** What can be asked of the storage thread: the calls of its ports, by name. */
export type Operations = Synchronous<EventLog> & Synchronous<Pages> & Synchronous<Ratings> & Synchronous<RobotsCopies>;

export type WriteName =
  | 'trim'
  | 'drop'
  | 'addSource'
  | 'removeSource'
  | 'bringForward'
  | 'commit'
  | 'saveRobotsCopy'
  | Exclude<keyof Ratings, 'standing' | 'ratingSummary'>;
export type ReadName = Exclude<keyof Operations, WriteName>;
export type Reads = Pick<Operations, ReadName>;
/** A write is prepared by its arguments and then done in one step or several. */
export type Writes = {
  [Name in WriteName]: (...args: Parameters<Operations[Name]>) => () => Step<ReturnType<Operations[Name]>>;
};

/** Rows a transaction removes at most: about a millisecond (measured), so that no visit waits for a cleaning. */
const ROWS_A_STEP = 200;
/** Rated domains that a step adds or removes: their rows are short, and a step takes about ten milliseconds (measured). */
const RATINGS_A_STEP = 2_000;
/** Pages of 8 kB that one step gives back to the file system. */
const VACUUM_PAGES = 64;
/** Free pages that are kept: they will be needed again, and moving pages about is work. */
const SLACK_PAGES = 128;

export interface Answering {
  readonly reads: Reads;
  readonly writes: Writes;
  /** What the last life forgot but had no time to sweep. */
  readonly leftovers: readonly (() => Step)[];
}

/** The operations, on an open database. */
export function operationsOn(database: DatabaseSync): Answering {
  const log = new LogStore(database);
  const graph = new GraphStore(database);
  const frontier = new FrontierStore(database, graph);
  const pages = new PageStore(database, { frontier, graph, log });
  const ratings = new RatingStore(database);
  const robots = new RobotsStore(database);
  return {
    reads: {
      bounds: (tapId) => log.bounds(tapId),
      read: (tapId, from, atMost) => log.read(tapId, from, atMost),
      firstAt: (tapId, at) => log.firstAt(tapId, at),
      count: () => log.count(),
      sources: () => pages.summaries(),
      due: (question) => frontier.due(question),
      version: (pageId) => pages.version(pageId),
      furniture: (host) => pages.furniture(host),
      totals: (now) => pages.totals(now),
      standing: (domain) => standing(ratings.imported(domain), graph.referring(domain)),
      ratingSummary: () => ({ imported: ratings.summary(), own: graph.own() }),
      robotsCopy: (origin) => robots.copy(origin),
      robotsTotals: () => robots.totals(),
    },
    writes: {
      commit: (visit) => () => ({ done: true, answer: pages.commit(visit) }),
      addSource: (source, seed, at) => () => ({ done: true, answer: frontier.addSource(source, seed, at) }),
      removeSource: (id) => forgetting(() => frontier.forget(id), frontier),
      bringForward: (now) => bringingForward(frontier, now),
      drop: (tapId) => forgetting(() => log.forget(tapId), log),
      trim: (before) => trimming(database, log, before),
      beginRatings: (name) => () => ({ done: true, answer: ratings.begin(name) }),
      addRatings: (list, rated) => adding(ratings, list, rated),
      publishRatings: (list, at) => () => ({ done: true, answer: ratings.publish(list, at) }),
      giveUpRatings: (list) => () => ({ done: true, answer: ratings.giveUp(list) }),
      clearRatings: () => () => ({ done: true, answer: ratings.clear() }),
      sweepRatings: () => sweeping(ratings, RATINGS_A_STEP),
      countReferring: (at) => counting(graph, at),
      saveRobotsCopy: (copy) => savingRobots(robots, copy),
    },
    leftovers: [
      ...[frontier, log].filter((store) => store.hasForgotten()).map((store) => sweeping(store)),
      ...(ratings.hasLeftover() ? [finishing(ratings)] : []),
    ],
  };
}

interface Sweepable {
  sweepSome(atMost: number): boolean;
}

function sweeping(store: Sweepable, atMost = ROWS_A_STEP): () => Step<void> {
  return () => ({ done: !store.sweepSome(atMost), answer: undefined });
}

/** Forgotten in the first step, swept in the others. */
function forgetting(forget: () => void, store: Sweepable): () => Step<void> {
  const sweep = sweeping(store);
  return () => {
    forget();
    return sweep();
  };
}

/** An import that ended with the last process goes first; one that begins meanwhile is none of its business. */
function finishing(ratings: RatingStore): () => Step<void> {
  const sweep = sweeping(ratings, RATINGS_A_STEP);
  let isFirst = true;
  return () => {
    if (isFirst) ratings.giveUpAll();
    isFirst = false;
    return sweep();
  };
}

function bringingForward(frontier: FrontierStore, now: number): () => Step<number> {
  let brought = 0;
  return () => {
    const some = frontier.bringSomeForward(now, ROWS_A_STEP);
    brought += some;
    return { done: some < ROWS_A_STEP, answer: brought };
  };
}

/** First the old events, then the file's free space: also what removed sources and revoked taps have left. */
function trimming(database: DatabaseSync, log: LogStore, before: number): () => Step<number> {
  const freePages = database.prepare('PRAGMA freelist_count');
  let gone = 0;
  return () => {
    const some = log.trimSome(before, ROWS_A_STEP);
    gone += some;
    if (some > 0) return { done: false, answer: gone };
    const { freelist_count: free } = freePages.get() as { freelist_count: number };
    if (free <= SLACK_PAGES) return { done: true, answer: gone };
    database.exec(`PRAGMA incremental_vacuum(${VACUUM_PAGES})`);
    return { done: false, answer: gone };
  };
}

/** A large file may take the place of many small ones. */
function savingRobots(robots: RobotsStore, copy: RobotsCopy): () => Step<void> {
  let saved: number | undefined;
  return () => {
    saved ??= robots.save(copy);
    return { done: !robots.dropSome(saved, ROWS_A_STEP), answer: undefined };
  };
}

function standing(imported: number | undefined, referring: number): Standing {
  return { ...(imported !== undefined && { imported }), referring };
}

function adding(ratings: RatingStore, list: number, rated: readonly RatedDomain[]): () => Step<number | undefined> {
  let next = 0;
  return () => {
    const domains = ratings.add(list, rated.slice(next, next + RATINGS_A_STEP));
    next += RATINGS_A_STEP;
    return { done: domains === undefined || next >= rated.length, answer: domains };
  };
}

function counting(graph: GraphStore, at: number): () => Step<void> {
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
