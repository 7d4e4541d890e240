/** A tap, and the offset that its next event will have. */
export type TapHead = readonly [tapId: string, head: number];

/**
 * The daemons that share a storage, as one of them, this node, sees the others. Where a single process writes, there are no
 * others.
 */
export interface Nodes {
  /** How many live, this one among them, as far as it knows. */
  readonly live: number;
  /** Milliseconds by which the clock that all nodes go by is ahead of that of this machine. */
  readonly clockAheadMs: number;
  /** How many live at this moment, this one among them, whether or not it has been noticed by the others yet. */
  count(): Promise<number>;
  /** Those that were seen in the last day, by name; empty where there can be no others. */
  list(): Promise<readonly NodeFacts[]>;
  /**
   * For how many milliseconds this node, and no other, does what `work` names: `ms` where nobody did, or it did itself until now; 0 where
   * another one does. A node that lives keeps it by asking again in time; of one that died it is free afterwards. Infinity: there are no
   * others.
   */
  lease(work: string, ms: number): Promise<number>;
  /** Another node may do it at once. */
  release(work: string): Promise<void>;
  /** How long hosts are leased, and how they are kept; undefined: a lease is as long as any visit. */
  readonly hostLeases: HostLeases | undefined;
  /** Places at IP addresses; undefined: there are none but those that this process counts. */
  readonly addressPlaces: AddressPlaces | undefined;
  /** Requests of clients, counted for all nodes together; undefined: this process alone is asked. */
  readonly requestCounts: RequestCounts | undefined;
  /** Whether the storage can be reached, as far as is known. */
  readonly isReachable: boolean;
  /** Reports from now on what all nodes commit, this one too: hints, of which any may be late, doubled or missing. */
  follow(follower: NodesFollower): void;
  /** Says to the other nodes that a watch of the organization has changed: a hint. */
  announceChange(organizationId: string): void;
}

export interface HostLeases {
  readonly ms: number;
  /** Those of them that are held still are held until then; the names of these hosts. The others are somebody else's, or free. */
  renew(held: readonly HeldHost[], until: number): Promise<readonly string[]>;
}

/** At each IP address there are `IP_IN_FLIGHT` places, for all nodes together. A node holds some of them for a while. */
export interface AddressPlaces {
  /** So long a place is held by a node that is not heard of any more. */
  readonly ms: number;
  /** Those of `wanted` that nobody holds, or this node did before it was started again, are its own from now on. */
  take(wanted: readonly AddressPlace[]): Promise<readonly AddressPlace[]>;
  /** Those of them that are held still are held for `ms` from now on; the others are not answered. */
  renew(held: readonly AddressPlace[]): Promise<readonly AddressPlace[]>;
  /** Another node may have them after a pause as long as that between two beginnings at an address. */
  release(held: readonly AddressPlace[]): Promise<void>;
}

export interface AddressPlace {
  /** As text. */
  readonly address: string;
  /** From 0. */
  readonly place: number;
}

export interface RequestCounts {
  /**
   * Counts one request of a client within a fixed window that begins with its first one; `now` is ms since 1970. Answers the count, and
   * the milliseconds until the window ends. A clock that is set back ends the window, too.
   */
  count(client: string, now: number, windowMs: number): Promise<{ readonly current: number; readonly ttl: number }>;
}

export interface HeldHost {
  readonly host: string;
  readonly lease: number;
}

export interface NodesFollower {
  /** The taps that are read on this node: their heads are looked at, whether or not there are hints. */
  readonly watchedTaps: () => readonly string[];
  readonly tapsMoved: (heads: readonly TapHead[]) => void;
  /** Organizations for whose changes of watches somebody waits on this node. */
  readonly awaitedOrganizations: () => readonly string[];
  readonly watchesChanged: (organizationIds: readonly string[]) => void;
}

export interface NodeFacts {
  readonly name: string;
  /** Milliseconds since it was last heard of. */
  readonly silentMs: number;
  /** It was heard of lately enough to be waited for. */
  readonly isLive: boolean;
  readonly isThis: boolean;
}

/** Of a storage that a single process writes. */
export const noOtherNodes: Nodes = {
  live: 1,
  clockAheadMs: 0,
  count: async () => 1,
  list: async () => [],
  lease: async () => Infinity,
  hostLeases: undefined,
  addressPlaces: undefined,
  requestCounts: undefined,
  isReachable: true,
  release: async () => undefined,
  follow: () => undefined,
  announceChange: () => undefined,
};
