import { setTimeout as sleep } from 'node:timers/promises';
import type { Status } from '../../../src/shared/api/status.ts';
import { ask } from './ask.ts';
import { writeRule } from './chores.ts';
import type { World } from './world.ts';

const FULL_MS = 700;
const WRITES = 5;

/**
 * The disk is full for a while, under load. What is refused has to say so, and be undone; what is acknowledged all the same
 * (the database has room of its own) is held to that. Then there is room again, and all has to go on.
 */
export async function fillDisk(world: World): Promise<void> {
  const { daemon, operator, disk, findings } = world;
  disk.fill(daemon.pid);
  const refused = await operator.makeTap(operator.next('t'));
  if (refused !== undefined && refused !== 503) findings.contradict(`a full disk is told as ${refused}`);
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
