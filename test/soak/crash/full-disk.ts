import { setTimeout as sleep } from 'node:timers/promises';
import type { Status } from '../../../src/shared/api/status.ts';
import { ask } from './ask.ts';
import { writeRule } from './chores.ts';
import type { World } from './world.ts';

const FULL_MS = 700;
const WRITES = 5;
const FILLINGS = 10;

/**
 * The disk is full for a while, under load. What is refused has to say so, and be undone; what is acknowledged all the same
 * (the database has room of its own) is held to that. Then there is room again, and all has to go on.
 */
export async function fillDisk(world: World): Promise<void> {
  const { daemon, operator, disk, findings } = world;
  await fillForCatalog(world);
  for (let write = 0; write < WRITES; write += 1) {
    const status = await operator.grant(Number(operator.next('')));
    // What the database has room for is taken.
    if (status !== undefined && status !== 201 && status !== 503)
      findings.contradict(`a full disk is told as ${status}`);
  }
  await sleep(FULL_MS);
  const status = await ask(daemon, 'GET', '/admin/status');
  const problems = status === undefined ? [] : (JSON.parse(status.body) as { data: Status }).data.problems;
  // What SQLite hears of a limit of the process is an I/O error.
  if (
    status !== undefined &&
    disk.kind === 'tmpfs' &&
    !problems.some(({ message }) => message.includes('disk is full'))
  ) {
    findings.contradict(`a full disk is not in the status: ${JSON.stringify(problems)}`);
  }
  if (!/disk is full|ENOSPC|EFBIG/.test(daemon.log)) findings.contradict('a full disk is not in the log');
}

/**
 * Until a write of the catalog is refused. One that was under way when the disk was filled leaves the room of the backup that
 * it replaces, in which the next one has its place, and so on; what is filled again takes it.
 */
async function fillForCatalog({ daemon, operator, disk, findings }: World): Promise<void> {
  for (let filling = 0; filling < FILLINGS; filling += 1) {
    disk.fill(daemon.pid);
    const status = await operator.makeTap(operator.next('t'));
    if (status === undefined || status === 503) return;
    if (status !== 201) findings.contradict(`a full disk is told as ${status}`);
  }
  findings.contradict(`a disk that was filled ${FILLINGS} times refuses nothing`);
}

export async function emptyDisk(world: World): Promise<void> {
  const { daemon, disk, findings } = world;
  disk.empty(daemon.pid);
  for (let trial = 0; trial < TRIALS; trial += 1) {
    const status = await writeRule(world);
    if (status === undefined || status < 300) return;
    await sleep(100);
  }
  findings.contradict('there is room on the disk, and nothing can be written');
}

/** Some may be refused for being too many in a minute, or too many at all. */
const TRIALS = 20;
