import { accountOfVersion } from '../analysis/packing.ts';
import { WarcWriter } from '../archive/warc-writer.ts';
import type { Accounts } from '../accounts/accounts.ts';
import { BegunVisits } from '../crawl/begun-visits.ts';
import { identityOf } from '../discovery/canonical.ts';
import { Crawler, type Supply } from '../crawl/crawler.ts';
import { crawlStatus, MOST_NAMED, RecentVisits } from '../crawl/crawl-status.ts';
import { IpGate } from '../crawl/ip-gate.ts';
import { afterRequest } from '../crawl/politeness.ts';
import { OwnNetwork } from '../crawl/own-network.ts';
import { revisit, SchedulingFactor } from '../crawl/revisit.ts';
import { Sources } from '../crawl/sources.ts';
import { UrlService } from '../crawl/url-service.ts';
import type { CrawlService } from '../admin/crawl.ts';
import type { AddressGuard } from '../fetch/address-guard.ts';
import type { Fetcher } from '../fetch/fetched.ts';
import { createFetcher, userAgent } from '../fetch/fetcher.ts';
import { Ingest } from '../ingest.ts';
import type { ReadingAccount } from '../../shared/page/account.ts';
import type { AnalysisPool } from '../analysis/analysis-pool.ts';
import type { Log } from '../process/log.ts';
import { type Outside, randomOf, timestamp } from '../outside.ts';
import { type Stages, type VisitEnd, visitPage, type VisitReport } from '../pipeline.ts';
import type { SinkLoops } from '../notify/sink-loops.ts';
import type { DomainRatings } from '../ratings/domain-ratings.ts';
import { Robots } from '../robots/robots.ts';
import { SessionForms } from '../crawl/session-forms.ts';
import type { OwnRequests } from '../requests/own-requests.ts';
import type { SignIns } from '../requests/sign-ins.ts';
import type { DaemonSettings } from '../settings.ts';
import type { DuePage } from '../storage/frontier.ts';
import type { Storage } from '../storage/storage.ts';
import { StorageUnavailable } from '../storage/unavailable.ts';
import type { SourceVisit } from '../../shared/api/crawl.ts';
import type { Hub } from '../stream/hub.ts';
import type { RuleTally } from '../taps/rule-tally.ts';
import { version } from '../process/version.ts';
import { noteForward, noteRobots, noteVisit, RecentProblems } from './status.ts';
import { composeRenderer, renderBy, withPlaces } from './render.ts';
import type { Renderer } from '../render/renderer.ts';
import { composeWatches, stopWaiting, type WatchServices } from './watch.ts';
import type { Due } from '../watch/supply.ts';

/**
 * The crawl's half of the composition root: from the settings to a crawler that stands ready, and moves when it is
 * woken. What is built here is passed in, in the order in which it depends on each other.
 */
export interface CrawlDeps {
  readonly settings: DaemonSettings;
  readonly outside: Outside;
  readonly log: Log;
  readonly storage: Storage;
  readonly guard: AddressGuard;
  readonly analysisPool: AnalysisPool;
  readonly hub: Hub;
  readonly ratings: DomainRatings;
  readonly accounts: Pick<Accounts, 'plans' | 'organizations' | 'members'>;
  /** What is sent where people are. */
  readonly notify: Pick<SinkLoops, 'eventsCommitted' | 'watchChanged'>;
  /** What becomes of each rule. */
  readonly tally: Pick<RuleTally, 'delivered' | 'withheld'>;
  /** How pages are asked for that are not asked for as others are. */
  readonly requests: OwnRequests;
  readonly signIns: SignIns;
}

export interface Crawl {
  readonly crawler: Crawler<Due>;
  readonly sources: Sources;
  readonly service: CrawlService;
  readonly robots: Robots;
  readonly problems: RecentProblems;
  readonly stages: Stages;
  readonly ingest: Ingest;
  readonly watch: WatchServices;
  /** Ends the visits under way, then lets go of the connections. */
  stop(graceMs: number): Promise<void>;
}

