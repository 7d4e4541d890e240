import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Mark, type Pace, paceOf, type Reading } from '../site/served.ts';
import type { SiteProcess } from '../site/site-process.ts';

/** Debian's package `python3-scrapy`, or what else gives the command. */
export function scrapyIsHere(): boolean {
  return spawnSync('scrapy', ['version'], { stdio: 'ignore' }).status === 0;
}

/** Scrapy with a disk frontier on the web of `site`, between the two marks. */
export async function scrapyPace(
  site: SiteProcess<readonly string[]>,
  seeds: readonly string[],
  { marks, concurrency }: { readonly marks: readonly [Mark, Mark]; readonly concurrency: number },
): Promise<Pace> {
  const directory = mkdtempSync(join(tmpdir(), 'hydrant-bench-'));
  const seedFile = join(directory, 'seeds');
  writeFileSync(seedFile, seeds.join('\n'));
  const settings = { JOBDIR: join(directory, 'job'), CONCURRENT_REQUESTS: concurrency, LOG_LEVEL: 'ERROR' };
  const child = spawn(
    'scrapy',
    [
      'runspider',
      join(import.meta.dirname, 'crawl_spider.py'),
      '-a',
      `seeds=${seedFile}`,
      ...Object.entries(settings).flatMap(([name, value]) => ['-s', `${name}=${value}`]),
    ],
    { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' } },
  );
  const ended = once(child, 'exit');
  try {
    const [from, to] = (await Promise.race([
      site.readings(child.pid ?? -1, marks),
      ended.then(([code]) => Promise.reject(new Error(`scrapy ended with ${code} before the last page`))),
    ])) as [Reading, Reading];
    return paceOf(from, to);
  } finally {
    child.kill('SIGKILL');
    await ended;
    rmSync(directory, { recursive: true });
  }
}
