import type { WatchOptions } from '../../shared/api/watch.ts';
import type { WatchLabels } from '../../shared/api/watch-labels.ts';
import type { CheckNote } from '../../shared/api/watch-values.ts';
import type { StoredRequest } from './stored-request.ts';
import type { HostState, TakeQuestion, Validators } from './frontier.ts';

/**
 * Watches: which URLs are checked for whom, when each is due, what its checks found, and the texts they found. One check is
 * one `commitCheck`: the entry of its history, the diff, the text, the baseline, validators, the next due time, the state
 * of its host, counters, and the organization's checks of the month, all or nothing. A crash repeats a check; it never
 * loses or doubles one, and counts it once.
 *
 * Watches share hosts with the frontier: a host is leased for one of either at a time, and rests for both.
 */
export interface Watches {
  /** Atomic: nobody else takes the last place, or the same URL, meanwhile. It is due at `createdAt`. */
  addWatch(watch: NewWatch, mostInOrganization: number): Promise<WatchAdded>;
  watch(id: string): Promise<WatchRecord | undefined>;
  /** Newest first. */
  watches(question: WatchQuestion): Promise<WatchRecord[]>;
  /** Undefined: there is none. A change of `due` while it is being checked survives the check. */
  changeWatch(id: string, change: WatchTerms): Promise<ChangedWatch | undefined>;
  /** With its history and texts, which go in steps, most of them after the answer. False: there is none. */
  removeWatch(id: string): Promise<boolean>;
  /** All watches of a member, or of an organization, who are gone. How many there were. */
  removeWatchesOf(owner: { readonly memberId: string } | { readonly organizationId: string }): Promise<number>;
  /** A held organization's watches are not taken, nor are those it adds meanwhile: its checks are used up. */
  holdWatches(organizationId: string, isHeld: boolean): Promise<void>;
  heldOrganizations(): Promise<string[]>;
  /** Whoever has a watch, each once. */
  watchMembers(): Promise<string[]>;
  /** Leases the watch that is due longest of each host that may be asked, longest-waiting host first. */
  takeWatches(question: TakeQuestion): Promise<TakenWatches>;
  /** Ends the lease without a check; the watch is as due as it was. Of a removed watch, only what its host can bear is kept. As `Frontier.release` with `lease`. */
  releaseWatch(id: string, host: HostState, lease?: number): Promise<void>;
  /** What the next check compares with; undefined before the first success. */
  watchBaseline(id: string): Promise<WatchBaseline | undefined>;
  /**
   * Resolved after it is durable. Undefined: the watch was removed meanwhile, its options were changed, or others have used up
   * the checks of the month, so that it is as due as it was; only its host's state was kept.
   */
  commitCheck(check: Check): Promise<CommittedCheck | undefined>;
  /** Newest first, by an index: a history of any length answers alike. */
  checks(id: string, question: CheckQuestion): Promise<CheckRecord[]>;
  /** With its diff. */
  check(id: string, n: number): Promise<CheckRecord | undefined>;
  /**
   * The text as check `n` left it, and the check that brought it; undefined when there was none yet, it is forgotten, or
   * there has been no such check. A text is kept as long as a check is that left it so.
   */
  watchText(
    id: string,
    n: number,
  ): Promise<{ readonly n: number; readonly at: number; readonly text: PackedText } | undefined>;
  /** How the newest check that read a page came to its end: JSON, as `Check.explanation` gave it. */
  watchExplanation(id: string): Promise<{ readonly n: number; readonly explanation: string } | undefined>;
  /**
   * Changes of an organization's watches with a cursor above `after`, oldest first; with `newest`, the newest, newest first.
   * With their diffs.
   */
  watchChanges(question: ChangeQuestion): Promise<ChangeRecord[]>;
  /** A cursor that no change of the organization there has been is above, kept or not, and each one to come is; 0 before the first. */
  newestChange(organizationId: string): Promise<number>;
  /** Of the changes of an organization's watches with a cursor above `after`, how many there are. */
  countChanges(organizationId: string, after: number): Promise<number>;
  /** The cursor before the first of them whose check is not older than `at`. */
  changeCursorAt(organizationId: string, at: number): Promise<number>;
  /** Changes up to check `n` have been seen, those of checks to come have not. False: there is no such watch. */
  seeWatch(id: string, n: number): Promise<boolean>;
  /**
   * After a start, or when the clock was set: watches that are late get a place each within `withinMs` from now, so that
   * they do not all come at once; those due further ahead than their interval get their next slot. How many were moved.
   */
  rescheduleWatches(now: number, withinMs: number): Promise<number>;
  watchTotals(now: number): Promise<WatchTotals>;
}

