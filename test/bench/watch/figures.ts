import { readFileSync } from 'node:fs';
import type { RealDaemon } from '../../acceptance/real-daemon.ts';
import type { Status } from '../../../src/shared/api/status.ts';

/** What the system knows of a process, all its threads together. */
export interface ProcessFigures {
  readonly cpuMs: number;
  readonly rssMb: number;
  /** The most there has been. */
  readonly peakMb: number;
}

export interface Figures extends ProcessFigures {
  /** Since the database began. */
  readonly checks: number;
  readonly late: Status['watch']['late_ms'];
}

export async function figures(daemon: RealDaemon): Promise<Figures> {
  const { data: status } = await daemon.operator<{ data: Status }>('GET', '/admin/status');
  return { ...processFigures(daemon.pid), checks: status.watch.checks, late: status.watch.late_ms };
}

export function processFigures(pid: number): ProcessFigures {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // Fields 14 and 15, counted behind the name, which may hold blanks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1_024;
  return {
    cpuMs: (Number(fields[11]) + Number(fields[12])) * MS_A_TICK,
    rssMb: megabytes('VmRSS'),
    peakMb: megabytes('VmHWM'),
  };
}

/** `sysconf(_SC_CLK_TCK)` is 100 on every Linux there is. */
const MS_A_TICK = 10;
