import { setTimeout as pause } from 'node:timers/promises';
import type { CheckReport, WatchReport } from '../../../shared/api/watch.ts';
import type { WatchEndpoints } from '../../client/watches.ts';
import { Progress } from '../../progress.ts';
import { relative } from '../../time.ts';
import type { Session } from '../session.ts';
import { count } from '../count.ts';

/** A watch whose next check is waited for: `checks` is how many it had before. */
export type Awaited = Pick<WatchReport, 'id' | 'url' | 'checks'>;

const LOOK_EVERY_MS = 500;
/** Where the daemon is asked for all watches at once. */
const MANY = 20;
const LOOK_AT_MANY_EVERY_MS = 2_000;

/** The next check of each, by the id of its watch, as far as there is one by `untilMs`. */
export async function nextChecks(
  { context, flags }: Session,
  watches: WatchEndpoints,
  { awaited, untilMs }: { readonly awaited: readonly Awaited[]; readonly untilMs: number },
): Promise<Map<string, CheckReport>> {
  const progress = new Progress(context, { silent: flags.quiet === true || flags.json === true });
  const signal = context.closed ? { signal: context.closed } : {};
  const found = new Map<string, CheckReport>();
  const waiting = new Map(awaited.map((watch) => [watch.id, watch]));
  try {
    for (;;) {
      const reports = await look(watches, [...waiting.keys()]);
      for (const { id, checks } of reports) {
        if (checks <= (waiting.get(id)?.checks ?? Number.POSITIVE_INFINITY)) continue;
        const [check] = await watches.checks(id, { limit: 1 });
        if (check) found.set(id, check);
        waiting.delete(id);
      }
      if (waiting.size === 0 || context.now() >= untilMs) return found;
      progress.tell(() => waitingFor(reports, waiting, context.now()));
      await pause(waiting.size > MANY ? LOOK_AT_MANY_EVERY_MS : LOOK_EVERY_MS, undefined, signal);
    }
  } finally {
    progress.end();
  }
}

async function look(watches: WatchEndpoints, ids: readonly string[]): Promise<WatchReport[]> {
  const [first] = ids;
  return ids.length === 1 && first !== undefined ? [await watches.show(first)] : watches.list();
}

function waitingFor(reports: readonly WatchReport[], waiting: ReadonlyMap<string, Awaited>, now: number): string {
  if (waiting.size > 1) return `waiting for ${count(waiting.size, 'check')}`;
  const report = reports.find(({ id }) => waiting.has(id));
  const due = report?.next_check_at;
  if (!report || !due || Date.parse(due) <= now) return `waiting for a turn of ${report?.url ?? 'its host'}`;
  return `${report.url} is checked ${relative(due, now)}`;
}
