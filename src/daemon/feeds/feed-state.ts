import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Metering } from '../accounts/metering.ts';
import { type Outside, timestamp } from '../outside.ts';
import { Problem } from '../problem.ts';
import type { CatalogData, FeedRecord, RuleRecord } from '../storage/catalog.ts';
import type { EventLog, LogBounds, LoggedEvent } from '../storage/event-log.ts';
import type { Watches as WatchPort } from '../storage/watches.ts';
import type { ChangesAsked, WatchService } from '../watch/watch-service.ts';
import type { Match, MatchDocument } from '../../shared/api/match.ts';
import { formatEventId } from '../../shared/api/stream.ts';
import { atomFeed } from '../../shared/documents/atom.ts';
import { changeEntry, type ChangeFeedSubject, subjectOfWatch } from '../../shared/documents/change-feed.ts';
import type { Feed, FeedEntry } from '../../shared/documents/feed.ts';
import { jsonFeed } from '../../shared/documents/json-feed.ts';
import { matchFeed } from '../../shared/documents/match-feed.ts';
import { matchOf, type PastMatch } from '../../shared/documents/past-match.ts';
import {
  FEED_CHANGES,
  FEED_ENTRY_LENGTH,
  FEED_LENGTH,
  FEED_MATCHES,
  FEED_READ_LENGTH,
  FEED_TAG_MS,
} from '../../shared/limits.ts';

export type FeedFormat = 'atom' | 'json';

/** What a feed is made of at the moment: as long as `stamp` is the same, so is the feed. */
export interface FeedState {
  readonly stamp: string;
  /** `isWhole`: not so where there is no credit for all of it, and there may be a moment later. */
  gather(): Promise<{ readonly feed: Feed; readonly isWhole: boolean }>;
}

export interface FeedSources {
  readonly catalog: { readonly data: CatalogData };
  readonly eventLog: Pick<EventLog, 'bounds' | 'read'>;
  readonly metering: Pick<Metering, 'deliver'>;
  readonly watches: Pick<WatchPort, 'watch' | 'newestChange'>;
  readonly changes: Pick<WatchService, 'changes'>;
  readonly outside: Pick<Outside, 'now'>;
}

/** Undefined where what the feed is of is gone. */
export async function stateOf(record: FeedRecord, deps: FeedSources): Promise<FeedState | undefined> {
  if (record.kind === 'tap') return ofTap(record, deps);
  return record.kind === 'watch' ? ofWatch(record, deps) : ofTag(record, deps);
}

export function write(feed: Feed, format: FeedFormat): string {
  return (format === 'json' ? jsonFeed : atomFeed)(feed, (data) => hash('sha1', data));
}

/** The newest matches that the log keeps: the entries of `hydrant tap feed`, with the same ids. */
async function ofTap({ of, organizationId }: FeedRecord, deps: FeedSources): Promise<FeedState | undefined> {
  const { taps, rules } = deps.catalog.data;
  const tap = taps.find((one) => one.id === of && one.organizationId === organizationId);
  if (!tap) return undefined;
  const own = rules.filter(({ tapId }) => tapId === of);
  const bounds = await deps.eventLog.bounds(of);
  // Without rules a tap has no stream, and so no feed of what it matched.
  const from = own.length === 0 ? bounds.head : Math.max(bounds.floor, bounds.head - FEED_MATCHES);
  const tags = new Map(own.map((rule) => [rule.id, labelOf(rule)]));
  return {
    stamp: JSON.stringify([tap.name, bounds.partition, from, bounds.head, ...tags]),
    gather: async () => {
      const paidTo = from === bounds.head ? from : await deps.metering.deliver(of, from, bounds.head);
      if (paidTo <= from && from < bounds.head) throw new Problem('out_of_credit', {});
      const events = await eventsOf(of, { from, to: Math.min(paidTo, bounds.head) }, deps);
      const matches = events.flatMap((event) => matchIn(event, { tapId: of, tap: tap.name, bounds, tags }) ?? []);
      const subject = { id: of, name: tap.name, since: tap.createdAt };
      return { feed: withinLength(matchFeed(subject, matches)), isWhole: paidTo >= bounds.head };
    },
  };
}

function labelOf({ tag, value }: RuleRecord): string {
  return tag ?? value;
}

