import { deepStrictEqual } from 'node:assert';
import fc from 'fast-check';
import { expectStatus, step } from './command.ts';
import { type Model, type ModelTap, PRICE, balanceOf } from './model.ts';
import type { Heard, Opened, Service } from './service.ts';

const index = fc.nat(40);
const hasTap = ({ taps }: Pick<Model, 'taps'>): boolean => taps.length > 0;
const offset = fc.nat(30);
const position = fc.oneof(
  fc.constant({}),
  fc.record({ offset }),
  fc.record({ lastEventId: offset }),
  // An id is worth more than an offset.
  fc.record({ offset, lastEventId: offset }),
);
type Position = { readonly offset?: number; readonly lastEventId?: number };

/** As it was drawn, but hardly ahead of what there is. */
function near({ events }: ModelTap, { offset: asked, lastEventId }: Position): Position {
  const most = events.length + 2;
  return {
    ...(asked !== undefined && { offset: asked % most }),
    ...(lastEventId !== undefined && { lastEventId: lastEventId % most }),
  };
}

/** Where a stream of the tap begins, and why. */
function startOf({ events }: ModelTap, { offset: asked, lastEventId }: Position): { from: number; why: string } {
  const from = lastEventId === undefined ? asked : lastEventId + 1;
  if (from === undefined) return { from: events.length, why: 'live' };
  if (from > events.length) return { from: events.length, why: 'ahead' };
  return { from, why: lastEventId === undefined ? 'offset' : 'resumed' };
}

async function publish(tap: ModelTap, count: number, service: Service): Promise<void> {
  const news = Array.from({ length: count }, (_, more) => `http://a.example/${tap.events.length + more}`);
  await service.publish(tap.id, news);
  tap.events.push(...news);
}

/** What a stream says, as the model knows it; what is in it is paid. */
function expectedOf(model: Model, tap: ModelTap, { from, to }: { from: number; to: number }, now: number): Heard[] {
  const connected: Heard = { event: 'connected' };
  if (model.rulesOf(tap).length === 0) return [connected, { event: 'error' }];
  const paidTo = model.pay(tap, from, to, now);
  const updates = tap.events.slice(from, paidTo).map((url, at): Heard => {
    return { event: 'update', id: `0-${from + at}`, url };
  });
  return [connected, ...updates, { event: paidTo < to ? 'error' : 'end' }];
}

const announce = fc.tuple(index, fc.integer({ min: 1, max: 3 })).map(([t, count]) =>
  step(
    `${count} events for tap ${t}`,
    async (model, service) => {
      const tap = model.pick('taps', t);
      if (!tap.isRevoked) await publish(tap, count, service);
    },
    hasTap,
  ),
);

/** It reads what there is and what comes while it is open, as far as its limit. At the head there are two at once. */
const read = fc
  .tuple(index, position, fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 12 }))
  .map(([t, drawn, more, most]) =>
    step(
      `read at most ${most} events of tap ${t}, ${more} of them new: ${JSON.stringify(drawn)}`,
      async (model, service) => {
        const tap = model.pick('taps', t);
        const asked = near(tap, drawn);
        const { from, why } = startOf(tap, asked);
        const limit = Math.min(most, tap.events.length + more - from);
        const streams: Opened[] = [];
        for (let reader = 0; reader < (from === tap.events.length ? 2 : 1); reader += 1) {
          const opened = await service.listen(tap.token, { ...asked, limit });
          const { isUnlimited } = tap.organization;
          const isPaying = isUnlimited || balanceOf(tap.organization, service.now) >= PRICE;
          const refusal = tap.isRevoked ? 401 : isPaying ? undefined : 402;
          expectStatus(opened, refusal ?? 200);
          if (refusal !== undefined) continue;
          deepStrictEqual(opened.start, `0-${from}; ${why}`);
          streams.push(opened);
        }
        if (streams.length === 0) return;
        await publish(tap, more, service);
        const expected = expectedOf(model, tap, { from, to: from + limit }, service.now);
        for (const stream of streams) deepStrictEqual(await stream.heard(), expected);
        await service.settle();
      },
      hasTap,
    ),
  );

export const streamCommands = [announce, read, read, read];
