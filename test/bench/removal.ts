import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outside } from '../../src/daemon/outside.ts';
import { openSqlite } from '../../src/daemon/storage/sqlite/sqlite-storage.ts';
import type { DuePage } from '../../src/daemon/storage/frontier.ts';
import type { Storage } from '../../src/daemon/storage/storage.ts';
import { leadOf, sourceOf, visitOf } from '../fixtures/visits.ts';
import type { Asked, Figure, Outcome } from './row.ts';
import { median, quantile } from './statistics.ts';

const FORMS = { whole: { hosts: 50_000, bystanders: 96 }, short: { hosts: 500, bystanders: 16 } };
const LEADS_A_CALL = 2_000;
const AT_ONCE = 8;
const TAKE = { leaseMs: 1e9, except: [] };
const SMALL_SOURCES = 200;
/** How long anybody's commit may take beside it. */
const GOAL_MS = 100;

interface Beside {
  readonly takes: readonly number[];
  readonly commits: readonly number[];
  readonly ms: number;
}

/**
 * What others wait for while a source of many due hosts, one page each, is removed or paused, or two hundred sources with as
 * many hosts at once: a crawl goes on beside it, which asks for eight pages, of whomever, and commits visits of eight others that it
 * took before. `size` is the number of hosts.
 */
export async function removal({ isShort, size }: Asked): Promise<Outcome> {
  const form = FORMS[isShort ? 'short' : 'whole'];
  const { hosts, bystanders } = { ...form, ...(size !== undefined && { hosts: size }) };
  const figures: Figure[] = [];
  for (const [what, { sources, act }] of Object.entries(ACTS)) {
    const { takes, commits, ms } = await measured(sources, { hosts, bystanders }, act);
    const of = { size: hosts, unit: 'ms' };
    const goal = { atMost: GOAL_MS };
    figures.push(
      { name: `${what}, whole`, ...of, value: ms },
      { name: `${what}: what is next, p50`, ...of, value: median(takes) },
      { name: `${what}: what is next, p99`, ...of, value: quantile(takes, 0.99) },
      { name: `${what}: ${AT_ONCE} commits, p50`, ...of, value: median(commits) },
      { name: `${what}: ${AT_ONCE} commits, p99`, ...of, value: quantile(commits, 0.99), goal },
    );
  }
  return { notes: [`a crawl of ${bystanders} hosts beside it; size: due hosts of what is removed`], figures };
}

const smallSources = Array.from({ length: SMALL_SOURCES }, (_, source) => `small-${source}`);

type Act = (storage: Storage) => Promise<unknown>;

const ACTS: Readonly<Record<string, { readonly sources: readonly string[]; readonly act: Act }>> = {
  'a source is removed': { sources: ['large'], act: ({ frontier }) => frontier.removeSource('large') },
  'a source is paused': {
    sources: ['large'],
    act: ({ frontier }) => frontier.putSource(sourceOf('large', { maxPages: 1e9, isPaused: true }), [], 1),
  },
  '200 sources are removed': {
    sources: smallSources,
    act: ({ frontier }) => Promise.all(smallSources.map((id) => frontier.removeSource(id))),
  },
};

async function measured(
  sources: readonly string[],
  { hosts, bystanders }: { readonly hosts: number; readonly bystanders: number },
  act: Act,
): Promise<Beside> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hydrant-bench-'));
  const storage = await openSqlite({ dataDir, outside });
  try {
    await fill(storage, ['bystander'], bystanders, 0);
    const others = await storage.frontier.take({ ...TAKE, now: 1, atMost: bystanders });
    await fill(storage, sources, hosts, 0);
    const begin = performance.now();
    let isOver = false;
    const acted = act(storage).then(() => (isOver = true));
    const beside = await crawl(storage, others.pages, () => isOver);
    await acted;
    return { ...beside, ms: performance.now() - begin };
  } finally {
    await storage.close();
    await rm(dataDir, { recursive: true });
  }
}

async function fill({ frontier }: Storage, ids: readonly string[], hosts: number, at: number): Promise<void> {
  const each = Math.ceil(hosts / ids.length);
  for (const id of ids) {
    await frontier.putSource(sourceOf(id, { maxPages: 1e9 }), [], 0);
    for (let from = 0; from < each; from += LEADS_A_CALL) {
      const count = Math.min(LEADS_A_CALL, each - from);
      const leads = Array.from({ length: count }, (_, n) => leadOf(`http://${id}-${from + n}.example/`));
      await frontier.offer([{ sourceId: id, leads }], at);
    }
  }
}

/** A turn of the crawl without the fetch, over and over. */
async function crawl(
  { frontier, pages }: Storage,
  others: readonly DuePage[],
  isOver: () => boolean,
): Promise<Omit<Beside, 'ms'>> {
  const takes: number[] = [];
  const commits: number[] = [];
  for (let turn = 0; !isOver() || commits.length === 0; turn += 1) {
    const now = 10 * (turn + 1);
    const begin = performance.now();
    await frontier.take({ ...TAKE, now, atMost: AT_ONCE });
    const end = performance.now();
    takes.push(end - begin);
    const first = (turn * AT_ONCE) % others.length;
    const visited = others.slice(first, first + AT_ONCE);
    await Promise.all(visited.map((page) => pages.commit(visitOf(page, { at: now, nextDue: 1e12 }))));
    commits.push(performance.now() - end);
  }
  return { takes, commits };
}
