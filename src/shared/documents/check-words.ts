import { grouped } from '../grouped.ts';
import type { CheckReport } from '../api/watch.ts';
import type { CheckNote } from '../api/watch-values.ts';

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
