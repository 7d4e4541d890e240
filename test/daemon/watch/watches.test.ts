import { beforeEach, describe, expect, test } from 'vitest';
import type { Manager } from '../../../src/daemon/accounts/keys.ts';
import { answerTo } from '../../../src/daemon/http/problems.ts';
import { Problem } from '../../../src/daemon/problem.ts';
import { jitterOf } from '../../../src/daemon/watch/cadence.ts';
import type { Watch } from '../../../src/shared/api/watch.ts';
import { WATCH_FREQUENCIES } from '../../../src/shared/limits.ts';
import { checkOf } from '../../fixtures/watches.ts';
import { addNeighbour, type House, openHouse } from '../taps/house.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const PAGE = 'https://example.org/pricing';

let house: House;
let asking: Manager;
beforeEach(async () => {
  house = await openHouse();
  asking = house.operator;
});

const create = (url = PAGE, minutes = 60): Promise<Watch> =>
  house.watches.create(asking, { url, frequency_minutes: minutes });
const plan = (name: string): Promise<unknown> =>
  house.accounts.organizations.change(house.organizationId, { plan: name });
const due = async (id: string): Promise<number | undefined> => (await house.storage.watches.watch(id))?.due;

/** The checks of this month are used up. */
async function useUp(): Promise<void> {
  await house.accounts.organizations.change(house.organizationId, { limits: { checksAMonth: 1 } });
  house.quota.settle(house.organizationId, '2026-02', 1);
  await house.quota.refresh();
}

/** A check that was made, and leaves the watch due at `nextDue`. */
async function checked(id: string, nextDue: number): Promise<void> {
  await house.storage.watches.commitCheck(checkOf(id, { at: house.clock.now(), nextDue }));
}

/** The sentence of a refusal. */
async function refusal(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt;
  } catch (error) {
    if (error instanceof Problem) return `${answerTo(error).status} ${answerTo(error).body.message}`;
    throw error;
  }
  return 'it was not refused';
}

