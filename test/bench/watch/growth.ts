import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addWatch, baselineCheckOf, changedCheckOf, checkOf, EVERY_MS } from '../../fixtures/watches.ts';
import { outside } from '../../../src/daemon/outside.ts';
import { openSqlite } from '../../../src/daemon/storage/sqlite/sqlite-storage.ts';
import type { Storage } from '../../../src/daemon/storage/storage.ts';

const HOSTS = 1_000;
const TURNS = 200;
const TOGETHER = 8;
const READS = 200;
const WARM_READS = 100;
const TEXTS = [
  ['one', 'two'],
  ['one', 'three'],
] as const;

export interface TakeRow {
  readonly watches: number;
  /** Processor time of a take and the commit of what it gave, for each check. */
  readonly cpuMs: number;
}

export interface ReadRow {
  readonly history: number;
  /** The newest 50 with their diffs, one in ten a change. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** What a take and eight commits cost by how many watches there are: the storage alone, in this process. */
export async function takes(watches: number): Promise<TakeRow> {
  return within(async (storage) => {
    for (let from = 0; from < watches; from += 100) {
      await Promise.all(
        Array.from({ length: Math.min(100, watches - from) }, (_, index) => add(storage, from + index)),
      );
    }
    // As many as are taken are due at each turn, however few there are in all.
    const stepMs = Math.ceil((EVERY_MS * TOGETHER) / watches);
    let now = EVERY_MS;
    let checks = 0;
    const turn = async (): Promise<void> => {
      now += stepMs;
      const { watches: taken } = await storage.watches.takeWatches({ now, atMost: TOGETHER, leaseMs: 1e6, except: [] });
      await Promise.all(taken.map(({ id }) => storage.watches.commitCheck(checkOf(id, { at: now }))));
      checks += taken.length;
    };
    for (let warm = 0; warm < TURNS; warm += 1) await turn();
    checks = 0;
    const before = process.cpuUsage();
    for (let done = 0; done < TURNS; done += 1) await turn();
    const { user, system } = process.cpuUsage(before);
    return { watches, cpuMs: (user + system) / 1_000 / checks };
  });
}

/** How long the newest 50 of so many entries take to be read. */
export async function reads(history: number): Promise<ReadRow> {
  return within(async (storage) => {
    const { watches } = storage;
    await addWatch(watches, 'w');
    await watches.commitCheck(baselineCheckOf('w', TEXTS[0]));
    for (let from = 2; from <= history; from += 200) {
      const some = Array.from({ length: Math.min(200, history + 1 - from) }, (_, index) => from + index);
      await Promise.all(some.map((n) => watches.commitCheck(nth(n))));
    }
    const delays: number[] = [];
    for (let read = -WARM_READS; read < READS; read += 1) {
      const begin = performance.now();
      await watches.checks('w', { atMost: 50, withDiffs: true });
      if (read >= 0) delays.push(performance.now() - begin);
    }
    delays.sort((one, other) => one - other);
    const at = (part: number): number => delays[Math.floor(delays.length * part)] ?? 0;
    return { history, p50Ms: at(0.5), p99Ms: at(0.99) };
  });
}

async function add({ watches }: Storage, index: number): Promise<void> {
  const id = `w${index}`;
  // Each is due a while after the one before it, as they are after some hours.
  await addWatch(watches, id, { url: `http://h${index % HOSTS}.example/${index}` });
  const nextDue = EVERY_MS + Math.floor((((index * 7_919) % 10_007) / 10_007) * EVERY_MS);
  await watches.commitCheck(checkOf(id, { at: 1_000, nextDue }));
}

function nth(n: number): Parameters<Storage['watches']['commitCheck']>[0] {
  const terms = { at: n * 1_000, keep: Number.MAX_SAFE_INTEGER };
  const [before, after] = n % 20 < 10 ? TEXTS : TEXTS.toReversed();
  return n % 10 === 0 ? changedCheckOf('w', before ?? [], after ?? [], terms) : checkOf('w', terms);
}

async function within<Result>(look: (storage: Storage) => Promise<Result>): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hydrant-bench-'));
  const storage = await openSqlite({ dataDir, outside });
  try {
    return await look(storage);
  } finally {
    await storage.close();
    await rm(dataDir, { recursive: true });
  }
}
