import type { Ignored } from '../change.ts';
import { type Edit, leaveOut, replacementIn } from './edits.ts';
import { isBareNumber, isCounterLabel, volatileForm } from './volatile.ts';

/** Takes out of edits the lines that change by themselves, as their form tells, and says which. */
export function leaveOutQuiet(edits: readonly Edit[], was: readonly string[]): Ignored[] {
  return [...leaveOutVolatile(edits), ...leaveOutCounters(edits, was)];
}

/**
 * Characters on each side that are looked at for their form, some 10 ms. A page with more of them has changed, whatever
 * they are.
 */
const LOOKED_AT = 100_000;

/**
 * Takes out the pairs that differ in volatile parts only: those that stand at the same place, then those that stand
 * anywhere, since a new item moves the others down.
 */
function leaveOutVolatile(edits: readonly Edit[]): Ignored[] {
  const deleted = [...volatileTexts(edits, 'deleted')];
  if (deleted.length === 0) return [];
  const inserted = [...volatileTexts(edits, 'inserted')];
  const ignored: Ignored[] = [];
  for (const keyOf of [({ number, form }: Quiet) => `${number} ${form}`, ({ form }: Quiet) => form]) {
    const gone = Map.groupBy(deleted.filter(isLeft), keyOf);
    for (const came of inserted.filter(isLeft)) {
      const went = gone.get(keyOf(came))?.shift();
      if (!went) continue;
      ignored.push({ before: went.text, after: came.text, reason: came.reason });
      went.side[went.at] = undefined;
      came.side[came.at] = undefined;
    }
  }
  return ignored;
}

/** A text that may change by itself, and where it stands. */
interface Quiet {
  readonly text: string;
  readonly form: string;
  readonly reason: string;
  /** Of its edit. */
  readonly number: number;
  readonly side: (string | undefined)[];
  readonly at: number;
}

function isLeft({ side, at }: Quiet): boolean {
  return side[at] !== undefined;
}

function* volatileTexts(edits: readonly Edit[], name: 'deleted' | 'inserted'): Generator<Quiet> {
  let seen = 0;
  for (const [number, { [name]: side }] of edits.entries()) {
    for (const [at, text] of side.entries()) {
      if (text === undefined) continue;
      seen += text.length;
      if (seen > LOOKED_AT) return;
      const found = volatileForm(text);
      if (found) yield { text, ...found, number, side, at };
    }
  }
}

/** Takes out the numbers that stand alone beside the name of a counter. */
function leaveOutCounters(edits: readonly Edit[], was: readonly string[]): Ignored[] {
  return edits.flatMap((edit) => {
    const [replaced] = replacementIn(edit, was);
    if (replaced?.before.length !== 1 || ![...replaced.before, ...replaced.after].every(isBareNumber)) return [];
    return isLabelled(was, edit.before.from - 1, edit.before.to) ? leaveOut(replaced, 'counter') : [];
  });
}

/** Whether the name of a counter stands before or behind a number, and is not that of the next number. */
function isLabelled(was: readonly string[], previous: number, next: number): boolean {
  const names = (label: number, other: number): boolean =>
    isCounterLabel(was[label] ?? '') && !isBareNumber(was[other] ?? '');
  return names(previous, previous - 1) || names(next, next + 1);
}
