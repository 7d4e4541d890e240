import fc from 'fast-check';
import { CHECK_NOTES, NO_OPTIONS } from '../../../src/shared/api/watch-values.ts';
import { type HostState, NEW_HOST } from '../../../src/daemon/storage/frontier.ts';
import type { Storage } from '../../../src/daemon/storage/storage.ts';
import type { Check } from '../../../src/daemon/storage/watches.ts';
import { identity, leadOf, seedLead, sourceOf, visitOf } from '../../fixtures/visits.ts';
import { baselineOf, checkOf, diffOf, newWatchOf, packedTextOf } from '../../fixtures/watches.ts';

/** What watches have to do with. `ids`: of the watches that were added, those that are gone too. */
export type WatchPorts = Pick<Storage, 'frontier' | 'ledger' | 'pages' | 'watches'> & { readonly ids: string[] };
type Command = (storage: WatchPorts) => Promise<unknown>;

const HOSTS = ['a.example', 'b.example'];
const MONTHS = ['2026-02', '2026-03'];
const TEXTS = [['one'], ['two', 'three'], ['four']] as const;
const at = fc.nat(60);
const which = fc.nat(7);
const organizationId = fc.constantFrom('o1', 'o2');
const memberId = fc.constantFrom('m1', 'm2', 'm3');
const url = fc
  .tuple(fc.constantFrom(...HOSTS), fc.nat(3), fc.constantFrom('', '#top'))
  .map(([host, path, fragment]) => `http://${host}/${path}${fragment}`);
const everyMs = fc.integer({ min: 5, max: 40 });
const options = fc.constantFrom(NO_OPTIONS, { ...NO_OPTIONS, confirm: true, select: ['main'] });
const text = fc.constantFrom(...TEXTS);

const host: fc.Arbitrary<HostState> = fc
  .tuple(at, fc.nat(2), fc.constantFrom('429', undefined))
  .map(([notBefore, backoff, backoffReason]) =>
    Object.assign(structuredClone(NEW_HOST), { notBefore, backoff, backoffReason }),
  );

const outcome = fc.oneof(
  { weight: 3, arbitrary: fc.constant('changed' as const) },
  { weight: 2, arbitrary: fc.constantFrom('baseline', 'unchanged', 'failed') },
);
const checkTerms = fc.record({
  outcome,
  at,
  wait: fc.nat(30),
  month: fc.constantFrom(...MONTHS),
  keep: fc.integer({ min: 1, max: 6 }),
  host: fc.option(host, { nil: undefined }),
  before: text,
  after: text,
  reason: fc.constantFrom('dns', 'http_5xx'),
  detail: fc.constantFrom('gone', 'it answered so'),
  success: fc.record(
    {
      note: fc.constantFrom(...CHECK_NOTES),
      bodyHash: text.map((lines) => packedTextOf(lines).hash),
      validators: fc.constantFrom(
        { etag: '"x"' },
        { lastModified: 'yesterday' },
        { etag: 'W/"y"', lastModified: 'now' },
      ),
      isFull: fc.boolean(),
      title: fc.constantFrom('', 'A title'),
      baseline: text.map((lines) => baselineOf(lines, 7)),
    },
    { requiredKeys: [] },
  ),
  any: fc.record(
    {
      status: fc.constantFrom(200, 304, 503),
      doubtedAt: at,
      doubt: fc.constantFrom('1 gone', '2 ab'),
      explanation: fc.constantFrom('{"a":1}', '{"b":2}'),
    },
    { requiredKeys: [] },
  ),
});
type CheckTerms = typeof checkTerms extends fc.Arbitrary<infer Value> ? Value : never;

/** As the room of watches says it: a text comes with a baseline and a change, a diff with a change alone. */
function toCheck(watchId: string, terms: CheckTerms): Check {
  const {
    outcome: word,
    at: now,
    wait,
    month,
    keep,
    host: hostState,
    before,
    after,
    reason,
    detail,
    success,
    any,
  } = terms;
  const { host: _, ...plain } = checkOf(watchId, { outcome: word, at: now, nextDue: now + wait, month, keep, ...any });
  const check = hostState ? { ...plain, host: hostState } : plain;
  if (word === 'failed') {
    const status = any.status === undefined ? {} : { status: any.status };
    // What it has read all the same is not to be kept.
    const { baseline: _, title: __, ...read } = success;
    return { ...check, ...read, failure: { reason, detail, ...status } };
  }
  const found = { baseline: baselineOf(after, now), text: packedTextOf(after) };
  if (word === 'unchanged') return { ...check, ...success };
  return { ...check, ...success, ...found, ...(word === 'changed' && { diff: diffOf(before, after) }) };
}

