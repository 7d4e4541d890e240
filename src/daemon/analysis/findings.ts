import type { FetchedBody } from '../fetch/fetched.ts';
import type { Terms } from '../discovery/scope.ts';
import type { PageKind, Trust } from '../storage/frontier.ts';
import type { PackedVersion, Visit } from '../storage/pages.ts';
import type { Extraction } from '../../shared/page/read/extract.ts';
import type { WithheldPage } from '../../shared/match/rule-index.ts';
import type { WatchExplanation, WatchOptions } from '../../shared/api/watch.ts';
import type { Check, WatchBaseline } from '../storage/watches.ts';
import { READING_MEMORY_BYTES } from '../../shared/limits.ts';

/**
 * One fetched page with all that is needed to analyze it, so that the analysis touches nothing: it can run in any thread.
 * Everything can be cloned.
 */
export interface PageInput {
  readonly url: string;
  readonly host: string;
  readonly kind: PageKind;
  readonly isBaseline: boolean;
  /** The terms of the sources that hold the page, with its depth in each. */
  readonly holders: readonly Terms[];
  /** Whether the operator gave this very URL as a source. */
  readonly isNamed: boolean;
  readonly isFirstVisit: boolean;
  readonly doubtedAt: number | undefined;
  /**
   * A word for the way in which the page is read, where it is not the crawl's own (`crawl/own-page.ts`): a version that was read
   * another way is no ground for a comparison.
   */
  readonly way?: string;
  /** Somebody asks who is signed in. */
  readonly isSignedIn?: boolean;
  /** How many visits there may have been since the last version; at least 1. */
  readonly visits: number;
  readonly trust: Trust | undefined;
  readonly fetched: Omit<FetchedBody, 'outcome' | 'answer' | 'exchange'>;
  /** Where the body has been read already: that of a PDF, in a thread of its own. */
  readonly extraction?: Extraction;
  readonly at: number;
  readonly last: PackedVersion | undefined;
  /** Whether all sources have what the last version led to. */
  readonly areLeadsKnown: boolean;
  readonly boilerplate: Uint8Array | undefined;
  /** Domain Rating of the page's domain. */
  readonly dr: number | undefined;
  /** Whether what the rules see of a change is kept for a day. */
  readonly keepsChange?: boolean;
  /** The setting `compat-legacy-match-payload`: matches carry the whole page. */
  readonly hasLegacyPayload?: boolean;
}

/**
 * What a visit found, before anything of it is durable. It grows on its way: the analysis makes it, or the answer of the
 * server where there is nothing to analyze; the pipeline adds what the server said, and the commit the rest. What is absent
 * was not found, or stays as it was.
 */
export interface PageFinding extends Found {
  readonly hints?: RevisitHints;
  readonly notes?: VisitNotes;
  /** Milliseconds that threads have spent on the page. */
  readonly spentMs?: number;
}

/** What of a visit is committed as it was found. */
type Found = Pick<Visit, 'outcome'> &
  Partial<Omit<Visit, 'outcome' | 'pageId' | 'sourceIds' | 'isNamed' | 'at' | 'toldAt' | 'nextDue' | 'rate' | 'host'>>;

/** What else decides when the page is visited next. Times in milliseconds. */
export interface RevisitHints {
  /** Domain Rating, 0 to 100. */
  readonly dr?: number;
  /** What a feed asks for (obeyed up to an hour), or what its format says of a sitemap (up to six). */
  readonly restMs?: number;
  /** Cache-Control max-age; obeyed up to an hour. */
  readonly maxAgeMs?: number;
  /** When the page says it was published, since 1970. */
  readonly publishedAt?: number;
  /** Of a refusal by robots.txt: when that is read again. Of another host's answer, after a redirect: its Retry-After. */
  readonly until?: number;
}

