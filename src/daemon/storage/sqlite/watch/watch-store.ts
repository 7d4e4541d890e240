import type { DatabaseSync } from 'node:sqlite';
import type { NewWatch, WatchAdded, WatchQuestion, WatchRecord, WatchTerms } from '../../watches.ts';
import type { HostStore } from '../crawl/host-store.ts';
import type { RevocableMaps } from '../worker/revocable-map.ts';
import type { WatchOrganizationStore } from './watch-organization-store.ts';
import { PARKED, toRecord, WATCH_ROWS, type WatchRow } from './watch-rows.ts';

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
  readonly #sql: ReturnType<typeof prepare>;
  readonly #stores: Stores;
  /**
   * Due times that were set since the watch was taken: the check under way does not know of them. In memory, since it ends
   * with the process as well.
   */
  readonly #changedDue: Map<number, number>;

  constructor(database: DatabaseSync, stores: Stores, maps: RevocableMaps) {
    this.#sql = prepare(database);
    this.#stores = stores;
    this.#changedDue = maps.map();
  }

  add(watch: NewWatch, mostInOrganization: number): WatchAdded {
    const { id, organizationId, memberId, url, target, everyMs, jitterMs, createdAt, options, isPaused } = watch;
    const { hosts, organizations } = this.#stores;
    const known = this.#sql.byTarget.get(organizationId, target) as { id: string; member: string } | undefined;
    if (known) return { kind: 'known', id: known.id, isOwn: known.member === memberId };
    const organization = organizations.get(organizationId);
    if (organization.watches >= mostInOrganization) return { kind: 'full' };
    const host = (hosts.find(watch.host) ?? hosts.add(watch.host)).key;
    const place = [organizationId, memberId, url, target] as const;
    const { key } = this.#sql.add.get(id, ...place, everyMs, jitterMs, createdAt, JSON.stringify(options)) as {
      key: number;
    };
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

  change(id: string, { everyMs, jitterMs, isPaused, options, due }: WatchTerms): WatchRecord | undefined {
    const watch = this.find(id);
    if (!watch) return undefined;
    const json = options === undefined ? null : JSON.stringify(options);
    this.#sql.setTerms.run(everyMs ?? null, jitterMs ?? null, json, watch.key);
    if (due !== undefined || isPaused !== undefined) {
      const pause = isPaused === undefined ? null : Number(isPaused);
      const row = this.#sql.setState.get(due ?? null, pause, watch.key) as { host: number };
      this.#stores.hosts.refresh(row.host);
    }
    if (due !== undefined) this.#changedDue.set(watch.key, due);
    return this.#record(id);
  }

  /** What was set before the watch was taken, its check knows. */
  taken(key: number): void {
    this.#changedDue.delete(key);
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
    this.#changedDue.delete(watch.key);
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

  #memberAfter(member: string): string | undefined {
    return (this.#sql.memberAfter.get(member) as { member: string } | undefined)?.member;
  }

  #record(id: string): WatchRecord {
    const record = this.watch(id);
    if (!record) throw new Error(`watch ${id} has no state`);
    return record;
  }
}

function prepare(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  const ids = 'SELECT id FROM watches WHERE id IS NOT NULL AND';
  return {
    byTarget: sql('SELECT id, member FROM watches WHERE organization = ? AND target = ? AND id IS NOT NULL'),
    add: sql(`INSERT INTO watches (id, organization, member, url, target, every_ms, jitter_ms, created_at, options)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING key`),
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
