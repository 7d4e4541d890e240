import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RealDaemon } from '../acceptance/real-daemon.ts';
import type { FarmOptions } from '../fixtures/farm/farm.ts';
import { OwnMatch } from '../fixtures/own-match.ts';
import type { Status } from '../../src/shared/api/status.ts';
import type { Tap } from '../../src/shared/api/tap.ts';

const HOSTS = 100;
const PAGES_A_HOST = 20;
const RULES = 1_000;
const CONCURRENCY = 32;
const FLAGS = ['--allow-private', '127.0.0.0/8', '--crawl-host-delay', '0', '--log-level', 'warn'];

/**
 * The real daemon on a made-up web in another process: robots.txt obeyed, links followed from the front pages, every
 * page through the whole path with a thousand rules armed, everything committed to disk. What counts is processor time
 * of the daemon, all its threads together; the clock tells about the machine's other work, too.
 */
export async function crawl(): Promise<string[]> {
  const { child, seeds } = await startFarm({ hosts: HOSTS, pagesPerHost: PAGES_A_HOST });
  const daemon = await RealDaemon.start([...FLAGS, '--crawl-concurrency', String(CONCURRENCY)]);
  try {
    await arm(daemon);
    return linesOf(await measure(daemon, seeds));
  } finally {
    await daemon.dispose();
    child.disconnect();
  }
}

interface Measured {
  readonly pages: number;
  readonly cpuSeconds: number;
  readonly seconds: number;
  readonly mostMemory: number;
  readonly lagP99: number;
}

async function measure(daemon: RealDaemon, seeds: readonly string[]): Promise<Measured> {
  const wanted = HOSTS * PAGES_A_HOST;
  const before = await figures(daemon);
  const began = performance.now();
  await daemon.hydrant(['crawl', 'add', '-', '--scope', 'host', '--max-pages', String(PAGES_A_HOST)], seeds.join('\n'));
  let mostMemory = 0;
  for (;;) {
    const { data: status } = await daemon.operator<{ data: Status }>('GET', '/admin/status');
    const now = await figures(daemon);
    mostMemory = Math.max(mostMemory, now.memory);
    if (status.crawl.visits >= wanted) {
      const seconds = (performance.now() - began) / 1_000;
      return { pages: wanted, cpuSeconds: now.cpu - before.cpu, seconds, mostMemory, lagP99: now.lagP99 };
    }
    await sleep(100);
  }
}

function linesOf({ pages, cpuSeconds, seconds, mostMemory, lagP99 }: Measured): string[] {
  return [
    `${pages} pages of ${HOSTS} hosts, ${RULES} rules, concurrency ${CONCURRENCY}`,
    `${((cpuSeconds / pages) * 1_000).toFixed(2)} CPU s per 1,000 pages (of all threads)`,
    `${(pages / seconds).toFixed(0)} pages a second`,
    `${(mostMemory / 1_048_576).toFixed(0)} MiB of memory at most`,
    `event loop of the main thread: ${(lagP99 * 1_000).toFixed(1)} ms late at p99`,
  ];
}

/** More rules than one organization may make by the API: they are written into the catalog of a stopped daemon. */
async function arm(daemon: RealDaemon): Promise<void> {
  await daemon.hydrant(['tap', 'create', 'bench']);
  const { data } = await daemon.operator<{ data: Tap[] }>('GET', '/v1/taps');
  await daemon.stop();
  const path = join(daemon.dataDir, 'catalog.json');
  const catalog = JSON.parse(readFileSync(path, 'utf8')) as { rules: object[] };
  const made = { tapId: data[0]?.id, nsfw: true, quality: false, createdAt: new Date().toISOString() };
  catalog.rules = new OwnMatch().rules(RULES).map(({ query }, index) => {
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
