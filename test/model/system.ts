import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { type Accounts, ensureDefaultOrganization, openAccounts } from '../../src/daemon/accounts/accounts.ts';
import { Keys, Seal } from '../../src/daemon/accounts/keys.ts';
import type { LedgerMetering } from '../../src/daemon/accounts/metering.ts';
import { defaultPlans } from '../../src/daemon/accounts/plans.ts';
import { createAdminServer } from '../../src/daemon/admin/server.ts';
import { Filters } from '../../src/daemon/filters/filters.ts';
import { createServer } from '../../src/daemon/http/server.ts';
import type { Outside } from '../../src/daemon/outside.ts';
import { SavedMatches } from '../../src/daemon/saved/saved-matches.ts';
import type { Storage } from '../../src/daemon/storage/storage.ts';
import { Hub } from '../../src/daemon/stream/hub.ts';
import { type Matcher, RuleRegistration } from '../../src/daemon/taps/rule-registration.ts';
import { RuleTally } from '../../src/daemon/taps/rule-tally.ts';
import { Rules } from '../../src/daemon/taps/rules.ts';
import { Taps } from '../../src/daemon/taps/taps.ts';
import { ChangeNotifier } from '../../src/daemon/watch/watch-service.ts';
import type { Disk } from './disk.ts';
import type { Records } from './model.ts';
import type { Answer, Heard, Opened, Service, State, StepClock } from './service.ts';
import { followCatalog, followNodes } from '../../src/daemon/composition/catalog-feed.ts';
import type { CatalogData } from '../../src/daemon/storage/catalog.ts';
import { ORGANIZATION_HEADER } from '../../src/shared/daemon-notice.ts';
import { uncalledServices } from '../daemon/admin/uncalled-services.ts';
import { noWatches } from '../fixtures/no-watches.ts';
import { uncalled } from '../fixtures/uncalled.ts';
import type { FeedDocuments } from '../../src/daemon/feeds/feed-documents.ts';
import type { Feeds } from '../../src/daemon/feeds/feeds.ts';
import type { PageChanges } from '../../src/daemon/crawl/page-changes.ts';
import type { RuleTrials } from '../../src/daemon/taps/rule-trials.ts';
import { eventFor, seed, visitOf } from '../fixtures/visits.ts';
import { print } from '../../src/shared/query/syntax/print.ts';

/** What a rule is registered with, as text: the query as it was understood, and its switches. */
class RegisteredTexts implements Matcher {
  readonly texts = new Map<string, string>();

  register({ id, tapId, query, quality, nsfw }: Parameters<Matcher['register']>[0]): void {
    this.texts.set(id, `${tapId} ${print(query)} ${quality} ${nsfw}`);
  }

  unregister(ruleId: string): void {
    this.texts.delete(ruleId);
  }
}

/**
 * A daemon as a whole: both servers over all rooms, on a storage, with a clock that goes on by itself at
 * each request. A restart throws everything away but the storage.
 */
export class System implements Service {
  readonly #disk: Disk;
  readonly #clock: StepClock;
  #storage: Storage | undefined;
  readonly #secret = createHash('sha256').update('of the model').digest();
  #public: FastifyInstance | undefined;
  #operators: FastifyInstance | undefined;
  #registered = new RegisteredTexts();
  #hub: Hub | undefined;
  #metering: LedgerMetering | undefined;
  /** Of the first start. */
  firstKey = '';

  /** `clock`: that of all daemons of the storage. */
  constructor(disk: Disk, clock: StepClock) {
    this.#disk = disk;
    this.#clock = clock;
  }

  start(): Promise<void> {
    return this.restart();
  }

  async restart(): Promise<void> {
    await this.#closeServers();
    await this.#start(await this.#disk.reopened());
  }

  async crash(): Promise<void> {
    await this.#start(await this.#disk.crashed());
  }

