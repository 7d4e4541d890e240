import { beforeEach, describe, expect, test } from 'vitest';
import { answerTo } from '../../../src/daemon/http/problems.ts';
import type { Problem } from '../../../src/daemon/problem.ts';
import type { MatchDocument } from '../../../src/shared/api/match.ts';
import { SAVED_MATCHES_A_PAGE } from '../../../src/shared/limits.ts';
import { seed, visitOf } from '../../fixtures/visits.ts';
import { addNeighbour, type House, openHouse } from '../taps/house.ts';

let house: House;
let tap: { id: string };
let own: string;
beforeEach(async () => {
  house = await openHouse();
  own = house.organizationId;
  tap = await house.taps.create(own, 'news');
});

/** Writes an event of the tap; its id on the stream. */
async function happen(document: MatchDocument, rules: readonly string[] = ['r']): Promise<string> {
  const { frontier, pages } = house.storage;
  const page = await seed(frontier, document.url, document.url);
  const event = { tapId: tap.id, queryIds: JSON.stringify(rules), document: JSON.stringify(document) };
  const { events } = await pages.commit(visitOf(page, { at: house.clock.ms, events: [event] }));
  return `0-${events[0]?.offset}`;
}

const save = async (event: string, note?: string) =>
  house.saved.save(house.operator, { tap: 'news', event, ...(note !== undefined && { note }) });
const refusal = (attempt: () => unknown): Promise<Problem> =>
  (async () => attempt())().then(
    () => expect.unreachable('nothing was refused'),
    (error: Problem) => error,
  );
const ferry: MatchDocument = {
  url: 'https://example.com/ferry',
  title: 'The FERRY sails',
  language: 'en',
  diff: { chunks: [{ typ: 'ins', text: 'At nine, says the Café.' }] },
};

describe('a match that is saved', () => {
  test('is kept whole, with the names of its tap and rules', async () => {
    const holder = { kind: 'tap', tapId: tap.id, organizationId: own } as const;
    const { rule } = await house.rules.create(holder, { value: 'ferry', tag: 'boats' });
    const { match, isNew } = await save(await happen(ferry, [rule.id, 'gone']), 'for Monday');
    expect(isNew).toBe(true);
    expect(match).toEqual({
      id: match.id,
      url: ferry.url,
      title: 'The FERRY sails',
      tap: { id: tap.id, name: 'news' },
      rules: [{ id: rule.id, value: 'ferry', tag: 'boats' }, { id: 'gone' }],
      matched_at: '2026-02-27T10:00:00.400Z',
      saved_at: '2026-02-27T10:00:00+00:00',
      saved_by: 'admin',
      note: 'for Monday',
      document: ferry,
    });
    await house.taps.revoke(own, tap.id);
    expect(await house.saved.show(own, match.id)).toEqual(match);
  });

  test('stays as it was when its address is saved again', async () => {
    const { match } = await save(await happen(ferry));
    const again = await save(await happen({ ...ferry, title: 'Another' }), 'again');
    expect(again).toEqual({ match, isNew: false });
    expect(match.note).toBeNull();
    expect(await house.saved.list(own, {})).toEqual([match]);
  });

  test.each(['', '42', '0-', '-1', '0-1x', 'x-1'])('is not found by %j, which is no id', async (event) => {
    expect(answerTo(await refusal(() => save(event))).body.errors).toEqual({
      event: ['The event field must be the id of an update event, as 0-42 is.'],
    });
  });

  test('is not found where the log has no such event, or forgot it', async () => {
    await happen(ferry);
    for (const event of ['0-1', '1-0']) expect((await refusal(() => save(event))).code).toBe('not_found');
    await happen({ ...ferry, url: 'https://example.com/b' });
    await house.storage.eventLog.trim(house.clock.ms + 1);
    expect((await refusal(() => save('0-0'))).code).toBe('not_found');
  });

  test('is of its organization alone', async () => {
    const event = await happen(ferry);
    const neighbour = { kind: 'manager', ...(await addNeighbour(house.catalog)) } as const;
    for (const tapOf of ['news', tap.id]) {
      expect((await refusal(() => house.saved.save(neighbour, { tap: tapOf, event }))).code).toBe('not_found');
    }
    const { match } = await save(event);
    for (const attempt of [
      () => house.saved.show(neighbour.organizationId, match.id),
      () => house.saved.note(neighbour.organizationId, match.id, 'mine'),
      () => house.saved.remove(neighbour.organizationId, match.id),
    ]) {
      expect((await refusal(attempt)).code).toBe('not_found');
    }
    expect(await house.saved.list(neighbour.organizationId, {})).toEqual([]);
  });

  test('is searched by its address, title, note and text, in any case', async () => {
    const { match } = await save(await happen(ferry), 'for Monday');
    await save(await happen({ url: 'https://example.com/tram' }));
    for (const q of ['ferry', 'FERRY nine', 'monday', 'cafe\u0301', '/ferry', '  sails  ']) {
      expect([q, (await house.saved.list(own, { q })).map(({ id }) => id)]).toEqual([q, [match.id]]);
    }
    for (const q of ['ferry tram', 'tuesday']) expect(await house.saved.list(own, { q })).toEqual([]);
  });

  test('gets another note, loses it, and goes', async () => {
    const { match } = await save(await happen(ferry), 'for Monday');
    expect((await house.saved.note(own, match.id, 'for Tuesday')).note).toBe('for Tuesday');
    expect(await house.saved.list(own, { q: 'tuesday' })).toHaveLength(1);
    expect((await house.saved.note(own, match.id, '')).note).toBeNull();
    await house.saved.remove(own, match.id);
    expect((await refusal(() => house.saved.remove(own, match.id))).code).toBe('not_found');
    expect((await refusal(() => house.saved.note(own, match.id, 'x'))).code).toBe('not_found');
  });

  test('is listed in parts, the newest first', async () => {
    const made: string[] = [];
    for (let n = 0; n <= SAVED_MATCHES_A_PAGE; n++) {
      made.unshift((await save(await happen({ url: `https://example.com/${n}` }))).match.id);
    }
    const first = (await house.saved.list(own, {})).map(({ id }) => id);
    const after = first.at(-1) ?? '';
    const rest = (await house.saved.list(own, { after, limit: '7' })).map(({ id }) => id);
    expect([...first, ...rest]).toEqual(made);
    expect(await house.saved.list(own, { limit: '3' })).toHaveLength(3);
  });
});
