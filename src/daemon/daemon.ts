import { hostname } from 'node:os';
import { join } from 'node:path';
import { ensureDefaultOrganization, openAccounts } from './accounts/accounts.ts';
import { Keys, Seal } from './accounts/keys.ts';
import type { LedgerMetering } from './accounts/metering.ts';
import { createAdminServer, createMetricsServer, metricsAddress } from './admin/server.ts';
import { followCatalog, followNodes, logRefused } from './composition/catalog-feed.ts';
import { ClockRepair } from './composition/clock-repair.ts';
import { composeCrawl, type Crawl } from './composition/crawl.ts';
import { startJobs } from './composition/jobs.ts';
import { composeNotify } from './composition/notify.ts';
import { faultPoint } from './fault-points.ts';
import { AddressGuard } from './fetch/address-guard.ts';
import { userAgent } from './fetch/fetcher.ts';
import { FeedDocuments } from './feeds/feed-documents.ts';
import { Feeds } from './feeds/feeds.ts';
import { Filters } from './filters/filters.ts';
import { createServer, type RouteDeps } from './http/server.ts';
import { AnalysisPool } from './analysis/analysis-pool.ts';
import { Trials } from './analysis/trials.ts';
import { passedOn } from './process/command.ts';
import type { Log } from './process/log.ts';
import { OwnRequests } from './requests/own-requests.ts';
import { SignIns } from './requests/sign-ins.ts';
import { type MemoryPlan, memoryPlan, MemoryRelease } from './process/memory.ts';
import type { Metrics } from './metrics/metrics.ts';
import { sinkKinds } from './notify/kinds/kinds.ts';
import type { Outside } from './outside.ts';
import { connectionsAllowed, openFilesLimit, openListeners, readCertificate } from './process/listeners.ts';
import { DomainRatings } from './ratings/domain-ratings.ts';
import { SavedMatches } from './saved/saved-matches.ts';
import type { DaemonSettings } from './settings.ts';
import { readStatus } from './composition/status.ts';
import { openSqlite } from './storage/sqlite/sqlite-storage.ts';
import { DataDirLock, fingerprintOf, openSecret, prepareDataDir } from './storage/sqlite/files/data-dir.ts';
import { leftBehind, refuseMoving } from './storage/sqlite/files/moved-mark.ts';
import type { Storage } from './storage/storage.ts';
import { Hub } from './stream/hub.ts';
import { RuleRegistration } from './taps/rule-registration.ts';
import { RuleTally } from './taps/rule-tally.ts';
import { PageChanges } from './crawl/page-changes.ts';
import { RuleTrials } from './taps/rule-trials.ts';
import { Rules } from './taps/rules.ts';
import { Taps } from './taps/taps.ts';
import type { View } from './view/view.ts';
import { version } from './process/version.ts';
import type { DaemonNotice } from '../shared/daemon-notice.ts';

/**
 * The composition root: everything is built here, in order, and passed in. Whoever wants to know what depends on
 * what reads this file from top to bottom.
 */
export interface Daemon {
  readonly notice: DaemonNotice;
  /** Finishes visits under way, ends the streams, closes the listeners, then the files. */
  stop(): Promise<void>;
}

export interface DaemonDeps {
  readonly settings: DaemonSettings;
  readonly outside: Outside;
  readonly log: Log;
  /** Of the process: some of it is passed on to commands that sinks run. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The storage is gone for good: nothing can be acknowledged any more. */
  readonly onFatal: (error: unknown) => void;
}

