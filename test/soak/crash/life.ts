import { setTimeout as sleep } from 'node:timers/promises';
import { emptyDisk, fillDisk } from './full-disk.ts';
import { damageJournal, type Outcome } from './journal-damage.ts';
import type { LifePlan } from './plan.ts';
import { cutPower } from './power-cut.ts';
import { checkFile } from './stored.ts';
import type { World } from './world.ts';

/** How a life ended. */
export interface Death {
  /** The point at which it killed itself; undefined: it was killed. */
  readonly point: string | undefined;
  readonly torn: readonly string[];
  readonly wasFull: boolean;
  /** What became of a copy whose journal was damaged; undefined: none was. */
  readonly damage?: Outcome | undefined;
}

/** One life of the daemon, from its start to its death, with everyone at work. */
export async function live(world: World, plan: LifePlan): Promise<Death> {
  const { daemon, disk, findings, random } = world;
  const hasFallen = await lived(world, plan);
  await daemon.killAtRandom();
  const ended = await daemon.ended;
  if (ended?.signal !== 'SIGKILL') findings.contradict(`the daemon ended by itself: ${daemon.log.slice(-1_000)}`);
  const point = hasFallen ? plan.fault?.replace(/:\d+$/, '') : undefined;
  const torn = plan.tears ? cutPower(daemon.dataDir, random, point === 'group:committed') : [];
  if (plan.diesFull) await startOnFullDisk(world);
  disk.empty(0);
  if (random() < LOOKED_INTO) checkFile(daemon.dataDir, findings);
  const damage = plan.damages === true ? await damageJournal(world) : undefined;
  return { point, torn, wasFull: plan.fillsDisk, damage };
}

/** Whether it came to its end by itself. */
async function lived(world: World, plan: LifePlan): Promise<boolean> {
  const { daemon } = world;
  if (!(await isStarted(world, plan.fault))) return true;
  const calledOff = new AbortController();
  const gone = daemon.ended.then(() => {
    calledOff.abort();
    return true;
  });
  try {
    await world.look();
  } catch (error) {
    // It may have come by its point already.
    if (await Promise.race([gone, sleep(200, false)])) return true;
    throw error;
  }
  const longest = sleep(plan.longestMs, undefined, { signal: calledOff.signal }).catch(() => undefined);
  await world.work(Promise.race([plan.fillsDisk ? withFullDisk(world, plan, longest) : longest, gone]));
  return calledOff.signal.aborted;
}

async function isStarted({ daemon }: World, fault: string | undefined): Promise<boolean> {
  try {
    await daemon.start(fault);
    return true;
  } catch (error) {
    const ended = await daemon.ended;
    if (fault === undefined || ended?.signal !== 'SIGKILL') throw error;
    return false;
  }
}

async function withFullDisk(world: World, plan: LifePlan, first: Promise<unknown>): Promise<void> {
  await first;
  await fillDisk(world);
  if (plan.diesFull) return;
  await emptyDisk(world);
  await sleep(AFTER_FULL_MS);
}

/** It may run, or say why it cannot. */
async function startOnFullDisk(world: World): Promise<void> {
  const { daemon, findings } = world;
  try {
    await daemon.start();
    await daemon.kill();
  } catch {
    const ended = await daemon.ended;
    const words = daemon.log.slice(-2_000);
    if (ended?.exitCode === undefined || !/full|ENOSPC|no space/i.test(words)) {
      findings.contradict(
        `a start on a full disk ends with ${ended?.exitCode ?? ended?.signal ?? 'nothing'}: ${words}`,
      );
    }
  }
}

const AFTER_FULL_MS = 500;
/** Of the deaths, those after which the whole file is read. */
const LOOKED_INTO = 0.15;
