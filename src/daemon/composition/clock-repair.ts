import type { Outside } from '../outside.ts';
import type { Storage } from '../storage/storage.ts';

export interface ClockRepairDeps {
  readonly storage: Pick<Storage, 'eventLog' | 'recentChanges'>;
  readonly outside: Pick<Outside, 'now'>;
  /** What was found and done, for the log and the status. */
  readonly onRepaired: (message: string) => void;
}

/**
 * One commit under a clock that is ahead gives its time to all that come after it, since times never decrease along a log:
 * nothing is old enough to be dropped until that time comes, and `since` begins too far back. So what is later than now is put
 * right at the start and once a minute, and the operator is notified. What is due too late the crawler brings forward (`crawler.ts`).
 *
 * Nothing is done by a clock that cannot be right: a machine that has lost it begins at 1970, and what was repaired by it
 * would be thrown away as too old a moment later.
 */
export class ClockRepair {
  readonly #deps: ClockRepairDeps;

  constructor(deps: ClockRepairDeps) {
    this.#deps = deps;
  }

  async run(): Promise<void> {
    const { storage, outside, onRepaired } = this.#deps;
    const now = outside.now();
    if (now < EARLIEST) return;
    const events = await storage.eventLog.repairTimes(now);
    const changes = await storage.recentChanges.repairChangeTimes(now);
    if (events + changes === 0) return;
    const what = `${counted(events, 'event')} and ${counted(changes, 'recent change')} later than now`;
    onRepaired(
      `the clock was ahead and had written ${what}; they now have the current time, and are kept for a day from it`,
    );
  }
}

/** No release is older. */
const EARLIEST = Date.UTC(2026, 0, 1);

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
