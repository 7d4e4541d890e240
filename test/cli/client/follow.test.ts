import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { follow, type Following, type FollowOptions } from '../../../src/cli/client/follow.ts';
import { HeadWatch } from '../../../src/cli/client/head-watch.ts';
import { NotHydrant, Refused, Unreachable } from '../../../src/cli/client/transport.ts';
import type { StreamEvent } from '../../../src/cli/client/stream-event.ts';
import { exitCode } from '../../../src/cli/runtime/exit-code.ts';
import { answering, breaking, ending, frame, open, ScriptedServer, streaming, type Turn } from './scripted-server.ts';

const servers: ScriptedServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function following(turns: readonly Turn[], options: Partial<FollowOptions> = {}) {
  const server = new ScriptedServer(turns);
  servers.push(server);
  const target = await server.listen();
  // A random number that is always 0 makes every wait the shortest one.
  const made = follow({ target, token: 'svc_x', now: () => Date.now(), random: () => 0, ...options });
  return { server, following: made };
}

/** Takes events until one is `last`, or the end. */
async function collect(following: Following, last: (event: StreamEvent) => boolean = () => false) {
  const events: StreamEvent[] = [];
  for await (const event of following) {
    events.push(event);
    if (last(event)) break;
  }
  return events;
}

const ids = (events: readonly StreamEvent[]) => events.flatMap((event) => (event.type === 'update' ? [event.id] : []));
const types = (events: readonly StreamEvent[]) => events.map((event) => event.type);
const isUpdate = (id: string) => (event: StreamEvent) => event.type === 'update' && event.id === id;

describe('what the first request asks for', () => {
  it('is where to begin, how many, and for how long', async () => {
    const { server, following: made } = await following([ending([0])], { since: 3_600, limit: 7, timeout: 9 });
    await collect(made);
    expect(server.requests).toEqual([{ url: '/v1/stream?since=3600s&limit=7&timeout=9', lastEventId: undefined }]);
  });

  it('is the event after an id', async () => {
    const { server, following: made } = await following([streaming([13])], { lastEventId: '0-12' });
    expect(ids(await collect(made, isUpdate('0-13')))).toEqual(['0-13']);
    expect(server.requests[0]).toEqual({ url: '/v1/stream', lastEventId: '0-12' });
  });
});