describe('a new watch', () => {
  test('is active, its first check is due at once, and the crawl is woken for it', async () => {
    const watch = await create(`${PAGE}#plans`);
    expect(watch).toMatchObject({
      url: `${PAGE}#plans`,
      frequency_minutes: 60,
      status: 'active',
      change_count: 0,
      last_checked_at: null,
      created_at: '2026-02-27T10:00:00+00:00',
    });
    expect(await due(watch.id)).toBe(house.clock.now());
  });

  test('that is ordered paused is never due before it is resumed', async () => {
    await house.watches.add(asking, { url: PAGE, frequency_minutes: 60, status: 'paused' });
    expect((await house.watches.list(asking))[0]?.status).toBe('paused');
    const question = { now: house.clock.now(), atMost: 1, leaseMs: HOUR, except: [] };
    expect((await house.storage.watches.takeWatches(question)).watches).toEqual([]);
  });

  test('has slots of its own, at most a tenth of its cadence later than it was made', async () => {
    const { id } = await create();
    const jitter = (await house.storage.watches.watch(id))?.jitterMs ?? Infinity;
    expect(jitter).toBe(jitterOf(id, 60 * MINUTE));
    const all = Array.from({ length: 1_000 }, (_, index) => jitterOf(`id ${index}`, 60 * MINUTE));
    expect(Math.min(...all)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...all)).toBeLessThanOrEqual(6 * MINUTE);
    expect(Math.max(...all) - Math.min(...all)).toBeGreaterThan(5.5 * MINUTE);
  });

  test.each(WATCH_FREQUENCIES)('may be checked every %i minutes', async (minutes) => {
    expect((await create(PAGE, minutes)).frequency_minutes).toBe(minutes);
  });

  test.each([0, 1, 15, 4, -5, 10_081])(
    'may not be checked every %i minutes, and is told how often it may',
    async (minutes) => {
      const words = '5, 10, 30, 60, 180, 360, 720, 1440, 2880, 7200, 10080';
      expect(await refusal(create(PAGE, minutes))).toBe(`422 The frequency_minutes field must be one of ${words}.`);
    },
  );

  test.each([
    ['Free', 60, 180],
    ['Starter', 5, 10],
  ])('on the %s plan may not be checked every %i minutes, and every %i it may', async (name, tooFast, fastest) => {
    await plan(name);
    expect(await refusal(create(PAGE, tooFast))).toContain(
      `422 The ${name} plan checks a URL every ${fastest} minutes at the fastest. The frequency_minutes field must be one of ${fastest}, `,
    );
    expect((await create(PAGE, fastest)).frequency_minutes).toBe(fastest);
  });

  test.each(['Advanced', 'Business'])('on the %s plan may be checked every 5 minutes', async (name) => {
    await plan(name);
    expect((await create(PAGE, 5)).frequency_minutes).toBe(5);
  });

  test('is refused on a plan without watches', async () => {
    await plan('API only');
    expect(await refusal(create())).toBe(
      '422 URL Watch is not part of the API only plan. The operator can raise this limit with: hydrant org plan home --urls <count> --checks <count>',
    );
  });

  test('is refused beyond the plan’s maximum, and one that is gone makes room', async () => {
    await plan('Free');
    const all = await Promise.all([1, 2, 3, 4, 5].map((one) => create(`${PAGE}/${one}`, 180)));
    const message =
      '422 Watch limit reached. The Free plan allows up to 5 watched URLs. The operator can raise this limit with: hydrant org plan home --urls <count>';
    expect(await refusal(create(`${PAGE}/6`, 180))).toBe(message);
    await house.watches.remove(asking, all[2]?.id ?? '');
    expect((await create(`${PAGE}/6`, 180)).status).toBe('active');
  });

  test('is refused when the checks of the month are used up, with the day on which there are new ones', async () => {
    await useUp();
    expect(await refusal(create())).toBe(
      '422 Check quota used up. This organization has its own limit, which allows 1 check a month; there are new ones on 2026-03-01 (UTC). The operator can raise this limit with: hydrant org plan home --checks <count>',
    );
    house.clock.ms = Date.parse('2026-03-01T00:00:00.000Z');
    expect((await create()).status).toBe('active');
  });

  test('of a URL that the member watches already is refused, however it is written', async () => {
    await create();
    for (const url of [PAGE, `${PAGE}#plans`, 'HTTPS://EXAMPLE.org:443/a/../pricing']) {
      expect(await refusal(create(url))).toBe('422 You are already watching this URL.');
    }
  });

  test('of a URL that a teammate watches is refused, and another organization may watch it', async () => {
    await create();
    const { organizationId } = house;
    const teammate = await house.accounts.members.add(organizationId, 'anna', 'admin');
    const hers = { ...asking, memberId: teammate.id };
    const order = { url: PAGE, frequency_minutes: 60 };
    expect(await refusal(house.watches.create(hers, order))).toBe(
      '422 This URL is already being watched in your organization.',
    );
    const neighbour = await addNeighbour(house.catalog, 'Business');
    expect((await house.watches.create(neighbour, order)).url).toBe(PAGE);
  });

  test.each([
    ['not a url', /^422 The url field is not valid: .*character 4/],
    ['example.org', /^422 The url field is not valid: .*write it as https/],
    ['ftp://example.org/', /http or https/],
    ['https://anna:secret@example.org/', /user name or password/],
    ['http://127.0.0.1/', /127\.0\.0\.1 is not a public address/],
  ])('of %s is refused', async (url, sentence) => {
    expect(await refusal(create(url))).toMatch(sentence);
  });
});

