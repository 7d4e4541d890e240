import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RealDaemon } from '../acceptance/real-daemon.ts';
import type { FarmOptions } from '../fixtures/farm/farm.ts';
import { OwnMatch } from '../fixtures/own-match.ts';
import { plainFetch } from './plain-fetch.ts';
import type { Fetched } from './plain-fetcher.ts';
import type { Asked, Figure, Outcome } from './row.ts';
import type { Status } from '../../src/shared/api/status.ts';
import type { Tap } from '../../src/shared/api/tap.ts';

/** Hosts, pages of each and rules of the two forms. */
const FORMS = {
  whole: { hosts: 100, pagesPerHost: 20, rules: 1_000 },
  short: { hosts: 10, pagesPerHost: 5, rules: 100 },
};
const CONCURRENCY = 32;
const MOST_CPU_SECONDS = 4;
const MOST_MB = 200;
const MOST_LAG_MS = 20;
const FLAGS = ['--allow-private', '127.0.0.0/8', '--crawl-host-delay', '0', '--log-level', 'warn'];

/**
 * The real daemon on a made-up web in another process: robots.txt obeyed, links followed from the front pages, every
 * page through the whole path with all rules registered, everything committed to disk. What counts is processor time of the
 * daemon, all its threads together; the clock tells about the machine's other work, too. Beside it plain undici, which
 * is told the pages and only reads them. `size` is the number of hosts.
 */
export async function crawl({ isShort, size }: Asked): Promise<Outcome> {
  const form = FORMS[isShort ? 'short' : 'whole'];
  const { hosts, pagesPerHost, rules } = { ...form, hosts: size ?? form.hosts };
  const { child, seeds } = await startFarm({ hosts, pagesPerHost });
  const daemon = await RealDaemon.start([...FLAGS, '--crawl-concurrency', String(CONCURRENCY)]);
  try {
    await register(daemon, rules);
    const measured = await measure(daemon, seeds, pagesPerHost);
    await daemon.stop();
    const urls = Array.from({ length: pagesPerHost }, (_, page) =>
      seeds.map((seed) => ({ url: page === 0 ? seed : `${seed}p/${page}` })),
    );
    const plain = await plainFetch({ requests: urls.flat(), concurrency: CONCURRENCY });
    return {
      notes: [
        `${hosts * pagesPerHost} generated pages of 15 kB on ${hosts} hosts, ${rules} rules, concurrency ${CONCURRENCY}`,
      ],
      figures: figuresOf(measured, plain),
    };
  } finally {
    await daemon.dispose();
    child.disconnect();
  }
}

interface Measured {
  readonly pages: number;
  readonly cpuSeconds: number;
  readonly seconds: number;
  readonly mostBytes: number;
  readonly lagP99: number;
}

async function measure(daemon: RealDaemon, seeds: readonly string[], pagesPerHost: number): Promise<Measured> {
  const wanted = seeds.length * pagesPerHost;
  const before = await figures(daemon);
  const began = performance.now();
  await daemon.hydrant(['crawl', 'add', '-', '--scope', 'host', '--max-pages', String(pagesPerHost)], seeds.join('\n'));
  let mostBytes = 0;
  for (;;) {
    const { data: status } = await daemon.operator<{ data: Status }>('GET', '/admin/status');
    const now = await figures(daemon);
    mostBytes = Math.max(mostBytes, now.memory);
    if (status.crawl.visits >= wanted) {
      const seconds = (performance.now() - began) / 1_000;
      return { pages: wanted, cpuSeconds: now.cpu - before.cpu, seconds, mostBytes, lagP99: now.lagP99 };
    }
    await sleep(100);
  }
}

function figuresOf({ pages, cpuSeconds, seconds, mostBytes, lagP99 }: Measured, plain: Fetched): Figure[] {
  const against = 'plain undici';
  return [
    {
      name: 'CPU of 1,000 pages',
      value: (cpuSeconds / pages) * 1_000,
      unit: 's',
      baseline: plain.cpuMs / plain.requests,
      against,
      goal: { atMost: MOST_CPU_SECONDS },
    },
    { name: 'pages', value: pages / seconds, unit: '/s', baseline: plain.requests / plain.seconds, against },
    {
      name: 'memory at most',
      value: mostBytes / 1e6,
      unit: 'MB',
      baseline: plain.peakMb,
      against,
      goal: { atMost: MOST_MB },
    },
    { name: 'event loop late, p99', value: lagP99 * 1_000, unit: 'ms', goal: { atMost: MOST_LAG_MS } },
  ];
}

/** More rules than one organization may make by the API: they are written into the catalog of a stopped daemon. */
async function register(daemon: RealDaemon, count: number): Promise<void> {
  await daemon.hydrant(['tap', 'create', 'bench']);
  const { data } = await daemon.operator<{ data: Tap[] }>('GET', '/v1/taps');
  await daemon.stop();
  const path = join(daemon.dataDir, 'catalog.json');
  const catalog = JSON.parse(readFileSync(path, 'utf8')) as { rules: object[] };
  const made = { tapId: data[0]?.id, nsfw: true, quality: false, createdAt: new Date().toISOString() };
  catalog.rules = new OwnMatch().rules(count).map(({ query }, index) => {
    const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
    // One in a hundred is about words of the pages: one page in thirty matches.
    return Object.assign({ id, value: index % 100 === 0 ? 'title:festival AND harbour' : query }, made);
  });
  writeFileSync(path, JSON.stringify(catalog));
  await daemon.start();
}

interface Figures {
  readonly cpu: number;
  readonly memory: number;
  readonly lagP99: number;
}

async function figures(daemon: RealDaemon): Promise<Figures> {
  const text = await daemon.operatorText('/metrics');
  const read = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
  return {
    cpu: read('process_cpu_seconds_total'),
    memory: read('process_resident_memory_bytes'),
    lagP99: read('nodejs_eventloop_lag_p99_seconds'),
  };
}

async function startFarm(options: FarmOptions): Promise<{ child: ChildProcess; seeds: string[] }> {
  const child = fork(join(import.meta.dirname, 'farm-process.ts'), [JSON.stringify(options)]);
  const [seeds] = (await once(child, 'message')) as [string[]];
  return { child, seeds };
}