function doing<T>(
  name: string,
  arbitrary: fc.Arbitrary<T>,
  run: (storage: WatchPorts, value: T) => Promise<unknown>,
): fc.Arbitrary<readonly [string, Command]> {
  return arbitrary.map((value) => [`${name} ${JSON.stringify(value)}`, (storage) => run(storage, value)] as const);
}

const idOf = ({ ids }: WatchPorts, index: number): string => ids[index % Math.max(1, ids.length)] ?? 'none';

const newWatch = fc.record({ organizationId, memberId, url, everyMs, jitterMs: fc.nat(4), createdAt: at, options });
const question = fc.record({ now: at, atMost: fc.nat(3), leaseMs: fc.nat(20), except: fc.subarray(HOSTS) });
const terms = fc.record(
  { everyMs, jitterMs: fc.nat(4), isPaused: fc.boolean(), options, due: at },
  { requiredKeys: [] },
);
const owner = fc.oneof(
  memberId.map((one) => ({ memberId: one })),
  organizationId.map((one) => ({ organizationId: one })),
);

const onWatches = fc.oneof(
  {
    weight: 6,
    arbitrary: doing('add', fc.tuple(newWatch, fc.integer({ min: 1, max: 5 })), async (storage, [watch, most]) => {
      const id = `w${storage.ids.length}`;
      const added = await storage.watches.addWatch(newWatchOf(id, watch), most);
      if (added.kind === 'added') storage.ids.push(id);
      return added;
    }),
  },
  {
    weight: 16,
    arbitrary: doing('check', fc.tuple(which, checkTerms), (storage, [index, given]) =>
      storage.watches.commitCheck(toCheck(idOf(storage, index), given)),
    ),
  },
  { weight: 6, arbitrary: doing('take', question, ({ watches }, one) => watches.takeWatches(one)) },
  {
    weight: 5,
    arbitrary: doing('change', fc.tuple(which, terms), (storage, [index, change]) =>
      storage.watches.changeWatch(idOf(storage, index), change),
    ),
  },
  {
    weight: 2,
    arbitrary: doing('release', fc.tuple(which, host), (storage, [index, state]) =>
      storage.watches.releaseWatch(idOf(storage, index), state),
    ),
  },
  {
    weight: 2,
    arbitrary: doing('see', fc.tuple(which, fc.nat(5)), (storage, [index, n]) =>
      storage.watches.seeWatch(idOf(storage, index), n),
    ),
  },
  {
    weight: 2,
    arbitrary: doing('remove', which, (storage, index) => storage.watches.removeWatch(idOf(storage, index))),
  },
  { weight: 1, arbitrary: doing('remove all', owner, ({ watches }, one) => watches.removeWatchesOf(one)) },
  {
    weight: 2,
    arbitrary: doing('hold', fc.tuple(organizationId, fc.boolean()), ({ watches }, [one, isHeld]) =>
      watches.holdWatches(one, isHeld),
    ),
  },
  {
    weight: 1,
    arbitrary: doing('reschedule', fc.tuple(at, fc.nat(10)), ({ watches }, [now, within]) =>
      watches.rescheduleWatches(now, within),
    ),
  },
);

