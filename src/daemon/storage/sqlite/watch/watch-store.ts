import type { DatabaseSync } from 'node:sqlite';
import type { ChangedWatch, NewWatch, WatchAdded, WatchQuestion, WatchRecord, WatchTerms } from '../../watches.ts';
import type { HostStore } from '../crawl/host-store.ts';
import type { TransactionalMaps } from '../worker/transactional-map.ts';
import { PARKED, tagsColumn, toRecord, WATCH_ROWS, type WatchRow } from '../../watch-rows.ts';

interface Stores {
  readonly hosts: HostStore;
  readonly organizations: WatchOrganizationStore;
}

export interface KnownWatch {
  readonly key: number;
  readonly organization: string;
}

/** Whose watches: everyone's of an organization, or those of a member. */
export type WatchOwner = { readonly memberId: string } | { readonly organizationId: string };

/** Watches as they are ordered: for whom, what, how often, and whether at all. */
export class WatchStore {
  readonly #sql: ReturnType<typeof watchStatements>;
  readonly #stores: Stores;
  /**
   * Due times that were set since the watch was taken: the check under way does not know of them. In memory, since it ends
   * with the process as well.
   */
  readonly #changedDue: Map<number, number>;
  /** Watches whose options were changed since they were taken. */
  readonly #superseded: Map<number, true>;

  constructor(database: DatabaseSync, stores: Stores, maps: TransactionalMaps) {
    this.#sql = watchStatements(database);
    this.#stores = stores;
    this.#changedDue = maps.map();
    this.#superseded = maps.map();
  }

