import { schedule, type ScheduledTask } from 'node-cron';
import { ensureOrganization, operatorOf } from './accounts/first-start.ts';
import { Keys } from './accounts/keys.ts';
import { Seal } from './accounts/seal.ts';
import { createAdminServer } from './admin/server.ts';
import { Crawler } from './crawl/crawler.ts';
import { Sources } from './crawl/sources.ts';
import { AddressGuard } from './fetch/address-guard.ts';
import { createFetcher, userAgent } from './fetch/fetcher.ts';
import { createServer } from './http/server.ts';
import type { Log } from './log.ts';
import { noteRobots, noteVisit, RecentProblems } from './visit-log.ts';
import type { Outside } from './outside.ts';
import { turn } from './pipeline.ts';
import { openDoors } from './doors.ts';
import { DomainRatings } from './ratings/domain-ratings.ts';
import { PageReader } from './reading/page-reader.ts';
import { Robots } from './robots/robots.ts';
import type { DaemonSettings } from './settings.ts';
import { readStatus } from './status.ts';
import { openEmbedded } from './storage/embedded/embedded.ts';
import { openSecret } from './storage/embedded/secret.ts';
import type { Storage } from './storage/storage.ts';
import { Hub } from './stream/hub.ts';
import { ArmedRules } from './taps/armed-rules.ts';
import { Rules } from './taps/rules.ts';
import { Taps } from './taps/taps.ts';
import { version } from './version.ts';
import { EVENT_RETENTION_MS } from '../shared/limits.ts';
import { labels } from '../shared/label/labels.ts';
import { RuleIndex } from '../shared/match/rule-index.ts';
import type { DaemonNotice } from '../shared/settings.ts';

/**
 * The composition root: everything is built here, in order, and passed in. Whoever wants to know what depends on
 * what reads this file from top to bottom.
 */
export interface Daemon {
  readonly notice: DaemonNotice;
  /** Finishes visits under way, ends the streams, closes the doors, then the files. */
  stop(): Promise<void>;
}

export interface DaemonDeps {
  readonly settings: DaemonSettings;
  readonly outside: Outside;
  readonly log: Log;
  /** The storage is gone for good: nothing can be acknowledged any more. */
  readonly onFatal: (error: unknown) => void;
}

export async function startDaemon(deps: DaemonDeps): Promise<Daemon> {
  const { settings, outside, onFatal } = deps;
  const guard = new AddressGuard({ allowPrivate: settings.allowPrivate }); // settings
  const storage = await openEmbedded({ dataDir: settings.dataDir, outside, onFatal }); // settings; takes the lock
  try {
    const rooms = await furnish(deps, storage);
    const crawl = await startCrawl(deps, storage, rooms, guard);
    return await serve(deps, storage, rooms, crawl);
  } catch (error) {
    await storage.close();
    throw error;
  }
}

type Rooms = Awaited<ReturnType<typeof furnish>>;
type Crawl = Awaited<ReturnType<typeof startCrawl>>;

/** Who may do what, which rules are armed, and the hub their matches go out by. */
async function furnish({ settings, outside, log }: DaemonDeps, storage: Storage) {
  const { catalog, eventLog } = storage;
  const household = await ensureOrganization(catalog, outside); // storage
  if (household.firstKey !== undefined) showOnce(log, household.firstKey);
  const seal = new Seal(await openSecret(settings.dataDir, outside), outside); // settings
  const index = new RuleIndex();
  const armed = new ArmedRules(catalog, index); // storage, index
  const onError = (what: string, error: unknown): void => log.error({ err: error }, what);
  const hub = new Hub({ eventLog, outside, onError }); // storage
  const keys = new Keys({ catalog, outside }); // storage
  const taps = new Taps({ catalog, seal, armed, streams: hub, eventLog, outside }); // storage, seal, armed, hub
  const rules = new Rules({ catalog, armed, outside }); // storage, armed
  taps.checkSeals();
  for (const { rule } of armed.armAll()) log.error({ rule: rule.id, query: rule.value }, 'a stored rule is refused');
  const ratings = new DomainRatings({ ratings: storage.ratings, outside, onError }); // storage
  return { household, index, hub, keys, taps, rules, ratings };
}

