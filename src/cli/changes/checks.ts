import type { CheckReport } from '../../shared/api/watch.ts';
import { isQuiet } from '../../shared/documents/check-words.ts';

const MARKS = { baseline: '▪', changed: '▪', unchanged: '·', failed: '✕' } as const;

/** A mark a check, the newest at the right: how a watch has been doing, at a glance. @param checks newest first */
export function checkStrip(checks: readonly Pick<CheckReport, 'outcome'>[], width: number): string {
  return checks
    .slice(0, width)
    .toReversed()
    .map(({ outcome }) => MARKS[outcome])
    .join('');
}

/** Checks that say the same one after another, told once. */
export interface CheckRun {
  readonly newest: CheckReport;
  readonly oldest: CheckReport;
  readonly count: number;
}

/** @param checks newest first */
export async function* checkRuns(checks: AsyncIterable<CheckReport>): AsyncGenerator<CheckRun> {
  let run: CheckRun | undefined;
  for await (const check of checks) {
    if (run && saysTheSame(run.oldest, check)) {
      run = { newest: run.newest, oldest: check, count: run.count + 1 };
      continue;
    }
    if (run) yield run;
    run = { newest: check, oldest: check, count: 1 };
  }
  if (run) yield run;
}

/** Every change is told by itself, and so is what ended a run of failures. */
function saysTheSame(one: CheckReport, other: CheckReport): boolean {
  if (one.recovered !== undefined || other.recovered !== undefined) return false;
  if (isQuiet(one) && isQuiet(other)) return true;
  if (one.outcome !== other.outcome || one.note !== other.note) return false;
  if (one.outcome === 'failed') return one.reason === other.reason && one.detail === other.detail;
  return one.outcome === 'unchanged';
}