describe('a time beyond the day that the public API goes back', () => {
  const WEEK = 7 * 86_400;
  const date = new Date('2026-02-13T08:00:00Z');
  const daysAgo = (days: number): string => new Date(date.getTime() - days * 86_400_000).toISOString();
  /** Four matches: of nine, eight, three days ago and of now. */
  const log =
    (start: string, more: Readonly<Record<string, string>> = {}): Turn =>
    (response) => {
      open(response, start, { 'x-stream-head': '0-4', date: date.toUTCString(), ...more });
      for (const [offset, days] of [9, 8, 3, 0].entries()) response.write(frame(offset, 0, 'Page', daysAgo(days)));
    };
  const isLast = isUpdate('0-3');

  it('is read from the beginning of the log, and what is older is passed over', async () => {
    const { server, following: made } = await following([log('0-0; offset')], { since: WEEK, limit: 2 });
    const events = await collect(made, isLast);
    expect(server.requests[0]?.url).toBe('/v1/stream?offset=0');
    expect(types(events)).toEqual(['connected', 'older', 'older', 'update', 'update']);
    expect(ids(events)).toEqual(['0-2', '0-3']);
  });

  it('is cut where the log does not reach that far, and only there', async () => {
    const startOf = async (keptFrom: string, since: number): Promise<unknown> => {
      const turn = log('0-0; clamped', { 'x-stream-kept-from': keptFrom });
      const [event] = await collect((await following([turn], { since })).following, () => true);
      return event?.type === 'connected' && [event.start?.reason, event.start?.gone];
    };
    expect(await startOf(daysAgo(9), WEEK)).toEqual(['since', undefined]);
    expect(await startOf(daysAgo(3), WEEK)).toEqual(['clamped', undefined]);
    // All that is kept was asked for, and is there.
    expect(await startOf(daysAgo(3), Infinity)).toEqual(['since', undefined]);
  });

  it('goes on after what it has seen, whether that was wanted or not', async () => {
    const broken: Turn = (response) => {
      open(response, '0-0; offset', { date: date.toUTCString() });
      response.write(frame(0, 0, 'Page', daysAgo(9)));
      response.write(': soon\n\n', () => response.destroy());
    };
    const { server, following: made } = await following([broken, log('0-1; resumed')], { since: WEEK });
    expect(ids(await collect(made, isLast))).toEqual(['0-2', '0-3']);
    expect(server.requests[1]).toEqual({ url: '/v1/stream', lastEventId: '0-0' });
  });

  it('has a limit that the daemon keeps where nothing is passed over', async () => {
    const { server, following: made } = await following([ending([0, 1])], { since: Infinity, limit: 2 });
    expect(ids(await collect(made))).toEqual(['0-0', '0-1']);
    expect(server.requests[0]?.url).toBe('/v1/stream?offset=0&limit=2');
  });

  it('is no reason to pass over what comes after an id that was given', async () => {
    const options = { since: WEEK, lastEventId: '0-0' };
    const { server, following: made } = await following([log('0-1; resumed')], options);
    expect(ids(await collect(made, isLast))).toEqual(['0-1', '0-2', '0-3']);
    expect(server.requests[0]?.lastEventId).toBe('0-0');
  });

  it('is over where nothing of the log is new enough', async () => {
    const old: Turn = (response) => {
      open(response, '0-0; offset', { 'x-stream-head': '0-1', date: date.toUTCString() });
      response.write(frame(0, 0, 'Page', daysAgo(9)));
    };
    const { following: made } = await following([old], { since: WEEK });
    const head = new HeadWatch(true, { reached: () => made.close(), failed: () => undefined });
    const seen: StreamEvent[] = [];
    for await (const event of made) {
      seen.push(event);
      head.resume(event);
    }
    expect(types(seen)).toEqual(['connected', 'older']);
  });
});

describe('a connection that is only replaced when it has ended as agreed', () => {
  it('goes on where the daemon ended it in time, and fails where it was lost', async () => {
    const agreed = await following([ending([0]), ending([1]), breaking([2])], { reconnect: 'agreed' });
    const seen: StreamEvent[] = [];
    const reading = (async () => {
      for await (const event of agreed.following) seen.push(event);
    })();
    await expect(reading).rejects.toThrow('the connection broke off');
    expect(ids(seen)).toEqual(['0-0', '0-1', '0-2']);
    expect(agreed.server.requests.map(({ lastEventId }) => lastEventId)).toEqual([undefined, '0-0', '0-1']);
  });
});

