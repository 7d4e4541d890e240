import type { Figure } from '../row.ts';
import { quantile } from '../statistics.ts';
import type { Peers } from './talk.ts';

const READING = 50;
const KIB = 1_024;
const MOST_KIB = 150;

export interface Stalls {
  /** Who never take a byte. */
  readonly readers: number;
  /** Events of 16 KiB of each of the rounds. */
  readonly count: number;
  readonly perSecond: number;
}

/**
 * The same events three times: without the readers that stall, then with them, while the kernel's buffers fill (some
 * megabytes for each, which the server has to write), and then when they take nothing any more. What the last costs more
 * than the first is theirs. The baseline of the delays is the first round. A plain server would buffer without an end,
 * so there is none here.
 */
export async function stalled(
  { server, clients, port }: Peers,
  { readers, count, perSecond }: Stalls,
): Promise<Figure[]> {
  await clients.ask('open', { port, count: READING, query: '', atOnce: 10 });
  let events = 0;
  const round = async (): Promise<{ grown: number; buffered: number; delays: number[] }> => {
    const before = await server.ask('usage');
    await server.ask('publish', { count, bytes: 16 * KIB, perSecond });
    events += count * READING;
    await clients.ask('until', events);
    const after = await server.ask('usage');
    const delays = await clients.ask('delays');
    return { grown: after.tightRss - before.tightRss, buffered: after.buffered, delays };
  };
  // Code is compiled and the log has grown once.
  await round();
  const alone = await round();
  await clients.ask('open', { port, count: readers, query: '', atOnce: 10, stalls: true });
  const filling = await round();
  const stuck = await round();
  const each = (bytes: number): number => bytes / readers / KIB;
  const memory = { size: readers, unit: 'KiB' };
  const delay = { size: readers, unit: 'ms', baseline: quantile(alone.delays, 0.99), against: 'none stalls' };
  return [
    {
      name: 'memory of a stalled reader',
      ...memory,
      value: each(stuck.grown - alone.grown),
      goal: { atMost: MOST_KIB },
    },
    { name: '… while its socket fills', ...memory, value: each(filling.grown - alone.grown) },
    { name: '… in the hands of its socket', ...memory, value: each(stuck.buffered) },
    { name: 'delay beside them, p99', ...delay, value: quantile(stuck.delays, 0.99) },
    { name: '… while they fill, p99', ...delay, value: quantile(filling.delays, 0.99) },
  ];
}
