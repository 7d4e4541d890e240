import { beforeEach, describe, expect, test } from 'vitest';
import { ProblemReconciler } from '../../../src/daemon/notify/problem-reconciler.ts';
import { addWatch, checkOf } from '../../fixtures/watches.ts';
import { openSinkHouse, type SinkHouse } from './sink-house.ts';

const HOUR = 3_600_000;
const failure = { reason: 'timeout', detail: 'w.example stopped answering' };

let house: SinkHouse;
let reconciler: ProblemReconciler;
let free: number;
let losses: string[];
beforeEach(async () => {
  house = await openSinkHouse();
  free = 1e12;
  losses = [];
  const { storage, outside } = house;
  reconciler = new ProblemReconciler({
    storage: { ...storage, losses },
    outside,
    freeBytes: async () => free,
    onRecorded: () => undefined,
  });
});

/** What a sink has been sent since it was asked last. */
async function news(sink: { readonly id: string }): Promise<[string, string][]> {
  await reconciler.reconcile();
  await house.drain(sink);
  return house.receiver.messages.splice(0).map(({ type, title }) => [type, title]);
}

async function failOnce(id: string): Promise<void> {
  await house.storage.watches.commitCheck(checkOf(id, { outcome: 'failed', failure, at: house.clock.ms }));
}

const begun = ['problem', 'http://w.example/ cannot be read'];
const over = ['recovery', 'http://w.example/ can be read again'];

describe('a watch that fails', () => {
  beforeEach(async () => {
    await addWatch(house.storage.watches, 'w', { organizationId: house.organizationId });
  });

  test('is a problem from the failure on that the sink asks for, once, and once more when it is over', async () => {
    const [second, third] = [
      await house.add({ problems: { after: 2 } }),
      await house.add({ name: 'third', problems: { after: 3 } }),
    ];
    await failOnce('w');
    expect([await news(second), await news(third)]).toEqual([[], []]);
    await failOnce('w');
    expect([await news(second), await news(third)]).toEqual([[begun], []]);
    await failOnce('w');
    expect([await news(second), await news(third)]).toEqual([[], [begun]]);
    await house.storage.watches.commitCheck(checkOf('w'));
    expect([await news(second), await news(third)]).toEqual([[over], [over]]);
    expect([await news(second), await news(third)]).toEqual([[], []]);
  });

  test('says how, and since when', async () => {
    const sink = await house.add({ problems: { after: 1 } });
    await failOnce('w');
    await reconciler.reconcile();
    await house.drain(sink);
    const [message] = house.receiver.messages;
    const since = new Date(Math.floor(house.clock.ms / 1_000) * 1_000).toISOString().slice(0, 19);
    expect(message).toMatchObject({
      url: 'http://w.example/',
      items: [{ lines: [{ typ: 'ins', text: failure.detail }] }],
    });
    expect(message?.items[0]?.payload).toMatchObject({ kind: 'watch', id: 'w', failures: 1, is_over: false });
    expect(JSON.stringify(message?.items[0]?.payload)).toContain(since);
  });

  test('that is removed, or paused, is not said to be read again', async () => {
    const sink = await house.add({ problems: { after: 1 } });
    await failOnce('w');
    expect(await news(sink)).toEqual([begun]);
    await house.storage.watches.changeWatch('w', { isPaused: true });
    expect(await news(sink)).toEqual([]);
    await house.storage.watches.removeWatch('w');
    expect(await news(sink)).toEqual([]);
    expect(await house.storage.deliveries.openProblems()).toEqual([]);
  });

  test('is none to a sink that carries no problems', async () => {
    const none = await house.add();
    await house.add({ name: 'asks', problems: { after: 1 } });
    await failOnce('w');
    expect(await news(none)).toEqual([]);
  });
});

test('what fails together is one message', async () => {
  const sink = await house.add({ problems: { after: 1 } });
  for (const id of ['a', 'b', 'c', 'd', 'e']) {
    await addWatch(house.storage.watches, id, { organizationId: house.organizationId });
    await failOnce(id);
  }
  expect(await news(sink)).toEqual([['digest', '5 new problems']]);
});

test('a disk that is full, and one that has room again', async () => {
  const sink = await house.add({ problems: { after: 3 } });
  free = 5 * 1_024 * 1_024;
  expect(await news(sink)).toEqual([['problem', 'The disk of the data directory is full: 5 MiB are free']]);
  expect(await news(sink)).toEqual([]);
  free = 1e12;
  expect(await news(sink)).toEqual([['recovery', 'The disk of the data directory has room again']]);
});

test('what a start found lost is said once, and never over', async () => {
  const sink = await house.add({ problems: { after: 3 } });
  losses.push('the journal is gone');
  expect(await news(sink)).toEqual([['problem', 'The store was damaged: the journal is gone']]);
  losses.pop();
  expect(await news(sink)).toEqual([]);
});

test('a dead sink is told by the others', async () => {
  const other = await house.add({ name: 'other', problems: { after: 3 } });
  const tap = await house.tap('news');
  const dead = await house.add({ name: 'dead', problems: { after: 3 } });
  await house.match(tap, {});
  house.receiver.answers.push({ outcome: 'unavailable', detail: 'refused' });
  await house.drain(dead);
  house.receiver.messages.splice(0);
  await news(other);
  house.clock.ms += 72 * HOUR;
  expect(await news(other)).toEqual([['problem', 'The sink dead has failed for three days']]);
  house.receiver.answers.push({ outcome: 'delivered' });
  // It delivers what waited, and not that it was dead: who has that heard it has heard it from the others.
  expect((await news(dead)).map(([type]) => type)).toEqual(['match']);
  expect(await news(other)).toEqual([['recovery', 'The sink dead delivers again']]);
});