describe('watches', () => {
  test('are listed newest first, the member’s own alone', async () => {
    for (const one of [1, 2, 3]) await create(`${PAGE}/${one}`);
    const other = { ...asking, memberId: (await house.accounts.members.add(house.organizationId, 'anna', 'admin')).id };
    await house.watches.create(other, { url: `${PAGE}/4`, frequency_minutes: 60 });
    const urls = async (...given: Parameters<House['watches']['list']>) =>
      (await house.watches.list(...given)).map(({ url }) => url.slice(-1));
    expect(await urls(asking)).toEqual(['3', '2', '1']);
    expect(await urls(asking, 2)).toEqual(['3', '2']);
    expect(await urls(other)).toEqual(['4']);
  });

  test('are listed up to the plan’s maximum, which no limit may exceed', async () => {
    for (const one of [1, 2, 3, 4, 5, 6]) await create(`${PAGE}/${one}`);
    await plan('Free');
    expect((await house.watches.list(asking)).length).toBe(5);
    expect((await house.watches.list(asking, 5)).length).toBe(5);
    for (const limit of [0, 6, 1.5, Number.NaN]) {
      expect(await refusal(house.watches.list(asking, limit))).toBe('422 limit must be a whole number from 1 to 5.');
    }
  });

  test('that are left of an earlier plan are listed on one without any', async () => {
    for (const one of [1, 2]) await create(`${PAGE}/${one}`);
    await plan('API only');
    expect((await house.watches.list(asking)).length).toBe(2);
    expect((await house.watches.list(asking, 1)).length).toBe(1);
    expect(await refusal(house.watches.list(asking, 0))).toBe('422 limit must be a whole number of 1 or more.');
  });

  test('of a member who is removed go with him, and nobody else’s', async () => {
    const { organizationId } = house;
    const anna = await house.accounts.members.add(organizationId, 'anna', 'admin');
    await create();
    const { id } = await house.watches.create(
      { ...asking, memberId: anna.id },
      { url: `${PAGE}/2`, frequency_minutes: 60 },
    );
    await house.accounts.members.remove(organizationId, 'anna');
    expect(await house.storage.watches.watch(id)).toBeUndefined();
    expect((await house.watches.list(asking)).length).toBe(1);
  });

  test('that a crash left behind when their member was removed go at the next start', async () => {
    const gone = { ...asking, memberId: 'nobody' };
    const { id } = await house.watches.create(gone, { url: `${PAGE}/2`, frequency_minutes: 60 });
    const stays = await create();
    await house.watches.restore();
    expect(await house.storage.watches.watch(id)).toBeUndefined();
    expect(await house.storage.watches.watch(stays.id)).toBeDefined();
  });
});

