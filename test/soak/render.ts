import { readFileSync } from 'node:fs';
import { loopback, RealDaemon } from '../acceptance/real-daemon.ts';
import { FRAMEWORKS, RenderedShells } from './render/shells.ts';
import { RenderTroubles } from './render/troubles.ts';

/**
 * `npm run soak -- render [checks]`: shells of React, Vue, Svelte, Angular and Lit, rendered; before each check one price of one
 * changes. Each change has to be seen as that one line, a check without a change in between as none, and the memory of the
 * daemon has to come back. Then the pages that a browser cannot be done with, and after each of them a shell again. The first
 * line says what was seen, the others what is wrong with it.
 */
export async function render(count: number): Promise<string[]> {
  const daemon = await RealDaemon.start([...loopback, '--log-level', 'error']);
  const shells = new RenderedShells(daemon);
  const troubles = new RenderTroubles(daemon);
  try {
    await shells.open();
    const before = residentMb(daemon.pid);
    for (let n = 0; n < count; n += 1) {
      await shells.checkChange(n);
      if (n % 20 === 19) process.stderr.write(`  ${n + 1} checks, ${shells.faults.length} faults\n`);
    }
    await shells.checkNothing();
    const grown = residentMb(daemon.pid) - before;
    const growth = grown > MOST_GROWN_MB ? [`the daemon holds ${grown} MB more than before`] : [];
    await troubles.meet(() => shells.checkNothing([FRAMEWORKS[0] ?? '']));
    const faults = [...shells.faults, ...growth, ...troubles.faults];
    const seen = `${count} rendered checks of ${FRAMEWORKS.length} frameworks with a change each, and ${FRAMEWORKS.length} without`;
    return [`${seen}; five troubles: ${faults.length} wrong; the daemon grew by ${grown} MB`, ...faults];
  } finally {
    shells.close();
    await daemon.dispose();
  }
}

const MOST_GROWN_MB = 60;

function residentMb(pid: number): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
  return Math.round(Number(kilobytes) / 1_024);
}
