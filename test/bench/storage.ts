import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outside } from '../../src/daemon/outside.ts';
import { openSqlite } from '../../src/daemon/storage/sqlite/sqlite-storage.ts';
import type { DuePage, Frontier } from '../../src/daemon/storage/frontier.ts';
import type { Pages } from '../../src/daemon/storage/pages.ts';
import { eventFor, seedLead, sourceOf, versionOf, visitOf } from '../fixtures/visits.ts';
import { type BareCommits, bareCommits } from './bare-store.ts';
import { ownCpuMs } from './processes.ts';
import type { Asked, Figure, Outcome } from './row.ts';
import { median, quantile } from './statistics.ts';

const FORMS = {
  whole: { visits: 2_000, together: [1, 16, 64] },
  short: { visits: 64, together: [1, 16] },
};
const BARE = 'bare SQLite';
/** As dense as a page of 20 kB is when it comes packed. */
const body = randomBytes(5_000);

/**
 * Acknowledged commits a second: a visit with a version of 20 kB, which are 5 packed, and one event, alone and several at
 * once. Beside it bare SQLite, which inserts the same bytes into two tables, as many in a commit. `size` is the number
 * of visits.
 */
export async function storage({ isShort, size }: Asked): Promise<Outcome> {
  const { visits, together } = { ...FORMS[isShort ? 'short' : 'whole'], ...(size !== undefined && { visits: size }) };
  const figures: Figure[] = [];
  for (const count of together) {
    // Each waits for the disk.
    const some = count === 1 ? Math.ceil(visits / 10) : Math.ceil(visits / count) * count;
    figures.push(...(await measured(count, some, await bareCommits(count, some, body))));
  }
  return { notes: ['a visit is a version of 5 kB and one event; size: visits at once'], figures };
}

async function measured(together: number, visits: number, bare: BareCommits): Promise<Figure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hydrant-bench-'));
  const opened = await openSqlite({ dataDir, outside });
  try {
    const pages = await seed(opened.frontier, together);
    const delays: number[] = [];
    const [begin, cpu] = [performance.now(), ownCpuMs()];
    await Promise.all(pages.map((page) => commits(opened.pages, page, visits / together, delays)));
    const value = (delays.length * 1_000) / (performance.now() - begin);
    const used = (ownCpuMs() - cpu) / delays.length;
    const of = { size: together, unit: 'ms' };
    return [
      { name: 'commits', size: together, value, unit: '/s', baseline: bare.perSecond, against: BARE },
      { name: 'CPU of a commit', ...of, value: used, baseline: bare.cpuMs, against: BARE },
      { name: 'a commit, p50', ...of, value: median(delays) },
      { name: 'a commit, p99', ...of, value: quantile(delays, 0.99) },
    ];
  } finally {
    await opened.close();
    await rm(dataDir, { recursive: true });
  }
}

async function seed(frontier: Frontier, count: number): Promise<readonly DuePage[]> {
  for (let page = 0; page < count; page += 1) {
    await frontier.putSource(sourceOf(`s${page}`), [seedLead(`http://h${page}.example/`)], 0);
  }
  const { pages } = await frontier.take({ now: 1, atMost: count, leaseMs: 1e9, except: [] });
  return pages;
}

async function commits(pages: Pages, page: DuePage, count: number, delays: number[]): Promise<void> {
  for (let visit = 0; visit < count; visit += 1) {
    const begin = performance.now();
    await pages.commit(
      visitOf(page, {
        at: visit,
        version: { ...versionOf('x'), at: visit, body },
        bodyHash: visit.toString(16).padStart(32, '0'),
        events: [eventFor('tap', `{"url":"http://h.example/","title":"visit ${visit}"}`)],
      }),
    );
    delays.push(performance.now() - begin);
  }
}
