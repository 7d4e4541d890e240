import { contentOf } from '../structure/content.ts';
import { credible } from '../metadata/credible.ts';
import { challenge } from '../diff/doubt.ts';
import type { Extraction } from '../read/extract.ts';
import { IgnoredLines, isPattern } from './ignored-lines.ts';
import type { Body, Page } from '../page.ts';
import { unreadable } from '../account.ts';
import type { Found, Selection } from './selection.ts';
import { watchedPage, withoutLines } from './watched.ts';

/** A page as a watch reads it. */
export interface WatchedReading {
  readonly outcome: 'read';
  /** As the next check compares with it. */
  readonly page: Page;
  /** With all that a query can ask for. */
  readonly whole: Page;
  readonly selected: readonly Found[];
  readonly ignored: readonly { readonly pattern: string; readonly found: number }[];
}

/** Why there is nothing to be watched: a word, and a sentence for the operator. */
export interface ReadingRefusal {
  readonly outcome: 'failed';
  readonly reason: string;
  readonly detail: string;
}

function failed(reason: string, detail: string): ReadingRefusal {
  return { outcome: 'failed', reason, detail };
}

/** The page that a body of any type holds. Never rejects. */
type Extract = (body: Body) => Promise<Extraction>;

/**
 * A page that has just come: what is no page of the watch, but a challenge or nothing at all, is refused.
 * @param options entries of `ignore` that begin with a slash are expressions, all others are selectors
 * @param at milliseconds since 1970
 */
export async function readFetched(
  body: Body,
  options: Selection,
  at: number,
  extract: Extract,
): Promise<WatchedReading | ReadingRefusal> {
  const selection = selectionOf(options);
  const extraction = await (selection ? readPart(body, selection) : extract(body));
  const page = extraction.ok ? credible(extraction.page, at) : undefined;
  const asked = await challengeIn(page, body, selection, extract);
  if (asked !== undefined) return failed('challenge', asked);
  // What is watched of it by a selector is watched as it is.
  const foreign = page && options.select.length === 0 ? unreadable(page) : undefined;
  if (foreign) return failed(foreign.reason, foreign.detail);
  if (!extraction.ok) return failed(extraction.reason, extraction.detail);
  if (options.select.length === 0 && contentOf(extraction.page).length === 0) {
    return failed('empty', `The page has no text that could be watched (${body.bytes.length} bytes).`);
  }
  return readingFrom(page ?? extraction.page, options, extraction.found);
}

/** A page that was taken for one already; undefined where nothing can be read of it by these options. */
export async function readKept(body: Body, options: Selection, extract: Extract): Promise<Page | undefined> {
  const selection = selectionOf(options);
  const extraction = await (selection ? readPart(body, selection) : extract(body));
  return extraction.ok ? readingFrom(extraction.page, options, undefined).page : undefined;
}

/** Only who watches parts of pages pays for the reader of selectors. */
async function readPart(body: Body, selection: Selection): Promise<Extraction> {
  const { extractSelected } = await import('../read/extract-selected.ts');
  return extractSelected(body, selection);
}

function readingFrom(whole: Page, { ignore }: Selection, found: readonly Found[] = []): WatchedReading {
  const lines = new IgnoredLines(ignore.filter(isPattern));
  const page = watchedPage(whole, withoutLines(whole, lines));
  return { outcome: 'read', page, whole, selected: found, ignored: lines.found };
}

/** Undefined without selectors: the page is then read as the crawl reads it. */
function selectionOf({ select, ignore }: Selection): Selection | undefined {
  const selectors = ignore.filter((entry) => !isPattern(entry));
  return select.length + selectors.length === 0 ? undefined : { select, ignore: selectors };
}

/**
 * Whether the page asks the visitor for something instead of saying what it has to say. A part of a page may look like
 * that ("Please wait"), and a challenge has nothing of what was selected: then all of it is read, to be sure.
 */
async function challengeIn(
  page: Page | undefined,
  body: Body,
  selection: Selection | undefined,
  extract: Extract,
): Promise<string | undefined> {
  const asked = page && challenge(page);
  if (!selection || (page && asked === undefined)) return asked;
  const all = await extract(body);
  return all.ok ? challenge(all.page) : undefined;
}
