import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { RealDaemon, until } from '../../acceptance/real-daemon.ts';
import { SseReader } from '../../acceptance/sse-reader.ts';
import { quantile } from '../../bench/statistics.ts';
import { ask, read } from '../crash/ask.ts';
import { News, type TapName } from './news.ts';
import { SINKS } from './house.ts';
import type { Match } from '../../../src/shared/api/match.ts';
import type { Tap } from '../../../src/shared/api/tap.ts';

export interface Measuring {
  /** Pairs: without sinks, and with as many as the soak has. */
  readonly rounds: number;
  /** Pages in each, of four events. */
  readonly records: number;
  readonly perSecond: number;
  /** Of one tap, which may open 30 a minute. */
  readonly streams: number;
}

/**
 * Milliseconds between the commit of an event and its arrival at the streams of a tap: without sinks, and beside ten whose receivers
 * take a message and never answer. In turns, since a machine has better and worse minutes.
 */
export async function streamDelays({ rounds, records, perSecond, streams }: Measuring): Promise<string> {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const daemon = await RealDaemon.start(['--allow-private', '127.0.0.0/8', '--log-level', 'error']);
  const readers = Array.from({ length: streams }, () => new SseReader());
  const delays = { without: [] as number[], beside: [] as number[] };
  try {
    const [tap] = await tapsOf(daemon);
    if (tap === undefined) throw new Error('there is no tap');
    const arrived = readers.map((reader) => follow(reader));
    for (const reader of readers) {
      const status = await reader.open(`${daemon.notice.url}/v1/stream`, tap.token);
      if (status !== 200) throw new Error(`a stream was answered with ${status}`);
    }
    const news = new News(new Map<TapName, string>(), Infinity);
    const round = async (): Promise<number[]> => {
      const goals = arrived.map(({ length }) => length + records);
      const begin = performance.now();
      for (let sent = 0; sent < records; sent += 1) {
        const waits = begin + (sent * 1_000) / perSecond - performance.now();
        if (waits > 0) await sleep(waits);
        await news.send(daemon);
      }
      await until('all have arrived', () => arrived.every((some, index) => some.length >= (goals[index] ?? 0)));
      return arrived.flatMap((some) => some.slice(-records));
    };
    // Code is compiled by the first ones.
    await round();
    for (let turn = 0; turn < rounds; turn += 1) {
      delays.without.push(...(await round()));
      for (const { name } of SINKS) await add(daemon, name, (silent.address() as AddressInfo).port);
      delays.beside.push(...(await round()));
      for (const { name } of SINKS) await ask(daemon, 'DELETE', `/admin/sinks/${name}`);
      silent.closeAllConnections();
    }
  } finally {
    for (const reader of readers) reader.close();
    await daemon.dispose();
    silent.closeAllConnections();
    silent.close();
  }
  const told = (some: readonly number[]): string => {
    const sorted = some.toSorted((one, other) => one - other);
    return `p50 ${quantile(sorted, 0.5)} ms, p99 ${quantile(sorted, 0.99)} ms of ${sorted.length}`;
  };
  return `events at streams without sinks: ${told(delays.without)}; beside ${SINKS.length} that hang: ${told(delays.beside)}`;
}

async function tapsOf(daemon: RealDaemon): Promise<Tap[]> {
  await daemon.hydrant(['tap', 'create', 'alpha']);
  await daemon.hydrant(['rule', 'add', 'alpha', 'title:alpha', '--no-quality']);
  return read<Tap[]>(daemon, '/v1/taps');
}

async function add(daemon: RealDaemon, name: string, port: number): Promise<void> {
  const options = { url: `http://127.0.0.1:${port}/${name}` };
  const answer = await ask(daemon, 'POST', '/admin/sinks', { body: { name, kind: 'webhook', options } });
  if (answer?.status !== 201) throw new Error(`the sink ${name} was not made: ${answer?.body ?? 'no answer'}`);
}

/** Delays, as the events come in. */
function follow(reader: SseReader): number[] {
  const delays: number[] = [];
  reader.onEvent = ({ event, data }) => {
    if (event === 'update') delays.push(Date.now() - Date.parse((JSON.parse(data) as Match).matched_at));
  };
  return delays;
}
