import type { AppendedEvent, NewEvent } from './event-log.ts';
import type { DomainLinks } from '../../shared/page/linked-domains.ts';

/**
 * Pages: which URLs there are, when each is due, and the last version of each. One visit is one `commit`: version,
 * events, discovered URLs, next due time and counters, all or nothing. A crash repeats a visit; it never loses or
 * doubles one.
 */
export interface Pages {
  /** Makes the source known and its seed due at once. Doing it again changes the interval and nothing else. */
  addSource(source: FrontierSource, seed: string, at: number): Promise<void>;
  /** Removes the source, and the pages that no other source holds. */
  removeSource(sourceId: string): Promise<void>;
  sources(): Promise<SourceSummary[]>;
  /**
   * The most overdue page of each host that is not busy, most overdue first, at most `atMost`; and when the next
   * page falls due (undefined: never, or already).
   */
  due(question: { now: number; atMost: number; busyHosts: readonly string[] }): Promise<DuePages>;
  /**
   * Makes pages due now that are due later than their interval from now, in short transactions: they were scheduled
   * by a clock that was ahead, or by an interval that has been shortened. How many there were.
   */
  bringForward(now: number): Promise<number>;
  /** The last version of a page; undefined before the first successful visit. */
  version(pageId: number): Promise<StoredVersion | undefined>;
  /** What the last visit of a host's page left about the text that its pages share; undefined before there was one. */
  furniture(host: string): Promise<Uint8Array | undefined>;
  /** All or nothing; resolved after it is durable. Answers the events with their offsets. */
  commit(visit: Visit): Promise<AppendedEvent[]>;
  totals(now: number): Promise<PageTotals>;
}

export interface FrontierSource {
  readonly id: string;
  readonly everyMs: number;
  readonly maxPages: number;
}

export interface DuePages {
  readonly pages: readonly DuePage[];
  readonly nextAt: number | undefined;
}

export interface DuePage {
  readonly id: number;
  readonly url: string;
  /** `hostname[:port]`: what politeness counts by. */
  readonly host: string;
  readonly due: number;
  /** The shortest interval of the sources that hold the page. */
  readonly everyMs: number;
  readonly sourceIds: readonly string[];
  /**
   * Of the last version's bytes; undefined when the page has to be read whatever its bytes: before the first
   * successful visit, and when a source has come to hold it that does not know its links.
   */
  readonly bodyHash: string | undefined;
  /** Failed visits in a row. */
  readonly failures: number;
  /** When the last visit found what is hard to believe, and left it to the next one to confirm; else undefined. */
  readonly doubtedAt: number | undefined;
}

export interface StoredVersion {
  readonly url: string;
  readonly contentType: string;
  /** Which extractor made `page` (`EXTRACTOR` of shared/page). */
  readonly extractor: number;
  readonly at: number;
  /** The extracted page: JSON. */
  readonly page: string;
  /** Which of its text changes by itself, as the visits so far have shown: JSON. */
  readonly history: string;
  /** The decoded bytes, kept so that a newer extractor can judge the old page by its own rules. */
  readonly body: Uint8Array;
}

export interface Visit {
  readonly pageId: number;
  /** Whom it was made for. A source that came to hold the page meanwhile gets a visit of its own, at once. */
  readonly sourceIds: readonly string[];
  readonly at: number;
  readonly outcome: 'changed' | 'unchanged' | 'failed';
  /** Only when failed: a word, and a sentence. */
  readonly reason?: string;
  readonly detail?: string;
  readonly nextDue: number;
  /** Replaces the last version. */
  readonly version?: StoredVersion;
  /** The page was hard to believe: the next visit decides. Absent, it is in no doubt any more. */
  readonly doubtedAt?: number;
  /** Replaces what is kept about the text that the pages of this page's host share. */
  readonly furniture?: Uint8Array;
  /** The new bytes' hash, also where bytes changed and the page did not. */
  readonly bodyHash?: string;
  /** Replaces what the page says of other domains: the votes that ratings are counted from. */
  readonly linksTo?: DomainLinks;
  readonly events: readonly NewEvent[];
  readonly discovered: readonly Discovered[];
}

/** URLs found for one source; those beyond its `maxPages` are left out. New ones are due at once. */
export interface Discovered {
  readonly sourceId: string;
  readonly urls: readonly string[];
}

export interface SourceSummary {
  readonly id: string;
  readonly pages: number;
  readonly visits: number;
  readonly nextDue: number | undefined;
  readonly last: LastVisit | undefined;
}

export interface LastVisit {
  readonly url: string;
  readonly at: number;
  readonly outcome: 'changed' | 'unchanged' | 'failed';
  readonly reason?: string;
  readonly detail?: string;
}

export interface PageTotals {
  readonly pages: number;
  readonly visits: number;
  readonly changes: number;
  readonly failures: number;
  /** Due time of the most overdue page; undefined when none is due. */
  readonly oldestDue: number | undefined;
}
