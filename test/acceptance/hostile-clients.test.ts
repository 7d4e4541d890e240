import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as hostile from './hostile-clients.ts';
import { RealDaemon, until } from './real-daemon.ts';
import { SseReader } from './sse-reader.ts';
import type { KeyCreated } from '../../src/shared/api/organization.ts';
import type { Status } from '../../src/shared/api/status.ts';
import type { TapCreated } from '../../src/shared/api/tap.ts';

const MB = 1_024 * 1_024;

interface Guests {
  readonly daemon: RealDaemon;
  readonly port: number;
  readonly key: string;
  readonly token: string;
}

async function guestsOf(flags: readonly string[] = []): Promise<Guests> {
  const daemon = await RealDaemon.start([...flags, '--log-level', 'info']);
  const { key } = await daemon.operator<KeyCreated>('POST', '/admin/keys', { name: 'good' });
  const token = await tapOf(daemon);
  return { daemon, port: Number(new URL(daemon.notice.url).port), key, token };
}

/** The token of a new tap, with a rule: without any, a stream ends at once. */
async function tapOf(daemon: RealDaemon): Promise<string> {
  const { token } = await daemon.operator<TapCreated>('POST', '/v1/taps', { name: 'good' });
  await daemon.operator('POST', '/v1/rules', { value: 'ferry' }, token);
  return token;
}

/** As a good client asks: on a connection of its own. */
async function ask({ daemon, key }: Guests): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, connection: 'close' };
  return (await fetch(`${daemon.notice.url}/v1/taps`, { headers })).status;
}

async function figure(daemon: RealDaemon, name: string): Promise<number> {
  const text = await daemon.operatorText('/metrics');
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
}

describe('clients that mean no good', () => {
  let guests: Guests;
  beforeAll(async () => {
    guests = await guestsOf();
  });
  afterAll(() => guests.daemon.dispose());

  test.each(Object.entries(hostile.SMUGGLING))('cannot hide a request: %s', async (_, headers) => {
    const text = await hostile.smuggle(guests.port, headers, guests.key);
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(text).not.toContain('smuggled');
  });

  test('cost neither the good ones their answers nor the daemon its memory, and are gone in the end', async () => {
    const { daemon, port, key, token } = guests;
    expect(await ask(guests)).toBe(200);
    const files = await figure(daemon, 'process_open_fds');
    const memory = await figure(daemon, 'process_resident_memory_bytes');
    const stream = new SseReader();
    expect(await stream.open(`${daemon.notice.url}/v1/stream`, token)).toBe(200);
    const crowds = crowdsOf(key, token).map(([attack, count]) => ({
      attack,
      count,
      all: new hostile.HostileClients(port),
    }));
    const begun = Promise.all(crowds.map(({ attack, count, all }) => all.send(attack, count)));
    for (let answered = 0; answered < 20; answered += 1) expect(await ask(guests)).toBe(200);
    await begun;
    for (let answered = 0; answered < 20; answered += 1) expect(await ask(guests)).toBe(200);

    const gone = crowds.slice(0, -2);
    await until('the daemon has hung up on all but those who are owed something', () =>
      gone.every(({ all }) => all.open === 0),
    );
    expect(gone.map(({ all }) => all.statuses)).toEqual([
      { '408': 2_000 },
      { '408': 200 },
      { '431': 50 },
      { '431': 50 },
      // A refusal may be lost: who still writes when it comes is reset.
      expect.not.objectContaining({ '201': expect.anything() as number }) as object,
      {},
      { '401': 20 },
      {},
      {},
    ]);
    expect(await figure(daemon, 'process_resident_memory_bytes')).toBeLessThan(memory + 256 * MB);
    expect(stream.ended).toBe(false);

    stream.close();
    for (const { all } of crowds) all.leave();
    await until('files are as many as before', async () => (await figure(daemon, 'process_open_fds')) <= files + 3);
    expect(await ask(guests)).toBe(200);
    expect(daemon.log).not.toMatch(/"level":(50|60)/);
  });
});

describe('a port that is full', () => {
  let guests: Guests;
  const crowd: { leave(): void }[] = [];
  const streams: SseReader[] = [];
  beforeAll(async () => {
    guests = await guestsOf(['--max-connections', '64']);
  });
  afterAll(async () => {
    for (const all of crowd) all.leave();
    for (const stream of streams) stream.close();
    await guests.daemon.dispose();
  });

  async function openStreams(count: number): Promise<SseReader[]> {
    const { daemon } = guests;
    const token = await tapOf(daemon);
    const opened = Array.from({ length: count }, () => new SseReader());
    streams.push(...opened);
    for (const stream of opened) expect(await stream.open(`${daemon.notice.url}/v1/stream`, token)).toBe(200);
    return opened;
  }

  test('of silent clients answers who asks, keeps its streams, and closes who has been silent longest', async () => {
    const opened = await openStreams(20);
    const silent = new hostile.HostileClients(guests.port);
    crowd.push(silent);
    await silent.send(hostile.silence, 300);
    expect(await ask(guests)).toBe(200);
    await until('there are as many as there may be', () => silent.open <= 44);
    expect(opened.filter(({ ended }) => ended)).toEqual([]);
    expect(guests.daemon.log.match(/connection limit is reached/g)).toHaveLength(1);
    silent.leave();
  });

  test('of streams refuses who comes last, and the operator gets in all the same', async () => {
    await openStreams(22);
    await openStreams(22);
    await expect(ask(guests)).rejects.toThrow('fetch failed');
    const { data } = await guests.daemon.operator<{ data: Status }>('GET', '/admin/status');
    expect(data.stream.open).toBe(64);
    for (const stream of streams.slice(0, 10)) stream.close();
    await until('there is room again', () =>
      ask(guests).then(
        (status) => status === 200,
        () => false,
      ),
    );
  });
});

/** Who comes, and how many: first those that the daemon hangs up on within seconds. */
function crowdsOf(key: string, token: string): [hostile.Attack, number][] {
  return [
    [hostile.silence, 2_000],
    [hostile.slowHead, 200],
    [hostile.manyHeaders, 50],
    [hostile.endlessHeader, 50],
    [hostile.endlessBody(key), 20],
    [hostile.chunkExtensions(key), 20],
    [hostile.wrongKeys, 20],
    [hostile.pipeline, 20],
    [hostile.vanish, 1_000],
    [hostile.slowBody(key), 200],
    [hostile.idleStream(token), 20],
  ];
}