export interface NewWatch extends WatchLabels {
  readonly id: string;
  readonly organizationId: string;
  readonly memberId: string;
  /** As it was given. */
  readonly url: string;
  /** What is fetched, and what makes two watches one: normalized, without fragment. */
  readonly target: string;
  /** `hostname[:port]`, as the frontier names hosts. */
  readonly host: string;
  readonly everyMs: number;
  /** Its slots are at `createdAt + jitterMs + k · everyMs`. At most a tenth of `everyMs`. */
  readonly jitterMs: number;
  readonly createdAt: number;
  readonly options: StoredWatchOptions;
  /** Absent: it is not. */
  readonly isPaused?: boolean;
}

/** A check that was begun by other options, or asked in another way, is not recorded: both are one value. */
export interface StoredWatchOptions extends WatchOptions {
  /** Absent: its page is asked for as the crawl asks. */
  readonly request?: StoredRequest;
}

export type WatchAdded =
  | { readonly kind: 'added'; readonly watch: WatchRecord }
  /** The organization watches it already. `isOwn`: this very member. */
  | { readonly kind: 'known'; readonly id: string; readonly isOwn: boolean }
  | { readonly kind: 'full' };

export interface WatchQuestion {
  readonly organizationId: string;
  readonly memberId?: string;
  readonly atMost: number;
}

/** What is absent stays as it is. */
export interface WatchTerms {
  readonly everyMs?: number;
  readonly jitterMs?: number;
  readonly isPaused?: boolean;
  readonly options?: StoredWatchOptions;
  /** Null: none any more. */
  readonly title?: string | null;
  /** All of them; empty: none any more. */
  readonly tags?: readonly string[];
  readonly due?: number;
}

export interface WatchRecord extends NewWatch {
  readonly isPaused: boolean;
  readonly isHeld: boolean;
  readonly due: number;
  readonly checks: number;
  readonly changeCount: number;
  /** The newest check, and the newest that did not fail; undefined before there was one. */
  readonly checkedAt: number | undefined;
  readonly succeededAt: number | undefined;
  /** Failed checks in a row, when the first of them was, and how the last one failed: over with the next success. */
  readonly failures: number;
  readonly failingSince: number | undefined;
  readonly lastFailure: Failure | undefined;
  readonly lastChange: { readonly n: number; readonly at: number } | undefined;
  /** As `WatchState.doubtedAt`: `due` is when it is looked at again. */
  readonly doubtedAt: number | undefined;
  /** Changes after the check that was seen last, of those that are kept. */
  readonly unseen: number;
}

export interface ChangedWatch extends WatchRecord {
  /** `due` was changed while a check was under way that will be recorded, knows nothing of it and is not in `checks` yet. */
  readonly isUnderWay?: true;
}

export interface Failure {
  readonly reason: string;
  readonly detail: string;
  readonly status?: number;
}

export interface TakenWatches {
  readonly watches: readonly DueWatch[];
  /** As `Taken.nextAt`. */
  readonly nextAt: number | undefined;
}

export interface DueWatch extends Pick<
  NewWatch,
  'id' | 'organizationId' | 'host' | 'everyMs' | 'jitterMs' | 'createdAt' | 'options'
> {
  readonly kind: 'watch';
  /** What is fetched: `NewWatch.target`. */
  readonly url: string;
  readonly due: number;
  readonly hostState: HostState;
  readonly state: WatchState | undefined;
  /** As `DuePage.lease`. */
  readonly lease?: number;
}

/** What checks have left; undefined before the first. */
export interface WatchState {
  readonly checkedAt: number;
  readonly failures: number;
  /** Of the body that was read last, or found the same, and of how it was read: 32 to 64 hex digits. */
  readonly bodyHash: string | undefined;
  readonly validators: Validators | undefined;
  readonly fullAt: number;
  /** Since when a change, or what is hard to believe, waits for a second check. */
  readonly doubtedAt: number | undefined;
  /** What it is that waits, as the judge has written it down. */
  readonly doubt: string | undefined;
  /** Successful checks since the baseline was written. */
  readonly sinceBaseline: number;
}

/** The page as the last check that read one found it. `page` and `body` are zstd, packed and unpacked outside. */
export interface WatchBaseline {
  readonly url: string;
  readonly contentType: string;
  readonly extractor: number;
  /** What of the options decides which lines there are, as text: a page that was read by others is read again. */
  readonly reading: string;
  readonly at: number;
  readonly page: Uint8Array;
  /** As `PackedVersion.history`. */
  readonly history: string;
  readonly body: Uint8Array;
}

/** The lines of a page: zstd of them, joined by line feeds. Stored once, however many checks of any watch have found it. */
export interface PackedText {
  /** SHA-256 of the joined lines, 32 hex digits. */
  readonly hash: string;
  readonly packed: Uint8Array;
}

export interface PackedDiff {
  /** zstd of `PlacedHunk[]` as JSON. */
  readonly packed: Uint8Array;
  readonly inserted: number;
  readonly deleted: number;
}