describe('the answer is looked at before the body is read', () => {
  it.each([
    [401, exitCode.unauthorized],
    [402, exitCode.outOfCredit],
    [403, exitCode.unauthorized],
    [404, exitCode.notFound],
    [422, exitCode.refused],
  ])('%i stops with the daemon’s own sentence', async (status, code) => {
    const { server, following: made } = await following([answering(status, { message: 'No, because.' })]);
    await expect(collect(made)).rejects.toMatchObject({ message: 'No, because.', exitCode: code });
    expect(server.requests).toHaveLength(1);
  });

  it('a page in place of a stream stops it too', async () => {
    const login: Turn = (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sign in</p>');
    const { following: made } = await following([login]);
    await expect(collect(made)).rejects.toBeInstanceOf(NotHydrant);
  });

  it.each([429, 500, 503])('%i waits for as long as Retry-After says', async (status) => {
    const turns = [answering(status, {}, { 'retry-after': '0' }), streaming([0])];
    const { server, following: made } = await following(turns, { since: 3_600 });
    const events = await collect(made, isUpdate('0-0'));
    expect(events[0]).toEqual({ type: 'waiting', delayMs: 0, reason: `the daemon answers ${status}` });
    expect(types(events)).toEqual(['waiting', 'connected', 'update']);
    expect(server.requests[1]?.url).toBe('/v1/stream?since=3600s');
  });

  it('tells at once that nobody is there, when nobody ever was', async () => {
    const server = new ScriptedServer([]);
    const target = await server.listen();
    await server.close();
    const made = follow({ target, token: 'svc_x', now: () => 0, random: () => 0 });
    await expect(collect(made)).rejects.toBeInstanceOf(Unreachable);
  });
});

describe('a connection that ends', () => {
  it('is taken up after the last event, and an offset already seen is dropped', async () => {
    const turns = [breaking([0, 1]), streaming([1, 2])];
    const { server, following: made } = await following(turns);
    const events = await collect(made, isUpdate('0-2'));
    expect(ids(events)).toEqual(['0-0', '0-1', '0-2']);
    expect(server.requests[1]).toEqual({ url: '/v1/stream', lastEventId: '0-1' });
    expect(events.find((event) => event.type === 'waiting')).toMatchObject({ delayMs: 500 });
  });

  it('is taken up where it began, when no event had come', async () => {
    const turns = [breaking([], '0-5; live'), streaming([5], '0-5; resumed')];
    const { server, following: made } = await following(turns);
    await collect(made, isUpdate('0-5'));
    expect(server.requests[1]?.lastEventId).toBe('0-4');
  });

  it('at the very beginning of the log is taken up by offset, as no id stands before the first', async () => {
    const { server, following: made } = await following([breaking([], '0-0; live'), streaming([0])]);
    await collect(made, isUpdate('0-0'));
    expect(server.requests[1]).toEqual({ url: '/v1/stream?offset=0', lastEventId: undefined });
  });

  it('by the daemon’s `end` is followed by the next at once', async () => {
    const { server, following: made } = await following([ending([0, 1]), streaming([2])]);
    const events = await collect(made, isUpdate('0-2'));
    expect(types(events)).toEqual(['connected', 'update', 'update', 'end', 'connected', 'update']);
    expect(server.requests[1]?.lastEventId).toBe('0-1');
  });

  it('is the last one where a timeout was asked for', async () => {
    const { server, following: made } = await following([ending([0])], { timeout: 5 });
    expect(types(await collect(made))).toEqual(['connected', 'update', 'end']);
    expect(server.requests).toHaveLength(1);
  });

  it('is the last one where a limit is reached, also over two connections', async () => {
    const { server, following: made } = await following([breaking([0, 1]), streaming([2, 3, 4])], { limit: 3 });
    expect(ids(await collect(made))).toEqual(['0-0', '0-1', '0-2']);
    expect(server.requests.map((request) => request.url)).toEqual(['/v1/stream?limit=3', '/v1/stream']);
  });

  it('is a failure where no reconnecting is wanted', async () => {
    const { following: made } = await following([breaking([0])], { reconnect: false });
    await expect(collect(made)).rejects.toMatchObject({ code: 'connection_lost', exitCode: exitCode.unreachable });
  });

  it('without a byte for too long is given up', async () => {
    const { server, following: made } = await following([streaming([0]), streaming([1])], { stallMs: 60 });
    const events = await collect(made, isUpdate('0-1'));
    expect(events.find((event) => event.type === 'waiting')).toMatchObject({ reason: 'nothing was received for 0 s' });
    expect(server.requests[1]?.lastEventId).toBe('0-0');
  });
});

describe('what the daemon says', () => {
  it('about its rules is an event, and the next try does not follow at once', async () => {
    const noRules: Turn = (response) => {
      open(response);
      response.end('event: error\ndata: {"message":"This tap has no rules."}\n\n');
    };
    const { following: made } = await following([noRules]);
    const events = await collect(made, (event) => event.type === 'waiting');
    expect(events[1]).toEqual({ type: 'error', message: 'This tap has no rules.' });
    expect(events[2]).toEqual({ type: 'waiting', delayMs: 2_000, reason: 'This tap has no rules.' });
  });

  it('about a buffer that begins later becomes a number of lost events', async () => {
    const { following: made } = await following([streaming([900], '0-900; clamped')], { lastEventId: '0-779' });
    const [connected] = await collect(made, isUpdate('0-900'));
    expect(connected).toMatchObject({
      type: 'connected',
      start: { at: { partition: 0, offset: 900 }, reason: 'clamped', gone: 120 },
    });
  });

  it('of another life of the log is taken, although its offsets are smaller', async () => {
    const reborn: Turn = (response) => {
      open(response, '1-0; clamped');
      response.write(frame(0, 1));
    };
    const { following: made } = await following([breaking([7]), reborn]);
    expect(ids(await collect(made, isUpdate('1-0')))).toEqual(['0-7', '1-0']);
  });

  it('in a frame that is no match is reported and left out', async () => {
    const odd: Turn = (response) => {
      open(response);
      response.write(`id: 0-0\nevent: update\ndata: {"document":[]}\n\n${frame(1)}`);
    };
    const { following: made } = await following([odd]);
    expect(types(await collect(made, isUpdate('0-1')))).toEqual(['connected', 'error', 'update']);
  });

  it('without ever ending a line is cut off', async () => {
    const endless: Turn = (response) => {
      open(response);
      const line = 'x'.repeat(64 * 1_024);
      const more = () => {
        while (!response.destroyed && response.write(line));
      };
      response.on('drain', more);
      more();
    };
    const { following: made } = await following([endless]);
    await expect(collect(made)).rejects.toThrow(/a frame of more than 1048576 bytes/);
  });
});

describe('a reader that is slow or leaves', () => {
  it('makes the daemon wait: what it can send is bounded', async () => {
    const count = 40_000;
    let sent = 0;
    const written: { response?: ServerResponse } = {};
    const { promise: full, resolve: isFull } = Promise.withResolvers<void>();
    const firehose: Turn = (response) => {
      written.response = response;
      open(response);
      const more = () => {
        let room = true;
        while (sent < count && room) {
          room = response.write(frame(sent, 0, 'x'.repeat(1_000)));
          sent += 1;
        }
        if (!room) isFull();
      };
      response.on('drain', more);
      more();
    };
    const { following: made } = await following([firehose], { highWater: 8 });
    const events = made[Symbol.asyncIterator]();
    await events.next();
    await events.next();
    await full;
    // The server is done writing when its kernel and ours are full; then a turn of the loop brings no more.
    let before = -1;
    while (before !== sent) {
      before = sent;
      for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(sent).toBeLessThan(count / 2);
    const received: string[] = [];
    for await (const event of { [Symbol.asyncIterator]: () => events }) {
      if (event.type !== 'update') continue;
      received.push(event.id);
      if (received.length === 5_000) break;
    }
    expect(received).toEqual(Array.from({ length: 5_000 }, (_, index) => `0-${index + 1}`));
  });

  it('gets all that was received before it closed', async () => {
    const offsets = Array.from({ length: 20 }, (_, index) => index);
    // One small write is one chunk for the reader, so all twenty are received when the first is handed out.
    const atOnce: Turn = (response) => {
      open(response);
      response.write(offsets.map((offset) => frame(offset)).join(''));
    };
    const { server, following: made } = await following([atOnce]);
    const seen: StreamEvent[] = [];
    for await (const event of made) {
      seen.push(event);
      if (event.type === 'update' && event.id === '0-0') made.close();
    }
    expect(ids(seen)).toEqual(offsets.map((offset) => `0-${offset}`));
    expect(server.requests).toHaveLength(1);
  });

  it('has as its cursor the last event it handled, not the last received', async () => {
    const { following: made } = await following([streaming([0, 1, 2])]);
    for await (const event of made) {
      if (event.type === 'update' && event.id === '0-1') break;
    }
    expect(made.lastEventId).toBe('0-0');
  });

  it('is let go at once while it waits for the next event, or for the next try', async () => {
    const quiet = await following([streaming([])]);
    const first = collect(quiet.following, () => {
      quiet.following.close();
      return false;
    });
    expect(types(await first)).toEqual(['connected']);

    const away = await following([answering(503, {}, { 'retry-after': '500' })]);
    for await (const event of away.following) if (event.type === 'waiting') setImmediate(() => away.following.close());
    expect(away.server.requests).toHaveLength(1);
  });

  it('closes the connection when it breaks out of the loop', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const { following: made } = await following([
      (response) => {
        response.on('close', resolve);
        open(response);
      },
    ]);
    await collect(made, () => true);
    await closed;
    expect(made.lastEventId).toBeUndefined();
  });
});

it('a refusal while reconnecting is as final as one at the start', async () => {
  const { following: made } = await following([breaking([0]), answering(402, { message: 'Out of credit.' })]);
  await expect(collect(made)).rejects.toBeInstanceOf(Refused);
});

describe('the head of the log', () => {
  const id = (offset: number) => ({ partition: 0, offset });
  const connected = (offset: number, head?: number): StreamEvent => ({
    type: 'connected',
    start: { at: id(offset), reason: 'since', head: head === undefined ? undefined : id(head), gone: undefined },
    openedAt: undefined,
  });
  const match = {
    tap_id: 't',
    query_ids: [],
    matched_at: '2026-02-13T08:06:32.123Z',
    document: { url: '', diff: { chunks: [] } },
  };
  const update = (offset: number): StreamEvent => ({ type: 'update', id: `0-${offset}`, payload: {}, match });

  function watching() {
    vi.useFakeTimers();
    const reached = vi.fn<() => void>();
    const failed = vi.fn<(error: Error) => void>();
    return { reached, failed, head: new HeadWatch(true, { reached, failed }) };
  }

  afterEach(() => void vi.useRealTimers());

  it('is where the daemon says, however long the link pauses before it', () => {
    const { head, reached, failed } = watching();
    head.resume(connected(0, 3));
    for (const offset of [0, 1]) {
      head.resume(update(offset));
      vi.advanceTimersByTime(20_000);
    }
    expect(reached).not.toHaveBeenCalled();
    head.resume(update(2));
    expect(reached).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(60_000);
    expect(failed).not.toHaveBeenCalled();
  });

  it('is reached at once where there is no past', () => {
    const { head, reached } = watching();
    head.resume(connected(3, 3));
    expect(reached).toHaveBeenCalledOnce();
  });

  it('stays that of the first connection', () => {
    const { head, reached } = watching();
    for (const event of [connected(0, 2), update(0), { type: 'waiting', delayMs: 9, reason: '' } as const])
      head.resume(event);
    vi.advanceTimersByTime(60_000);
    head.resume(connected(1, 900));
    head.resume(update(1));
    expect(reached).toHaveBeenCalledOnce();
  });

  it('that does not come is a failure', () => {
    const { head, reached, failed } = watching();
    head.resume(connected(0, 3));
    head.resume(update(0));
    vi.advanceTimersByTime(31_000);
    expect(failed.mock.calls[0]?.[0].message).toContain('stopped before match 0-2');
    expect(reached).not.toHaveBeenCalled();
  });

  it('of a daemon that does not say where it is, is two seconds of silence', () => {
    const { head, reached } = watching();
    head.resume(connected(0));
    vi.advanceTimersByTime(1_900);
    expect(reached).not.toHaveBeenCalled();
    vi.advanceTimersByTime(200);
    expect(reached).toHaveBeenCalledOnce();
  });
});
