import { Agent, request } from 'undici';
import { ownCpuMs, processFigures } from '../processes.ts';

/** What plain undici is to fetch: no robots.txt, no links, nothing kept; each body is read to its end. */
export interface FetchAsked {
  readonly requests: readonly { readonly url: string; readonly etag?: string }[];
  readonly concurrency: number;
  /** How many a second, evenly; as fast as they come without it. */
  readonly perSecond?: number;
  /** Of the first requests, which only warm up. */
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

async function run({ requests, concurrency, perSecond, unmeasured = 0 }: FetchAsked): Promise<Fetched> {
  const dispatcher = new Agent();
  const begin = performance.now();
  let next = 0;
  let from = { cpuMs: ownCpuMs(), at: begin };
  const worker = async (): Promise<void> => {
    while (next < requests.length) {
      if (next === unmeasured) from = { cpuMs: ownCpuMs(), at: performance.now() };
      const index = next++;
      const due = perSecond === undefined ? 0 : begin + (index * 1_000) / perSecond - performance.now();
      if (due > 0) await new Promise((resolve) => setTimeout(resolve, due));
      const { url = '', etag } = requests[index] ?? {};
      const headers = etag === undefined ? {} : { 'if-none-match': etag };
      const { body } = await request(url, { dispatcher, headers });
      await body.arrayBuffer();
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
