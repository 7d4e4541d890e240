import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outside } from '../../src/daemon/outside.ts';
import { openEmbedded } from '../../src/daemon/storage/embedded/embedded.ts';
import type { DuePage, Pages } from '../../src/daemon/storage/pages.ts';

const VISITS = 2_000;
const body = new TextEncoder().encode('<p>The ferry sails at nine from the old quay.</p>'.repeat(400));

/** Acknowledged commits a second: a visit with a version of 20 kB and one event, alone and several at once. */
export async function storage(): Promise<string[]> {
  const lines: string[] = [];
  for (const together of [1, 16, 64]) {
    const dataDir = await mkdtemp(join(tmpdir(), 'hydrant-bench-'));
    const opened = await openEmbedded({ dataDir, outside });
    const pages = await seed(opened.pages, together);
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

async function seed(pages: Pages, count: number): Promise<DuePage[]> {
  for (let page = 0; page < count; page += 1) {
    await pages.addSource({ id: `s${page}`, everyMs: 1_000, maxPages: 1 }, `http://h${page}.example/`, 0);
  }
  const due = await pages.due({ now: 1, atMost: count, busyHosts: [] });
  return [...due.pages];
}

async function commits(pages: Pages, { id, sourceIds }: DuePage, count: number, delays: number[]): Promise<void> {
  for (let visit = 0; visit < count; visit += 1) {
    const begin = performance.now();
    await pages.commit({
      pageId: id,
      sourceIds,
      at: visit,
      outcome: 'changed',
      nextDue: visit + 1,
      version: {
        url: 'http://h.example/',
        contentType: 'text/html',
        extractor: 1,
        at: visit,
        page: '{}',
        history: '{}',
        body,
      },
      bodyHash: String(visit),
      events: [{ tapId: 'tap', queryIds: '["r"]', document: `{"url":"http://h.example/","title":"visit ${visit}"}` }],
      discovered: [],
    });
    delays.push(performance.now() - begin);
  }
}
