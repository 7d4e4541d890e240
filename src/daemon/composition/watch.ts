import type { Accounts } from '../accounts/accounts.ts';
import { CrawlMeter, type Ended } from '../crawl/crawl-status.ts';
import type { AddressGuard } from '../fetch/address-guard.ts';
import type { AnalysisPool } from '../analysis/analysis-pool.ts';
import type { SinkLoops } from '../notify/sink-loops.ts';
import type { Log } from '../process/log.ts';
import type { Outside } from '../outside.ts';
import type { Stages } from '../pipeline.ts';
import type { OwnRequests } from '../requests/own-requests.ts';
import type { SignIns } from '../requests/sign-ins.ts';
import type { DaemonSettings } from '../settings.ts';
import type { Storage } from '../storage/storage.ts';
import type { DueWatch } from '../storage/watches.ts';
import type { RenderRefusal } from '../requests/rendering.ts';
import { noteCheck, type RecentProblems } from './status.ts';
import { check, type CheckStages } from '../watch/check.ts';
import { ChangeNotifier, WatchService } from '../watch/watch-service.ts';
import { CheckBatching } from '../watch/check-batching.ts';
import { analysisOptions, Watches } from '../watch/watches.ts';
import { Quota } from '../watch/quota.ts';
import { WatchSupply } from '../watch/supply.ts';
import { watchStatus } from '../watch/watch-wire.ts';
import type { Status } from '../../shared/api/status.ts';

/**
 * The watches' part of the composition root. They have no loop of their own: the crawler takes them from the supply and
 * sends them down the path of a check, with the robots.txt, connections and crawl delays of the crawl.
 */
export interface WatchDeps {
  readonly settings: Pick<DaemonSettings, 'crawlConcurrency' | 'watchHistory'>;
  readonly outside: Outside;
  readonly log: Log;
  readonly storage: Storage;
  readonly guard: AddressGuard;
  readonly analysisPool: Pick<AnalysisPool, 'analyzeWatch'>;
  readonly accounts: Pick<Accounts, 'plans' | 'organizations' | 'members'>;
  readonly notify: Pick<SinkLoops, 'watchChanged'>;
  readonly requests: Pick<OwnRequests, 'changed'>;
  readonly signIns: Pick<SignIns, 'of'>;
}

/** What the crawl lends. */
export interface CrawlLoan {
  readonly stages: Pick<Stages, 'robots' | 'fetcher' | 'host' | 'keep' | 'ratings' | 'begun'>;
  readonly problems: RecentProblems;
  readonly renderRefusal: RenderRefusal;
  /** The crawler looks for what is due. */
  readonly wake: () => void;
}

export interface WatchServices {
  readonly supply: WatchSupply;
  readonly batching: CheckBatching;
  /** One turn of a watch that is due. */
  readonly visit: (
    due: DueWatch,
    signal: AbortSignal,
    isOver: () => void,
  ) => Promise<{ readonly report?: Ended | undefined }>;
  readonly meter: CrawlMeter;
  readonly watches: Watches;
  readonly service: WatchService;
  readonly quota: Quota;
  readonly notifier: ChangeNotifier;
  readonly status: () => Promise<Status['watch']>;
}

export function composeWatches(deps: WatchDeps, loan: CrawlLoan): WatchServices {
  const { stages, problems, renderRefusal } = loan;
  const { settings, outside, log, storage, guard, accounts, notify, requests } = deps;
  const { catalog, frontier, ledger, watches: port } = storage;
  const { plans } = accounts;
  const wake = (): void => {
    supply.lookNow();
    loan.wake();
  };
  const onError = (what: string, error: unknown): void => log.error({ err: error }, what);
  const quota = new Quota({ ledger, port, catalog, plans, outside, wake, onError }); // storage, accounts
  const batching = new CheckBatching(port); // storage
  const supply = new WatchSupply({
    frontier,
    watches: port,
    quota,
    concurrency: settings.crawlConcurrency,
    onLook: () => batching.flush(),
  }); // quota, batching
  const watches = new Watches({ port, catalog, plans, quota, requests, guard, outside, renderRefusal, wake }); // quota, renderer
  accounts.organizations.onTerms((before, after) => watches.planChanged(before, after));
  accounts.members.onRemoved((memberId) => watches.memberRemoved(memberId));
  const notifier = new ChangeNotifier();
  const service = new WatchService({
    port,
    watches,
    quota,
    notifier,
    catalog,
    plans,
    outside,
    compare,
    wake,
  }); // all
  const meter = new CrawlMeter(outside.now());
  const path: CheckStages = {
    ...stages,
    ...checkStages(deps),
    watches: {
      watchBaseline: (id) => port.watchBaseline(id),
      commitCheck: (made, canWait) => batching.commitCheck(made, canWait),
    },
    supply,
    tell: (id) => {
      notifier.notify(id);
      notify.watchChanged(id);
      storage.nodes.announceChange(id);
    },
  };
  const visit: WatchServices['visit'] = async (due, signal, isOver) => {
    const made = await check(due, path, signal, isOver);
    noteCheck(log, problems, due, made.report);
    return made;
  };
  const status = async (): Promise<Status['watch']> =>
    watchStatus(await port.watchTotals(outside.now()), meter, outside);
  return { supply, batching, visit, meter, watches, service, quota, notifier, status };
}

/** What compares pages is in the threads; here it is loaded when somebody asks for two versions. */
async function compare(before: readonly string[], after: readonly string[]) {
  const { compareTexts } = await import('../../shared/page/select/watched.ts');
  return compareTexts(before, after);
}

/** The crawler is about to stop: nobody waits for changes any more, nor a check for its commit. */
export function stopWaiting({ notifier, batching }: WatchServices): void {
  notifier.close();
  batching.stop();
}

function checkStages({ settings, outside, storage: { catalog }, analysisPool, accounts, signIns }: WatchDeps) {
  const organization = (id: string) => catalog.data.organizations.find((known) => known.id === id);
  return {
    outside,
    signIns,
    analyze: (given, onBegin) => analysisPool.analyzeWatch(given, onBegin),
    optionsOf: ({ options, organizationId }) => analysisOptions(options, catalog.data, organizationId),
    planOf: (id) => {
      const known = organization(id);
      // It has just been removed, and its watches are about to be.
      return known ? accounts.plans.of(known) : { fastestMinutes: 0, checksAMonth: 0 };
    },
    history: settings.watchHistory,
  } satisfies Partial<CheckStages>;
}
