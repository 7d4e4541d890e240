import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { RealDaemon } from '../acceptance/real-daemon.ts';
import { type ProcessFigures, processFigures } from './processes.ts';
import type { Asked, Figure, Outcome } from './row.ts';
import { median } from './statistics.ts';
import { sow, startSite } from './watch/seed.ts';
import { status } from './watch/status.ts';

const FORMS = {
  whole: { watches: 10_000, first: 100, settleMs: 30_000, measuredMs: 60_000, longMs: 600_000, runs: 3 },
  short: { watches: 500, first: 20, settleMs: 500, measuredMs: 500, longMs: 1_000, runs: 1 },
};
/** Each is checked once a day, and none while this runs. */
const EVERY_MS = 24 * 3_600_000;
const BEGIN_MS = 3_600_000;
const MOST_MB = 115;
const MOST_WATCHING_MB = 130;
const FLAGS = ['--allow-private', '127.0.0.0/8', '--log-level', 'warn'];

type Form = (typeof FORMS)['whole'];

/**
 * A daemon that has nothing to do: on an empty directory, and with watches of which none is due for ten minutes. Nothing asks it
 * for anything: RSS and processor time are those of `/proc`. Beside it Node with a timer and nothing else. `size` is the number of
 * watches.
 */
export async function idle({ isShort, size, runs: asked }: Asked): Promise<Outcome> {
  const form = { ...FORMS[isShort ? 'short' : 'whole'] };
  const watches = size ?? form.watches;
  const count = asked ?? form.runs;
  const empty: Idle[] = [];
  while (empty.length < count) empty.push(await withNothing(form));
  const plain = await plainNode(form);
  const watching = await withWatches({ ...form, watches });
  const minutes = form.longMs / 60_000;
  return {
    notes: [
      `${count === 1 ? 'one run' : `medians of ${count} runs`} with an empty directory`,
      `${minutes.toFixed(0)} minutes with watches, once`,
    ],
    figures: figuresOf({ empty, plain, watching, watches }),
  };
}

/** After it has come up; and what it took in the time after that, in ms a minute. */
interface Idle {
  readonly mb: number;
  readonly cpuMs: number;
}

async function withNothing({ settleMs, measuredMs }: Form): Promise<Idle> {
  const daemon = await RealDaemon.start(FLAGS);
  try {
    await sleep(settleMs);
    return await idleFor(daemon.pid, measuredMs);
  } finally {
    await daemon.dispose();
  }
}

interface Watching extends Idle {
  readonly earlyMb: number;
}

async function withWatches({ watches, first, settleMs, longMs }: Form): Promise<Watching> {
  const site = await startSite(watches);
  const daemon = new RealDaemon(FLAGS);
  try {
    await sow(daemon, site, { count: watches, first, beginMs: BEGIN_MS, everyMs: EVERY_MS - BEGIN_MS });
    await daemon.start();
    await sleep(settleMs);
    const { rssMb: earlyMb } = processFigures(daemon.pid);
    const found = await idleFor(daemon.pid, longMs);
    const { outcomes } = await status(daemon);
    if (Object.keys(outcomes).length > 0) throw new Error(`it was not idle: ${JSON.stringify(outcomes)}`);
    return { earlyMb, ...found };
  } finally {
    await daemon.dispose();
    site.close();
  }
}

async function plainNode({ measuredMs }: Form): Promise<ProcessFigures> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1_000)'], { stdio: 'ignore' });
  await sleep(measuredMs);
  const figures = processFigures(child.pid ?? -1);
  child.kill('SIGKILL');
  await once(child, 'exit');
  return figures;
}

async function idleFor(pid: number, ms: number): Promise<Idle> {
  const from = processFigures(pid);
  await sleep(ms);
  const to = processFigures(pid);
  return { mb: to.rssMb, cpuMs: ((to.cpuMs - from.cpuMs) * 60_000) / ms };
}

interface Found {
  readonly empty: readonly Idle[];
  readonly plain: ProcessFigures;
  readonly watching: Watching;
  readonly watches: number;
}

function figuresOf({ empty, plain, watching, watches }: Found): Figure[] {
  const all = empty.map(({ mb }) => mb);
  const against = { baseline: plain.rssMb, against: 'plain Node' };
  return [
    { name: 'memory, empty directory', value: median(all), unit: 'MB', ...against, goal: { atMost: MOST_MB } },
    { name: 'memory, empty directory, least', value: Math.min(...all), unit: 'MB' },
    { name: 'CPU of a minute, empty directory', value: median(empty.map(({ cpuMs }) => cpuMs)), unit: 'ms' },
    { name: 'memory with watches, at first', size: watches, value: watching.earlyMb, unit: 'MB' },
    {
      name: 'memory with watches',
      size: watches,
      value: watching.mb,
      unit: 'MB',
      ...against,
      goal: { atMost: MOST_WATCHING_MB },
    },
    { name: 'CPU of a minute with watches', size: watches, value: watching.cpuMs, unit: 'ms' },
  ];
}
