import type { Change, Comparison, Ignored } from './change.ts';
import { contentOf } from './content.ts';
import { chunksOf, editsOf, type Edit } from './edits.ts';
import { linkKey } from './furniture.ts';
import { NO_HISTORY, placeOf, remember, type PageHistory, type Replacement } from './history.ts';
import { hunksOf } from './hunks.ts';
import type { Anchor, Page } from './page.ts';
import { surplus } from './same-link.ts';
import { stableTitle, volatileForm } from './volatile.ts';

/**
 * What changed between two pages of one URL. A page seen for the first time (`before` undefined) is all new.
 *
 * A segment is its text: one that only became a heading, or only moved, is no change. What changes by itself is none
 * either: told by its form (`volatile.ts`), or by what the visits before have shown (`history.ts`). Neither is the
 * furniture of the host, on either side: what became furniture since the last visit has not been deleted.
 */
export function compare(before: Page | undefined, after: Page, sight: Sight = {}): Comparison {
  const { history: past = NO_HISTORY, isFurniture = () => false } = sight;
  const was = texts(before, isFurniture);
  const is = texts(after, isFurniture);
  const edits = editsOf(was, is);
  const ignored = leaveOutVolatile(edits);
  const replacements = before ? edits.flatMap((edit) => replacementIn(edit, was)) : [];
  const hasEdits = before !== undefined && edits.length > 0;
  const { history, isVolatile } = hasEdits ? remember(past, replacements) : { history: past, isVolatile: () => false };
  for (const replacement of replacements) if (isVolatile(replacement)) ignored.push(...leaveOut(replacement));
  const change = changeOf(before, after, edits, isFurniture);
  return { change: isNone(change) && before ? undefined : change, ignored, history, hunks: () => hunksOf(edits, is) };
}

/** What is known beside the two pages. */
export interface Sight {
  readonly history?: PageHistory;
  /** How many visits after that of the former page this one is: 1 unless nothing differed at those between. */
  readonly visits?: number;
  /** Whether a text (or `linkKey` of an anchor) belongs to the site and not to the page. */
  readonly isFurniture?: (key: string) => boolean;
}

function texts(page: Page | undefined, isFurniture: (text: string) => boolean): string[] {
  if (!page) return [];
  return contentOf(page)
    .map(({ text }) => text)
    .filter((text) => !isFurniture(text));
}

function changeOf(
  before: Page | undefined,
  after: Page,
  edits: readonly Edit[],
  isFurniture: (key: string) => boolean,
): Change {
  const anchors = (page: Page | undefined): Anchor[] =>
    page?.anchors.filter((anchor) => anchor.zone !== 'chrome' && !isFurniture(linkKey(anchor))) ?? [];
  const was = anchors(before);
  const is = anchors(after);
  return {
    chunks: chunksOf(edits),
    addedAnchors: surplus(is, was),
    removedAnchors: surplus(was, is),
    titleChanged: stableTitle(before?.title) !== stableTitle(after.title),
  };
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
    deleted.set(form, [...(deleted.get(form) ?? []), { edit, at }]);
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

function leaveOut({ edit, before, after }: Placed): Ignored[] {
  edit.deleted.fill(undefined);
  edit.inserted.fill(undefined);
  return before.map((text, index) => ({ before: text, after: after[index] ?? '', reason: 'rotates or counts' }));
}
