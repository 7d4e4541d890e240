import { beforeEach, describe, expect, test, vi } from 'vitest';
import { followCatalog } from '../../../src/daemon/composition/catalog-feed.ts';
import { Sources } from '../../../src/daemon/crawl/sources.ts';
import { AddressGuard } from '../../../src/daemon/fetch/address-guard.ts';
import type { Draft, RuleRecord, SinkRecord, SourceRecord, TapRecord } from '../../../src/daemon/storage/catalog.ts';
import { MemoryCatalog } from '../../reference/storage/catalog.ts';
import { openMemory } from '../../reference/storage/memory.ts';
import { ownRequests } from '../requests/own-requests.ts';
import { type House, openHouse } from '../taps/house.ts';

const createdAt = '2026-02-27T00:00:00.000Z';

let catalog: MemoryCatalog;
let house: House;
let sources: Sources;
const wake = vi.fn<() => void>();
const refreshQuota = vi.fn<() => Promise<void>>();
const syncSinks = vi.fn<() => void>();
const logged: unknown[] = [];

beforeEach(async () => {
  for (const mock of [wake, refreshQuota, syncSinks]) mock.mockReset();
  logged.length = 0;
  catalog = new MemoryCatalog();
  house = await openHouse({ ...openMemory(), catalog });
  const guard = new AddressGuard({ allowPrivate: [] });
  sources = new Sources({
    catalog,
    frontier: house.storage.frontier,
    guard,
    outside: house.clock,
    requests: ownRequests(),
    wake,
  });
  await followCatalog({
    ...house,
    sources,
    credit: house.accounts.credit,
    quota: { refresh: refreshQuota },
    sinkLoops: { sync: syncSinks },
    log: { error: (...line: unknown[]) => logged.push(line) },
  });
});

const rule = (id: string, tapId: string, value = 'water'): RuleRecord => ({
  id,
  tapId,
  value,
  nsfw: false,
  quality: true,
  createdAt,
});

function tapRecord(id: string): TapRecord {
  const token = { tokenPrefix: 'svc_Ab3d', tokenHash: `hash of ${id}`, tokenSealed: 'sealed' };
  return {
    id,
    organizationId: house.organizationId,
    name: id,
    status: 'active',
    ...token,
    createdAt,
    lastUsedAt: null,
  };
}

const registered = (): Record<string, string> =>
  Object.fromEntries([...house.index.registered.values()].map(({ id, tapId }) => [id, tapId]));

