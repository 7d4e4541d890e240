import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Mark, type Pace, paceOf, type Reading } from '../site/served.ts';
import type { SiteProcess } from '../site/site-process.ts';

/** Debian's package `urlwatch`, or what else gives the command. */
export function urlwatchIsHere(): boolean {
  return spawnSync('urlwatch', ['--version'], { stdio: 'ignore' }).status === 0;
}

/**
 * urlwatch as it comes, with a job a URL: it is run once, which fills its cache, and once more, when it finds nothing new.
 * The figure is that of the second run between the two marks: neither its start nor its end is in it.
 */
export async function urlwatchPace(
  site: SiteProcess<unknown>,
  urls: readonly string[],
  marks: readonly [Mark, Mark],
): Promise<Pace> {
  const directory = mkdtempSync(join(tmpdir(), 'hydrant-bench-'));
  try {
    writeFileSync(join(directory, 'urls.yaml'), urls.map((url) => `kind: url\nurl: "${url}"\n`).join('---\n'));
    writeFileSync(join(directory, 'hooks.py'), 'import urlwatch\n');
    const first = await run(directory, site, marks);
    if (!first.output.includes('NEW')) throw new Error(`urlwatch found nothing new: ${first.output}`);
    const { output, readings } = await run(directory, site, marks);
    if (output.trim() !== '') throw new Error(`urlwatch found changes where there are none: ${output.slice(0, 500)}`);
    return paceOf(...readings);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function run(
  directory: string,
  site: SiteProcess<unknown>,
  marks: readonly [Mark, Mark],
): Promise<{ output: string; readings: [Reading, Reading] }> {
  const files = { urls: 'urls.yaml', config: 'urlwatch.yaml', hooks: 'hooks.py', cache: 'cache.db' };
  const words = Object.entries(files).flatMap(([name, file]) => [`--${name}`, join(directory, file)]);
  const env = { ...process.env, HOME: directory, PYTHONDONTWRITEBYTECODE: '1' };
  const child = spawn('urlwatch', words, { cwd: directory, stdio: ['ignore', 'pipe', 'inherit'], env });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  const ended = once(child, 'close');
  const reached = await Promise.race([
    site.readings(child.pid ?? -1, marks),
    ended.then(([code]) => Promise.reject(new Error(`urlwatch ended with ${code} before the last URL: ${output}`))),
  ]);
  await ended;
  return { output, readings: reached as [Reading, Reading] };
}
