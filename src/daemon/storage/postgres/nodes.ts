import type { AddressPlaces, HostLeases, NodeFacts, Nodes, NodesFollower, RequestCounts, TapHead } from '../nodes.ts';
import type { NodeRows } from './catalog/nodes.ts';
import type { Database } from './connection/database.ts';
import { renewLeases } from './crawl/host-queue.ts';
import { announceHeads, HeadFeed } from './events/head-feed.ts';
import type { EventLogStore } from './events/event-log-store.ts';
import { AddressPlaceStore } from './limits/address-places.ts';
import { RequestCountStore } from './limits/request-counts.ts';

/** As long as the hosts of a node that died are left alone. */
const HOST_LEASE_MS = 60_000;

interface PostgresNodesDeps {
  readonly database: Database;
  readonly node: string;
  readonly rows: NodeRows;
  readonly log: Pick<EventLogStore, 'heads'>;
}

/** The daemons that share a database: who lives, who does what only one does, and how far the taps have come. */
export class PostgresNodes implements Nodes {
  readonly #deps: PostgresNodesDeps;
  readonly addressPlaces: AddressPlaces;
  readonly requestCounts: RequestCounts;
  #heads: HeadFeed | undefined;
  #changes: HeadFeed | undefined;

  constructor(deps: PostgresNodesDeps) {
    this.#deps = deps;
    this.addressPlaces = new AddressPlaceStore(deps.database, deps.node);
    this.requestCounts = new RequestCountStore(deps.database);
  }

  get live(): number {
    return this.#deps.rows.live;
  }

  get clockAheadMs(): number {
    return this.#deps.rows.clockAheadMs;
  }

  count(): Promise<number> {
    return this.#deps.rows.count();
  }

  list(): Promise<readonly NodeFacts[]> {
    return this.#deps.rows.list();
  }

  get isReachable(): boolean {
    return this.#deps.database.isReachable;
  }

  get hostLeases(): HostLeases {
    const renew: HostLeases['renew'] = (held, until) => renewLeases(this.#deps.database, held, until);
    return { ms: HOST_LEASE_MS, renew };
  }

  async lease(work: string, ms: number): Promise<number> {
    const { database, node } = this.#deps;
    return (await database.query(LEASE, [work, node, ms])).length > 0 ? ms : 0;
  }

  async release(work: string): Promise<void> {
    const { database, node } = this.#deps;
    await database.query('DELETE FROM node_work WHERE work = $1 AND node = $2', [work, node]);
  }

  follow({ watchedTaps: watched, tapsMoved: heard, awaitedOrganizations, watchesChanged }: NodesFollower): void {
    const { database, log } = this.#deps;
    this.#heads ??= new HeadFeed({ database, log, watched, heard });
    this.#changes ??= followChanges(database, awaitedOrganizations, watchesChanged);
  }

  announceChange(organizationId: string): void {
    void announceHeads(this.#deps.database, [[organizationId, 0]], WATCH_CHANGES).catch(() => undefined);
  }

  async close(): Promise<void> {
    await Promise.all([this.#heads?.close(), this.#changes?.close()]);
  }
}

const WATCH_CHANGES = 'hydrant_watch_changes';

/** What is told, and what has changed between two looks. */
function followChanges(
  database: Database,
  awaited: () => readonly string[],
  changed: (organizationIds: readonly string[]) => void,
): HeadFeed {
  let seen: ReadonlyMap<string, number> = new Map();
  const moved = async (organizationIds: readonly string[]): Promise<TapHead[]> => {
    const rows = await database.query<{ organization: string; cursor: number }>(CURSORS, [organizationIds]);
    const before = seen;
    seen = new Map(rows.map(({ organization, cursor }) => [organization, cursor]));
    return [...seen].filter(([organization, cursor]) => before.get(organization) !== cursor);
  };
  const heard = (heads: readonly TapHead[]): void => changed(heads.map(([organizationId]) => organizationId));
  return new HeadFeed({ database, channel: WATCH_CHANGES, log: { heads: moved }, watched: awaited, heard });
}

const CURSORS = 'SELECT organization, cursor FROM watch_cursors WHERE organization = ANY ($1::text[])';

const LEASE = `INSERT INTO node_work AS held (work, node, until)
    VALUES ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')
  ON CONFLICT (work) DO UPDATE SET node = excluded.node, until = excluded.until
    WHERE held.node = excluded.node OR held.until < clock_timestamp()
  RETURNING work`;