  add(watch: NewWatch, mostInOrganization: number): WatchAdded {
    const { id, organizationId, memberId, url, target, everyMs, jitterMs, createdAt, options, title, tags, isPaused } =
      watch;
    const { hosts, organizations } = this.#stores;
    const known = this.#sql.byTarget.get(organizationId, target) as { id: string; member: string } | undefined;
    if (known) return { kind: 'known', id: known.id, isOwn: known.member === memberId };
    const organization = organizations.get(organizationId);
    if (organization.watches >= mostInOrganization) return { kind: 'full' };
    const host = (hosts.find(watch.host) ?? hosts.add(watch.host)).key;
    const place = [organizationId, memberId, url, target] as const;
    const terms = [everyMs, jitterMs, createdAt, JSON.stringify(options), title ?? null, tagsColumn(tags)] as const;
    const { key } = this.#sql.add.get(id, ...place, ...terms) as { key: number };
    const parked = (organization.isHeld ? PARKED.held : 0) | (isPaused === true ? PARKED.paused : 0);
    this.#sql.addState.run(key, host, createdAt, parked);
    organizations.count(organizationId, 1);
    hosts.countWatches(host, 1);
    hosts.refresh(host);
    return { kind: 'added', watch: this.#record(id) };
  }

  find(id: string): KnownWatch | undefined {
    return this.#sql.find.get(id) as unknown as KnownWatch | undefined;
  }

  watch(id: string): WatchRecord | undefined {
    const row = this.#sql.byId.get(id) as unknown as WatchRow | undefined;
    return row && toRecord(row);
  }

  watches({ organizationId, memberId, atMost }: WatchQuestion): WatchRecord[] {
    const rows =
      memberId === undefined
        ? this.#sql.ofOrganization.all(organizationId, atMost)
        : this.#sql.ofMember.all(memberId, organizationId, atMost);
    return rows.map((row) => toRecord(row as unknown as WatchRow));
  }

  members(): string[] {
    const members: string[] = [];
    // From one to the next by the index: there are far fewer members than watches.
    for (let member = this.#memberAfter(''); member !== undefined; member = this.#memberAfter(member)) {
      members.push(member);
    }
    return members;
  }

  change(id: string, terms: WatchTerms): ChangedWatch | undefined {
    const watch = this.find(id);
    if (!watch) return undefined;
    const { everyMs, jitterMs, isPaused, options, due } = terms;
    const json = options === undefined ? null : JSON.stringify(options);
    this.#sql.setTerms.run(everyMs ?? null, jitterMs ?? null, json, watch.key);
    this.#relabel(watch.key, terms);
    const isLeased = this.#stores.hosts.isLeasedTo(id);
    if (options !== undefined && isLeased) this.#superseded.set(watch.key, true);
    if (due !== undefined || isPaused !== undefined) this.#setState(watch.key, due, isPaused);
    if (due === undefined) return this.#record(id);
    this.#changedDue.set(watch.key, due);
    const isUnderWay = isLeased && !this.#superseded.has(watch.key);
    return { ...this.#record(id), ...(isUnderWay && { isUnderWay: true as const }) };
  }

  /** What was set before the watch was taken, its check knows. */
  taken(key: number): void {
    this.#changedDue.delete(key);
    this.#superseded.delete(key);
  }

  /** Whether its options were changed after it was taken: what its check has found is what they no longer ask for. */
  isSuperseded(key: number): boolean {
    return this.#superseded.has(key);
  }

  /**
   * When it is due after its check: as the check says, unless an earlier time was set meanwhile. Known until it is taken
   * again: a commit that fails may be repeated.
   */
  dueAfter(key: number, nextDue: number): number {
    return Math.min(this.#changedDue.get(key) ?? nextDue, nextDue);
  }

  /** How many checks there have been. */
  checked(key: number): number {
    return (this.#sql.checked.get(key) as { checks: number }).checks;
  }

  see(id: string, n: number): boolean {
    const watch = this.find(id);
    if (watch) this.#sql.see.run(n, watch.key);
    return watch !== undefined;
  }

  /** It is nobody's from now on, and its host's no more. What its checks have left is swept afterwards. */
  forget(id: string): boolean {
    const watch = this.find(id);
    if (!watch) return false;
    const { hosts, organizations } = this.#stores;
    const { host } = this.#sql.removeState.get(watch.key) as { host: number };
    this.#sql.forget.run(watch.key);
    this.taken(watch.key);
    organizations.count(watch.organization, -1);
    hosts.countWatches(host, -1);
    hosts.left(host);
    return true;
  }

  /** Forgets at most `atMost` of them; how many they were. */
  forgetSome(owner: WatchOwner, atMost: number): number {
    const rows =
      'memberId' in owner
        ? this.#sql.idsOfMember.all(owner.memberId, atMost)
        : this.#sql.idsOfOrganization.all(owner.organizationId, atMost);
    for (const row of rows) this.forget((row as { id: string }).id);
    return rows.length;
  }

  #setState(key: number, due: number | undefined, isPaused: boolean | undefined): void {
    const pause = isPaused === undefined ? null : Number(isPaused);
    const { host } = this.#sql.setState.get(due ?? null, pause, key) as { host: number };
    this.#stores.hosts.refresh(host);
  }

  #relabel(key: number, { title, tags }: WatchTerms): void {
    if (title !== undefined) this.#sql.setTitle.run(title, key);
    if (tags !== undefined) this.#sql.setTags.run(tagsColumn(tags), key);
  }

  #memberAfter(member: string): string | undefined {
    return (this.#sql.memberAfter.get(member) as { member: string } | undefined)?.member;
  }

  #record(id: string): WatchRecord {
    const record = this.watch(id);
    if (!record) throw new Error(`watch ${id} has no state`);
    return record;
  }
}

function watchStatements(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  const ids = 'SELECT id FROM watches WHERE id IS NOT NULL AND';
  return {
    byTarget: sql('SELECT id, member FROM watches WHERE organization = ? AND target = ? AND id IS NOT NULL'),
    add: sql(`INSERT INTO watches (id, organization, member, url, target, every_ms, jitter_ms, created_at, options,
      title, tags) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING key`),
    addState: sql('INSERT INTO watch_states (watch, host, due, parked) VALUES (?, ?, ?, ?)'),
    find: sql('SELECT key, organization FROM watches WHERE id = ?'),
    byId: sql(`${WATCH_ROWS} WHERE watches.id = ?`),
    ofOrganization: sql(`${WATCH_ROWS} WHERE watches.organization = ? AND watches.id IS NOT NULL
      ORDER BY watches.key DESC LIMIT +?`),
    // The plus keeps the planner from the index of the organization, which may be the longer one.
    ofMember: sql(`${WATCH_ROWS} WHERE watches.member = ? AND +watches.organization = ? AND watches.id IS NOT NULL
      ORDER BY watches.key DESC LIMIT +?`),
    memberAfter: sql('SELECT member FROM watches WHERE member > ? AND id IS NOT NULL ORDER BY member LIMIT 1'),
    setTerms: sql(`UPDATE watches SET every_ms = coalesce(?, every_ms), jitter_ms = coalesce(?, jitter_ms),
      options = coalesce(?, options) WHERE key = ?`),
    setTitle: sql('UPDATE watches SET title = ? WHERE key = ?'),
    setTags: sql('UPDATE watches SET tags = ? WHERE key = ?'),
    setState: sql(`UPDATE watch_states SET due = coalesce(?1, due), parked = coalesce((parked & ~1) | ?2, parked)
      WHERE watch = ?3 RETURNING host`),
    checked: sql('SELECT checks FROM watch_states WHERE watch = ?'),
    see: sql('UPDATE watch_states SET seen = max(seen, min(?, checks)) WHERE watch = ?'),
    removeState: sql('DELETE FROM watch_states WHERE watch = ? RETURNING host'),
    forget: sql('UPDATE watches SET id = NULL WHERE key = ?'),
    idsOfMember: sql(`${ids} member = ? ORDER BY key LIMIT +?`),
    idsOfOrganization: sql(`${ids} organization = ? ORDER BY key LIMIT +?`),
  };
}

/** How far the watches of an organization have come to be held, or let go. */
export interface HoldWalk {
  readonly organizationId: string;
  readonly isHeld: boolean;
  after: number;
}

/** How many watches an organization has, and whether they are held. */
export class WatchOrganizationStore {
  readonly #sql: ReturnType<typeof organizationStatements>;
  readonly #hosts: HostStore;

