import { statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SmallDisk } from '../soak/crash/small-disk.ts';
import { RealDaemon } from './real-daemon.ts';

let disk: SmallDisk;
beforeAll(() => {
  disk = new SmallDisk();
  return () => disk.close();
});
const daemons: RealDaemon[] = [];
afterAll(async () => {
  for (const daemon of daemons) await daemon.kill();
});

const KIB = 1_024;

test.for([0, 16, 96])(
  'a start on a disk with %i KiB free says that the disk is full, and that it is no bug of ours',
  async (free, { skip }) => {
    if (disk.kind !== 'tmpfs') skip();
    disk.fill(0);
    const ballast = join(disk.directory, 'ballast');
    truncateSync(ballast, statSync(ballast).size - free * KIB);
    const daemon = new RealDaemon([], join(disk.directory, `data-${free}`));
    daemons.push(daemon);
    const { exitCode, stderr } = await daemon.run('hydrantd', ['--port', '0', '--crawl-threads', '1']);
    disk.empty(0);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(/disk .*is full.*; free some space/),
    });
    expect(stderr).not.toMatch(/bug/);
    // With room again, what was begun is gone on with.
    await daemon.start();
    expect(await daemon.stop()).toBe(0);
  },
);