export async function composeCrawl(deps: CrawlDeps): Promise<Crawl> {
  const { settings, outside, log, storage, guard, requests } = deps;
  const { catalog, frontier } = storage;
  const problems = new RecentProblems(outside);
  const renderer = composeRenderer(deps); // settings, guard
  const { network, fetcher } = await ownNetwork(deps, problems, renderer); // settings, guard, storage, renderer
  const wake = (): void => {
    watch.supply.lookNow();
    crawler.wake();
  };
  const renderRefusal = (): Promise<string | undefined> => renderer.refusal();
  const sources = new Sources({ catalog, frontier, guard, outside, requests, renderRefusal, wake }); // storage, guard, renderer
  const robots = new Robots({ copies: storage.robots, fetcher, outside, onUnreachable: noteRobots(log, problems) });
  const schedulingFactor = new SchedulingFactor(settings.crawlRate, () => storage.nodes.live);
  const warc = await warcWriter(deps, problems); // settings
  const stages = {
    ...stagesOf(deps, { fetcher, robots, sources, schedulingFactor }),
    ...(warc && { keep: warc.keep.bind(warc) }),
    begun: begunVisits(deps, problems), // settings
  };
  const recent = new RecentVisits();
  const note = noting(deps, problems);
  const next: Stages['next'] = (due, seen) => revisit(due, seen, schedulingFactor.ms, randomOf(outside));
  const noted = ({ url }: Due, made: VisitEnd): VisitEnd => {
    note(url, made.report, recent);
    return made;
  };
  const ingest = new Ingest({ ...stages, frontier, next, onVisit: note }); // stages
  const watch = composeWatches(deps, { stages, problems, wake, renderRefusal }); // stages, accounts, renderer
  const gate = ipGate(deps, fetcher, problems); // settings, guard, storage, fetcher
  const crawler = new Crawler<Due>({
    supply: pausing(
      reporting(watch.supply, (pages) => noteForward(log, problems, pages)),
      () => catalog.isBehind || !storage.nodes.isReachable,
    ),
    hostLeases: storage.nodes.hostLeases,
    outside,
    gate: withPlaces(gate, renderer, (due) => isRendered(due, sources)),
    network,
    isWaiting: (host) => fetcher.isWaiting(host),
    concurrency: settings.crawlConcurrency,
    onPull: (pull) => schedulingFactor.steer(outside.now(), pull),
    meterOf: (due) => (due.kind === 'watch' ? watch.meter : undefined),
    visit: async (due, signal, isOver) =>
      due.kind === 'watch' ? watch.visit(due, signal, isOver) : noted(due, await visitPage(due, stages, signal)),
    onError: noteError(deps, problems),
  }); // stages, watches, fetcher, guard, network
  const service = crawlService(deps, { crawler, sources, robots, recent, wake });
  noteForward(log, problems, await restored(storage, { sources, watches: watch.watches }));
  const stop = async (graceMs: number): Promise<void> => {
    stopWaiting(watch);
    await crawler.stop(graceMs);
    await gate.close();
    stages.begun.close();
    for (const part of [renderer, fetcher, warc]) await part?.close();
  };
  return { crawler, sources, service, robots, problems, stages, ingest, watch, stop };
}

/** What is said of a visit: in the log, of its rules, and in `visits`. */
function noting({ log, outside, tally }: CrawlDeps, problems: RecentProblems) {
  return (url: string, report: VisitReport | undefined, visits?: RecentVisits): void => {
    noteVisit(log, problems, url, report);
    if (report) visits?.note(visitToWire(url, report, outside.now()));
    tally.withheld(report?.notes?.missedBy ?? []);
  };
}

/** What a crash has left: by the first of several daemons alone, since the others may be writing. How many pages were due too late. */
async function restored(
  { nodes }: Storage,
  { sources, watches }: Pick<Crawl, 'sources'> & Pick<WatchServices, 'watches'>,
): Promise<number> {
  const isAlone = (await nodes.count()) === 1;
  const forward = await sources.restore({ isAlone });
  if (isAlone) await watches.restore();
  return forward;
}

function isRendered(due: Due, sources: Pick<Sources, 'ownPageOf'>): boolean {
  return Boolean(due.kind === 'watch' ? due.options.render : sources.ownPageOf(due)?.render);
}

