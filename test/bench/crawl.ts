import { join } from 'node:path';
import { type DaemonRun, daemonRun, type Terms } from './crawl/daemon-run.ts';
import type { AnswerAs } from './crawl/web.ts';
import { beside } from './peers/beside.ts';
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
      runs.push({ daemon: await daemonRun(site, terms), ...(await peers(site, terms)) });
    }
    return {
      notes: [
        `${terms.allPages.toLocaleString('en')} generated pages of 15 kB on ${form.hosts} hosts, ${form.rules} rules, concurrency ${CONCURRENCY}`,
        `${runs.length === 1 ? 'one run' : `medians of ${runs.length} runs`}; steady after ${terms.warm.toLocaleString('en')} pages of a kind`,
        ...(runs[0]?.scrapy ? [] : ['Scrapy is not installed (`apt install python3-scrapy`)']),
      ],
      figures: figuresOf(runs, terms),
    };
  } finally {
    site.close();
  }
}

interface Run extends Peers {
  readonly daemon: DaemonRun;
}

/** What others take for the same pages. CPU: seconds for 1,000. */
interface Peers {
  readonly scrapy: Pace | undefined;
  readonly undici: Pace;
  readonly undici304: Pace;
  readonly parse5: number;
}

async function peers(site: SiteProcess<readonly string[]>, terms: Terms): Promise<Peers> {
  const { warm, pages, pagesPerHost } = terms;
  await site.tell({ kind: 'answer', answers: 'same' } satisfies AnswerAs);
  const seeds = site.ready.map((origin) => `${origin}/`);
  const scrapy = scrapyIsHere()
    ? await scrapyPace(site, seeds, { marks: [{ pages: warm }, { pages }], concurrency: CONCURRENCY })
    : undefined;
  const urls = Array.from({ length: pagesPerHost }, (_, page) =>
    seeds.map((seed) => (page === 0 ? seed : `${seed}p/${page}`)),
  ).flat();
  const fetched = async (only: { readonly etag?: string }): Promise<Pace> => {
    const requests = urls.slice(0, pages).map((url) => Object.assign({ url }, only));
    const all = await plainFetch({ over: 'undici', requests, concurrency: CONCURRENCY, unmeasured: warm });
    return { cpu: all.cpuMs / all.requests, speed: all.requests / all.seconds, peakMb: all.peakMb };
  };
  const undici = await fetched({});
  await site.tell({ kind: 'answer', answers: 'unmodified' } satisfies AnswerAs);
  return {
    scrapy,
    undici,
    undici304: await fetched({ etag: '*' }),
    parse5: await plainParse({ hosts: seeds.length, pagesPerHost, unmeasured: warm, measured: pages - warm }),
  };
}

function figuresOf(runs: readonly Run[], { pages, allPages, quietMs }: Terms): Figure[] {
  const of = (value: (run: Run) => number): number => median(runs.map((run) => value(run)));
  const cpu = (name: string, value: (run: DaemonRun) => Pace, more: Partial<Figure>): Figure[] => {
    const all = runs.map(({ daemon }) => value(daemon).cpu);
    return [
      { name, value: median(all), unit: 's', ...more },
      { name: `${name}, least`, value: Math.min(...all), unit: 's' },
    ];
  };
  const memory = (name: string, value: (run: DaemonRun) => number, more: Partial<Figure> = {}): Figure => {
    return { name, value: of(({ daemon }) => value(daemon)), unit: 'MB', ...more };
  };
  const against = 'plain undici';
  const ofScrapy = runs.flatMap(({ daemon, scrapy }) => (scrapy ? [daemon.steady.cpu / scrapy.cpu] : []));
  return [
    ...cpu('CPU of 1,000 first visits', ({ steady }) => steady, {
      ...beside(
        'Scrapy',
        runs.map(({ scrapy }) => scrapy?.cpu),
      ),
      goal: GOALS.first,
    }),
    ...(ofScrapy.length < runs.length
      ? []
      : [{ name: 'CPU of first visits, of Scrapy', value: median(ofScrapy), unit: '', goal: GOALS.firstOfScrapy }]),
    { name: 'CPU of 1,000 first visits, warming up', value: of(({ daemon }) => daemon.warm.cpu), unit: 's' },
    ...cpu('CPU of 1,000 changed revisits', ({ revisits }) => revisits.changed, {
      baseline: of(({ parse5 }) => parse5),
      against: 'parse5',
      goal: GOALS.changed,
    }),
    ...cpu('CPU of 1,000 unchanged revisits', ({ revisits }) => revisits.same, {
      baseline: of(({ undici }) => undici.cpu),
      against,
      goal: GOALS.same,
    }),
    ...cpu('CPU of 1,000 revisits answered 304', ({ revisits }) => revisits.unmodified, {
      baseline: of(({ undici304 }) => undici304.cpu),
      against,
      goal: GOALS.unmodified,
    }),
    {
      name: 'first visits',
      value: of(({ daemon }) => daemon.steady.speed),
      unit: '/s',
      baseline: of(({ undici }) => undici.speed),
      against,
    },
    memory('memory, empty directory', ({ idleMb }) => idleMb),
    memory('memory at most', ({ peakMb }) => peakMb, {
      size: pages,
      ...beside(
        'Scrapy',
        runs.map(({ scrapy }) => scrapy?.peakMb),
      ),
      goal: GOALS.peak,
    }),
    memory('memory at most', ({ wholePeakMb }) => wholePeakMb, { size: allPages }),
    memory('memory at most at the end, above that at the beginning', (run) => run.lastPeakMb - run.peakMb, {
      size: pages,
      goal: GOALS.growth,
    }),
    memory('memory at most, changed revisits', ({ revisits }) => revisits.changed.peakMb),
    memory('memory at most, unchanged revisits', ({ revisits }) => revisits.same.peakMb),
    memory('memory at most, revisits answered 304', ({ revisits }) => revisits.unmodified.peakMb),
    memory(`memory ${quietMs / 1_000} s after the last first visit`, ({ quietMb }) => quietMb),
    memory('memory after it, above the empty directory', ({ quietMb, idleMb }) => quietMb - idleMb, {
      goal: GOALS.afterwards,
    }),
    { name: 'event loop late, p99', value: of(({ daemon }) => daemon.lagP99Ms), unit: 'ms', goal: GOALS.lag },
    { name: 'a change of a rule acknowledged, p50', value: of(({ daemon }) => daemon.acknowledgedP50Ms), unit: 'ms' },
    { name: 'a change of a rule acknowledged, p99', value: of(({ daemon }) => daemon.acknowledgedP99Ms), unit: 'ms' },
  ];
}