export async function startDaemon(given: DaemonDeps): Promise<Daemon> {
  const { settings } = given;
  const guard = new AddressGuard({ allowPrivate: settings.allowPrivate }); // settings
  const plan = memoryPlan(settings.memory); // settings
  const storage = await openStorage(given, plan); // settings; takes the lock
  const deps = { ...given, outside: withSharedClock(given.outside, storage) };
  try {
    faultPoint('start:opened');
    const services = await buildServices(deps, storage, plan);
    faultPoint('start:registered');
    const crawl = await composeCrawl({ ...deps, storage, guard, ...services, notify: services.notifying.loops }); // all of the above
    const { notifier } = crawl.watch;
    followNodes({ nodes: storage.nodes, hub: services.hub, sinkLoops: services.notifying.loops, notifier }); // storage, services, crawl
    await followCatalog({
      ...services,
      ...crawl,
      log: deps.log,
      credit: services.accounts.credit,
      quota: crawl.watch.quota,
      sinkLoops: services.notifying.loops,
    }); // services, crawl
    faultPoint('start:restored');
    const running = await serve(deps, storage, services, crawl);
    const memory = new MemoryRelease(settings.memory, () => {
      storage.release();
      services.analysisPool.release();
    }); // settings, storage, services
    return {
      notice: running.notice,
      stop: () => {
        memory.stop();
        return running.stop();
      },
    };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/** In the data directory, or in the database that several daemons share; the directory is this daemon's alone in either case. */
async function openStorage({ settings, outside, log, onFatal }: DaemonDeps, plan: MemoryPlan): Promise<Storage> {
  const { dataDir, store: url } = settings;
  if (url === '') {
    const { sqliteCacheBytes: cacheBytes, storageYoungMb: youngMb } = plan;
    return openSqlite({ dataDir, outside, onFatal, cacheBytes, youngMb });
  }
  await prepareDataDir(dataDir);
  const lock = DataDirLock.take(dataDir);
  try {
    await refuseMoving(dataDir);
    await warnOfUnused(dataDir, log);
    const secretFingerprint = fingerprintOf(await openSecret(dataDir, outside));
    // Most daemons have no use for it.
    const { openPostgres } = await import('./storage/postgres/postgres-storage.ts');
    const onError = (what: string, error: unknown): void => log.error({ err: error }, what);
    const node = `${hostname()}:${dataDir}`;
    const storage = await openPostgres({ url, node, outside, onError, secretFingerprint });
    return { ...storage, close: () => storage.close().finally(() => lock.release()) };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** What was kept in the directory before looks lost to whoever does not know that another store was chosen. */
async function warnOfUnused(dataDir: string, log: Log): Promise<void> {
  if ((await leftBehind(dataDir)) !== 'unused') return;
  const fix = 'to move it to an empty one: hydrant migrate --to <url>';
  log.warn(`${join(dataDir, 'hydrant.db')} is not used: the setting store names a PostgreSQL database; ${fix}`);
}

/** Nodes compare times that others have written. */
function withSharedClock(outside: Outside, { nodes }: Storage): Outside {
  return { ...outside, now: () => outside.now() + nodes.clockAheadMs };
}

type Services = Awaited<ReturnType<typeof buildServices>>;

/** Accounts and keys, the registered rules, and the hub that delivers their matches. */
async function buildServices(deps: DaemonDeps, storage: Storage, plan: MemoryPlan) {
  const { settings, outside, log } = deps;
  const { catalog, eventLog } = storage;
  const onError = (what: string, error: unknown): void => log.error({ err: error }, what);
  const accounts = await openAccounts({ storage, settings, outside, onError }); // storage, settings
  const { metering, plans } = accounts;
  // What another node makes meanwhile is none of the leftovers.
  const isAlone = (await storage.nodes.count()) === 1;
  const left = isAlone ? await eventLog.retain(catalog.data.taps.map(({ id }) => id)) : 0;
  if (left > 0) log.warn({ taps: left }, 'deleted the leftover events of revoked taps');
  const defaults = await ensureDefaultOrganization(catalog, outside, plans); // storage, accounts
  if (defaults.firstKey !== undefined) showOnce(log, defaults.firstKey);
  const secret = await openSecret(settings.dataDir, outside); // settings
  const seal = new Seal(secret, outside);
  const analysisPool = new AnalysisPool({
    threads: settings.crawlThreads || plan.analysisThreads,
    youngMb: plan.analysisYoungMb,
    keepMs: plan.keepThreadMs,
    onRejected: noteRejected(log),
  }); // settings
  const registration = new RuleRegistration(catalog, analysisPool); // storage, analysisPool
  const legacyPayload = settings.compatLegacyMatchPayload === 'on';
  const hub = new Hub({ eventLog, metering, legacyPayload, outside, onError }); // storage, accounts
  const keys = new Keys({ catalog, outside }); // storage
  const taps = new Taps({ catalog, seal, registration, streams: hub, eventLog, outside, plans }); // storage, seal, registration, hub
  const rules = new Rules({ catalog, registration, outside, plans }); // storage, registration
  const filters = new Filters({ catalog, registration, outside, watches: storage.watches }); // storage, registration
  const feeds = new Feeds({ catalog, watches: storage.watches, outside }); // storage
  const tally = new RuleTally({ counters: storage.ruleCounters, catalog, outside, registration }); // storage, registration
  const saved = new SavedMatches({ saved: storage.savedMatches, eventLog, catalog, outside }); // storage
  const trying = new Trials({ changes: storage.recentChanges, outside }); // storage
  const trials = new RuleTrials({ catalog, trials: trying, outside, isKept: settings.recentBytes > 0 }); // storage
  const asked = { metering: accounts.metering, analysisPool, registration, trying, trials };
  const pageChanges = pageChangesOf({ settings, outside }, storage, asked); // storage, accounts, analysisPool, registration, trials
  taps.checkSeals();
  logRefused(log, registration.registerAll());
  const ratings = new DomainRatings({ ratings: storage.ratings, outside, onError }); // storage
  const notifying = notifyOf(deps, storage, secret); // settings, storage
  const asking = askingOf(deps, secret); // settings
  return {
    accounts,
    registration,
    catalog,
    analysisPool,
    hub,
    keys,
    taps,
    rules,
    filters,
    feeds,
    tally,
    trials,
    pageChanges,
    saved,
    ratings,
    notifying,
    ...asking,
  };
}

/** How pages of the operator's are asked for, and what signs in to them. `secret`: the instance's. */
function askingOf({ outside, environment = {} }: DaemonDeps, secret: Uint8Array) {
  const requests = new OwnRequests(new Seal(secret, outside, 'hydrant requests'), outside);
  return { requests, signIns: new SignIns(requests, passedOn(environment)) };
}

/** What is sent where people are. `secret`: the instance's. */
function notifyOf({ settings, outside, log, environment = {} }: DaemonDeps, storage: Storage, secret: Uint8Array) {
  return composeNotify({
    dataDir: settings.dataDir,
    outside,
    log,
    storage,
    seal: new Seal(secret, outside, 'hydrant sink secrets'),
    kinds: sinkKinds,
    userAgent: userAgent(version(), settings.crawlContact),
    environment,
  });
}

interface ReadChanges {
  readonly metering: LedgerMetering;
  readonly analysisPool: AnalysisPool;
  readonly registration: RuleRegistration;
  readonly trying: Trials;
  readonly trials: RuleTrials;
}

/** What the operator asks of the last change of a page. */
function pageChangesOf(
  { settings, outside }: Pick<DaemonDeps, 'settings' | 'outside'>,
  { catalog, frontier, eventLog }: Storage,
  { metering, analysisPool, registration, trying, trials }: ReadChanges,
): PageChanges {
  return new PageChanges({
    catalog,
    frontier,
    eventLog,
    isDelivered: (tapId, offset) => metering.isDelivered(tapId, offset),
    changes: trying,
    registered: () => analysisPool.rules,
    refusalOf: (rule) => registration.refusalOf(rule),
    accepted: trials.accepted,
    outside,
    isKept: settings.recentBytes > 0,
  });
}

/** The listeners: the public port and the operator's socket, and the way back out of it all. */
async function serve(deps: DaemonDeps, storage: Storage, services: Services, crawl: Crawl): Promise<Daemon> {
  const { settings, outside, log } = deps;
  const { crawler, problems, robots, watch } = crawl;
  const facts = {
    startedAt: outside.now(),
    version: version(),
    dataDir: settings.dataDir,
    userAgent: userAgent(version(), settings.crawlContact),
  };
  const onRepaired = (message: string): void => {
    problems.note(message);
    log.warn(message);
  };
  const clock = new ClockRepair({ storage, outside, onRepaired }); // storage, crawl
  await clock.run();
  if ((await storage.nodes.count()) === 1) await services.notifying.restore();
  const onDiskFull = (): void => problems.note('the disk is full: writes are refused');
  const feedDocuments = feedDocumentsOf(storage, services, { changes: watch.service, outside }); // storage, services, crawl
  const { requestCounts } = storage.nodes;
  const routes = { ...services, watches: watch.watches, feedDocuments, log, outside, onDiskFull, requestCounts };
  const view = await viewOf(settings, storage, services, { ...routes, outside }); // settings, storage, services
  const tls = await readCertificate(settings); // settings
  const maxConnections = connectionsAllowed(settings.maxConnections, openFilesLimit()); // settings
  const listeners = await openListeners({
    settings,
    ...facts,
    server: createServer(routes, { ...settings, tls, maxConnections, beside: view?.routes }),
    operator: (url) => {
      const known = { ...facts, settings, storage, outside, crawler, robots, problems, ...services };
      const { sinks } = services.notifying;
      const status = async () => readStatus({ ...known, watch: watch.status, url, sinks: () => sinks.totals() });
      const metrics = metricsOf(async () => ({ status: await status(), crawl: await crawl.service.status() }));
      const admin = createAdminServer({
        ...routes,
        publicUrl: url,
        sinks,
        sources: crawl.sources,
        watchService: watch.service,
        crawl: crawl.service,
        ingest: crawl.ingest,
        metrics,
        status,
      });
      view?.attach(admin, url);
      return { admin, ...metricsServer(settings.metricsListen, metrics, log) };
    },
  }); // services, crawl
  reportLosses([...storage.losses, ...services.accounts.credit.lost.map(lostBalance)], deps, problems);
  log.info({ socket: listeners.notice.socket }, `hydrantd listens on ${listeners.notice.url}`);
  const jobs = startJobs({ ...deps, ...services, storage, clock, quota: watch.quota });
  await watch.quota.refresh();
  await services.notifying.turn.begin();
  services.notifying.loops.sync();
  crawler.wake();

  const stop = (): Promise<void> => stopAll(deps, { storage, services, crawl, listeners, jobs });
  return { notice: listeners.notice, stop };
}

/** On a port of its own, where the operator wants one. What it counts of the process, it counts from the start on. */
function metricsServer(where: string, metrics: () => Promise<Metrics>, log: Log) {
  if (where === '') return {};
  void metrics();
  return { metrics: { server: createMetricsServer(metrics, log), ...metricsAddress(where) } };
}

function feedDocumentsOf(
  { eventLog, watches }: Storage,
  { catalog, accounts: { metering } }: Services,
  more: { readonly changes: Crawl['watch']['service']; readonly outside: Outside },
): FeedDocuments {
  return new FeedDocuments({ catalog, eventLog, watches, metering, ...more });
}

/** Loaded where it is wanted: most daemons are looked at in a terminal. */
async function viewOf(
  { ui }: DaemonSettings,
  { eventLog }: Storage,
  services: Services,
  routes: RouteDeps & { readonly outside: Outside },
): Promise<View | undefined> {
  if (ui === 'off') return undefined;
  const { View: Loaded } = await import('./view/view.ts');
  const { catalog, accounts } = services;
  const { organizations, metering } = accounts;
  return new Loaded({ ...routes, catalog, organizations, eventLog, metering });
}

/** Loaded when somebody reads them: most daemons have no Prometheus, and it looks at the event loop 100 times a second. */
function metricsOf(read: ConstructorParameters<typeof Metrics>[0]): () => Promise<Metrics> {
  let metrics: Promise<Metrics> | undefined;
  const load = async (): Promise<Metrics> => new (await import('./metrics/metrics.ts')).Metrics(read);
  return () => (metrics ??= load());
}

/** Nothing new begins; what is under way is finished or called off; then what was read is written, and the file closed. */
async function stopAll({ log }: DaemonDeps, { storage, services, crawl, listeners, jobs }: Running): Promise<void> {
  for (const job of jobs) await job.destroy();
  await crawl.stop(CRAWL_GRACE_MS);
  await services.notifying.loops.stop(SINK_GRACE_MS);
  await services.notifying.turn.end();
  await services.analysisPool.close();
  await services.tally
    .flush()
    .catch((error: unknown) => log.error({ err: error }, 'rule statistics could not be written'));
  await services.hub.closeAll(STREAM_GRACE_MS);
  await services.accounts.metering.settle();
  await listeners.close();
  await storage.close();
}

interface Running {
  readonly storage: Storage;
  readonly services: Services;
  readonly crawl: Crawl;
  readonly listeners: Awaited<ReturnType<typeof openListeners>>;
  readonly jobs: ReturnType<typeof startJobs>;
}

/** What the last end of the process cost: in the log, and in `status` until the next start. */
function reportLosses(losses: readonly string[], { log }: DaemonDeps, problems: Crawl['problems']): void {
  for (const loss of losses) {
    log.warn(loss);
    problems.keep(loss);
  }
}

function lostBalance(organization: string): string {
  const how = 'it was lost with the database, and nothing is delivered until you set it';
  return `the balance of the organization ${organization} is 0: ${how} (hydrant credit set)`;
}

/** A page under way is worth waiting for; what takes longer is visited again after the next start. */
const CRAWL_GRACE_MS = 5_000;
const STREAM_GRACE_MS = 2_000;
/** A message that was sent and is not answered by then is sent again after the next start. */
const SINK_GRACE_MS = 2_000;

/** Here and nowhere else, as soon as it is saved, and whatever the log's level: only its hash is kept. */
function showOnce(log: Log, key: string): void {
  const words = 'first start: this management key is shown only once; keep it for access from other machines';
  log.child({}, { level: 'info' }).info({ management_key: key }, words);
}

/** A rule that was saved and cannot be registered is our bug: its owner believes that it matches. */
function noteRejected(log: Log): (rule: string, fault: string) => void {
  return (rule, fault) => log.error({ rule, fault }, 'a rule could not be registered');
}
