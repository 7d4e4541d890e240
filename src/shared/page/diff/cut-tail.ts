import { type Edit, editsOf } from './edits.ts';
import type { Ignored } from '../change.ts';
import type { Page } from '../page.ts';

/** Texts of the former page and of the new one. */
export interface Texts {
  readonly was: readonly string[];
  readonly is: readonly string[];
}

interface Shown extends Texts {
  /** What is left out of both. */
  readonly behind: Texts;
}

/**
 * The lines of two pages that can be compared, where one of them was cut for its size. Lines that come in above push the
 * last ones behind the cut, and lines that go let others come up from behind it; neither went nor came. By how many lines
 * the new page is ahead of the former one is told by the end of what they have in common: an old line that would now stand
 * behind the cut of the new page is left out, and so is a new one that would have stood behind the cut of the former.
 */
export function shownByBoth(before: Page | undefined, after: Page, { was, is }: Texts): Shown {
  const [wasCut, isCut] = [goesOn(before), goesOn(after)];
  if (before === undefined || (!wasCut && !isCut)) return { was, is, behind: { was: [], is: [] } };
  const common = endOfCommon(editsOf(was, is), was, is);
  const ahead = common.after - common.before;
  const ends = { was: isCut ? is.length - ahead : was.length, is: wasCut ? was.length + ahead : is.length };
  return {
    was: was.slice(0, ends.was),
    is: is.slice(0, ends.is),
    behind: { was: was.slice(ends.was), is: is.slice(ends.is) },
  };
}

/** The first of the lines that were left out, by name: there may be as many as the limit is high. */
export function namedBehind({ was, is }: Texts): Ignored[] {
  return [
    ...was.slice(0, NAMED).map((text) => ({ before: text, after: '', reason: BEYOND_LIMIT })),
    ...is.slice(0, NAMED).map((text) => ({ before: '', after: text, reason: BEYOND_LIMIT })),
  ];
}

function goesOn(page: Page | undefined): boolean {
  return (page?.cut?.lines ?? 0) > 0;
}

/** What is ignored for that has not changed by itself. */
export const BEYOND_LIMIT = 'beyond the limit';
const NAMED = 20;
/** Equal lines in a row that are the same lines, though none of them stands alone. */
const RUN = 20;

/**
 * The first places of both pages behind the last text that stands once on each, or behind the last long run of equal lines:
 * a list repeats its names and states, so that its last lines may be equal by chance.
 */
function endOfCommon(edits: readonly Edit[], was: readonly string[], is: readonly string[]): Places {
  const [isOnceBefore, isOnceAfter] = [once(was), once(is)];
  let [endBefore, endAfter] = [was.length, is.length];
  // What stands between two edits is equal on both pages; from the last edit on.
  for (let number = edits.length; number >= 0; number -= 1) {
    const edit = edits[number - 1];
    const length = endBefore - (edit?.before.to ?? 0);
    if (length >= RUN) return { before: endBefore, after: endAfter };
    for (let back = 0; back < length; back += 1) {
      const text = was[endBefore - back - 1] ?? '';
      if (isOnceBefore(text) && isOnceAfter(text)) return { before: endBefore - back, after: endAfter - back };
    }
    if (edit) [endBefore, endAfter] = [edit.before.from, edit.after.from];
  }
  return { before: 0, after: 0 };
}

interface Places {
  readonly before: number;
  readonly after: number;
}

function once(texts: readonly string[]): (text: string) => boolean {
  const [found, again] = [new Set<string>(), new Set<string>()];
  for (const text of texts) {
    if (found.has(text)) again.add(text);
    found.add(text);
  }
  return (text) => found.has(text) && !again.has(text);
}
