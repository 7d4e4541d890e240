import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outside } from '../../src/daemon/outside.ts';
import { openEmbedded } from '../../src/daemon/storage/embedded/embedded.ts';
import type { DuePage, Frontier } from '../../src/daemon/storage/frontier.ts';
import type { Pages } from '../../src/daemon/storage/pages.ts';
import { eventFor, seedLead, sourceOf, versionOf, visitOf } from '../fixtures/visits.ts';

const VISITS = 2_000;
/** As dense as a page of 20 kB is when it comes packed. */
const body = randomBytes(5_000);

/** Acknowledged commits a second: a visit with a version of 20 kB, which are 5 packed, and one event, alone and several at once. */
export async function storage(): Promise<string[]> {
  const lines: string[] = [];
  for (const together of [1, 16, 64]) {
    const dataDir = await mkdtemp(join(tmpdir(), 'hydrant-bench-'));
    const opened = await openEmbedded({ dataDir, outside });
    const pages = await seed(opened.frontier, together);
    const delays: number[] = [];
    const begin = performance.now();
    const visits = together === 1 ? VISITS / 10 : VISITS;
    await Promise.all(pages.map((page) => commits(opened.pages, page, visits / together, delays)));
    const perSecond = Math.round((delays.length / (performance.now() - begin)) * 1_000);
    delays.sort((a, b) => a - b);
    const at = (part: number): string => `${(delays[Math.floor(delays.length * part)] ?? 0).toFixed(1)} ms`;
    lines.push(`${String(together).padStart(2)} at once: ${perSecond} commits/s, p50 ${at(0.5)}, p99 ${at(0.99)}`);
    await opened.close();
    await rm(dataDir, { recursive: true });
  }
  return lines;
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