function visitToWire(url: string, { outcome, reason, detail, status }: VisitReport, at: number): SourceVisit {
  return {
    url,
    at: timestamp(at),
    outcome,
    ...(reason !== undefined && { reason }),
    ...(detail !== undefined && { detail }),
    ...(status !== undefined && { status }),
  };
}

/** The supply as it is, but that pages which were due too late are reported. */
function reporting(supply: WatchServices['supply'], onForward: (pages: number) => void): Supply<Due> {
  return {
    take: (question) => supply.take(question),
    release: (due, host) => supply.release(due, host),
    releaseSlot: (host) => supply.releaseSlot(host),
    bringForward: async (now) => onForward(await supply.bringForward(now)),
  };
}

/** Nothing is begun that could not be written down, or by rules and sources that may have been changed. */
function pausing(supply: Supply<Due>, isPaused: () => boolean): Supply<Due> {
  let pull = 0;
  return {
    ...supply,
    take: async (question) => {
      const nothing = { pages: [], nextAt: question.now + PAUSE_MS, pull };
      if (isPaused()) return nothing;
      try {
        const taken = await supply.take(question);
        ({ pull } = taken);
        return taken;
      } catch (error) {
        // A connection was cut: the next look has another one.
        if (error instanceof StorageUnavailable) return nothing;
        throw error;
      }
    },
  };
}

const PAUSE_MS = 1_000;

function noteError({ log }: CrawlDeps, problems: RecentProblems): (what: string, error: unknown) => void {
  return (what, error) => {
    problems.note(`${what}: ${(error as Error).message}`);
    log.error({ err: error }, what);
  };
}

/** What the process before this one was reading when it was killed or crashed is the first thing that its operator looks for. */
function begunVisits({ settings, outside, log }: CrawlDeps, problems: RecentProblems): BegunVisits {
  const begun = new BegunVisits(settings.dataDir, outside, (what, error) => log.error({ err: error }, what));
  const { suspects } = begun;
  for (const { url, ends } of suspects) {
    const times = ends === 1 ? '' : `, as it was ${ends} times in a row`;
    log.warn({ url, ends }, `the daemon was killed or crashed while it analyzed a page${times}`);
  }
  const [first, ...more] = suspects;
  const others = more.length === 0 ? '' : ` and ${more.length} more`;
  if (first) problems.note(`the daemon was killed or crashed while it analyzed ${first.url}${others}`);
  return begun;
}

/** Hosts that answered lately before the start: they tell whether our own network is there. */
const WITNESSES = 8;

function ipGate(deps: CrawlDeps, fetcher: Fetcher, problems: RecentProblems): IpGate {
  const { settings, outside, guard, storage } = deps;
  return new IpGate({
    locate: (hostname) => fetcher.locate(hostname),
    isOpened: opened(guard),
    sharedIps: settings.crawlSharedIps,
    outside,
    places: storage.nodes.addressPlaces,
    onError: noteError(deps, problems),
  });
}

/** Whether an address is one that the operator has opened. */
function opened(guard: AddressGuard): (address: string) => boolean {
  return (address) => {
    const verdict = guard.check(address);
    return verdict.allowed && verdict.opened;
  };
}

/** Keeps what is fetched, where the operator wants it. */
async function warcWriter(
  { settings, outside, log }: CrawlDeps,
  problems: RecentProblems,
): Promise<WarcWriter | undefined> {
  if (settings.warcDir === '') return undefined;
  return WarcWriter.open({
    directory: settings.warcDir,
    software: userAgent(version(), settings.crawlContact),
    outside,
    onProblem: (message, error) => {
      problems.note(message);
      log.error({ err: error }, message);
    },
  });
}

function webFetcher({ settings, outside, guard }: CrawlDeps, renderer: Renderer): ReturnType<typeof createFetcher> {
  return createFetcher({
    guard,
    outside,
    userAgent: userAgent(version(), settings.crawlContact),
    deadlineMs: settings.crawlDeadline * 1_000,
    proxy: settings.crawlProxy === '' ? undefined : settings.crawlProxy,
    render: renderBy(renderer),
  });
}

interface Web {
  readonly network: OwnNetwork;
  /** As the network lets the crawl see its results. */
  readonly fetcher: Fetcher;
}

