import type { WatchExplanation, WatchOptions } from '../../shared/api/watch.ts';
import type { FetchedBody } from '../fetch/fetched.ts';
import type { Check, WatchBaseline } from '../storage/watches.ts';
import type { Extraction } from '../../shared/page/read/extract.ts';

/** One fetched page of a watch, with all that is needed to analyze it. Crosses into an analysis thread. */
export interface WatchInput {
  readonly fetched: Pick<FetchedBody, 'url' | 'contentType' | 'bytes' | 'headers' | 'hash' | 'status'>;
  readonly at: number;
  readonly options: WatchOptions;
  /** Undefined before the first success. */
  readonly last: WatchBaseline | undefined;
  /** As `WatchState.doubtedAt`. */
  readonly doubtedAt: number | undefined;
  /** As `WatchState.doubt`. */
  readonly doubt?: string | undefined;
  /** How many checks after the baseline's this one is. */
  readonly visits: number;
  /** Domain Rating of the page's domain; looked up where there is a trigger to ask for it. */
  readonly dr?: number | undefined;
  /** Of a PDF, which another thread has read. */
  readonly extraction?: Extraction;
}

/**
 * What a check found, before anything of it is durable. It grows on its way, as a `PageFinding` does: the analysis makes it,
 * or the answer of the server where there is nothing to analyze; the check adds what was asked and answered, and the commit
 * the rest.
 */
export interface CheckFinding extends Pick<Check, 'outcome'>, Partial<Pick<Check, Kept>>, Partial<Explained> {
  /** When it failed: a word, and a sentence. */
  readonly reason?: string;
  readonly detail?: string;
  /** Another host than the watch's own, where a redirect led, is to be left alone until then; ms since 1970. */
  readonly until?: number;
  readonly notes?: { readonly fault?: string };
  /** Milliseconds that threads have spent on the page. */
  readonly spentMs?: number;
}

/** What `hydrant watch explain` shows beside the check; without a request, that of the last check stays. */
export type Explained = Omit<WatchExplanation, 'check'>;

/** What of a check is committed as it was found. */
type Kept =
  | 'note'
  | 'status'
  | 'baseline'
  | 'bodyHash'
  | 'validators'
  | 'isFull'
  | 'doubtedAt'
  | 'doubt'
  | 'text'
  | 'diff'
  | 'title';

/** What of the options decides which lines a page has, as text: `WatchBaseline.reading`. The order of entries does not count. */
export function readingOf({ select, ignore }: WatchOptions): string {
  const sorted = (entries: readonly string[]): string[] => [...new Set(entries)].sort();
  return JSON.stringify({ select: sorted(select), ignore: sorted(ignore) });
}
