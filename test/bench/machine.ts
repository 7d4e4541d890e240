import { cpus, loadavg } from 'node:os';
import { machineCpuMs, ownCpuMs } from './processes.ts';

/** Where and beside what a run was made. Figures of two runs are comparable on one machine at one load only. */
export interface Machine {
  readonly node: string;
  readonly processors: number;
  readonly model: string;
  /** Load average of the last minute. */
  readonly loadBefore: number;
  readonly loadAfter: number;
  /** What processes other than the benchmarks took of all processors, from 0 to 1; absent where the system does not tell. */
  readonly othersShare?: number;
}

/** More than this of the processors, and what else runs is in the figures. */
const QUIET_SHARE = 0.05;
const QUIET_LOAD = 0.5;

/** Begins to look; what it answers is asked at the end of the run. */
export function lookAtMachine(): () => Machine {
  const [loadBefore = 0] = loadavg();
  const [begin, busy, own] = [performance.now(), machineCpuMs(), ownCpuMs(true)];
  return () => {
    const all = (performance.now() - begin) * cpus().length;
    const othersShare = Math.max(0, machineCpuMs() - busy - (ownCpuMs(true) - own)) / all;
    return {
      node: process.versions.node,
      processors: cpus().length,
      model: cpus()[0]?.model ?? 'unknown',
      loadBefore,
      loadAfter: loadavg()[0] ?? 0,
      ...(!Number.isNaN(othersShare) && { othersShare }),
    };
  };
}

/** Why the figures of this run are not to be believed, if so. */
export function disturbances({ loadBefore, othersShare = 0 }: Machine): string[] {
  return [
    ...(loadBefore > QUIET_LOAD ? [`the load average was ${loadBefore.toFixed(2)} before the run began`] : []),
    ...(othersShare > QUIET_SHARE ? [`other processes took ${percent(othersShare)} of the processors meanwhile`] : []),
  ];
}

/** One line; the model only where it is not kept, since it is somebody's machine. */
export function machineLine(machine: Machine, { withModel }: { withModel: boolean }): string {
  const { node, processors, model, loadBefore, loadAfter, othersShare } = machine;
  const others = othersShare === undefined ? '' : `; others took ${percent(othersShare)}`;
  const load = `load ${loadBefore.toFixed(2)} before, ${loadAfter.toFixed(2)} after`;
  return `Node ${node}, ${processors} processors${withModel ? ` (${model})` : ''}, ${load}${others}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