/** Events of a tap, `from` included and `to` not; the oldest first. */
export async function eventsOf(
  tapId: string,
  { from, to }: { readonly from: number; readonly to: number },
  { eventLog }: { readonly eventLog: Pick<EventLog, 'read'> },
): Promise<LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  for (let next = from; next < to;) {
    const page = await eventLog.read(tapId, next, { events: to - next, bytes: PAGE_BYTES });
    const last = page.at(-1);
    // Trimmed meanwhile.
    if (last === undefined) break;
    events.push(...page.filter(({ offset }) => offset < to));
    next = last.offset + 1;
  }
  return events;
}

/** What is read of the log at once: the storage's thread serves the visits, too. */
const PAGE_BYTES = 256 * 1_024;

interface OfTap {
  readonly tapId: string;
  readonly tap: string;
  readonly bounds: Pick<LogBounds, 'partition'>;
  /** By rule. */
  readonly tags: ReadonlyMap<string, string>;
}

/** Undefined where its address is none of the web. */
export function matchIn(event: LoggedEvent, { tapId, tap, bounds: { partition }, tags }: OfTap): PastMatch | undefined {
  const match: Match = {
    tap_id: tapId,
    query_ids: JSON.parse(event.queryIds) as string[],
    matched_at: new Date(event.at).toISOString(),
    document: JSON.parse(event.document) as MatchDocument,
  };
  const id = formatEventId({ partition, offset: event.offset });
  return matchOf(
    { id, match },
    match.query_ids.flatMap((rule) => tags.get(rule) ?? []),
    tap,
  );
}

/** The newest changes of one watch: the entries of `hydrant watch feed`, with the same ids. */
async function ofWatch({ of, organizationId }: FeedRecord, deps: FeedSources): Promise<FeedState | undefined> {
  const watch = await deps.watches.watch(of);
  if (watch?.organizationId !== organizationId) return undefined;
  const { id, url, title, tags = [], lastChange, createdAt } = watch;
  const subject = subjectOfWatch({ id, url, title, created_at: timestamp(createdAt) });
  return {
    stamp: JSON.stringify([title, tags, lastChange?.n]),
    gather: async () => gatherChanges(subject, organizationId, { watchId: id }, deps),
  };
}

/** The newest changes of the watches that have the tag. */
async function ofTag({ of, organizationId, createdAt }: FeedRecord, deps: FeedSources): Promise<FeedState> {
  const newest = await deps.watches.newestChange(organizationId);
  const key = `tag/${organizationId}/${of}`;
  const subject = { key, title: `changes of watched pages tagged ${of}`, url: undefined, since: createdAt };
  return {
    // Which watches have it, and what they are called, is asked now and then: it is no part of the log.
    stamp: JSON.stringify([newest, Math.floor(deps.outside.now() / FEED_TAG_MS)]),
    gather: async () => gatherChanges(subject, organizationId, { tag: of }, deps),
  };
}

async function gatherChanges(
  subject: ChangeFeedSubject,
  organizationId: string,
  which: Pick<ChangesAsked, 'watchId' | 'tag'>,
  { changes }: FeedSources,
): Promise<{ feed: Feed; isWhole: true }> {
  const asked = { after: 0, atMost: FEED_CHANGES, isNewest: true, waitMs: 0, mostLength: FEED_READ_LENGTH, ...which };
  const found = await changes.changes(organizationId, asked, new AbortController().signal);
  const entries: FeedEntry[] = [];
  let left = FEED_LENGTH;
  for (const change of found.changes) {
    // Words are compared for each, in the thread that serves the streams.
    await nextTurn();
    const entry = changeEntry(change, FEED_ENTRY_LENGTH);
    left -= entry.content.length;
    if (left < 0 && entries.length > 0) break;
    entries.push(entry);
  }
  return { feed: { ...subject, entries }, isWhole: true };
}

/** The newest entries, as far as there is room for their content. */
function withinLength(feed: Feed): Feed {
  let left = FEED_LENGTH;
  const end = feed.entries.findIndex(({ content }, index) => (left -= content.length) < 0 && index > 0);
  return end === -1 ? feed : { ...feed, entries: feed.entries.slice(0, end) };
}
