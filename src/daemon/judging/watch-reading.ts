import type { WatchFindings, WatchOptions } from '../../shared/api/watch.ts';
import { contentOf } from '../../shared/page/content.ts';
import { credible } from '../../shared/page/credible.ts';
import { challenge } from '../../shared/page/doubt.ts';
import { extractSelected, type Extraction } from '../../shared/page/extract.ts';
import { IgnoredLines, isPattern } from '../../shared/page/ignored-lines.ts';
import type { Body, Page } from '../../shared/page/page.ts';
import type { Selection } from '../../shared/page/selection.ts';
import { watchedPage, withoutLines } from '../../shared/page/watched.ts';
import { failed } from './refusals.ts';
import type { WatchRefusal } from './watch-case.ts';

/** What of the options decides which lines a page has, as text: `WatchBaseline.reading`. The order of entries does not count. */
export function readingOf({ select, ignore }: WatchOptions): string {
  const sorted = (entries: readonly string[]): string[] => [...new Set(entries)].sort();
  return JSON.stringify({ select: sorted(select), ignore: sorted(ignore) });
}

/** A page as a watch reads it. */
export interface WatchedReading {
  readonly outcome: 'read';
  /** As the next check compares with it. */
  readonly page: Page;
  /** With all that a query can ask for. */
  readonly whole: Page;
  readonly selected: WatchFindings['selected'];
  readonly ignored: WatchFindings['ignored'];
}

/** The page that a body of any type holds. Never rejects. */
type Extract = (body: Body) => Promise<Extraction>;

/** A page that has just come: what is no page of the watch, but a challenge or nothing at all, is refused. */
export async function readFetched(
  body: Body,
  options: WatchOptions,
  at: number,
  extract: Extract,
): Promise<WatchedReading | WatchRefusal> {
  const selection = selectionOf(options);
  const extraction = selection ? extractSelected(body, selection) : await extract(body);
  const page = extraction.ok ? credible(extraction.page, at) : undefined;
  const asked = await challengeIn(page, body, selection, extract);
  if (asked !== undefined) return failed('challenge', asked);
  if (!extraction.ok) return failed(extraction.reason, extraction.detail);
  if (options.select.length === 0 && contentOf(extraction.page).length === 0) {
    return failed('empty', `The page has no text that could be watched (${body.bytes.length} bytes).`);
  }
  return readingFrom(page ?? extraction.page, options, extraction.found);
}

/** A page that was taken for one already; undefined where nothing can be read of it by these options. */
export async function readKept(body: Body, options: WatchOptions, extract: Extract): Promise<Page | undefined> {
  const selection = selectionOf(options);
  const extraction = selection ? extractSelected(body, selection) : await extract(body);
  return extraction.ok ? readingFrom(extraction.page, options, undefined).page : undefined;
}

function readingFrom(whole: Page, { ignore }: WatchOptions, found: WatchFindings['selected'] = []): WatchedReading {
  const lines = new IgnoredLines(ignore.filter(isPattern));
  const page = watchedPage(whole, withoutLines(whole, lines));
  return { outcome: 'read', page, whole, selected: found, ignored: lines.found };
}

/** Undefined without selectors: the page is then read as the crawl reads it. */
function selectionOf({ select, ignore }: WatchOptions): Selection | undefined {
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
