import { setTimeout as pause } from 'node:timers/promises';
import type { CheckReport, WatchReport } from '../../../shared/api/watch.ts';
import { checkWords } from '../../../shared/documents/check-words.ts';
import { Refused } from '../../client/transport.ts';
import type { WatchEndpoints } from '../../client/watches.ts';
import { type ExitCode, exitCode } from '../../runtime/exit-code.ts';
import { Failure, UsageError } from '../../runtime/failure.ts';
import { printable } from '../../../shared/text/printable.ts';
import { duration, relative } from '../../text/time.ts';
import { inSteps } from '../../client/client.ts';
import type { Session } from '../session.ts';
import { count } from '../../../shared/text/plural.ts';
import { findWatches, openWatches, operatorOnly } from './watch-names.ts';
import { Progress } from '../../runtime/output.ts';

/** `hydrant watch check`: now, as far as hosts and robots.txt allow it. Answers the exit code. */
interface CheckFlags {
  readonly all?: true | undefined;
  /** Undefined: on a terminal. */
  readonly wait?: boolean | undefined;
  /** Seconds. */
  readonly timeout?: number | undefined;
}

/** Longer than one check may take. */
export const CHECK_TIMEOUT_SECONDS = 150;

export async function checkWatches(session: Session, wanted: readonly string[], flags: CheckFlags): Promise<ExitCode> {
  if ((flags.all === true) === wanted.length > 0) {
    throw new UsageError('name the watches to check, or give --all', { try: 'hydrant watch check --all' });
  }
  const { out, context } = session;
  const watches = operatorOnly(await openWatches(session), '`hydrant watch check`');
  const chosen = choose(await watches.list(), wanted);
  const asked = await order(session, watches, { chosen, isAll: flags.all === true });
  if (!(flags.wait ?? out.forPeople)) {
    tellOrdered(session, asked);
    return exitCode.ok;
  }
  const seconds = flags.timeout ?? CHECK_TIMEOUT_SECONDS;
  const untilMs = context.now() + seconds * 1_000;
  const found = await nextChecks(session, watches, { awaited: asked, untilMs });
  const results = asked.flatMap(({ id, url }) => {
    const result = found.get(id);
    return result ? [{ id, url, check: result }] : [];
  });
  tell(session, results);
  const missing = asked.length - results.length;
  if (missing > 0) {
    const words = `${count(missing, 'check')} not made within ${duration(seconds * 1_000)}; they are still due`;
    throw new Failure('timeout', exitCode.tryAgain, words, { try: 'hydrant watch list' });
  }
  return codeOf(results);
}

function choose(all: readonly WatchReport[], wanted: readonly string[]): WatchReport[] {
  if (wanted.length > 0) return findWatches(all, wanted);
  const active = all.filter(({ status }) => status === 'active');
  if (active.length > 0) return active;
  throw new UsageError(all.length === 0 ? 'nothing is watched yet' : 'all watches are paused', {
    try: all.length === 0 ? 'hydrant watch add https://example.org/' : 'hydrant watch resume <watch>',
  });
}

/** Those that are due now. With --all one that was paused or removed meanwhile is passed over. */
async function order(
  session: Session,
  watches: WatchEndpoints,
  { chosen, isAll }: { readonly chosen: readonly WatchReport[]; readonly isAll: boolean },
): Promise<WatchReport[]> {
  const due = async (watch: WatchReport): Promise<WatchReport[]> => {
    try {
      const { checks = watch.checks, under_way: isUnderWay } = await watches.checkNow(watch.id);
      // A check that began before it was asked for knows nothing of what the page says by now.
      return [{ ...watch, checks: isUnderWay === true ? checks + 1 : checks }];
    } catch (error) {
      if (!(error instanceof Refused) || !isSkipped(error, isAll)) throw error;
      session.out.notice(`${watch.url}: ${error.message}`);
      return [];
    }
  };
  return (await inSteps(chosen, due)).flat();
}

function isSkipped({ status, details }: Refused, isAll: boolean): boolean {
  return isAll && (status === 404 || (status === 422 && details.field === 'status'));
}

function tellOrdered({ out }: Session, asked: readonly WatchReport[]): void {
  for (const { id, url } of asked) {
    const next = asked.length === 1 ? { next: `hydrant watch log ${id.slice(0, 8)}` } : {};
    out.done({ id, url, asked: true }, { id, notice: `${url} is due now`, ...next });
  }
}

interface Result {
  readonly id: string;
  readonly url: string;
  readonly check: CheckReport;
}

function tell({ out, flags }: Session, results: readonly Result[]): void {
  const sorted = results.toSorted((one, other) => WEIGHT[other.check.outcome] - WEIGHT[one.check.outcome]);
  // A program is told a line each, however many there are: it need not know how many it asked for.
  if (flags.json === true || sorted.length === 1) {
    for (const result of sorted) tellOne(out, result);
  } else if (sorted.length > 1) {
    out.list(sorted, {
      id: ({ id }) => id,
      columns: [
        { title: 'url', show: ({ url }) => url },
        { title: 'check', show: ({ check: found }) => checkWords(found), plain: ({ check: found }) => found.outcome },
      ],
      none: '',
    });
  }
  const failed = results.find(isOutcome('failed'));
  const changed = results.filter(isOutcome('changed'));
  if (failed) out.notice('later checks still compare with the last good version', next('explain', failed));
  else if (changed[0]) out.notice(`${count(changed.length, 'change')} found`, next('diff', changed[0]));
}

function tellOne(out: Session['out'], result: Result): void {
  const { id, url, check: found } = result;
  out.one(result, { id, lines: [printable(checkWords(found))], plain: [`${printable(url)}\t${found.outcome}`] });
}

function isOutcome(outcome: CheckReport['outcome']): (result: Result) => boolean {
  return (result) => result.check.outcome === outcome;
}

function next(verb: string, { id }: Result): string {
  return `hydrant watch ${verb} ${id.slice(0, 8)}`;
}

const WEIGHT = { failed: 3, changed: 2, baseline: 1, unchanged: 0 } as const;

function codeOf(results: readonly Result[]): ExitCode {
  if (results.some(isOutcome('failed'))) return exitCode.failed;
  return results.some(isOutcome('changed')) ? exitCode.changed : exitCode.ok;
}

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
  if (!report || !due || Date.parse(due) <= now) return `waiting for the host of ${report?.url ?? 'the watch'}`;
  return `${report.url} is checked ${relative(due, now)}`;
}