export interface Check {
  readonly watchId: string;
  /** `DueWatch.lease`: with one that is over, nothing is written. */
  readonly lease?: number;
  readonly at: number;
  readonly outcome: 'baseline' | 'changed' | 'unchanged' | 'failed';
  readonly note?: CheckNote;
  /** When it failed. */
  readonly failure?: Failure;
  readonly status?: number;
  readonly nextDue: number;
  /** Absent: the host was not asked. Its state stays as it is; the lease ends all the same. */
  readonly host?: HostState;
  /** Whose check it is, and of which month (`2026-02`). */
  readonly month: string;
  /** Checks of the organization in this month that are counted at most, whichever node makes them. Absent: any number. */
  readonly mostInMonth?: number;
  /** Replaces what the next check compares with; `isFull` says that it came without a condition. */
  readonly baseline?: WatchBaseline;
  /** As in a visit: with it and without validators the former ones go. A failed check leaves both as they were. */
  readonly bodyHash?: string;
  readonly validators?: Validators;
  readonly isFull?: boolean;
  /** Absent: in no doubt any more. */
  readonly doubtedAt?: number;
  readonly doubt?: string;
  /** The text as it is now: with `baseline` and `changed`, and where other options have made another text of the page. */
  readonly text?: PackedText;
  /** If and only if it changed. */
  readonly diff?: PackedDiff;
  readonly title?: string;
  /** JSON; absent: that of the last check stays. */
  readonly explanation?: string;
  /** Checks of this watch that are kept, this one included. */
  readonly keep: number;
}

export interface CommittedCheck {
  readonly n: number;
  /** Checks of the organization in this month, this one included. */
  readonly checksThisMonth: number;
  /** The cursor of the change, if it is one. */
  readonly change?: number;
}

export interface CheckQuestion {
  /** Only checks with a smaller number. */
  readonly before?: number;
  readonly atMost: number;
  readonly onlyChanges?: boolean;
  /** Without it `CheckRecord.diff` is left out. */
  readonly withDiffs?: boolean;
}

export interface CheckRecord {
  readonly n: number;
  readonly at: number;
  readonly outcome: Check['outcome'];
  readonly note?: CheckNote;
  readonly failure?: Failure;
  readonly status?: number;
  /** Failures in a row that ended with this one. */
  readonly recovered?: number;
  /** `packed` of the older format is zstd of `{ chunks }`. */
  readonly diff?: PackedDiff;
  readonly inserted?: number;
  readonly deleted?: number;
}

/** Changes that are looked through for those of a tag: no index knows it, and the thread of the storage serves the visits, too. */
export const TAGGED_AMONG = 5_000;

export interface ChangeQuestion {
  readonly organizationId: string;
  readonly watchId?: string;
  /** Only of watches that have this tag now, among the newest `TAGGED_AMONG` of the organization. With `newest`, without `watchId`. */
  readonly tag?: string;
  readonly after?: number;
  readonly newest?: boolean;
  readonly atMost: number;
}

export interface ChangeRecord {
  readonly cursor: number;
  readonly watchId: string;
  readonly url: string;
  /** The labels of the watch as they are now. */
  readonly watchTitle?: string;
  readonly watchTags?: readonly string[];
  /** Of the page. */
  readonly title?: string;
  readonly check: CheckRecord;
}

export interface WatchTotals {
  readonly watches: number;
  /** Neither paused nor held. */
  readonly active: number;
  /** Their newest check failed. */
  readonly failing: number;
  readonly held: number;
  /** As `FrontierTotals.oldestDue`. */
  readonly oldestDue: number | undefined;
  /** Since the database began. */
  readonly checks: number;
  readonly changes: number;
  /** Kept now, and their bytes as they are packed. */
  readonly texts: number;
  readonly textBytes: number;
}

/**
 * When a watch is due. Slots are fixed points of the wall clock in UTC, `createdAt + jitterMs + k · everyMs`: a check that
 * comes late moves none of the later ones, and no change of a time zone moves any.
 */
export interface Slots {
  readonly createdAt: number;
  readonly jitterMs: number;
  readonly everyMs: number;
}

/**
 * The slot after a check. One that is nearer than a quarter of the interval is passed over: the check that made up for a
 * missed one, or the first one of all, has just done its work. `k` may be below 0: a watch that was added under a clock
 * that was ahead has slots now, too.
 */
export function slotAfter({ createdAt, jitterMs, everyMs }: Slots, checkedAt: number): number {
  const first = createdAt + jitterMs;
  const earliest = checkedAt + everyMs / NEAR;
  return first + Math.ceil((earliest - first) / everyMs) * everyMs;
}

const NEAR = 4;

/**
 * When a watch is due after a time without checks, or after the clock was set. One that is late has a place within
 * `withinMs`, by its `key` alone: any number of keys in a row is spread evenly. One further ahead than its interval has its
 * next slot, which it had already unless the clock was set.
 */
export function dueAgain(watch: Slots & { key: number; due: number }, now: number, withinMs: number): number {
  if (watch.due < now) return now + Math.floor(((watch.key * GOLDEN) % 1) * withinMs);
  return watch.due > now + watch.everyMs ? slotAfter(watch, now) : watch.due;
}

const GOLDEN = (Math.sqrt(5) - 1) / 2;
