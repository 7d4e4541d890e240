import { type Holding, holdingOf } from './week/readings.ts';
import { Scene } from './week/scene.ts';
import { SimulatedTime } from './week/simulated-time.ts';
import { gapFaults, planFaults, type Plot, quotaFaults, retentionFaults, SKEW_MS } from './week/verdicts.ts';
import { slopeOf } from './slope.ts';
import type { Credit } from '../../src/shared/api/organization.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MB = 1_024 * 1_024;
/** A month ends here, and six hours later summer time does in New York, where the daemon is. */
const MONTH = Date.parse('2026-11-01T00:00:00Z');
/** Looks, each an answer of the daemon. */
const LONG_CALM_LOOKS = 100;
/** What the second half of a week may add: megabytes a day, and files. */
const LIMITS = { heapMb: 1, diskMb: 2, files: 10 } as const;

/**
 * A week of the daemon's life in minutes: its composition in this process, with timers and clock of the soak's own and all
 * else real. With fewer days the same happens, closer together; less than a third of one is too short for it.
 */
export async function week(days: number): Promise<string[]> {
  process.env['TZ'] = 'America/New_York';
  const plot = plotOf(days * DAY_MS);
  const time = new SimulatedTime(plot.from);
  const began = performance.now();
  const scene = await Scene.open(time);
  try {
    const faults = new Set<string>();
    const holdings = await live(scene, plot, faults);
    const { crawl, watch } = await scene.settle();
    for (const fault of [...gapFaults(scene, plot), ...quotaFaults(scene, plot), ...planFaults(scene, plot)])
      faults.add(fault);
    for (const fault of [...scene.errors, ...scene.followers.flatMap((follower) => follower.faults)]) faults.add(fault);
    const seconds = ((performance.now() - began) / 1_000).toFixed(0);
    return [
      `${days} days in ${seconds} s: ${crawl.visits} visits, ${watch.checks} checks, ${scene.followers[0]?.next ?? 0} events`,
      ...growthOf(holdings, days),
      ...[...faults].map((fault) => `FAULT: ${fault}`),
    ];
  } finally {
    await scene.close();
    time.end();
  }
}

function plotOf(spanMs: number): Plot {
  const from = MONTH - 0.2 * spanMs;
  const at = (share: number): number => from + share * spanMs;
  return {
    from,
    month: MONTH,
    slowFrom: at(0.3),
    slowTo: at(0.55),
    expiry: at(0.4),
    revocation: at(0.5),
    clockBack: at(0.6),
    clockRight: at(0.7),
    to: at(1),
  };
}

/** Until the end, a minute at a time; what is held at each hour. */
async function live(scene: Scene, plot: Plot, faults: Set<string>): Promise<Holding[]> {
  const { time } = scene;
  const holdings: Holding[] = [];
  const events = happenings(scene, plot, faults);
  await scene.settle();
  for (let minute = 1; time.now < plot.to; minute += 1) {
    const next = plot.from + minute * MINUTE_MS;
    time.pass(Math.max(1, next - time.now));
    for (const event of events.splice(0, events.findLastIndex(({ at }) => at <= time.now) + 1)) await event.happen();
    // A month that has begun is read before anything is taken, which looks like having nothing to do.
    const isNewMonth = time.now >= plot.month && time.now < plot.month + 2 * MINUTE_MS;
    const status = await scene.settle(isNewMonth ? LONG_CALM_LOOKS : undefined);
    if (minute % 60 !== 0) continue;
    const holding = holdingOf(scene.dataDir);
    holdings.push(holding);
    for (const fault of retentionFaults(holding, plot, time.now)) faults.add(fault);
    if (minute % (24 * 60) === 0) process.stderr.write(`${lineOf(minute / 24 / 60, holding, status.watch.checks)}\n`);
  }
  return holdings;
}

/** In the order of their time. */
function happenings(scene: Scene, plot: Plot, faults: Set<string>): { at: number; happen: () => Promise<void> }[] {
  const limits = (fastest: object) =>
    scene.ask({ method: 'PATCH', path: '/admin/organizations/changing', body: fastest });
  const credit = async (): Promise<number> =>
    (await scene.ask<{ data: Credit }>({ method: 'GET', path: '/admin/credit', organization: 'few' })).data.balance;
  const expect = (isSo: boolean, fault: string): void => void (isSo || faults.add(fault));
  return [
    {
      at: plot.from,
      happen: async () => {
        const body = { balance: 100, expires_in_seconds: Math.round((plot.expiry - scene.time.now) / 1_000) };
        await scene.ask({ method: 'PUT', path: '/admin/credit', body, organization: 'few' });
        expect((await keyStatus(scene)) === 200, 'a key does not open what it should');
      },
    },
    { at: plot.slowFrom, happen: async () => void (await limits({ limits: { fastest_minutes: 60 } })) },
    {
      at: plot.expiry - 2 * MINUTE_MS,
      happen: async () => expect((await credit()) === 100, 'credit is gone before it expires'),
    },
    { at: plot.expiry + 2 * MINUTE_MS, happen: async () => expect((await credit()) === 0, 'expired credit is there') },
    {
      at: plot.revocation,
      happen: async () => {
        const path = `/admin/keys/${scene.key?.data.id ?? ''}`;
        await scene.ask({ method: 'DELETE', path, organization: scene.home });
        expect((await keyStatus(scene)) === 401, 'a revoked key opens something');
      },
    },
    { at: plot.slowTo, happen: async () => void (await limits({ reset_limits: true })) },
    { at: plot.clockBack, happen: async () => void (scene.time.skewMs = -SKEW_MS) },
    { at: plot.clockRight, happen: async () => void (scene.time.skewMs = 0) },
  ];
}

async function keyStatus({ time, url, key }: Scene): Promise<number> {
  const headers = { authorization: `Bearer ${key?.key ?? ''}`, connection: 'close' };
  const answer = await time.during(fetch(`${url}/v1/taps`, { headers }));
  await time.during(answer.text());
  return answer.status;
}

function lineOf(day: number, { heap, rss, files, disk, events, mostChecks }: Holding, checks: number): string {
  const memory = `heap ${(heap / MB).toFixed(1)} MB, RSS ${(rss / MB).toFixed(0)} MB, ${files} files`;
  return `day ${day}: ${memory}, disk ${(disk / MB).toFixed(1)} MB, ${events} events, ${checks} checks (most kept ${mostChecks})`;
}

/** How the second half grew. A span without one full day says nothing of what is kept for a day. */
function growthOf(holdings: readonly Holding[], days: number): string[] {
  const half = holdings.slice(Math.floor(holdings.length / 2));
  const aDay = (of: (holding: Holding) => number): number =>
    24 * slopeOf(half.map((holding, at) => ({ at, value: of(holding) })));
  const [heap, disk] = [aDay((holding) => holding.heap) / MB, aDay((holding) => holding.disk) / MB];
  const files = (half.at(-1)?.files ?? 0) - (half[0]?.files ?? 0);
  const told = `in a day: heap ${heap.toFixed(2)} MB, disk ${disk.toFixed(2)} MB; ${files} files more in the second half`;
  const isTooMuch = heap > LIMITS.heapMb || disk > LIMITS.diskMb || files > LIMITS.files;
  return [`${isTooMuch && days >= 3 ? 'FAULT: ' : ''}${told}`];
}
