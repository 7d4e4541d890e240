import { type Change, type Comparison, type Ignored, type PlacedHunk } from './change.ts';
import { namedBehind, shownByBoth, type Texts } from './diff/cut-tail.ts';
import { chunksOf, type Edit, editsOf, leaveOut, pairs, REPLACED, replacementIn } from './diff/edits.ts';
import { NO_HISTORY, type PageHistory, placeOf, remember, type Replacement } from './history.ts';
import { bare, linkHunk, placedHunksOf } from './diff/hunks.ts';
import { type ChangedLinks, changedLinks, type Link, retargetedLinks } from './diff/links.ts';
import type { Page } from './page.ts';
import { leaveOutMoved, leaveOutQuiet } from './diff/quiet-lines.ts';
import { type IsBoilerplate, sharedSentences, textsOf } from './structure/boilerplate.ts';
import { stableTitle } from './diff/volatile.ts';

/**
 * What changed between two pages of one URL. A page seen for the first time (`before` undefined) is all new.
 *
 * A segment is its text: one that only became a heading, or only moved, is no change. What changes by itself is none
 * either: told by its form (`volatile.ts`), or by what the visits before have shown (`history.ts`). Neither is the
 * boilerplate of the host, on either side: what became boilerplate since the last visit has not been deleted.
 */
export function compare(before: Page | undefined, after: Page, sight: Sight = {}): Comparison {
  const { history: past = NO_HISTORY, isBoilerplate = () => false } = sight;
  const texts = textsOf(before, after, isBoilerplate);
  const { was, is, behind } = shownByBoth(before, after, texts);
  const shared = sharedSentences(texts);
  const edits = editsOf(was, is);
  const links = changedLinks(before, after, isBoilerplate);
  if (!before) {
    const change = changeOf(before, after, edits, links);
    return { change, ignored: shared, history: past, ...shown(edits, { was, is }, change) };
  }

  const stayed = leaveOutMoved(edits, { before, after, behind });
  const byForm = leaveOutQuiet(edits, was, headingsOf(after));
  const { ignored, history, left } = leaveOutRotating({ edits, was, links }, past, sight);
  const change = changeOf(before, after, edits, left);
  return {
    change: isNone(change) ? undefined : change,
    ignored: [...namedBehind(behind), ...shared, ...stayed, ...byForm, ...ignored],
    history,
    ...shown(edits, { was, is }, change),
  };
}

/** The change for readers: its lines, and the links that lead elsewhere now. */
function shown(
  edits: readonly Edit[],
  { was, is }: Texts,
  { links }: Change,
): Pick<Comparison, 'hunks' | 'placedHunks'> {
  const placedHunks = (): PlacedHunk[] =>
    placedHunksOf(edits, is).concat(links ? [linkHunk(links, was.length, is.length)] : []);
  return { placedHunks, hunks: () => bare(placedHunks()) };
}

/** Whether a text is a heading of the page. Most pages are never asked; a list of 200,000 times of day may be for each. */
function headingsOf({ segments }: Page): (text: string) => boolean {
  let headings: ReadonlySet<string> | undefined;
  return (text) => {
    headings ??= new Set(segments.filter(({ kind }) => kind === 'heading').map((segment) => segment.text));
    return headings.has(text);
  };
}

/** What is known beside the two pages. */
interface Sight {
  readonly history?: PageHistory;
  /** How many visits after that of the former page this one is: 1 unless nothing differed at those between. */
  readonly visits?: number;
  readonly isBoilerplate?: IsBoilerplate;
  /** Each text of a place that takes turns counts when it first comes back, too. */
  readonly tellsReturns?: boolean;
}

function changeOf(
  before: Page | undefined,
  after: Page,
  edits: readonly Edit[],
  { removed, added }: ChangedLinks,
): Change {
  const links = retargetedLinks({ removed, added });
  return {
    chunks: chunksOf(edits),
    addedAnchors: namesOf(added),
    removedAnchors: namesOf(removed),
    ...(links.length > 0 && { links }),
    titleChanged: saysOther(before?.title, after.title),
  };
}

/** Most titles are what they were; the forms of a counter and a clock take as long to look for as a tenth of the comparison. */
function saysOther(before: string | undefined, after: string | undefined): boolean {
  if (before === after) return false;
  return before === undefined || after === undefined || stableTitle(before) !== stableTitle(after);
}

function namesOf(links: readonly Link[]): string[] {
  return links.map(({ text }) => text);
}

function identityOf({ identity }: Link): string {
  return identity;
}

function isNone({ chunks, addedAnchors, removedAnchors, titleChanged }: Change): boolean {
  return chunks.length + addedAnchors.length + removedAnchors.length === 0 && !titleChanged;
}

interface Differences {
  readonly edits: readonly Edit[];
  readonly was: readonly string[];
  readonly links: ChangedLinks;
}

/** Beyond so many places that changed it is the page that did, and not a teaser on it; to look at each takes memory. */
const MOST_PLACES = 1_000;

/** Takes out what takes turns at its place, and says which links are left. */
function leaveOutRotating({ edits, was, links }: Differences, past: PageHistory, sight: Sight): Rotating {
  const replaced = edits.length > MOST_PLACES ? [] : edits.flatMap((edit) => replacementIn(edit, was));
  const retargeted = retargetedIn(links);
  const { history, isVolatile } = remember(past, [...replaced, ...retargeted.values()], sight);
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
