import { once } from 'node:events';
import { connect } from 'node:net';
import { Agent, request } from 'undici';
import { ownCpuMs, processFigures } from '../processes.ts';

/** What is to be fetched: no robots.txt, no links, nothing kept; each body is read to its end. */
export interface FetchAsked {
  /** Plain undici; or a socket a request, whose answer is not even parsed: less is no fetch at all. */
  readonly over: 'undici' | 'socket';
  readonly requests: readonly { readonly url: string; readonly etag?: string }[];
  readonly concurrency: number;
  /** How many a second, but for the unmeasured; as fast as they come without it. */
  readonly perSecond?: number;
  /** Evenly; or all that are due within so many milliseconds together. */
  readonly togetherMs?: number;
  /** Of the first requests, which only warm up, and come as fast as they can. */
  readonly unmeasured?: number;
}

export interface Fetched {
  readonly requests: number;
  readonly cpuMs: number;
  readonly seconds: number;
  readonly peakMb: number;
}

/** What any crawl has to pay: a process of its own that asks and reads, told and answering over the channel of `fork`. */
process.once('message', (asked: FetchAsked) => void run(asked).then((fetched) => process.send?.(fetched)));
process.once('disconnect', () => process.exit());

async function run({
  over,
  requests,
  concurrency,
  perSecond,
  togetherMs,
  unmeasured = 0,
}: FetchAsked): Promise<Fetched> {
  const dispatcher = new Agent();
  const fetchOne = over === 'socket' ? overSocket : (one: Wanted) => overUndici(one, dispatcher);
  let next = 0;
  let from = { cpuMs: ownCpuMs(), at: performance.now() };
  const dueMs = (index: number): number => {
    const evenly = perSecond === undefined ? 0 : (index * 1_000) / perSecond;
    return togetherMs === undefined ? evenly : Math.floor(evenly / togetherMs) * togetherMs;
  };
  const worker = async (): Promise<void> => {
    while (next < requests.length) {
      if (next === unmeasured) from = { cpuMs: ownCpuMs(), at: performance.now() };
      const index = next++;
      const waitMs = index < unmeasured ? 0 : from.at + dueMs(index - unmeasured) - performance.now();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      await fetchOne(requests[index] ?? { url: '' });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const fetched = {
    requests: requests.length - unmeasured,
    cpuMs: ownCpuMs() - from.cpuMs,
    seconds: (performance.now() - from.at) / 1_000,
    peakMb: processFigures('self').peakMb,
  };
  await dispatcher.close();
  return fetched;
}

type Wanted = FetchAsked['requests'][number];

async function overUndici({ url, etag }: Wanted, dispatcher: Agent): Promise<void> {
  const headers = etag === undefined ? {} : { 'if-none-match': etag };
  const { body } = await request(url, { dispatcher, headers });
  await body.arrayBuffer();
}

async function overSocket({ url, etag }: Wanted): Promise<void> {
  const { hostname, port, host, pathname } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const condition = etag === undefined ? '' : `if-none-match: ${etag}\r\n`;
  socket.write(`GET ${pathname} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n${condition}\r\n`);
  socket.resume();
  await once(socket, 'close');
}
