import type { DiffChunk, Match } from '../api/match.ts';
import type { WatchNewsItem } from '../api/watch.ts';
import { type ShownLine, shownHunks } from './shown-change.ts';

/** A match of the log, with what a reader wants of it. */
export interface PastMatch {
  /** `<partition>-<offset>`: stable, one for each match of a tap. */
  readonly id: string;
  readonly tapId: string;
  /** Its name; empty where a tap's token is all we have. */
  readonly tap: string;
  /** ISO-8601 */
  readonly at: string;
  /** http or https. */
  readonly url: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly categories: readonly string[];
  readonly chunks: readonly DiffChunk[];
}

/** An event of the log, or a replayed change. */
interface MatchEvent {
  readonly id: string;
  readonly match: Match;
}

/**
 * Undefined where its address is none of the web: it may not be linked to.
 * @param tags of the rules that matched, or their queries
 * @param tap its name
 */
export function matchOf({ id, match }: MatchEvent, tags: readonly string[], tap: string): PastMatch | undefined {
  const { document } = match;
  const url = URL.parse(document.url);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return undefined;
  return {
    id,
    tapId: match.tap_id,
    tap,
    at: match.matched_at,
    url: url.href,
    title: document.title?.trim() || url.href,
    tags: [...new Set(tags)],
    categories: document.page_category ?? [],
    chunks: document.diff?.chunks ?? [],
  };
}

/** A change of a watch in the form of a match; its tap is called `watches`. */
export function matchOfChange({ cursor, watch, title, check }: WatchNewsItem): PastMatch {
  return {
    id: `watch-${cursor}`,
    tapId: watch.id,
    tap: 'watches',
    at: check.at,
    url: watch.url,
    title: watch.title ?? title ?? watch.url,
    tags: watch.tags && watch.tags.length > 0 ? watch.tags : ['watches'],
    categories: [],
    chunks: shownHunks(check).flatMap(({ lines }) => lines.flatMap(toChunk)),
  };
}

function toChunk({ kind, parts }: ShownLine): DiffChunk[] {
  return kind === 'ctx' ? [] : [{ typ: kind, text: parts.map(({ text }) => text).join('') }];
}
