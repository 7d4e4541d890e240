import type { Labels } from '../../shared/label/label.ts';
import type { ChangedPage } from '../../shared/match/document.ts';
import type { Change } from '../../shared/page/change.ts';
import { domainsOf } from '../../shared/page/domain.ts';
import { EXTRACTOR, NO_FACTS, type Page, type PublishTime } from '../../shared/page/page.ts';
import type { RecentChange } from '../storage/recent-changes.ts';
import { packed, unpacked } from './versions.ts';

/**
 * What the rules saw of a change, packed for a day, and read again by whoever tries a query on it. The page itself is
 * kept beside it as its version has it, which costs no second packing: it is read for its labels alone, and only where
 * a query asks for them and no rule had asked before.
 */
interface Kept {
  /** Of the page beside it. */
  readonly extractor: number;
  /** When it was analyzed, milliseconds since 1970: ages are counted from here. */
  readonly at: number;
  readonly url: string;
  readonly title?: string;
  readonly publishTime?: PublishTime;
  readonly dr?: number;
  readonly change: Change;
  /** Where a rule asked for them. */
  readonly labels?: Labels;
}

/** @param at when it was analyzed, milliseconds since 1970 */
export function packedChange(page: Page, at: number, seen: Pick<Kept, 'change' | 'dr' | 'labels'>): Uint8Array {
  const { url, title, publishTime } = page;
  const kept: Kept = {
    extractor: EXTRACTOR,
    at,
    url,
    ...(title !== undefined && { title }),
    ...(publishTime && { publishTime }),
    ...seen,
  };
  return packed(JSON.stringify(kept));
}

/** A change as the matcher sees it, and when that was. */
export interface UnpackedChange {
  readonly changed: ChangedPage;
  readonly at: number;
}

/** Undefined where another version of hydrant kept it, whose pages this one cannot label. Throws on what is no such bytes. */
export function unpackedChange(
  { change: bytes, page: pageBytes }: Pick<RecentChange, 'change' | 'page'>,
  label: (page: Page) => Labels,
): UnpackedChange | undefined {
  const { extractor, at, url, title, publishTime, dr, change, labels } = JSON.parse(unpacked(bytes).toString()) as Kept;
  if (extractor !== EXTRACTOR) return undefined;
  let found = labels;
  const changed: ChangedPage = {
    page: {
      ...WITHOUT_TEXT,
      url,
      ...(title !== undefined && { title }),
      ...(publishTime && { publishTime }),
    },
    change,
    domains: domainsOf(url),
    get labels() {
      return (found ??= label(JSON.parse(unpacked(pageBytes).toString()) as Page));
    },
    ...(dr !== undefined && { dr }),
  };
  return { changed, at };
}

/** The matcher reads the text of the change, and none of the page. */
const WITHOUT_TEXT = { segments: [], anchors: [], links: [], facts: NO_FACTS };
