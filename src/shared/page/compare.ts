import type { Change, Comparison, Ignored } from './change.ts';
import { chunksOf, editsOf, type Edit } from './edits.ts';
import { NO_HISTORY, placeOf, remember, type PageHistory, type Replacement } from './history.ts';
import { hunksOf, type DiffHunk } from './hunks.ts';
import type { Page } from './page.ts';
import { changedLinks, type ChangedLinks, type Link } from './same-link.ts';
import { anchorsOf, textsOf, type IsFurniture } from './unshared.ts';
import { isBareNumber, isCounterLabel, stableTitle, volatileForm } from './volatile.ts';

/**
 * What changed between two pages of one URL. A page seen for the first time (`before` undefined) is all new.
 *
 * A segment is its text: one that only became a heading, or only moved, is no change. What changes by itself is none
 * either: told by its form (`volatile.ts`), or by what the visits before have shown (`history.ts`). Neither is the
 * furniture of the host, on either side: what became furniture since the last visit has not been deleted.
 */
export function compare(before: Page | undefined, after: Page, sight: Sight = {}): Comparison {
  const { history: past = NO_HISTORY, visits = 1, isFurniture = () => false } = sight;
  const { was, is } = textsOf(before, after, isFurniture);
  const edits = editsOf(was, is);
  const links = changedLinks(anchorsOf(before, isFurniture), anchorsOf(after, isFurniture));
  const hunks = (): DiffHunk[] => hunksOf(edits, is);
  if (!before) return { change: changeOf(before, after, edits, links), ignored: [], history: past, hunks };

  const byForm = [...leaveOutVolatile(edits), ...leaveOutCounters(edits, was)];
  const { ignored, history, left } = leaveOutRotating({ edits, was, links }, past, visits);
  const change = changeOf(before, after, edits, left);
  return { change: isNone(change) ? undefined : change, ignored: [...byForm, ...ignored], history, hunks };
}

/** What is known beside the two pages. */
export interface Sight {
  readonly history?: PageHistory;
  /** How many visits after that of the former page this one is: 1 unless nothing differed at those between. */
  readonly visits?: number;
  readonly isFurniture?: IsFurniture;
}

function changeOf(
  before: Page | undefined,
  after: Page,
  edits: readonly Edit[],
  { removed, added }: ChangedLinks,
): Change {
  return {
    chunks: chunksOf(edits),
    addedAnchors: texts(added),
    removedAnchors: texts(removed),
    titleChanged: stableTitle(before?.title) !== stableTitle(after.title),
  };
}

function texts(links: readonly Link[]): string[] {
  return links.map(({ text }) => text);
}

function identityOf({ identity }: Link): string {
  return identity;
}

function isNone({ chunks, addedAnchors, removedAnchors, titleChanged }: Change): boolean {
  return chunks.length + addedAnchors.length + removedAnchors.length === 0 && !titleChanged;
}

/**
 * Characters on each side that are looked at for their form, some 10 ms. A page with more of them has changed, whatever
 * they are.
 */
const LOOKED_AT = 100_000;

/** Takes out the pairs that differ in volatile parts only, wherever they stand: a new item moves the others down. */
function leaveOutVolatile(edits: readonly Edit[]): Ignored[] {
  const deleted = new Map<string, { readonly edit: Edit; readonly at: number }[]>();
  const ignored: Ignored[] = [];
  for (const { edit, at, form } of volatileTexts(edits, 'deleted')) {
    const same = deleted.get(form);
    if (same) same.push({ edit, at });
    else deleted.set(form, [{ edit, at }]);
  }
  if (deleted.size === 0) return ignored;
  for (const { edit, at, form, reason } of volatileTexts(edits, 'inserted')) {
    const gone = deleted.get(form)?.shift();
    if (!gone) continue;
    ignored.push({ before: gone.edit.deleted[gone.at] ?? '', after: edit.inserted[at] ?? '', reason });
    gone.edit.deleted[gone.at] = undefined;
    edit.inserted[at] = undefined;
  }
  return ignored;
}

function* volatileTexts(edits: readonly Edit[], side: 'deleted' | 'inserted') {
  let seen = 0;
  for (const edit of edits) {
    for (const [at, text] of edit[side].entries()) {
      if (text === undefined) continue;
      seen += text.length;
      if (seen > LOOKED_AT) return;
      const found = volatileForm(text);
      if (found) yield { edit, at, ...found };
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

interface Differences {
  readonly edits: readonly Edit[];
  readonly was: readonly string[];
  readonly links: ChangedLinks;
}

/** Takes out what takes turns at its place, and says which links are left. */
function leaveOutRotating({ edits, was, links }: Differences, past: PageHistory, visits: number): Rotating {
  const replaced = edits.flatMap((edit) => replacementIn(edit, was));
  const retargeted = retargetedIn(links);
  const { history, isVolatile } = remember(past, [...replaced, ...retargeted.values()], visits);
  const ignored = replaced.filter(isVolatile).flatMap((replacement) => leaveOut(replacement, 'rotates'));
  const isLeft = (text: string, side: 'before' | 'after'): boolean => {
    const own = retargeted.get(text);
    return own ? !isVolatile(own) : !ignored.some((one) => one[side].includes(text));
  };
  const removed = links.removed.filter(({ text }) => isLeft(text, 'before'));
  const added = links.added.filter(({ text }) => isLeft(text, 'after'));
  const alone = [...retargeted].filter(([, replacement]) => isVolatile(replacement)).map(([text]) => text);
  return { ignored: [...ignored, ...pairs(alone, alone, 'link rotates')], history, left: { removed, added } };
}

interface Rotating {
  readonly ignored: readonly Ignored[];
  readonly history: PageHistory;
  readonly left: ChangedLinks;
}

/** Segments that a teaser is made of; more of them that change together are content. */
const REPLACED = 3;

interface Placed extends Replacement {
  readonly edit: Edit;
}

/** What stands between two neighbours that stayed, when a few segments gave way to as many. */
function replacementIn(edit: Edit, was: readonly string[]): Placed[] {
  const before = edit.deleted.filter((text) => text !== undefined);
  const after = edit.inserted.filter((text) => text !== undefined);
  if (before.length !== after.length || before.length === 0 || before.length > REPLACED) return [];
  return [{ edit, before, after, place: placeOf(was[edit.before.from - 1], was[edit.before.to]) }];
}

/** The links that lead elsewhere under the same text ("Read more"), by that text, which is their place. */
function retargetedIn({ removed, added }: ChangedLinks): Map<string, Replacement> {
  const byText = new Map<string, Replacement>();
  const gone = Map.groupBy(removed, ({ text }) => text);
  for (const [text, after] of Map.groupBy(added, ({ text }) => text)) {
    const before = gone.get(text) ?? [];
    if (before.length !== after.length || after.length > REPLACED) continue;
    byText.set(text, {
      place: placeOf(text, 'link'),
      before: before.map(identityOf),
      after: after.map(identityOf),
    });
  }
  return byText;
}

function leaveOut({ edit, before, after }: Placed, reason: string): Ignored[] {
  edit.deleted.fill(undefined);
  edit.inserted.fill(undefined);
  return pairs(before, after, reason);
}

function pairs(before: readonly string[], after: readonly string[], reason: string): Ignored[] {
  return before.map((text, index) => ({ before: text, after: after[index] ?? '', reason }));
}
