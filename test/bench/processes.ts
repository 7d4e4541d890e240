import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** What the system knows of a process, all its threads together. */
export interface ProcessFigures {
  readonly cpuMs: number;
  readonly rssMb: number;
  /** The most there has been. */
  readonly peakMb: number;
}

/** Linux only: read from /proc. Of a process that is gone, the error of the file that is gone. */
export function processFigures(pid: number | 'self'): ProcessFigures {
  const [user = 0, system = 0] = ticksOf(pid);
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string): number =>
    (Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * 1_024) / 1e6;
  return { cpuMs: (user + system) * MS_A_TICK, rssMb: megabytes('VmRSS'), peakMb: megabytes('VmHWM') };
}

/** Milliseconds of processor time of this process; `withChildren` adds those that have ended and all theirs. */
export function ownCpuMs(withChildren = false): number {
  if (!withChildren) {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
  return existsSync('/proc/self/stat')
    ? ticksOf('self').reduce((sum, ticks) => sum + ticks, 0) * MS_A_TICK
    : Number.NaN;
}

/**
 * Milliseconds of processor time of a server, of the processes that it has started and that run, and of those that have ended. One
 * that ends at this moment may be missing.
 */
export function familyCpuMs(pid: number): number {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === pid);
  const running = children.flatMap((child) => {
    try {
      return ticksOf(Number(child)).slice(0, 2);
    } catch {
      return [];
    }
  });
  return [...ticksOf(pid), ...running].reduce((sum, ticks) => sum + ticks, 0) * MS_A_TICK;
}

function parentOf(pid: string): number | undefined {
  try {
    return fieldsOf(pid).map(Number)[1];
  } catch {
    return undefined;
  }
}

/** What all processors have been busy with since the machine began, in milliseconds; not a number where it is not told. */
export function machineCpuMs(): number {
  if (!existsSync('/proc/stat')) return Number.NaN;
  const [first = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = first.split(/\s+/).slice(1).map(Number);
  return (user + nice + system + irq + softirq + steal) * MS_A_TICK;
}

/** How many files a process may have open; Node has raised its own limit as far as it may. */
export function openFileLimit(): number {
  const limits = existsSync('/proc/self/limits') ? readFileSync('/proc/self/limits', 'utf8') : '';
  return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Infinity);
}

/** User and system time of a process, then of its children that have ended: fields 14 to 17 of proc_pid_stat(5). */
function ticksOf(pid: number | 'self'): number[] {
  return fieldsOf(String(pid)).slice(11, 15).map(Number);
}

/** From the third field on, the state; the second is a name, which may hold blanks. */
function fieldsOf(pid: string): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** `sysconf(_SC_CLK_TCK)` is 100 on every Linux there is. */
const MS_A_TICK = 10;
