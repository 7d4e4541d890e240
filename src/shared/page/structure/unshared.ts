import { contentOf } from './content.ts';
import { Keys } from './boilerplate.ts';
import type { Anchor, Page, Segment } from '../page.ts';

/** Whether a segment or link that has this key (`Keys` of furniture.ts) belongs to the site and not to the page. */
export type IsFurniture = (key: string) => boolean;

/**
 * The texts of two pages of one URL without what their host has on many pages. What is content of one of the two and
 * furniture on the other (it moved out of the main text, or into it) stays on both: it has neither gone nor come.
 */
export function textsOf(before: Page | undefined, after: Page, isFurniture: IsFurniture): Texts {
  const [one, other] = [parted(before, isFurniture), parted(after, isFurniture)];
  return { was: unshared(one, other.content), is: unshared(other, one.content) };
}

export interface Texts {
  readonly was: readonly string[];
  readonly is: readonly string[];
}

interface Parted {
  readonly segments: readonly Segment[];
  /** Which of the segments are furniture. */
  readonly shared: readonly boolean[];
  /** Texts of those that are none. */
  readonly content: ReadonlySet<string>;
}

function parted(page: Page | undefined, isFurniture: IsFurniture): Parted {
  if (!page) return NOTHING;
  const segments = contentOf(page);
  const keys = new Keys(page);
  const shared = segments.map((segment) => isFurniture(keys.ofSegment(segment)));
  return { segments, shared, content: new Set(segments.filter((_, at) => !shared[at]).map(({ text }) => text)) };
}

const NOTHING: Parted = { segments: [], shared: [], content: new Set() };

function unshared({ segments, shared, content }: Parted, other: ReadonlySet<string>): string[] {
  const kept = new Set<string>();
  const stays = ({ text }: Segment, at: number): boolean => {
    if (!shared[at]) return true;
    if (content.has(text) || !other.has(text) || kept.has(text)) return false;
    kept.add(text);
    return true;
  };
  return segments.filter(stays).map(({ text }) => text);
}

/** The links of the content that their host has not on many pages. */
export function anchorsOf(page: Page | undefined, isFurniture: IsFurniture): Anchor[] {
  if (!page) return [];
  const keys = new Keys(page);
  return page.anchors.filter((anchor) => anchor.zone !== 'chrome' && !isFurniture(keys.ofAnchor(anchor)));
}
