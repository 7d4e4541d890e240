import type { Labels } from '../label/label.ts';
import type { Change } from '../page/change.ts';
import type { Page } from '../page/page.ts';
import { PUBLISHED_AHEAD_SECONDS } from '../limits.ts';
import type { FieldName, NumberField } from '../query/fields.ts';

/** A changed page as the matcher sees it. */
export interface ChangedPage {
  readonly page: Page;
  readonly change: Change;
  /** The host, and its parents down to the registrable domain (decisions: Rules and queries). */
  readonly domains: readonly string[];
  /** Read when a rule that may match asks for them, and no sooner: to find them takes as long as to read the page. */
  readonly labels: Labels;
  /** Domain rating, 0 to 100; absent for a domain that nobody rated. */
  readonly dr?: number;
}

/**
 * What the matcher reads of a document: the values of its fields. A field without a value is absent and never
 * matches. The values of a multi-valued field stand 100 positions apart.
 */
export interface FieldValues {
  readonly texts: Readonly<Partial<Record<FieldName, readonly string[]>>>;
  readonly numbers: Readonly<Partial<Record<NumberField, number>>>;
  /** Seconds until the publish time that the page says, where that lies too far ahead to be one. */
  readonly ahead?: number;
}

/** Positions between two values of a field: no phrase runs from one chunk into the next (decisions). */
export const GAP = 100;

/** The fields of a changed page at `now`, milliseconds since 1970. */
export function valuesOf(changed: ChangedPage, now: number): FieldValues {
  const { page, change, domains, dr } = changed;
  const { title, publishTime, futureTime } = page;
  return {
    texts: {
      added: change.chunks.filter((chunk) => chunk.typ === 'ins').map((chunk) => chunk.text),
      removed: change.chunks.filter((chunk) => chunk.typ === 'del').map((chunk) => chunk.text),
      added_anchor: change.addedAnchors,
      removed_anchor: change.removedAnchors,
      url: [page.url],
      domain: domains,
      ...(title !== undefined && { title: [title] }),
      ...(publishTime && { publish_time: [publishTime.local] }),
      get language() {
        const { language } = changed.labels;
        return language ? [language.value] : [];
      },
      get page_type() {
        return changed.labels.pageTypes.map(({ value }) => value);
      },
      get page_category() {
        return changed.labels.categories.map(({ value }) => value);
      },
    },
    numbers: {
      ...(publishTime && { age: ageOf(publishTime.instant, now) }),
      ...(dr !== undefined && { dr }),
    },
    ...(futureTime && { ahead: (futureTime.instant - now) / 1_000 }),
  };
}

/**
 * Seconds since publication, not rounded: a page of seven days and half a second is older than seven days. A date a
 * few hours ahead (a wall clock without its zone, a clock that is fast) means now: such a page is matched once, and
 * any filter of age would drop it.
 */
function ageOf(instant: number, now: number): number {
  const age = (now - instant) / 1_000;
  return age < 0 && age >= -PUBLISHED_AHEAD_SECONDS ? 0 : age;
}