describe('what another process changes in the catalog is followed', () => {
  test('rules are registered, registered anew and unregistered, those of other taps left alone', async () => {
    const tap = await house.taps.create(house.organizationId, 'own');
    await house.rules.create({ kind: 'tap', tapId: tap.id, organizationId: house.organizationId }, { value: 'own' });
    house.index.calls.length = 0;
    catalog.changeElsewhere((draft) => {
      draft.taps.push(tapRecord('t'));
      draft.rules.push(rule('r1', 't'), rule('r2', 't'));
    });
    expect(registered()).toMatchObject({ r1: 't', r2: 't' });
    catalog.changeElsewhere((draft) => {
      draft.rules = draft.rules.filter(({ id }) => id !== 'r1');
      draft.rules.find(({ id }) => id === 'r2')!.value = 'fire';
    });
    expect(house.index.calls).toEqual(['register r1', 'register r2', 'unregister r1', 'unregister r2', 'register r2']);
  });

  test('a tap that is paused, resumed or revoked takes its rules with it', () => {
    const change = (status: TapRecord['status']) =>
      catalog.changeElsewhere((draft) => {
        draft.taps.find(({ id }) => id === 't')!.status = status;
      });
    catalog.changeElsewhere((draft) => {
      draft.taps.push(tapRecord('t'));
      draft.rules.push(rule('r', 't'));
    });
    change('paused');
    expect(registered()).toEqual({});
    change('active');
    expect(registered()).toEqual({ r: 't' });
    catalog.changeElsewhere((draft) => {
      draft.taps = [];
      draft.rules = [];
    });
    expect(registered()).toEqual({});
  });

  test('a saved filter that changes changes the rules of its organization that refer to it', () => {
    const filter = { id: 'f', organizationId: house.organizationId, name: 'topic', value: 'water', createdAt };
    catalog.changeElsewhere((draft) => {
      draft.taps.push(tapRecord('t'));
      draft.filters.push(filter);
      draft.rules.push(rule('r1', 't', '$topic'), rule('r2', 't', 'wind'));
    });
    house.index.calls.length = 0;
    catalog.changeElsewhere((draft) => {
      draft.filters[0]!.value = 'fire';
    });
    expect(house.index.calls).toEqual(['unregister r1', 'register r1']);
  });

  test('a rule that this version refuses is logged, and the others are registered', () => {
    catalog.changeElsewhere((draft) => {
      draft.taps.push(tapRecord('t'));
      draft.rules.push(rule('bad', 't', 'a AND ('), rule('good', 't'));
    });
    expect(registered()).toEqual({ good: 't' });
    expect(logged).toEqual([[{ rule: 'bad', query: 'a AND (' }, expect.stringContaining('refuses a stored rule')]]);
  });

  test('the streams of a tap that was revoked are ended, those of a changed one are not', () => {
    catalog.changeElsewhere((draft) => draft.taps.push(tapRecord('t'), tapRecord('u')));
    catalog.changeElsewhere((draft) => {
      draft.taps.find(({ id }) => id === 'u')!.name = 'renamed';
      draft.taps = draft.taps.filter(({ id }) => id !== 't');
    });
    expect(house.revokedStreams).toEqual(['t']);
    // Its events are dropped where it was revoked.
    expect(house.droppedLogs).toEqual([]);
  });

  test('sources are known, go as far as they may now, and are forgotten; the crawl looks for what is due', () => {
    const source: SourceRecord = {
      id: 's',
      url: 'https://a.example/',
      scope: 'host',
      depth: 2,
      everySeconds: null,
      maxPages: 10,
      baseline: false,
      paused: false,
      createdAt,
    };
    const holders = [{ sourceId: 's', depth: 1 }];
    catalog.changeElsewhere((draft) => draft.sources.push(structuredClone(source) as Draft<SourceRecord>));
    expect(sources.terms(holders)).toMatchObject([{ id: 's', maxDepth: 2 }]);
    expect(sources.isNamed('https://a.example/')).toBe(true);
    catalog.changeElsewhere((draft) => {
      draft.sources[0]!.depth = 5;
    });
    expect(sources.terms(holders)).toMatchObject([{ id: 's', maxDepth: 5 }]);
    catalog.changeElsewhere((draft) => {
      draft.sources = [];
    });
    expect([sources.terms(holders), sources.isNamed('https://a.example/')]).toEqual([[], false]);
    expect(wake).toHaveBeenCalledTimes(3);
  });

  test('an organization that gets a balance is prepaid here, too, until it is unlimited again', () => {
    const { organizationId, accounts } = house;
    const change = (how: (organization: Draft<{ prepaid?: true; name: string }>) => void) =>
      catalog.changeElsewhere((draft) => how(draft.organizations.find(({ id }) => id === organizationId)!));
    change((organization) => {
      organization.prepaid = true;
    });
    expect(accounts.credit.isUnlimited(organizationId)).toBe(false);
    change((organization) => {
      organization.name = 'renamed';
    });
    expect(accounts.credit.isUnlimited(organizationId)).toBe(false);
    change((organization) => {
      delete organization.prepaid;
    });
    expect(accounts.credit.isUnlimited(organizationId)).toBe(true);
  });

  test('the quota of checks follows organizations, and the loops of sinks follow sinks', () => {
    catalog.changeElsewhere((draft) => {
      draft.organizations[0]!.limits = { checksAMonth: 1 };
    });
    expect([refreshQuota.mock.calls.length, syncSinks.mock.calls.length]).toEqual([1, 0]);
    const sink: SinkRecord = {
      id: 'k',
      organizationId: house.organizationId,
      name: 'k',
      kind: 'webhook',
      options: {},
      secretsSealed: {},
      taps: 'all',
      query: null,
      watches: 'none',
      problems: { after: 5 },
      digest: null,
      quiet: null,
      zone: 'UTC',
      atMost: null,
      template: null,
      paused: false,
      createdAt,
    };
    catalog.changeElsewhere((draft) => draft.sinks.push(structuredClone(sink) as Draft<SinkRecord>));
    expect([refreshQuota.mock.calls.length, syncSinks.mock.calls.length]).toEqual([1, 1]);
  });
});
