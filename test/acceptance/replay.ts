import type { Match } from '../../src/shared/api/match.ts';
import type { Status } from '../../src/shared/api/status.ts';
import type { Series } from '../fixtures/series.ts';
import { PageHosts } from './page-hosts.ts';
import { RealDaemon, until } from './real-daemon.ts';

/** Of each event of a replay, or of each version that should be one, which page and version it is; sorted. */
export interface Replayed {
  readonly seen: readonly string[];
  readonly expected: readonly string[];
}

/**
 * Successive versions of pages, crawled by the real daemon from several hosts, seen through the real tail. Events are numbered
 * without a hole. Two thousand versions of real pages take two minutes of processor time.
 */
export async function replay(series: readonly Series[], withinMs = 300_000): Promise<Replayed> {
  const hosts = await PageHosts.start(series, 12);
  const daemon = await RealDaemon.start();
  try {
    return await replayed(hosts, daemon, withinMs);
  } finally {
    await daemon.dispose();
    await hosts.close();
  }
}

async function replayed(hosts: PageHosts, daemon: RealDaemon, withinMs: number): Promise<Replayed> {
  await daemon.hydrant(['tap', 'create', 'versions']);
  const anyHost = hosts.hostnames.map((host) => `domain:"${host}"`).join(' OR ');
  await daemon.hydrant(['rule', 'add', 'versions', anyHost, '--no-quality']);
  const lines: string[] = [];
  const tail = daemon.run('hydrant', ['tail', 'versions', '--since', '1h', '--json']);
  tail.stdout?.setEncoding('utf8');
  let rest = '';
  tail.stdout?.on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });

  await daemon.hydrant(['crawl', 'add', '-', '--every', '1s'], hosts.urls.join('\n'));
  await until('every version served', () => hosts.done, withinMs);
  const { data: status } = await daemon.operator<{ data: Status }>('GET', '/admin/status');
  await until(`the tail shows ${status.match.events} events`, () => lines.length >= status.match.events);
  tail.kill('SIGINT');
  await tail;

  const matches = lines.map((line) => JSON.parse(line) as Match & { id: string });
  const holes = matches.filter(({ id }, offset) => id !== `0-${offset}`);
  if (holes.length > 0) throw new Error(`events with other numbers than their places: ${JSON.stringify(holes[0])}`);
  const seen = matches.map((match) => hosts.versionAt(match.document.url, Date.parse(match.matched_at)));
  const open = new Set(hosts.open);
  return { seen: seen.filter((version) => !open.has(version)).sort(), expected: hosts.expected.sort() };
}