describe('a watch that is changed', () => {
  test('is due by its new slots, counted from its last check', async () => {
    const { id } = await create(PAGE, 10_080);
    const start = house.clock.now();
    await checked(id, start + 10_080 * MINUTE);
    house.clock.ms += 5 * MINUTE;
    expect((await house.watches.change(asking, id, { frequency_minutes: 60 })).frequency_minutes).toBe(60);
    expect(await due(id)).toBe(start + 60 * MINUTE + jitterOf(id, 60 * MINUTE));
  });

  test('is due at once when its new slots are past, and not earlier', async () => {
    const { id } = await create(PAGE, 10_080);
    await checked(id, house.clock.now() + 10_080 * MINUTE);
    house.clock.ms += 24 * 60 * MINUTE;
    await house.watches.change(asking, id, { frequency_minutes: 60 });
    expect(await due(id)).toBe(house.clock.now());
  });

  test('is as due as it was when its cadence stays, or its first check is still to come', async () => {
    const { id } = await create(PAGE, 60);
    const start = house.clock.now();
    await house.watches.change(asking, id, { frequency_minutes: 10_080 });
    expect(await due(id)).toBe(start);
    await checked(id, start + 77);
    await house.watches.change(asking, id, { frequency_minutes: 10_080, status: 'active' });
    expect(await due(id)).toBe(start + 77);
  });

  test('to a faster cadence while it is being checked is not left to the slots of before', async () => {
    const { id } = await create(PAGE, 10_080);
    const start = house.clock.now();
    await house.storage.watches.takeWatches({ now: start, atMost: 1, leaseMs: HOUR, except: [] });
    await house.watches.change(asking, id, { frequency_minutes: 5 });
    await checked(id, start + 10_080 * MINUTE);
    expect(await due(id)).toBe(start);
  });

  test('is looked at again no later, where a change waits to be confirmed', async () => {
    const { id } = await create(PAGE, 60);
    const at = house.clock.now();
    const waits = { at, nextDue: at + MINUTE, doubtedAt: at, doubt: '1 ab' };
    await house.storage.watches.commitCheck(checkOf(id, waits));
    await house.watches.change(asking, id, { frequency_minutes: 10_080 });
    expect(await due(id)).toBe(at + MINUTE);
    await plan('Free');
    expect(await due(id)).toBe(at + MINUTE);
  });

  test('is paused and resumed; a resumed one is due at once', async () => {
    const { id } = await create();
    await checked(id, house.clock.now() + 60 * MINUTE);
    expect((await house.watches.change(asking, id, { status: 'paused' })).status).toBe('paused');
    house.clock.ms += MINUTE;
    expect((await house.watches.change(asking, id, { status: 'active' })).status).toBe('active');
    expect(await due(id)).toBe(house.clock.now());
  });

  test('is not resumed when the checks of the month are used up, and may be paused', async () => {
    const { id } = await create();
    await useUp();
    // It is active already: that asks for nothing.
    expect((await house.watches.change(asking, id, { status: 'active' })).status).toBe('active');
    expect((await house.watches.change(asking, id, { status: 'paused' })).status).toBe('paused');
    expect(await refusal(house.watches.change(asking, id, { status: 'active' }))).toContain('422 Check quota used up.');
    expect((await house.watches.list(asking))[0]?.status).toBe('paused');
  });

  test('may not become faster than the plan allows, and what it has may be sent back', async () => {
    const { id } = await create(PAGE, 60);
    await plan('Free');
    expect(await refusal(house.watches.change(asking, id, { frequency_minutes: 5 }))).toContain('422 The Free plan');
    expect(await refusal(house.watches.change(asking, id, { frequency_minutes: 7 }))).toContain('must be one of');
    expect(await house.watches.change(asking, id, { frequency_minutes: 60, status: 'paused' })).toMatchObject({
      frequency_minutes: 60,
      status: 'paused',
    });
  });

  test('has no options of a client’s, whatever it sends', async () => {
    const options = { select: ['main'] };
    const sent = { url: PAGE, frequency_minutes: 60, status: 'paused' as const, options };
    const { id } = await house.watches.create(asking, sent);
    await house.watches.change(asking, id, sent);
    expect((await house.storage.watches.watch(id))?.options.select).toEqual([]);
  });
});

describe('a plan that changes', () => {
  test('moves what is due to the cadence that it allows, and back', async () => {
    const { id } = await create(PAGE, 5);
    const start = house.clock.now();
    const jitter = jitterOf(id, 5 * MINUTE);
    await checked(id, start + 5 * MINUTE + jitter);
    await plan('Free');
    expect(await due(id)).toBe(start + 180 * MINUTE + jitter);
    await plan('Business');
    expect(await due(id)).toBe(start + 5 * MINUTE + jitter);
    expect((await house.watches.list(asking))[0]?.frequency_minutes).toBe(5);
  });

  test('to one of the same cadence moves nothing', async () => {
    const { id } = await create(PAGE, 5);
    await checked(id, house.clock.now() + 77);
    await plan('Advanced');
    expect(await due(id)).toBe(house.clock.now() + 77);
  });

  test('to one without watches holds them, and back frees them', async () => {
    const { id } = await create();
    await plan('API only');
    expect((await house.storage.watches.watch(id))?.isHeld).toBe(true);
    await plan('Business');
    expect((await house.storage.watches.watch(id))?.isHeld).toBe(false);
  });
});

test('a watch of someone else is not there: teammates’, strangers’ and nobody’s alike', async () => {
  const { id } = await create();
  const anna = await house.accounts.members.add(house.organizationId, 'anna', 'admin');
  const neighbour = await addNeighbour(house.catalog, 'Business');
  for (const other of [{ ...asking, memberId: anna.id }, neighbour]) {
    for (const attempt of [
      house.watches.show(other, id),
      house.watches.change(other, id, { status: 'paused' }),
      house.watches.remove(other, id),
    ]) {
      expect(await refusal(attempt)).toBe('404 There is no such watch.');
    }
  }
  expect((await house.watches.show(asking, id)).data.status).toBe('active');
});
