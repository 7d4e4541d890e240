import { ownRequests } from '../requests/own-requests.ts';
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { type Accounts, ensureDefaultOrganization, openAccounts } from '../../../src/daemon/accounts/accounts.ts';
import { Keys, type Manager, Seal } from '../../../src/daemon/accounts/keys.ts';
import { defaultPlans } from '../../../src/daemon/accounts/plans.ts';
import { AddressGuard } from '../../../src/daemon/fetch/address-guard.ts';
import { FeedDocuments } from '../../../src/daemon/feeds/feed-documents.ts';
import { Feeds } from '../../../src/daemon/feeds/feeds.ts';
import { Filters } from '../../../src/daemon/filters/filters.ts';
import { SavedMatches } from '../../../src/daemon/saved/saved-matches.ts';
import type { PlacedHunk } from '../../../src/shared/api/watch.ts';
import { type Outside, outside } from '../../../src/daemon/outside.ts';
import type { Catalog } from '../../../src/daemon/storage/catalog.ts';
import { Trials } from '../../../src/daemon/analysis/trials.ts';
import type { Storage } from '../../../src/daemon/storage/storage.ts';
import { openMemory } from '../../reference/storage/memory.ts';
import { Hub } from '../../../src/daemon/stream/hub.ts';
import { type Matcher, RuleRegistration } from '../../../src/daemon/taps/rule-registration.ts';
import { RuleTally } from '../../../src/daemon/taps/rule-tally.ts';
import { PageChanges } from '../../../src/daemon/crawl/page-changes.ts';
import { RuleTrials } from '../../../src/daemon/taps/rule-trials.ts';
import { Rules } from '../../../src/daemon/taps/rules.ts';
import { Taps } from '../../../src/daemon/taps/taps.ts';
import { ChangeNotifier, WatchService } from '../../../src/daemon/watch/watch-service.ts';
import { Quota } from '../../../src/daemon/watch/quota.ts';
import { Watches } from '../../../src/daemon/watch/watches.ts';

/** A matcher that only remembers what is registered, and in which order it was told. */
export class RecordingIndex implements Matcher {
  readonly registered = new Map<string, Parameters<Matcher['register']>[0]>();
  readonly calls: string[] = [];

  register(rule: Parameters<Matcher['register']>[0]): void {
    this.registered.set(rule.id, rule);
    this.calls.push(`register ${rule.id}`);
  }

  unregister(ruleId: string): void {
    this.registered.delete(ruleId);
    this.calls.push(`unregister ${ruleId}`);
  }
}

/** A clock that a test moves. */
export class HeldOutside implements Outside {
  ms = Date.parse('2026-02-27T10:00:00.400Z');
  now(): number {
    return this.ms;
  }
  randomBytes(size: number): Uint8Array {
    return outside.randomBytes(size);
  }
  uuid(): string {
    return outside.uuid();
  }
}

export const instanceSecret = createHash('sha256').update('a secret of this instance').digest();

export interface House {
  readonly storage: Storage;
  readonly catalog: Catalog;
  readonly clock: HeldOutside;
  /** The same. */
  readonly outside: Outside;
  readonly organizationId: string;
  readonly operator: Manager;
  /** The management key of the first start. */
  readonly key: string;
  readonly index: RecordingIndex;
  readonly registration: RuleRegistration;
  readonly hub: Hub;
  readonly keys: Keys;
  readonly accounts: Accounts;
  readonly taps: Taps;
  readonly rules: Rules;
  readonly filters: Filters;
  readonly feeds: Feeds;
  readonly feedDocuments: FeedDocuments;
  readonly tally: RuleTally;
  readonly trials: RuleTrials;
  readonly pageChanges: PageChanges;
  readonly saved: SavedMatches;
  readonly quota: Quota;
  readonly watches: Watches;
  readonly watchNews: ChangeNotifier;
  readonly watchService: WatchService;
  /** Ids of taps whose streams were ended, and whose logs were dropped. */
  readonly revokedStreams: readonly string[];
  readonly droppedLogs: readonly string[];
}

/**
 * The rooms that the API stands on, over a storage in memory; what they tell others is recorded. `clock`: that of other houses over
 * the same storage.
 */
