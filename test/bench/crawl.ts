import { join } from 'node:path';
import { type DaemonRun, daemonRun, type Terms } from './crawl/daemon-run.ts';
import type { AnswerAs } from './crawl/web.ts';
import { plainFetch, plainParse } from './peers/plain.ts';
import { scrapyIsHere, scrapyPace } from './peers/scrapy.ts';
import type { Asked, Figure, Goal, Outcome } from './row.ts';
import type { Pace } from './site/served.ts';
import { SiteProcess } from './site/site-process.ts';
import { median } from './statistics.ts';

const FORMS = {
  whole: { hosts: 100, pages: 4_000, rules: 1_000, idleMs: 30_000, quietMs: 30_000, runs: 3 },
  short: { hosts: 10, pages: 40, rules: 100, idleMs: 1_000, quietMs: 1_000, runs: 1 },
};
/** So many pages are crawled for one of which the peak is taken: whether memory grows with what is known. */
const GROWN = 2.5;
const CONCURRENCY = 32;
const GOALS = {
  first: { atMost: 3.3 },
  firstOfScrapy: { atMost: 0.45 },
  changed: { atMost: 3 },
  same: { atMost: 0.9 },
  unmodified: { atMost: 0.7 },
  idle: { atMost: 115 },
  peak: { atMost: 250 },
  growth: { atMost: 0 },
  afterwards: { atMost: 40 },
  lag: { atMost: 20 },
} satisfies Record<string, Goal>;

/**
 * The real daemon on a made-up web in another process: robots.txt obeyed, links followed, every page through the whole path
 * with all rules registered, everything committed to disk. What counts is processor time of the daemon, all its threads
 * together; the clock tells about the machine's other work, too. Warming up is a figure of its own. Each run is a new
 * daemon on an empty directory; beside it, on the same web, Scrapy, plain undici and parse5. `size` is the number of pages
 * that the peak is of.
 */
export async function crawl({ isShort, size, runs: asked }: Asked): Promise<Outcome> {
  const form = FORMS[isShort ? 'short' : 'whole'];
  const pages = size ?? form.pages;
  const pagesPerHost = Math.ceil((pages * GROWN) / form.hosts);
  const terms: Terms = {
    ...form,
    pages,
    pagesPerHost,
    concurrency: CONCURRENCY,
    warm: Math.ceil(pages / 4),
    allPages: pagesPerHost * form.hosts,
    revisits: { warm: Math.ceil(pages / 4), measured: pages - Math.ceil(pages / 4) },
  };
  const script = join(import.meta.dirname, 'crawl/web.ts');
  const site = await SiteProcess.start<readonly string[]>(script, [form.hosts, pagesPerHost].map(String));
  try {
    const runs = [];
    for (let run = 0; run < (asked ?? form.runs); run += 1) {
      runs.push({ daemon: await daemonRun(site, terms), ...(await beside(site, terms)) });
    }
    return {
      notes: [
        `${terms.allPages.toLocaleString('en')} generated pages of 15 kB on ${form.hosts} hosts, ${form.rules} rules, concurrency ${CONCURRENCY}`,
        `medians of ${runs.length} runs; steady after ${terms.warm.toLocaleString('en')} pages of a kind`,
        ...(runs[0]?.scrapy ? [] : ['Scrapy is not installed (`apt install python3-scrapy`)']),
      ],
      figures: figuresOf(runs, terms),
    };
  } finally {
    site.close();
  }
}

interface Run extends Beside {
  readonly daemon: DaemonRun;
}

/** What others take for the same pages. CPU: seconds for 1,000. */
interface Beside {
  readonly scrapy: Pace | undefined;
  readonly undici: Pace;
  readonly undici304: Pace;
  readonly parse5: number;
}

async function beside(site: SiteProcess<readonly string[]>, terms: Terms): Promise<Beside> {
  const { warm, pages, pagesPerHost } = terms;
  site.tell({ kind: 'answer', answers: 'same' } satisfies AnswerAs);
  const seeds = site.ready.map((origin) => `${origin}/`);
  const scrapy = scrapyIsHere()
    ? await scrapyPace(site, seeds, { marks: [{ pages: warm }, { pages }], concurrency: CONCURRENCY })
    : undefined;
  const urls = Array.from({ length: pagesPerHost }, (_, page) =>
    seeds.map((seed) => (page === 0 ? seed : `${seed}p/${page}`)),
  ).flat();
  const fetched = async (only: { readonly etag?: string }): Promise<Pace> => {
    const requests = urls.slice(0, pages).map((url) => Object.assign({ url }, only));
    const all = await plainFetch({ requests, concurrency: CONCURRENCY, unmeasured: warm });
    return { cpu: all.cpuMs / all.requests, speed: all.requests / all.seconds, peakMb: all.peakMb };
  };
  const undici = await fetched({});
  site.tell({ kind: 'answer', answers: 'unmodified' } satisfies AnswerAs);
  return {
    scrapy,
    undici,
    undici304: await fetched({ etag: '*' }),
    parse5: await plainParse({ hosts: seeds.length, pagesPerHost, unmeasured: warm, measured: pages - warm }),
  };
}

