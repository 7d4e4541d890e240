import { beforeEach, expect, test } from 'vitest';
import type { Outcome } from '../../../src/daemon/notify/sink-kind.ts';
import { SinkLoops } from '../../../src/daemon/notify/sink-loops.ts';
import { documentOf, numbersOf, openSinkHouse, type SinkHouse } from './sink-house.ts';

let house: SinkHouse;
let news: string;
beforeEach(async () => {
  house = await openSinkHouse();
  news = await house.tap('news');
});

/** Resolved once the receiver has had so many messages. */
function received(count: number): Promise<void> {
  const { receiver } = house;
  return new Promise((resolve) => {
    const look = (): void => {
      if (receiver.messages.length >= count) resolve();
    };
    receiver.onMessage = look;
    look();
  });
}

const commit = async (loops: SinkLoops, number: number): Promise<void> => {
  await house.match(news, documentOf(number));
  loops.eventsCommitted([{ tapId: news, offset: number, at: 0, queryIds: '[]', document: '{}' }]);
};

test('a sink is woken by a commit, sends what was there at the start, and stops', async () => {
  await house.add();
  await house.match(news, documentOf(0));
  const loops = new SinkLoops(house.runnerDeps);
  loops.sync();
  await received(1);
  await commit(loops, 1);
  await received(2);
  await loops.stop(0);
  await commit(loops, 2);
  expect(numbersOf(house.receiver.messages)).toEqual([0, 1]);
});

test('one that hangs delays no other, and ends with the daemon: its message is sent again in the next life', async () => {
  await house.add({ name: 'slow' });
  await house.add({ name: 'swift' });
  const hangs = Promise.withResolvers<Outcome>();
  const { receiver } = house;
  const kind = {
    ...receiver.kind,
    send: (...[message, configured, transport]: Parameters<typeof receiver.kind.send>) =>
      configured.name === 'slow' ? hangs.promise : receiver.kind.send(message, configured, transport),
  };
  const loops = new SinkLoops({ ...house.runnerDeps, kindOf: async () => kind });
  loops.sync();
  for (let number = 0; number < 3; number += 1) await commit(loops, number);
  await received(3);
  expect(numbersOf(receiver.messages)).toEqual([0, 1, 2]);
  await loops.stop(0);
  receiver.messages.splice(0);
  const next = new SinkLoops(house.runnerDeps);
  next.sync();
  await received(3);
  await next.stop(1_000);
  expect(numbersOf(receiver.messages)).toEqual([0, 1, 2]);
});

test('a sink that is removed is not sent to any more, and one that is made begins', async () => {
  await house.add();
  const loops = new SinkLoops(house.runnerDeps);
  loops.sync();
  await house.sinks.remove(house.organizationId, 'phone');
  await house.add({ name: 'other' });
  loops.sync();
  await commit(loops, 0);
  await received(1);
  await loops.stop(0);
  expect(house.receiver.configured.map(({ name }) => name)).toEqual(['other']);
});
