import type { RealDaemon } from '../../acceptance/real-daemon.ts';
import type { Status } from '../../../src/shared/api/status.ts';

/** What the daemon says of its watches: work of its own, so nothing for within a figure. */
export async function status(daemon: RealDaemon): Promise<Status['watch']> {
  const { data } = await daemon.operator<{ data: Status }>('GET', '/admin/status');
  return data.watch;
}