/** The crawl, ready but not moving: it begins when the doors are open. */
async function startCrawl(deps: DaemonDeps, storage: Storage, { index, hub, ratings }: Rooms, guard: AddressGuard) {
  const { settings, outside, log } = deps;
  const { catalog, pages } = storage;
  const contact = userAgent(version(), settings.crawlContact);
  const deadlineMs = settings.crawlDeadline * 1_000;
  const fetcher = createFetcher({ guard, userAgent: contact, deadlineMs }); // guard, settings
  const reader = new PageReader();
  const wake = (): void => crawler.wake();
  const sources = new Sources({ catalog, pages, guard, outside, wake }); // storage, guard
  const problems = new RecentProblems(outside);
  const robots = new Robots({ copies: storage.robots, fetcher, outside, onUnreachable: noteRobots(log, problems) });
  const stages = {
    robots,
    fetcher,
    rules: index,
    pages,
    outside,
    extract: reader.read.bind(reader),
    label: labels,
    ratings,
    discover: sources.discover.bind(sources),
    isNamed: sources.isNamed.bind(sources),
    tapExists: (id: string) => catalog.data.taps.some((tap) => tap.id === id),
    deliver: hub.announce.bind(hub),
  }; // the path: everything above
  const crawler = new Crawler({
    pages,
    outside,
    concurrency: settings.crawlConcurrency,
    hostDelayMs: settings.crawlHostDelay * 1_000,
    visit: async (due, signal) => {
      const made = await turn(due, stages, signal);
      noteVisit(log, problems, due.url, made.report);
      return made;
    },
    onError: (what, error) => {
      problems.note(`${what}: ${(error as Error).message}`);
      log.error({ err: error }, what);
    },
  }); // stages
  await sources.restore();
  return { fetcher, sources, crawler, problems, robots };
}

/** The doors: the public port and the operator's socket, and the way back out of it all. */
async function serve(deps: DaemonDeps, storage: Storage, rooms: Rooms, crawl: Crawl): Promise<Daemon> {
  const { settings, outside, log } = deps;
  const { crawler, fetcher, problems, robots } = crawl;
  const facts = { startedAt: outside.now(), version: version(), dataDir: settings.dataDir };
  const status = (url: string) => readStatus({ ...facts, url, storage, outside, crawler, robots, problems, ...rooms });
  const routes = { ...rooms, log, outside };
  const doors = await openDoors({
    settings,
    version: facts.version,
    startedAt: facts.startedAt,
    server: createServer(routes),
    admin: (url) =>
      createAdminServer({
        ...routes,
        operator: operatorOf(rooms.household),
        sources: crawl.sources,
        ratings: rooms.ratings,
        status: () => status(url),
      }),
  }); // the rooms, the crawl
  log.info({ socket: doors.notice.socket }, `hydrantd listens on ${doors.notice.url}`);
  const jobs = startJobs(deps, storage, rooms);
  crawler.wake();

  const stop = async (): Promise<void> => {
    for (const job of jobs) await job.destroy();
    await crawler.stop(CRAWL_GRACE_MS);
    await rooms.hub.closeAll(STREAM_GRACE_MS);
    await doors.close();
    await fetcher.close();
    await storage.close();
  };
  return { notice: doors.notice, stop };
}

/** What is done by the clock. A job that fails is told of, and its next turn does it all. */
function startJobs({ outside, log }: DaemonDeps, storage: Storage, { ratings }: Rooms): ScheduledTask[] {
  const job = (when: string, doIt: () => Promise<unknown>, failed: string): ScheduledTask => {
    const turn = async (): Promise<void> => {
      await doIt().catch((error: unknown) => log.error({ err: error }, failed));
    };
    // Its warnings go past the log: a laptop that slept through the night would write a hundred.
    return schedule(when, turn, { suppressMissedWarning: true });
  };
  const trim = (): Promise<number> => storage.eventLog.trim(outside.now() - EVENT_RETENTION_MS);
  return [
    job('*/5 * * * *', trim, 'the event log was not trimmed'),
    // Asked each hour and done once a day: a machine that is off at night has its turn, too.
    job('23 * * * *', () => ratings.countIfDue(), 'the links between domains were not counted'),
  ];
}

/** A page under way is worth waiting for; what takes longer is visited again after the next start. */
const CRAWL_GRACE_MS = 5_000;
const STREAM_GRACE_MS = 2_000;

/** Here and nowhere else, as soon as it is saved, and whatever the log's level: only its hash is kept. */
function showOnce(log: Log, key: string): void {
  const words = 'first start: this management key is shown only now; keep it for remote use';
  log.child({}, { level: 'info' }).info({ management_key: key }, words);
}
