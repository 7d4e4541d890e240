import type { HostState, TakeQuestion } from '../../../src/daemon/storage/frontier.ts';
import {
  dueAgain,
  type ChangedWatch,
  type ChangeQuestion,
  type ChangeRecord,
  type Check,
  type CheckQuestion,
  type CheckRecord,
  type CommittedCheck,
  type DueWatch,
  type NewWatch,
  TAGGED_AMONG,
  type TakenWatches,
  type WatchAdded,
  type WatchBaseline,
  type Watches,
  type WatchQuestion,
  type WatchRecord,
  type WatchTerms,
  type WatchTotals,
} from '../../../src/daemon/storage/watches.ts';
import type { MemoryFrontier } from './frontier.ts';
import { ClassRoom } from './known.ts';
import {
  type KnownVersion,
  type KnownWatch,
  longestDue,
  record,
  toDueWatch,
  toWatchRecord,
  UNCHECKED,
  watchReadyAt,
} from './known-watches.ts';
import type { MemoryLedger } from './ledger.ts';
import { changesOf, checkOf, checksOf, enter, versionAt } from './watch-history.ts';

/** Watches as a list. Each keeps its own copies of texts: only `watchTotals` knows that equal ones are one. */
export class MemoryWatches implements Watches {
  readonly #frontier: MemoryFrontier;
  readonly #ledger: MemoryLedger;
  /** In the order of their keys. */
  readonly #watches = new Map<string, KnownWatch>();
  readonly #held = new Set<string>();
  #nextKey = 1;
  /** Since the beginning, those of watches that are gone too. */
  readonly #counters = { checks: 0, changes: 0 };

  constructor(frontier: MemoryFrontier, ledger: MemoryLedger) {
    this.#frontier = frontier;
    this.#ledger = ledger;
  }

