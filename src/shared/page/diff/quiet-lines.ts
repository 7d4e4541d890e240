import type { Texts } from './cut-tail.ts';
import type { Ignored } from '../change.ts';
import type { Page } from '../page.ts';
import { type Edit, leaveOut, pairs, replacementIn } from './edits.ts';
import { isBareClock, isClockLabel, stampIn } from './clocks.ts';
import { isBareNumber, isCounterLabel } from './counters.ts';
import { hasHappenedAgain } from './relative-time.ts';
import { volatileForm } from './volatile.ts';

/**
 * Takes out of edits the lines that change by themselves, as their form tells, and says which.
 *
 * @param isHeading tells the heading of a section from the label of the line below it; both are short lines
 */
export function leaveOutQuiet(
  edits: readonly Edit[],
  was: readonly string[],
  isHeading: (text: string) => boolean = () => true,
): Ignored[] {
  return [
    ...leaveOutVolatile(edits, was),
    ...leaveOutLabelled(edits, was, 'counter', isCounter),
    ...leaveOutLabelled(edits, was, 'clock', (places) => isClockOfServer(places, isHeading)),
  ];
}

/**
 * Takes out the lines that stand on both pages as often as before, in another zone: what moved between the content and the
 * boilerplate has neither come nor gone.
 */
export function leaveOutMoved(edits: readonly Edit[], { before, after, behind }: Whole): Ignored[] {
  const surplus = new Map<string, number>();
  for (const { deleted, inserted } of edits) {
    for (const text of [...deleted, ...inserted]) if (text !== undefined) surplus.set(text, 0);
  }
  if (surplus.size === 0) return [];
  for (const [{ segments }, sign] of [[after, 1] as const, [before, -1] as const]) {
    for (const { text } of segments) {
      const more = surplus.get(text);
      if (more !== undefined) surplus.set(text, more + sign);
    }
  }
  for (const [texts, sign] of [[behind.was, 1] as const, [behind.is, -1] as const]) {
    for (const text of texts) {
      const more = surplus.get(text);
      if (more !== undefined) surplus.set(text, more + sign);
    }
  }
  return edits.flatMap(({ deleted, inserted }) => [
    ...leaveOutStaying(deleted, surplus, -1),
    ...leaveOutStaying(inserted, surplus, 1),
  ]);
}

interface Whole {
  readonly before: Page;
  readonly after: Page;
  /** Lines of both that are not compared. */
  readonly behind: Texts;
}

/** Leaves holes for the texts of a side that the whole page has no more (`sign` 1) or fewer (-1) of. */
function leaveOutStaying(side: Edit['deleted'], surplus: Map<string, number>, sign: 1 | -1): Ignored[] {
  return side.flatMap((text, at) => {
    if (text === undefined) return [];
    const more = surplus.get(text) ?? 0;
    if (more * sign > 0) {
      surplus.set(text, more - sign);
      return [];
    }
    side[at] = undefined;
    return pairs([text], [text], 'moved between content and boilerplate');
  });
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
function leaveOutVolatile(edits: readonly Edit[], was: readonly string[]): Ignored[] {
  const deleted = [...volatileTexts(edits, 'deleted', was)];
  if (deleted.length === 0) return [];
  const inserted = [...volatileTexts(edits, 'inserted', was)];
  const ignored: Ignored[] = [];
  for (const keyOf of [({ number, form }: Quiet) => `${number} ${form}`, ({ form }: Quiet) => form]) {
    const gone = Map.groupBy(deleted.filter(isLeft), keyOf);
    for (const came of inserted.filter(isLeft)) {
      const went = taken(gone.get(keyOf(came)), came);
      if (!went) continue;
      ignored.push({ before: went.text, after: came.text, reason: came.reason });
      went.side[went.at] = undefined;
      came.side[came.at] = undefined;
    }
  }
  return ignored;
}

/** The first of them that says the same: not that an event has happened again. */
function taken(candidates: Quiet[] | undefined, came: Quiet): Quiet | undefined {
  const at = candidates?.findIndex((went) => !hasHappenedAgain(went.sinceEvents, came.sinceEvents)) ?? -1;
  return at === -1 ? undefined : candidates?.splice(at, 1)[0];
}

/** A text that may change by itself, and where it stands. */
interface Quiet {
  readonly text: string;
  readonly form: string;
  readonly reason: string;
  readonly sinceEvents: NonNullable<ReturnType<typeof volatileForm>>['sinceEvents'];
  /** Of its edit. */
  readonly number: number;
  readonly side: (string | undefined)[];
  readonly at: number;
}

function isLeft({ side, at }: Quiet): boolean {
  return side[at] !== undefined;
}

function* volatileTexts(
  edits: readonly Edit[],
  name: 'deleted' | 'inserted',
  was: readonly string[],
): Generator<Quiet> {
  let seen = 0;
  for (const [number, { [name]: side, before }] of edits.entries()) {
    for (const [at, text] of side.entries()) {
      if (text === undefined) continue;
      seen += text.length;
      if (seen > LOOKED_AT) return;
      const found = volatileForm(text, at === 0 ? was[before.from - 1] : side[at - 1]);
      if (found) yield { text, ...found, number, side, at };
    }
  }
}

/** A line that gave way to another one, between two that stayed. */
interface Places {
  readonly before: string;
  readonly after: string;
  readonly was: readonly string[];
  /** Of the lines that stayed; they may be none. */
  readonly previous: number;
  readonly next: number;
}

/** Takes out the lines that stand alone, where their neighbours say that they change by themselves. */
function leaveOutLabelled(
  edits: readonly Edit[],
  was: readonly string[],
  reason: string,
  isQuiet: (places: Places) => boolean,
): Ignored[] {
  return edits.flatMap((edit) => {
    const [replaced] = replacementIn(edit, was);
    const [before, after] = [replaced?.before[0], replaced?.after[0]];
    if (!replaced || replaced.before.length !== 1 || before === undefined || after === undefined) return [];
    const places = { before, after, was, previous: edit.before.from - 1, next: edit.before.to };
    return isQuiet(places) ? leaveOut(replaced, reason) : [];
  });
}

/** Whether the name of a counter stands before or behind a number, and is not that of the next number. */
function isCounter({ before, after, was, previous, next }: Places): boolean {
  if (!isBareNumber(before) || !isBareNumber(after)) return false;
  const names = (label: number, other: number): boolean =>
    isCounterLabel(was[label] ?? '') && !isBareNumber(was[other] ?? '');
  return names(previous, previous - 1) || names(next, next + 1);
}

/**
 * Whether a time is that at which a server has written its page: the line before names such a time, or nothing is named
 * and it is a time as machines write it, which moved forward. What another label names is a deadline, or an event.
 */
function isClockOfServer({ before, after, was, previous }: Places, isHeading: (text: string) => boolean): boolean {
  const label = was[previous] ?? '';
  if (isClockLabel(label)) return isBareClock(before) && isBareClock(after);
  const [former, recent] = [stampIn(before), stampIn(after)];
  if (former === undefined || recent === undefined || recent < former) return false;
  return isHeading(label) || !isLabel(label);
}

function isLabel(text: string): boolean {
  return text !== '' && text.length <= LABEL_LENGTH && !/[.!?…。]$/u.test(text);
}

const LABEL_LENGTH = 40;