  async #start(storage: Storage): Promise<void> {
    this.#storage = storage;
    const { catalog, eventLog, ruleCounters, savedMatches } = storage;
    const outside: Outside = { now: () => this.#clock.now, uuid: randomUUID, randomBytes: (size) => randomBytes(size) };
    const onError = (what: string, error: unknown): never => {
      throw new Error(what, { cause: error });
    };
    const household = await ensureDefaultOrganization(catalog, outside);
    this.firstKey = household.firstKey ?? this.firstKey;
    const settings = { plans: defaultPlans, matchPrice: 0.005 };
    const accounts = await openAccounts({ storage, settings, outside, onError });
    const { metering, plans } = accounts;
    this.#registered = new RegisteredTexts();
    const registration = new RuleRegistration(catalog, this.#registered);
    const hub = new Hub({ eventLog, metering, legacyPayload: false, outside, onError });
    [this.#hub, this.#metering] = [hub, metering];
    const taps = new Taps({
      catalog,
      seal: new Seal(this.#secret, outside),
      registration,
      streams: hub,
      eventLog,
      outside,
      plans,
    });
    if (registration.registerAll().length > 0) throw new Error('a stored rule is refused after a restart');
    const rooms = {
      accounts,
      catalog,
      hub,
      taps,
      outside,
      log: { warn: onLogged, error: onLogged },
      keys: new Keys({ catalog, outside }),
      rules: new Rules({ catalog, registration, outside, plans }),
      filters: new Filters({ catalog, registration, outside, watches: storage.watches }),
      tally: new RuleTally({ counters: ruleCounters, catalog, outside }),
      trials: uncalled<RuleTrials>('trials'),
      pageChanges: uncalled<PageChanges>('pageChanges'),
      saved: new SavedMatches({ saved: savedMatches, eventLog, catalog, outside }),
      feeds: uncalled<Feeds>('feeds'),
      feedDocuments: uncalled<FeedDocuments>('feedDocuments'),
      ...noWatches,
    };
    this.#public = createServer({ ...rooms, requestCounts: storage.nodes.requestCounts });
    this.#operators = createAdminServer({ ...rooms, ...uncalledServices });
    await this.#followOthers({ ...rooms, registration });
  }

  /** As the daemon does, without a crawl, watches and sinks. */
  async #followOthers({ accounts, ...rooms }: Followers): Promise<void> {
    const [sources, quota] = [{ follow: () => undefined }, { refresh: async () => undefined }];
    const sinkLoops = { sync: () => undefined, tapsMoved: () => undefined, watchChanged: () => undefined };
    const notifier = new ChangeNotifier();
    followNodes({ ...rooms, nodes: this.#started.nodes, sinkLoops, notifier });
    await followCatalog({ ...rooms, credit: accounts.credit, quota, sources, sinkLoops });
  }

  /** What the daemon has of the catalog. */
  get catalogData(): CatalogData {
    return this.#started.catalog.data;
  }

  get #started(): Storage {
    if (!this.#storage) throw new Error('the system was not started');
    return this.#storage;
  }

  get states(): readonly [State] {
    return [{ registered: this.#registered.texts, records: recordsOf(this.catalogData) }];
  }

  async ask<Body>(method: string, url: string, key: string, body?: object): Promise<Answer<Body>> {
    return this.#inject(this.#public, method, url, { authorization: `Bearer ${key}` }, body);
  }

  async operate<Body>(method: string, url: string, organizationId: string, body?: object): Promise<Answer<Body>> {
    return this.#inject(this.#operators, method, url, { [ORGANIZATION_HEADER]: organizationId }, body);
  }

  get now(): number {
    return this.#clock.now;
  }

  async publish(tapId: string, urls: readonly string[]): Promise<void> {
    const { frontier, pages } = this.#started;
    const page = await seed(frontier, 'log');
    const news = urls.map((url) => eventFor(tapId, JSON.stringify({ url })));
    const { events } = await pages.commit(visitOf(page, { at: this.now, events: news }));
    this.#hub?.announce(events);
  }

  async listen(
    token: string,
    { limit, offset, lastEventId }: { limit: number; offset?: number; lastEventId?: number },
  ): Promise<Opened> {
    if (!this.#public) throw new Error('the system was not started');
    this.#clock.step();
    const answer = await this.#public.inject({
      url: '/v1/stream',
      query: { limit: String(limit), ...(offset !== undefined && { offset: String(offset) }) },
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/x-ndjson',
        ...(lastEventId !== undefined && { 'last-event-id': `0-${lastEventId}` }),
      },
      payloadAsStream: true,
    });
    const lines = async (): Promise<unknown[]> => {
      // Between them stand the lengths of HTTP's chunks, which a stream writes itself.
      const said = (await text(answer.stream())).split('\n').filter((line) => line.startsWith('{'));
      return said.map((line): unknown => JSON.parse(line));
    };
    const body = answer.statusCode === 200 ? undefined : (await lines())[0];
    const start = answer.headers['x-stream-start']?.toString();
    return { status: answer.statusCode, body, start, heard: async () => (await lines()).map(heardOf) };
  }

  async settle(): Promise<void> {
    await this.#metering?.settle();
  }

  async close(): Promise<void> {
    await this.#closeServers();
    await this.#disk.close();
  }

  async #closeServers(): Promise<void> {
    await this.#public?.close();
    await this.#operators?.close();
  }

  async #inject<Body>(
    server: FastifyInstance | undefined,
    method: string,
    url: string,
    headers: Record<string, string>,
    body: object | undefined,
  ): Promise<Answer<Body>> {
    if (!server) throw new Error('the system was not started');
    this.#clock.step();
    const sent = { method: method as 'GET', url, headers, ...(body && { payload: body }) };
    const answer = await server.inject(sent);
    return { status: answer.statusCode, body: (answer.body === '' ? undefined : JSON.parse(answer.body)) as Body };
  }
}

type Followers = Pick<Parameters<typeof followCatalog>[0], 'catalog' | 'registration' | 'taps' | 'log'> & {
  readonly accounts: Accounts;
  readonly hub: Hub;
};

function recordsOf({ taps, rules, filters }: CatalogData): Records {
  return {
    taps: taps.map(({ id }) => id),
    rules: rules.map(({ id }) => id),
    filters: filters.map(({ organizationId, name }) => `${organizationId} ${name}`),
  };
}

function heardOf(frame: unknown): Heard {
  const { event, id, data } = frame as { event: string; id?: string; data: { document?: { url: string } } };
  return { event, ...(id !== undefined && { id }), ...(data.document && { url: data.document.url }) };
}

/** What is logged as a warning or an error is a fault of the system: clients' mistakes are not logged. */
function onLogged(facts: unknown, message = ''): never {
  throw new Error(`${message}: ${JSON.stringify(facts)}`);
}