  async addWatch(watch: NewWatch, mostInOrganization: number): Promise<WatchAdded> {
    const own = this.#all().filter(({ terms }) => terms.organizationId === watch.organizationId);
    const same = own.find(({ terms }) => terms.target === watch.target)?.terms;
    if (same) return { kind: 'known', id: same.id, isOwn: same.memberId === watch.memberId };
    if (own.length >= mostInOrganization) return { kind: 'full' };
    const host = this.#frontier.hostFor(watch.host);
    const isHeld = this.#held.has(watch.organizationId);
    const { isPaused = false, tags = [], ...others } = structuredClone(watch);
    const terms = { ...others, ...(tags.length > 0 && { tags }) };
    const state = { isPaused, isHeld, due: watch.createdAt };
    const known: KnownWatch = { ...UNCHECKED, key: this.#nextKey++, host, terms, ...state };
    this.#watches.set(watch.id, known);
    host.watches.add(known);
    return { kind: 'added', watch: toWatchRecord(known) };
  }

  async watch(id: string): Promise<WatchRecord | undefined> {
    const watch = this.#watches.get(id);
    return watch && toWatchRecord(watch);
  }

  async watches({ organizationId, memberId, atMost }: WatchQuestion): Promise<WatchRecord[]> {
    const isAsked = ({ terms }: KnownWatch): boolean =>
      terms.organizationId === organizationId && (memberId === undefined || terms.memberId === memberId);
    return this.#all().filter(isAsked).toReversed().slice(0, atMost).map(toWatchRecord);
  }

  async changeWatch(id: string, change: WatchTerms): Promise<ChangedWatch | undefined> {
    const watch = this.#watches.get(id);
    if (!watch) return undefined;
    watch.terms = changedTerms(watch.terms, structuredClone(change));
    watch.isPaused = change.isPaused ?? watch.isPaused;
    watch.due = change.due ?? watch.due;
    watch.askedDue = change.due ?? watch.askedDue;
    const isLeased = watch.host.lease?.holder === id;
    watch.isSuperseded ||= change.options !== undefined && isLeased;
    const isUnderWay = change.due !== undefined && isLeased && !watch.isSuperseded;
    return { ...toWatchRecord(watch), ...(isUnderWay && { isUnderWay }) };
  }

  async removeWatch(id: string): Promise<boolean> {
    const watch = this.#watches.get(id);
    if (!watch) return false;
    this.#watches.delete(id);
    watch.host.watches.delete(watch);
    this.#frontier.forgetEmptyHosts();
    return true;
  }

  async removeWatchesOf(owner: { readonly memberId: string } | { readonly organizationId: string }): Promise<number> {
    const isTheirs = ({ terms }: KnownWatch): boolean =>
      'memberId' in owner ? terms.memberId === owner.memberId : terms.organizationId === owner.organizationId;
    const gone = this.#all().filter(isTheirs);
    for (const watch of gone) void this.removeWatch(watch.terms.id);
    return gone.length;
  }

  async holdWatches(organizationId: string, isHeld: boolean): Promise<void> {
    if (isHeld) this.#held.add(organizationId);
    else this.#held.delete(organizationId);
    for (const watch of this.#all()) if (watch.terms.organizationId === organizationId) watch.isHeld = isHeld;
  }

  async heldOrganizations(): Promise<string[]> {
    return [...this.#held].toSorted();
  }

  async watchMembers(): Promise<string[]> {
    return [...new Set(this.#all().map(({ terms }) => terms.memberId))].toSorted();
  }

  async takeWatches(question: TakeQuestion): Promise<TakenWatches> {
    const { now, atMost, leaseMs, except } = question;
    const watches: DueWatch[] = [];
    const room = new ClassRoom(question);
    for (const host of this.#frontier.open(now, watchReadyAt)) {
      if (watches.length >= atMost) break;
      const watch = except.includes(host.name) || room.isFull(host) ? undefined : longestDue(host);
      if (!watch) continue;
      room.take(host);
      const token = (this.#frontier.lastToken += 1);
      host.lease = { holder: watch.terms.id, token, since: now, until: now + leaseMs, isContest: false };
      watch.askedDue = undefined;
      watch.isSuperseded = false;
      watches.push(toDueWatch(watch));
    }
    return { watches, nextAt: this.#frontier.nextAt(question, room, watchReadyAt) };
  }

  async releaseWatch(id: string, host: HostState): Promise<void> {
    this.#frontier.endLease(id, this.#watches.get(id)?.host, structuredClone(host));
  }

  async watchBaseline(id: string): Promise<WatchBaseline | undefined> {
    return structuredClone(this.#watches.get(id)?.baseline);
  }

  async commitCheck(given: Check): Promise<CommittedCheck | undefined> {
    const check = structuredClone(given);
    const watch = this.#watches.get(check.watchId);
    this.#frontier.endLease(check.watchId, watch?.host, check.host);
    if (!watch || watch.isSuperseded) return undefined;
    const { month, mostInMonth = Infinity } = check;
    if (this.#ledger.counted(watch.terms.organizationId, month) >= mostInMonth) return undefined;
    this.#frontier.clock = Math.max(this.#frontier.clock, check.at);
    this.#counters.checks += 1;
    const change = check.diff && (this.#counters.changes += 1);
    const n = enter(watch, check, change);
    record(watch, check);
    const checksThisMonth = this.#ledger.countOne(watch.terms.organizationId, check.month);
    return { n, checksThisMonth, ...(change !== undefined && { change }) };
  }

  async checks(id: string, question: CheckQuestion): Promise<CheckRecord[]> {
    const watch = this.#watches.get(id);
    return watch ? checksOf(watch, question) : [];
  }

  async check(id: string, n: number): Promise<CheckRecord | undefined> {
    const watch = this.#watches.get(id);
    return watch && checkOf(watch, n);
  }

  async watchText(id: string, n: number): Promise<KnownVersion | undefined> {
    const watch = this.#watches.get(id);
    return watch && versionAt(watch, n);
  }

  async watchExplanation(id: string): Promise<{ readonly n: number; readonly explanation: string } | undefined> {
    const explanation = this.#watches.get(id)?.explanation;
    return explanation && { ...explanation };
  }

  async watchChanges(question: ChangeQuestion): Promise<ChangeRecord[]> {
    const { organizationId, watchId, tag, after = 0, newest = false, atMost } = question;
    const isAsked = ({ terms }: KnownWatch): boolean =>
      terms.organizationId === organizationId && (watchId === undefined || terms.id === watchId);
    const changes = this.#all().filter(isAsked).flatMap(changesOf);
    const oldestFirst = changes.toSorted((one, other) => one.cursor - other.cursor);
    const later = oldestFirst.filter((change) => change.cursor > after);
    const asked =
      tag === undefined
        ? later
        : later.slice(-TAGGED_AMONG).filter(({ watchTags }) => watchTags?.includes(tag) === true);
    return structuredClone((newest ? asked.toReversed() : asked).slice(0, atMost));
  }

  async newestChange(): Promise<number> {
    return this.#counters.changes;
  }

  async countChanges(organizationId: string, after: number): Promise<number> {
    return (await this.watchChanges({ organizationId, after, atMost: Infinity })).length;
  }

  async changeCursorAt(organizationId: string, at: number): Promise<number> {
    const changes = await this.watchChanges({ organizationId, atMost: Infinity });
    const first = changes.find(({ check }) => check.at >= at);
    return first ? first.cursor - 1 : this.#counters.changes;
  }

  async seeWatch(id: string, n: number): Promise<boolean> {
    const watch = this.#watches.get(id);
    if (watch) watch.seen = Math.max(watch.seen, Math.min(n, watch.checkCount));
    return watch !== undefined;
  }

  async rescheduleWatches(now: number, withinMs: number): Promise<number> {
    let moved = 0;
    for (const watch of this.#all()) {
      const due = dueAgain({ ...watch.terms, key: watch.key, due: watch.due }, now, withinMs);
      if (due !== watch.due) moved += 1;
      watch.due = due;
    }
    return moved;
  }

  async watchTotals(now: number): Promise<WatchTotals> {
    const all = this.#all();
    const texts = new Map(all.flatMap((watch) => watch.versions).map(({ text }) => [text.hash, text.packed.length]));
    return {
      ...this.#counters,
      watches: all.length,
      active: all.filter((watch) => !watch.isPaused && !watch.isHeld).length,
      failing: all.filter((watch) => (watch.state?.failures ?? 0) > 0).length,
      held: all.filter((watch) => watch.isHeld).length,
      oldestDue: this.#frontier.longestWait(now, watchReadyAt),
      texts: texts.size,
      textBytes: [...texts.values()].reduce((total, bytes) => total + bytes, 0),
    };
  }

  #all(): KnownWatch[] {
    return [...this.#watches.values()];
  }
}

function changedTerms(before: KnownWatch['terms'], change: WatchTerms): KnownWatch['terms'] {
  const { title: _title, tags: _tags, ...others } = before;
  const { everyMs, jitterMs, options, title, tags = [] } = { ...before, ...change };
  const labels = { ...(typeof title === 'string' && { title }), ...(tags.length > 0 && { tags }) };
  return { ...others, everyMs, jitterMs, options, ...labels };
}
