import { effectiveMs, MINUTE_MS } from './cadence.ts';
import { diffOf, wireDiffOf } from './packed.ts';
import type { Plan } from '../accounts/plans.ts';
import { timestamp } from '../outside.ts';
import type { CheckRecord, WatchRecord } from '../storage/watches.ts';
import type { CheckDetail, CheckReport, CrawlEntry, Watch, WatchProblem, WatchReport } from '../../shared/api/watch.ts';

/** A watch as the API gives it; nothing of its options, its owner or its failures is in it. */
export function watchToWire(watch: WatchRecord): Watch {
  return {
    id: watch.id,
    url: watch.url,
    frequency_minutes: watch.everyMs / MINUTE_MS,
    status: watch.isPaused ? 'paused' : 'active',
    change_count: watch.changeCount,
    last_checked_at: timeOrNull(watch.checkedAt),
    created_at: timestamp(watch.createdAt),
  };
}

/** What came of a check, without why it failed (spec: Crawl entry). */
export async function entryToWire({ outcome, diff, at }: CheckRecord): Promise<CrawlEntry> {
  const hasChanges = outcome === 'changed';
  return {
    diff: hasChanges && diff ? await wireDiffOf(diff) : null,
    has_changes: hasChanges,
    created_at: timestamp(at),
  };
}

export function reportOf(watch: WatchRecord, owner: { readonly member: string; readonly plan: Plan }): WatchReport {
  const { lastChange, isPaused, isHeld } = watch;
  return {
    ...watchToWire(watch),
    member: owner.member,
    options: watch.options,
    effective_minutes: effectiveMs(watch.everyMs, owner.plan) / MINUTE_MS,
    next_check_at: isPaused || isHeld ? null : timestamp(watch.due),
    held: isHeld ? 'quota' : null,
    checks: watch.checks,
    last_success_at: timeOrNull(watch.succeededAt),
    last_change: lastChange ? { n: lastChange.n, at: timestamp(lastChange.at) } : null,
    unseen: watch.unseen,
    problem: problemOf(watch),
  };
}

export function checkToWire(check: CheckRecord): CheckReport {
  const { n, at, outcome, note, failure, status, recovered, inserted, deleted } = check;
  return {
    n,
    at: timestamp(at),
    outcome,
    ...(note !== undefined && { note }),
    ...(failure && { reason: failure.reason, detail: failure.detail }),
    ...statusOf(status ?? failure?.status),
    ...(recovered !== undefined && recovered > 0 && { recovered }),
    ...(outcome === 'changed' && { lines: { inserted: inserted ?? 0, deleted: deleted ?? 0 } }),
  };
}

export async function detailOf(check: CheckRecord): Promise<CheckDetail> {
  return { ...checkToWire(check), ...(check.diff && (await diffOf(check.diff))) };
}

function problemOf({ failures, failingSince, lastFailure }: WatchRecord): WatchProblem | null {
  if (failures === 0 || !lastFailure || failingSince === undefined) return null;
  const { reason, detail, status } = lastFailure;
  return { reason, detail, ...statusOf(status), since: timestamp(failingSince), failures };
}

function statusOf(status: number | undefined): { readonly status?: number } {
  return status === undefined ? {} : { status };
}

function timeOrNull(ms: number | undefined): string | null {
  return ms === undefined ? null : timestamp(ms);
}
