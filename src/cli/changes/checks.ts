import { grouped } from '../../shared/grouped.ts';
import type { CheckReport } from '../../shared/api/watch.ts';
import type { CheckNote } from '../../shared/api/watch-values.ts';

/** Checks in words: what the log, the explanation and the screen say of them. */
const NOTES: Readonly<Record<CheckNote, string>> = {
  not_modified: 'the server says that nothing has changed',
  same_bytes: 'the same page, byte by byte',
  same_text: 'different bytes, but the same lines',
  noise: 'only what changes by itself',
  only: 'a change that --only leaves out',
  trigger: 'a change that does not match the trigger',
  unconfirmed: 'a change that a second check has to confirm',
  flap: 'a change that was gone at the second check',
  options: 'only differences that come from the new options',
};

/** Notes that nobody asks about: nothing happened. */
const QUIET: ReadonlySet<CheckNote | undefined> = new Set([undefined, 'not_modified', 'same_bytes', 'same_text']);

export function isQuiet({ outcome, note, recovered }: CheckReport): boolean {
  return outcome === 'unchanged' && QUIET.has(note) && recovered === undefined;
}

export function noteWords(note: CheckNote): string {
  return NOTES[note];
}

/** `changed: 2 lines added, 1 removed`; with what ended with it. */
export function checkWords(check: CheckReport): string {
  const { outcome, note, reason, detail, recovered } = check;
  const after = recovered === undefined ? '' : `, after ${recovered} failed ${recovered === 1 ? 'check' : 'checks'}`;
  switch (outcome) {
    case 'baseline':
      return `first seen: later checks compare with this${after}`;
    case 'changed':
      return `changed: ${lineWords(check.lines)}${after}`;
    case 'failed':
      return `failed: ${detail ?? reason ?? 'unknown'}${after}`;
    case 'unchanged':
      return `${note === undefined || QUIET.has(note) ? 'nothing new' : `nothing new: ${NOTES[note]}`}${after}`;
  }
}

/** `2 lines added, 1 removed`. */
export function lineWords(lines: CheckReport['lines']): string {
  if (!lines) return 'lines added or removed';
  const { inserted, deleted } = lines;
  const added = inserted === 0 ? [] : [`${counted(inserted)} added`];
  const removed = deleted === 0 ? [] : [`${inserted === 0 ? counted(deleted) : grouped(deleted)} removed`];
  return [...added, ...removed].join(', ') || 'no line';
}

function counted(lines: number): string {
  return `${grouped(lines)} ${lines === 1 ? 'line' : 'lines'}`;
}

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