/** What goes into the log, and nowhere else. */
interface VisitNotes {
  /** What our own code threw on this page. */
  readonly fault?: string;
  /** Why what differed did not count, each reason once. */
  readonly ignored?: readonly string[];
  /** Rules whose query fits the page, and which filter kept it from each. */
  readonly missedBy?: readonly WithheldPage[];
  /** Rules that threw on this page, with what they threw: one bad rule never silences the others. */
  readonly ruleFailures?: ReadonlyMap<string, string>;
}

/** A page or a watched page that could not be analyzed. It leaves what is stored of it as it was. */
export interface AnalysisFailure {
  readonly outcome: 'failed';
  /** `aborted`: the analysis was called off, and nothing is to be recorded. */
  readonly reason: string;
  readonly detail: string;
  readonly doubtedAt?: number;
  readonly notes?: Pick<VisitNotes, 'fault'>;
  readonly spentMs?: number;
}

/** One fetched page of a watch, with all that is needed to analyze it. Crosses into an analysis thread. */
export interface WatchInput {
  readonly fetched: Pick<FetchedBody, 'url' | 'contentType' | 'bytes' | 'headers' | 'hash' | 'status' | 'unsettled'>;
  readonly at: number;
  readonly options: AnalysisOptions;
  /** Somebody asks who is signed in. */
  readonly isSignedIn?: boolean;
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

export interface AnalysisOptions extends WatchOptions {
  /** A word for the way in which the page is asked for, where it has one of its own: by another word it is another page. */
  readonly asked?: string;
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
export function readingOf({ select, ignore, render, asked }: AnalysisOptions): string {
  const sorted = (entries: readonly string[]): string[] => [...new Set(entries)].sort();
  return JSON.stringify({ select: sorted(select), ignore: sorted(ignore), asked, ...(render && { render: true }) });
}

/** Whether a page that was read so was asked for in the same way: what is kept of it can be compared with. */
export function isAskedAlike(reading: string, { asked }: AnalysisOptions): boolean {
  return (JSON.parse(reading) as Pick<AnalysisOptions, 'asked'>).asked === asked;
}

/** Whether two readings (`readingOf`) are of the same document: what a server sends, and what a browser makes of it, are two. */
export function isSameDocument(one: string, other: string): boolean {
  return one.endsWith(RENDERED) === other.endsWith(RENDERED);
}

const RENDERED = '"render":true}';

export function failed(reason: string, detail: string): AnalysisFailure {
  return { outcome: 'failed', reason, detail };
}

/**
 * What our own code threw is a failed visit, for the sake of the host: thrown on, the page would stay the most overdue
 * one, and be fetched again and again while the others wait.
 */
export function internalFailure(fault: string): AnalysisFailure {
  return {
    ...failed('internal', 'hydrant could not read this page; the daemon’s log has the reason'),
    notes: { fault },
  };
}

/** It held too much; `bytes` where that is known. Where others held most of it, the page is tried again soon. */
export function tooMuchMemory(bytes = READING_MEMORY_BYTES): AnalysisFailure {
  const mebibytes = (count: number): string => `${Math.round(count / 1_024 / 1_024)} MiB`;
  const most = mebibytes(READING_MEMORY_BYTES);
  return bytes >= READING_MEMORY_BYTES
    ? failed('too_large', `The page takes too much memory to be read: more than ${most}.`)
    : failed(
        'memory',
        `The page took ${mebibytes(bytes)} of memory to be read, and together with other pages more than ${most}.`,
      );
}

/** For a page that nobody analyzes any more: nothing is to be recorded of it. */
export const CALLED_OFF: AnalysisFailure = failed('aborted', 'the analysis was cancelled');

/** A sentence for the operator, of a page that asks to sign in where it did not before, or asks who is signed in. */
export function signedOutWords(noun: 'watch' | 'crawl'): string {
  const what = 'The page is a form to sign in now: who was signed in is no longer.';
  return `${what} Set its headers or its cookie again, with \`hydrant ${noun} edit\`.`;
}

/** What was thrown, as it goes into the log. */
export function faultText(fault: unknown): string {
  return fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
}
