import type { AppendedEvent, NewEvent } from './event-log.ts';
import type { Answer, Discovered, HostState, PageKind, Rate, Validators } from './frontier.ts';
import type { DomainLinks } from '../../shared/page/domain.ts';

/**
 * Pages: the last version of each, and the commit of a visit. One visit is one `commit`: version, events, discovered
 * URLs, next due time, the state of its host and the counters, all or nothing. A crash repeats a visit; it never loses
 * or doubles one.
 */
export interface Pages {
  /** The last version of a page; undefined before the first successful visit. */
  version(pageId: number): Promise<PackedVersion | undefined>;
  /** What the last visit of a host's page left about the text that its pages share; undefined before there was one. */
  boilerplate(host: string): Promise<Uint8Array | undefined>;
  /**
   * All or nothing; resolved after it is durable. Ends the lease of the page's host; with a lease that is over, nothing is written.
   */
  commit(visit: Visit): Promise<Committed>;
}

export interface Committed {
  /** With their offsets. */
  readonly events: readonly AppendedEvent[];
  /**
   * Why the visit's events were not written: the page repeats another one, or says itself that it is another one, which
   * speaks for both or is visited first.
   */
  readonly withheld?: 'duplicate' | 'alias';
  /** Nothing was written: the lease that the visit was made under is over, and its host may be somebody else's by now. */
  readonly isFenced?: true;
}

/** A version as it is kept: `page` and `body` are zstd, packed and unpacked outside of the storage. */
export interface PackedVersion {
  readonly url: string;
  readonly contentType: string;
  /** Which extractor made `page` (`EXTRACTOR` of shared/page). */
  readonly extractor: number;
  readonly at: number;
  /** zstd of the extracted page as JSON. */
  readonly page: Uint8Array;
  /** Which of its text changes by itself, as the visits so far have shown, and how the page was read: JSON. */
  readonly history: string;
  /** zstd of the decoded bytes, kept so that a newer extractor can judge the old page by its own rules. */
  readonly body: Uint8Array;
}

export interface Visit extends Answer {
  readonly pageId: number;
  /** The lease of its host that it was made under (`DuePage.lease`); absent: none, as of an archive's page. */
  readonly lease?: number;
  /** Whom it was made for. A source that came to hold the page meanwhile gets a visit of its own, at once. */
  readonly sourceIds: readonly string[];
  readonly nextDue: number;
  readonly rate: Rate;
  /** Absent: the host was not asked (an archive's page). Its state and its lease stay as they are. */
  readonly host?: HostState;
  /** What the page turned out to be; absent, as before. */
  readonly kind?: PageKind;
  /** Replaces the last version. */
  readonly version?: PackedVersion;
  /** The page was hard to believe: the next visit decides. Absent, it is in no doubt any more. */
  readonly doubtedAt?: number;
  /** Replaces what is kept about the text that the pages of this page's host share. */
  readonly boilerplate?: Uint8Array;
  /** The new bytes' hash, also where bytes changed and the page did not. */
  readonly bodyHash?: string;
  /**
   * zstd of what the rules saw of the change, to be kept for a day with the page of `version`; nothing of a visit whose
   * events are withheld.
   */
  readonly recent?: Uint8Array;
  /** Of the body that was read, or found the same; with `bodyHash` and without validators the former ones go. */
  readonly validators?: Validators;
  /** The body came without a condition: `fullAt` becomes `at`. */
  readonly isFull?: boolean;
  /** Replaces what the page says of other domains: the votes that ratings are counted from. */
  readonly linksTo?: DomainLinks;
  /** Main text, for near duplicates; absent, what was known of it stays. */
  readonly fingerprint?: Fingerprint;
  /**
   * The page says that it is this one (`rel=canonical` on its site, a permanent redirect). It is believed where the other
   * is visited, and nothing like another text. A first visit is as good as not made while nobody has visited the other.
   * The other is nobody's near duplicate from then on: pages that were there before it and say the same are its copies.
   */
  readonly sameAs?: { readonly host: string; readonly hash: number };
  /** The operator gave this very URL: its events are never withheld. */
  readonly isNamed: boolean;
  /** The main text is new or changed: what a sitemap's hint has to come true by. */
  readonly isMainChange: boolean;
  readonly events: readonly NewEvent[];
  /** When the events are reported, where that is not `at`: the visit of an archive's page was long ago. */
  readonly toldAt?: number;
  /** Where there are thousands they become durable before the rest, in steps: known URLs do a repeated visit no harm. */
  readonly discovered: readonly Discovered[];
  /**
   * More of them, as JSON. A page has fifty links, and as objects they were copied twice on their way from the thread that
   * found them, and looked at by nobody: a third of what the main thread did for a page.
   */
  readonly packedDiscovered?: string;
}

/** All URLs that a visit found. */
export function discoveredBy({ discovered, packedDiscovered }: Visit): readonly Discovered[] {
  if (packedDiscovered === undefined) return discovered;
  return [...discovered, ...(JSON.parse(packedDiscovered) as Discovered[])];
}

/**
 * A 64-bit simhash of the main text, as 16 hex digits. A page that is first seen within 3 bits of another one of its
 * group is its near duplicate, until one of them moves away or the other goes. What changes in it is withheld where the
 * other has changed since, too: what only it has to say is reported.
 */
export interface Fingerprint {
  /** Texts of one group are compared: its site and its title, since a template's pages differ in little else. */
  readonly group: string;
  readonly simhash: string;
}