  constructor(database: DatabaseSync, hosts: HostStore) {
    this.#sql = organizationStatements(database);
    this.#hosts = hosts;
  }

  get(id: string): { readonly watches: number; readonly isHeld: boolean } {
    const row = this.#sql.get.get(id) as { watches: number; isHeld: number } | undefined;
    return { watches: row?.watches ?? 0, isHeld: row?.isHeld === 1 };
  }

  count(id: string, more: number): void {
    this.#sql.count.run(id, more);
    if (more < 0) this.#sql.clean.run(id);
  }

  held(): string[] {
    return this.#sql.held.all().map((row) => (row as { id: string }).id);
  }

  /** Those whose watches are not all as they should be, because the process ended. */
  unfinished(): string[] {
    return this.#sql.unfinished.all().map((row) => (row as { id: string }).id);
  }

  /** Holds for watches that are added from now on; those that are there follow in steps. */
  hold(id: string, isHeld: boolean): void {
    this.#sql.hold.run(id, Number(isHeld));
  }

  walk(organizationId: string): HoldWalk {
    return { organizationId, isHeld: this.get(organizationId).isHeld, after: 0 };
  }

  /** Goes on with the walk by at most `atMost` watches; whether there may be more. Another one that came later goes on for it. */
  settleSome(walk: HoldWalk, atMost: number): boolean {
    const { organizationId, isHeld } = walk;
    if (this.get(organizationId).isHeld !== isHeld) return false;
    const parked = isHeld ? PARKED.held : 0;
    const rows = this.#sql.unsettled.all(organizationId, walk.after, parked, atMost) as unknown as Unsettled[];
    for (const { watch } of rows) this.#sql.park.run(parked, watch);
    for (const host of new Set(rows.map((row) => row.host))) this.#hosts.refresh(host);
    walk.after = rows.at(-1)?.watch ?? walk.after;
    if (rows.length === atMost) return true;
    this.#sql.settled.run(organizationId);
    this.#sql.clean.run(organizationId);
    return false;
  }

  totals(): { readonly watches: number } {
    return this.#sql.totals.get() as { watches: number };
  }
}

interface Unsettled {
  readonly watch: number;
  readonly host: number;
}

function organizationStatements(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  return {
    get: sql('SELECT watches, is_held AS isHeld FROM watch_organizations WHERE id = ?'),
    count: sql(`INSERT INTO watch_organizations (id, watches) VALUES (?, ?)
      ON CONFLICT (id) DO UPDATE SET watches = watches + excluded.watches`),
    hold: sql(`INSERT INTO watch_organizations (id, is_held, todo) VALUES (?, ?, 1)
      ON CONFLICT (id) DO UPDATE SET is_held = excluded.is_held, todo = 1`),
    settled: sql('UPDATE watch_organizations SET todo = 0 WHERE id = ?'),
    clean: sql('DELETE FROM watch_organizations WHERE id = ? AND watches = 0 AND is_held = 0 AND todo = 0'),
    held: sql('SELECT id FROM watch_organizations WHERE is_held = 1 ORDER BY id'),
    unfinished: sql('SELECT id FROM watch_organizations WHERE todo = 1'),
    totals: sql('SELECT coalesce(sum(watches), 0) AS watches FROM watch_organizations'),
    unsettled: sql(`SELECT state.watch, state.host FROM watches JOIN watch_states AS state ON state.watch = watches.key
      WHERE watches.organization = ? AND watches.id IS NOT NULL AND watches.key > ?
        AND state.parked & ${PARKED.held} <> ? ORDER BY watches.key LIMIT +?`),
    park: sql(`UPDATE watch_states SET parked = (parked & ~${PARKED.held}) | ? WHERE watch = ?`),
  };
}