async function ownNetwork(deps: CrawlDeps, problems: RecentProblems, renderer: Renderer): Promise<Web> {
  const { outside, log, guard, storage } = deps;
  const fetcher = webFetcher(deps, renderer);
  const down = 'no host answers, not even those that answered recently: the network of this machine seems to be down';
  const network = new OwnNetwork({
    outside,
    locate: (hostname) => fetcher.locate(hostname),
    reach: (origin) => fetcher.reach(origin),
    isOpened: opened(guard),
    onDown: () => {
      problems.note(down);
      log.warn(`${down}; failures do not count against hosts, and each host is retried within a minute`);
    },
    onUp: () => log.info('hosts answer again: the crawl continues'),
  });
  // Names are looked up for it, which a start does not wait for.
  void network.remember(await storage.robots.answeredLast(WITNESSES));
  return { network, fetcher: network.watch(fetcher) };
}

type Path = Pick<Stages, 'robots' | 'fetcher'> & {
  readonly sources: Sources;
  readonly schedulingFactor: SchedulingFactor;
};

/** The path of a page: see `pipeline.ts`. */
function stagesOf(deps: CrawlDeps, { fetcher, robots, sources, schedulingFactor }: Path): Stages {
  const { settings, outside, storage, analysisPool, ratings, hub, notify, tally, signIns } = deps;
  const random = randomOf(outside);
  const politeness = { delayMs: settings.crawlHostDelay * 1_000 };
  return {
    robots,
    fetcher,
    signIns,
    ownPage: (due) => sources.ownPageOf(due),
    sessions: new SessionForms(),
    frontier: storage.frontier,
    pages: storage.pages,
    outside,
    ratings,
    analyze: (given, onBegin) => analysisPool.analyze(given, onBegin),
    terms: (holders) => sources.terms(holders),
    isNamed: (url) => sources.isNamed(url),
    tapExists: (id) => storage.catalog.data.taps.some((tap) => tap.id === id),
    keepsChanges: settings.recentBytes > 0,
    hasLegacyPayload: settings.compatLegacyMatchPayload === 'on',
    deliver: (events) => {
      hub.announce(events);
      tally.delivered(events);
      notify.eventsCommitted(events);
    },
    host: (due, asked) => afterRequest(due, asked, politeness, random),
    next: (due, seen) => {
      const next = revisit(due, seen, schedulingFactor.ms, random);
      if (isPlanned(due)) schedulingFactor.revisited(next.nextDue - seen.at);
      return next;
    },
  };
}

/** Whether the visit was one of those that the budget is for. */
function isPlanned({ state, everyMs }: DuePage): boolean {
  return state !== undefined && everyMs === undefined;
}

type Knowing = Pick<Crawl, 'crawler' | 'sources' | 'robots'> & {
  readonly recent: RecentVisits;
  readonly wake: () => void;
};

/** What the operator asks about the crawl. */
function crawlService(
  { storage, outside, analysisPool }: CrawlDeps,
  { crawler, sources, robots, recent, wake }: Knowing,
): CrawlService {
  const { frontier } = storage;
  const account = async ({ id }: { readonly id: number }, host: string): Promise<ReadingAccount | undefined> => {
    const version = await storage.pages.version(id);
    return version && accountOfVersion(version, await storage.pages.boilerplate(host), outside.now());
  };
  const urls = new UrlService({ frontier, sources, robots, outside, wake, account });
  return {
    why: (url) => urls.why(url),
    visit: (url) => urls.visit(url),
    history: () => crawler.history,
    status: async () => {
      const now = outside.now();
      const totals = await frontier.frontierTotals(now);
      const unhealthy = await frontier.unhealthyHosts(MOST_NAMED);
      const copies = await storage.robots.robotsTotals();
      const facts = { ...copies, refused: robots.refused };
      const { sources: records } = storage.catalog.data;
      const failures = await recent.failures(async (url) => (await frontier.look(identityOf(url))) !== undefined);
      const known = { now, sources: records, totals, unhealthy, visits: recent.visits, failures };
      return crawlStatus({ ...known, figures: crawler.figures, robots: facts, analysisPool });
    },
  };
}
