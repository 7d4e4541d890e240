import type { WatchFindings, WatchOptions } from '../../shared/api/watch.ts';
import type { CheckNote } from '../../shared/api/watch-values.ts';
import type { FetchedBody } from '../fetch/fetched.ts';
import type { PackedDiff, PackedText, WatchBaseline } from '../storage/watches.ts';
import type { Extraction } from '../../shared/page/read/extract.ts';

/** One fetched page of a watch, with all that is needed to judge it. Crosses into a judging thread. */
export interface WatchCase {
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

export type WatchJudgement = WatchRefusal | WatchFinding;

export interface WatchRefusal {
  readonly outcome: 'failed';
  readonly reason: string;
  readonly detail: string;
  /** Hard to believe: the next check decides. */
  readonly doubtedAt?: number;
  readonly doubt?: string;
  /** What our own code threw. */
  readonly fault?: string;
  /** Milliseconds that threads have spent on the page. */
  readonly spentMs?: number;
}

export interface WatchFinding {
  /** A second baseline has the note `options`: by these options nothing can be read of the former page. */
  readonly outcome: 'baseline' | 'changed' | 'unchanged';
  readonly note?: CheckNote;
  /** Absent only where a change is unconfirmed: the next check compares with the former page again. */
  readonly baseline?: WatchBaseline;
  /** With `baseline` and `changed`; and where the page is read in another way than before. */
  readonly text?: PackedText;
  readonly diff?: PackedDiff;
  readonly doubtedAt?: number;
  readonly doubt?: string;
  readonly title?: string;
  /** Milliseconds that threads have spent on the page. */
  readonly spentMs?: number;
  readonly findings: WatchFindings;
}
