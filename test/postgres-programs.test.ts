import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { fork } from 'node:child_process';
import { expect, test } from 'vitest';
import { until } from './acceptance/real-daemon.ts';
import { hasPostgres, serverPid, WITHOUT_POSTGRES } from './postgres-programs.ts';

test.skipIf(!hasPostgres)(
  `a run that is killed leaves no PostgreSQL behind${hasPostgres ? '' : `: ${WITHOUT_POSTGRES}`}`,
  async () => {
    const run = fork(join(import.meta.dirname, 'fixtures/postgres-user.ts'), { stdio: 'ignore' });
    const [directory] = (await once(run, 'message')) as [string];
    const pid = serverPid(join(directory, 'data')) ?? 0;
    expect(isAlive(pid)).toBe(true);
    run.kill('SIGKILL');
    await until('the server and its files are gone', () => !isAlive(pid) && !existsSync(directory));
  },
);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