export async function openHouse(
  storage: Storage = openMemory(),
  secret: Uint8Array = instanceSecret,
  clock = new HeldOutside(),
): Promise<House> {
  const { catalog, eventLog } = storage;
  const household = await ensureDefaultOrganization(catalog, clock);
  const index = new RecordingIndex();
  const revokedStreams: string[] = [];
  const droppedLogs: string[] = [];
  const registration = new RuleRegistration(catalog, index);
  const onError = (what: string, error: unknown): never => expect.unreachable(`${what}: ${String(error)}`);
  const settings = { plans: defaultPlans, matchPrice: 0.005 };
  const accounts = await openAccounts({ storage, settings, outside: clock, onError });
  const watching = await openWatching(storage, accounts, clock);
  const hub = new Hub({
    eventLog,
    metering: accounts.metering,
    legacyPayload: false,
    outside: clock,
    onError,
  });
  const trying = new Trials({ changes: storage.recentChanges, outside: clock });
  const trials = new RuleTrials({ catalog, trials: trying, outside: clock, isKept: true });
  const taps = new Taps({
    catalog,
    seal: new Seal(secret, clock),
    registration,
    streams: {
      revoke: (tapId) => {
        revokedStreams.push(tapId);
        hub.revoke(tapId);
      },
    },
    eventLog: {
      drop: (tapId) => {
        droppedLogs.push(tapId);
        return eventLog.drop(tapId);
      },
    },
    outside: clock,
  });
  return {
    storage,
    catalog,
    clock,
    outside: clock,
    operator: { kind: 'manager', organizationId: household.organization.id, memberId: household.admin.id },
    organizationId: household.organization.id,
    key: household.firstKey ?? '',
    index,
    registration,
    hub,
    keys: new Keys({ catalog, outside: clock }),
    accounts,
    taps,
    rules: new Rules({ catalog, registration, outside: clock }),
    filters: new Filters({ catalog, registration, outside: clock, watches: storage.watches }),
    feeds: new Feeds({ catalog, watches: storage.watches, outside: clock }),
    feedDocuments: new FeedDocuments({
      catalog,
      eventLog,
      metering: accounts.metering,
      watches: storage.watches,
      changes: watching.watchService,
      outside: clock,
    }),
    tally: new RuleTally({ counters: storage.ruleCounters, catalog, outside: clock }),
    trials,
    pageChanges: new PageChanges({
      catalog,
      frontier: storage.frontier,
      eventLog,
      isDelivered: (tapId, offset) => accounts.metering.isDelivered(tapId, offset),
      changes: trying,
      registered: () => index.registered.values(),
      refusalOf: (rule) => registration.refusalOf(rule),
      accepted: trials.accepted,
      outside: clock,
      isKept: true,
    }),
    saved: new SavedMatches({ saved: storage.savedMatches, eventLog, catalog, outside: clock }),
    ...watching,
    revokedStreams,
    droppedLogs,
  };
}

type Watching = Pick<House, 'quota' | 'watches' | 'watchNews' | 'watchService'>;

/** The services of watches; nothing is fetched, and versions are compared as whole texts. */
async function openWatching(storage: Storage, accounts: Accounts, clock: Outside): Promise<Watching> {
  const { catalog, ledger, watches: port } = storage;
  const { plans } = accounts;
  const ground = { port, catalog, plans, outside: clock, wake: (): void => undefined };
  const onError = (what: string, error: unknown): never => expect.unreachable(`${what}: ${String(error)}`);
  const quota = new Quota({ ...ground, ledger, onError });
  await quota.refresh();
  const guard = new AddressGuard({ allowPrivate: [] });
  const watches = new Watches({ ...ground, requests: ownRequests(), quota, guard });
  const news = new ChangeNotifier();
  const compare = async (del: readonly string[], ins: readonly string[]): Promise<PlacedHunk[]> => [
    { before: 1, after: 1, blocks: [{ del, ins }] },
  ];
  accounts.organizations.onTerms((before, after) => watches.planChanged(before, after));
  accounts.members.onRemoved((memberId) => watches.memberRemoved(memberId));
  return {
    quota,
    watches,
    watchNews: news,
    watchService: new WatchService({ ...ground, watches, quota, notifier: news, compare }),
  };
}

/** A second organization with its admin, as the operator would make it. */
export async function addNeighbour(
  catalog: Catalog,
  plan = 'Free',
): Promise<{ organizationId: string; memberId: string }> {
  const [organizationId, memberId, createdAt] = [outside.uuid(), outside.uuid(), '2026-02-27T00:00:00.000Z'];
  await catalog.update((draft) => {
    draft.organizations.push({ id: organizationId, name: 'neighbour', plan, createdAt });
    draft.members.push({ id: memberId, organizationId, name: 'admin', role: 'admin', createdAt });
  });
  return { organizationId, memberId };
}
