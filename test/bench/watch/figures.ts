import type { RealDaemon } from '../../acceptance/real-daemon.ts';
import type { Status } from '../../../src/shared/api/status.ts';
import { type ProcessFigures, processFigures } from '../processes.ts';

export interface Figures extends ProcessFigures {
  /** Since the database began. */
  readonly checks: number;
  readonly late: Status['watch']['late_ms'];
}

export async function figures(daemon: RealDaemon): Promise<Figures> {
  const { data: status } = await daemon.operator<{ data: Status }>('GET', '/admin/status');
  return { ...processFigures(daemon.pid), checks: status.watch.checks, late: status.watch.late_ms };
}
