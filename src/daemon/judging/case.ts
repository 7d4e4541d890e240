import type { FetchedBody } from '../fetch/fetched.ts';
import type { SourceScope } from '../storage/catalog.ts';
import type { NewEvent } from '../storage/event-log.ts';
import type { Discovered, PageKind, Trust } from '../storage/frontier.ts';
import type { Fingerprint, PackedVersion } from '../storage/pages.ts';
import type { Extraction } from '../../shared/page/read/extract.ts';
import type { WithheldPage } from '../../shared/match/rule-index.ts';
import type { DomainLinks } from '../../shared/page/structure/linked-domains.ts';

/**
 * One fetched page with all that is needed to judge it, so that the judge touches nothing: it can sit in any thread.
 * Everything can be cloned.
 */
export interface Case {
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
  readonly furniture: Uint8Array | undefined;
  /** Domain Rating of the page's domain. */
  readonly dr: number | undefined;
  /** Whether what the rules see of a change is kept for a day. */
  readonly keepsChange?: boolean;
  /** The setting `compat-legacy-match-payload`: matches carry the whole page. */
  readonly hasLegacyPayload?: boolean;
}

/** How far a source goes: its catalog record, and where the page stands in it. */
export interface Terms {
  readonly id: string;
  readonly url: string;
  readonly scope: SourceScope;
  /** Links from the seed at most; null: as far as the scope goes. */
  readonly maxDepth: number | null;
  /** URLs that the source may have. */
  readonly maxPages: number;
  readonly depth: number;
}

/** What the judge found. `failed` leaves everything as it was. */
export type Judgement = JudgedFailure | JudgedPage;

export interface JudgedFailure {
  readonly outcome: 'failed';
  readonly reason: string;
  readonly detail: string;
  readonly doubtedAt?: number;
  /** What our own code threw. */
  readonly fault?: string;
  /** Milliseconds that threads have spent on the page. */
  readonly spentMs?: number;
}

export interface JudgedPage {
  readonly outcome: 'changed' | 'unchanged';
  readonly kind: PageKind;
  readonly version?: PackedVersion;
  readonly furniture?: Uint8Array;
  readonly linksTo?: DomainLinks;
  readonly fingerprint?: Fingerprint;
  readonly sameAs?: { readonly host: string; readonly hash: number };
  /** Why what was read of a list is not all of it. */
  readonly detail?: string;
  /** What the rules saw, packed (`recent-change.ts`). */
  readonly recent?: Uint8Array;
  readonly isMainChange: boolean;
  readonly events: readonly NewEvent[];
  readonly discovered: readonly Discovered[];
  /** What else was discovered, as JSON: see `Visit`. */
  readonly packedDiscovered?: string;
  /** What a feed asks for: not sooner than this after the visit. */
  readonly restMs?: number;
  /** When the page says that it was published, ms since 1970. */
  readonly publishedAt?: number;
  /** Why what differed did not count, each reason once. */
  readonly ignored?: readonly string[];
  /** Rules whose query fits the page, and which it was kept from. */
  readonly missedBy?: readonly WithheldPage[];
  /** Milliseconds that threads have spent on the page. */
  readonly spentMs?: number;
  /** Rules that threw on this page, with what they threw: one bad rule never silences the others. */
  readonly ruleFailures: ReadonlyMap<string, string>;
}