const source = fc.constantFrom('s1', 's2');
const onPages = fc.oneof(
  {
    weight: 3,
    arbitrary: doing('put', fc.record({ source, url, isPaused: fc.boolean(), at }), ({ frontier }, one) =>
      frontier.putSource(sourceOf(one.source, { isPaused: one.isPaused, maxPages: 4 }), [seedLead(one.url)], one.at),
    ),
  },
  { weight: 1, arbitrary: doing('remove source', source, ({ frontier }, one) => frontier.removeSource(one)) },
  {
    weight: 1,
    arbitrary: doing('offer', fc.record({ source, url, at }), ({ frontier }, one) =>
      frontier.offer([{ sourceId: one.source, leads: [leadOf(one.url)] }], one.at),
    ),
  },
  { weight: 3, arbitrary: doing('take pages', question, ({ frontier }, one) => frontier.take(one)) },
  {
    weight: 3,
    arbitrary: doing('visit', fc.record({ page: which, at, host }), ({ pages }, one) =>
      pages.commit(visitOf({ id: one.page, holders: [] }, { at: one.at, host: one.host, nextDue: one.at + 9 })),
    ),
  },
  {
    weight: 1,
    arbitrary: doing('release page', fc.tuple(which, host), ({ frontier }, [page, state]) =>
      frontier.release(page, state),
    ),
  },
  {
    weight: 1,
    arbitrary: doing('set the clock', fc.constantFrom(0, -100_000), ({ frontier }, now) => frontier.bringForward(now)),
  },
);

/** What happens to watches, and to pages of the same hosts. Names say what was done. */
export const watchHistory: fc.Arbitrary<readonly (readonly [string, Command])[]> = fc.array(
  fc.oneof({ weight: 3, arbitrary: onWatches }, { weight: 1, arbitrary: onPages }),
  { minLength: 5, maxLength: 70, size: 'max' },
);

async function oneWatch({ watches }: WatchPorts, id: string): Promise<unknown[]> {
  const numbers = Array.from({ length: 12 }, (_, n) => n);
  return [
    await watches.watch(id),
    await watches.watchBaseline(id),
    await watches.watchExplanation(id),
    await watches.checks(id, { atMost: 100, withDiffs: true }),
    await watches.checks(id, { atMost: 2, before: 4 }),
    await watches.checks(id, { atMost: 2, onlyChanges: true }),
    await watches.checks(id, { atMost: 9, onlyChanges: true, before: 3, withDiffs: true }),
    await Promise.all(numbers.map((n) => watches.check(id, n))),
    await Promise.all(numbers.map((n) => watches.watchText(id, n))),
    await watches.watchChanges({ organizationId: 'o1', watchId: id, atMost: 9 }),
    await watches.watchChanges({ organizationId: 'o2', watchId: id, atMost: 1, newest: true }),
  ];
}

/** All that can be read of watches, and of the hosts they share; leases come last, since asking gives them. */
export async function allOfWatches(storage: WatchPorts): Promise<unknown[]> {
  const { frontier, ledger, watches, ids } = storage;
  const urls = HOSTS.flatMap((name) => [0, 1, 2, 3].map((path) => `http://${name}/${path}`));
  const all = { atMost: 9, leaseMs: 5, except: [] };
  const perOrganization = async (one: string): Promise<unknown[]> => [
    await watches.watches({ organizationId: one, atMost: 100 }),
    await watches.watches({ organizationId: one, memberId: 'm1', atMost: 2 }),
    await watches.watchChanges({ organizationId: one, atMost: 100 }),
    await watches.watchChanges({ organizationId: one, atMost: 2, after: 3 }),
    await watches.watchChanges({ organizationId: one, atMost: 2, newest: true }),
    await watches.watchChanges({ organizationId: one, atMost: 2, newest: true, after: 2 }),
    await Promise.all(MONTHS.map((month) => ledger.checks(one, month))),
  ];
  return [
    await Promise.all(['o1', 'o2'].map(perOrganization)),
    await Promise.all([...ids, 'none'].map(async (id) => [id, await oneWatch(storage, id)])),
    [await watches.heldOrganizations(), await watches.newestChange('org')],
    await Promise.all([0, 25, 100].map((now) => watches.watchTotals(now))),
    await Promise.all([0, 25, 100].map((now) => frontier.frontierTotals(now))),
    await Promise.all(urls.map((one) => frontier.look(identity(one)))),
    await frontier.sources(),
    [await watches.takeWatches({ ...all, now: 25 }), await frontier.take({ ...all, now: 30 })],
    [await frontier.take({ ...all, now: 90 }), await watches.takeWatches({ ...all, now: 100 })],
  ];
}
