import { parse } from 'parse5';
import { pageText } from '../crawl/page-text.ts';
import { ownCpuMs } from '../processes.ts';

/** What parse5 is to parse: pages of the crawl's web, the first of which only warm up. */
export interface ParseAsked {
  readonly hosts: number;
  readonly pagesPerHost: number;
  readonly unmeasured: number;
  readonly measured: number;
}

/** Milliseconds of processor time for a page. What any reader of HTML has to pay, in a process of its own. */
process.once('message', (asked: ParseAsked) => process.send?.(run(asked)));
process.once('disconnect', () => process.exit());

function run({ hosts, pagesPerHost, unmeasured, measured }: ParseAsked): number {
  const web = { hosts, pagesPerHost, seed: 1, origin: (host: number) => `http://127.0.0.${host % 250}:8080` };
  const textOf = (index: number): string => pageText(web, index % hosts, Math.floor(index / hosts) % pagesPerHost);
  for (let index = 0; index < unmeasured; index += 1) parse(textOf(index));
  // Made before, so that their making is not in the figure; some hundred at a time, as they would come.
  let cpuMs = 0;
  for (let from = unmeasured; from < unmeasured + measured; from += AT_A_TIME) {
    const count = Math.min(AT_A_TIME, unmeasured + measured - from);
    const texts = Array.from({ length: count }, (_, index) => textOf(from + index));
    const before = ownCpuMs();
    for (const text of texts) parse(text);
    cpuMs += ownCpuMs() - before;
  }
  return cpuMs / measured;
}

const AT_A_TIME = 500;
