import { hash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RealDaemon } from '../../acceptance/real-daemon.ts';
import { farmAddress } from '../../fixtures/farm/farm.ts';
import { checkOf, newWatchOf } from '../../fixtures/watches.ts';
import { processFigures } from '../processes.ts';
import { paceOf, type Reading } from '../site/served.ts';
import { SiteProcess } from '../site/site-process.ts';
import { status } from './status.ts';
import { etagOf, textOf } from './room.ts';
import { outside } from '../../../src/daemon/outside.ts';
import { openSqlite } from '../../../src/daemon/storage/sqlite/sqlite-storage.ts';
import type { Storage } from '../../../src/daemon/storage/storage.ts';
import type { Check, NewWatch } from '../../../src/daemon/storage/watches.ts';
import { readingKey } from '../../../src/daemon/watch/check.ts';
import type { Member, Organization } from '../../../src/shared/api/organization.ts';
import { NO_OPTIONS } from '../../../src/shared/api/watch-values.ts';

const WATCHES_A_HOST = 10;
/** Writes that share a commit. */
const TOGETHER = 250;

export interface FirstChecks {
  /** Milliseconds of processor time of a first check, whose page is read and kept. */
  readonly cpuMs: number;
  readonly peakMb: number;
}

export interface Sowing {
  readonly count: number;
  /** Watches that the daemon itself checks for the first time, all at once; what they found stands for all. */
  readonly first: number;
  /** From the end of this until the first is due, and between two checks of each. */
  readonly beginMs: number;
  readonly everyMs: number;
}

/**
 * So many watches, each checked once, and due from `beginMs` after the end of this: evenly over the rest of one interval, in an
 * order that has nothing to do with their hosts. They are more than a plan allows, and reading all of their pages takes minutes:
 * so most of them are written into the database of a stopped daemon, as the first left theirs.
 */
export async function sow(daemon: RealDaemon, site: SiteProcess<number>, sowing: Sowing): Promise<FirstChecks> {
  const { count, first, beginMs, everyMs } = sowing;
  await daemon.start();
  const { data: organizations } = await daemon.operator<{ data: Organization[] }>('GET', '/admin/organizations');
  const { data: members } = await daemon.operator<{ data: Member[] }>('GET', '/admin/members');
  await daemon.stop();
  const owner = { organizationId: organizations[0]?.id ?? '', memberId: members[0]?.id ?? '' };
  const createdAt = Date.now() - everyMs;
  const all = Array.from({ length: count }, (_, page) =>
    newWatchOf(outside.uuid(), { ...owner, url: urlOf(page, site.ready), createdAt, everyMs }),
  );
  await within(daemon, (storage) => added(storage, all.slice(0, first)));
  const found = await firstChecks(daemon, site, first);
  await within(daemon, async (storage) => {
    await added(storage, all.slice(first));
    await checkedOnce(storage, all, first);
    const beginning = Date.now() + beginMs;
    // None is further ahead than its interval: the daemon would find it a new time, and look more often for a while.
    const withinMs = everyMs - beginMs;
    const due = (page: number): number => beginning + Math.floor(((page * 0.618_033_988_75) % 1) * withinMs);
    await each(all, ({ id }, page) => storage.watches.changeWatch(id, { due: due(page) }));
  });
  return found;
}

/** The site of so many watched pages; it says its port. */
export function startSite(watches: number): Promise<SiteProcess<number>> {
  return SiteProcess.start(join(import.meta.dirname, 'site.ts'), [String(Math.ceil(watches / WATCHES_A_HOST))]);
}

/** Where a watched page of the site is, by its port. */
export function urlOf(page: number, port: number): string {
  return `http://${farmAddress(Math.floor(page / WATCHES_A_HOST))}:${port}/p/${page}`;
}

/** Those that have just been added are due. */
async function firstChecks(daemon: RealDaemon, site: SiteProcess<number>, first: number): Promise<FirstChecks> {
  const warm = Math.ceil(first / 5);
  await daemon.start();
  const [warmed, end] = (await site.readings(daemon.pid, [{ pages: warm }, { pages: first }])) as [Reading, Reading];
  // The last pages were served, and not yet read.
  while ((await status(daemon)).checks < first) await sleep(500);
  const { peakMb } = processFigures(daemon.pid);
  await daemon.stop();
  return { cpuMs: paceOf(warmed, end).cpu, peakMb };
}

async function added({ watches }: Storage, some: readonly NewWatch[]): Promise<void> {
  await each(some, (watch) => watches.addWatch(watch, Number.MAX_SAFE_INTEGER));
}

/** What a first check would have left of those that had none; and of their hosts, that there is no robots.txt. */
async function checkedOnce({ watches, robots }: Storage, all: readonly NewWatch[], first: number): Promise<void> {
  const [sample] = all;
  const baseline = sample && (await watches.watchBaseline(sample.id));
  const text = sample && (await watches.watchText(sample.id, 1))?.text;
  if (!baseline || !text) throw new Error('the first watch was not checked');
  const at = Date.now();
  const found = { outcome: 'baseline', at, baseline, text, isFull: true } satisfies Partial<Check>;
  await each(all.slice(first), async ({ id, target }, index) => {
    const page = first + index;
    const etag = etagOf(page);
    const bodyHash = hash('sha256', textOf(page)).slice(0, 32) + readingKey(NO_OPTIONS);
    await watches.commitCheck(checkOf(id, { ...found, bodyHash, ...(etag !== undefined && { validators: { etag } }) }));
    const { origin } = new URL(target);
    const none = { file: undefined, unreachable: undefined };
    await robots.saveRobotsCopy({ origin, askedAt: at, expiresAt: at + 24 * 3_600_000, ...none });
  });
}

async function each<One>(all: readonly One[], act: (one: One, index: number) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < all.length; from += TOGETHER) {
    await Promise.all(all.slice(from, from + TOGETHER).map((one, index) => act(one, from + index)));
  }
}

async function within(daemon: RealDaemon, look: (storage: Storage) => Promise<void>): Promise<void> {
  const storage = await openSqlite({ dataDir: daemon.dataDir, outside });
  try {
    await look(storage);
  } finally {
    await storage.close();
  }
}
