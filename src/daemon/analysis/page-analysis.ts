import type { FetchedBody } from '../fetch/fetched.ts';
import type { Terms } from '../discovery/scope.ts';
import type { PageKind, Trust } from '../storage/frontier.ts';
import type { PackedVersion, Visit } from '../storage/pages.ts';
import type { Extraction } from '../../shared/page/read/extract.ts';
import type { WithheldPage } from '../../shared/match/rule-index.ts';

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
  /** How many visits there may have been since the last version; at least 1. */
  readonly visits: number;
  readonly trust: Trust | undefined;
  readonly fetched: Omit<FetchedBody, 'outcome' | 'answer' | 'exchange'>;
  /** Where the body has been read already: that of a PDF, in a thread of its own. */
  readonly extraction?: Extraction;
  readonly at: number;
  readonly last: PackedVersion | undefined;
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
export interface VisitNotes {
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