function figuresOf(runs: readonly Run[], { pages, allPages, quietMs }: Terms): Figure[] {
  const of = (value: (run: Run) => number): number => median(runs.map(value));
  const hasScrapy = runs.every(({ scrapy }) => scrapy !== undefined);
  const scrapy = (value: (pace: Pace) => number): Pick<Figure, 'baseline' | 'against'> =>
    hasScrapy
      ? { baseline: of((run) => (run.scrapy ? value(run.scrapy) : Number.NaN)), against: 'Scrapy' }
      : { baseline: Number.NaN, against: 'Scrapy, not installed:' };
  const cpu = (
    name: string,
    value: (run: DaemonRun) => Pace,
    more: Omit<Figure, 'name' | 'value' | 'unit'>,
  ): Figure[] => [
    { name, value: of(({ daemon }) => value(daemon).cpu), unit: 's', ...more },
    { name: `${name}, least`, value: Math.min(...runs.map(({ daemon }) => value(daemon).cpu)), unit: 's' },
  ];
  const undici = 'plain undici';
  const memory = (name: string, value: (run: DaemonRun) => number, more: Partial<Figure> = {}): Figure => {
    return { name, value: of(({ daemon }) => value(daemon)), unit: 'MB', ...more };
  };
  return [
    ...cpu('CPU of 1,000 first visits', ({ steady }) => steady, { ...scrapy(({ cpu: s }) => s), goal: GOALS.first }),
    ...(hasScrapy
      ? [
          {
            name: 'CPU of first visits, of Scrapy',
            value: of((run) => run.daemon.steady.cpu / (run.scrapy?.cpu ?? Number.NaN)),
            unit: '',
            goal: GOALS.firstOfScrapy,
          },
        ]
      : []),
    { name: 'CPU of 1,000 first visits, warming up', value: of(({ daemon }) => daemon.warm.cpu), unit: 's' },
    ...cpu('CPU of 1,000 changed revisits', ({ revisits }) => revisits.changed, {
      baseline: of(({ parse5 }) => parse5),
      against: 'parse5',
      goal: GOALS.changed,
    }),
    ...cpu('CPU of 1,000 unchanged revisits', ({ revisits }) => revisits.same, {
      baseline: of((run) => run.undici.cpu),
      against: undici,
      goal: GOALS.same,
    }),
    ...cpu('CPU of 1,000 revisits answered 304', ({ revisits }) => revisits.unmodified, {
      baseline: of((run) => run.undici304.cpu),
      against: undici,
      goal: GOALS.unmodified,
    }),
    {
      name: 'first visits',
      value: of(({ daemon }) => daemon.steady.speed),
      unit: '/s',
      baseline: of((run) => run.undici.speed),
      against: undici,
    },
    memory('memory, empty directory', ({ idleMb }) => idleMb, { goal: GOALS.idle }),
    memory('memory at most', ({ peakMb }) => peakMb, {
      size: pages,
      ...scrapy(({ peakMb }) => peakMb),
      goal: GOALS.peak,
    }),
    memory('memory at most', ({ wholePeakMb }) => wholePeakMb, { size: allPages }),
    memory(
      `memory at most of the last ${pages.toLocaleString('en')} pages, above the first`,
      (run) => run.lastPeakMb - run.peakMb,
      { goal: GOALS.growth },
    ),
    memory('memory at most, changed revisits', ({ revisits }) => revisits.changed.peakMb),
    memory('memory at most, unchanged revisits', ({ revisits }) => revisits.same.peakMb),
    memory('memory at most, revisits answered 304', ({ revisits }) => revisits.unmodified.peakMb),
    memory(`memory ${quietMs / 1_000} s after the last first visit`, ({ quietMb }) => quietMb),
    memory('… above that of the empty directory', ({ quietMb, idleMb }) => quietMb - idleMb, {
      goal: GOALS.afterwards,
    }),
    { name: 'event loop late, p99', value: of(({ daemon }) => daemon.lagP99Ms), unit: 'ms', goal: GOALS.lag },
  ];
}
