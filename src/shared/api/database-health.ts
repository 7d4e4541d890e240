/** What `hydrant doctor` looks at of a PostgreSQL database. */
export interface DatabaseHealth {
  /** Servers, without user and password. */
  readonly place: string;
  /** 150018: 15.18. */
  readonly release: number;
  /** That has all that is used. */
  readonly oldestRelease: number;
  readonly version: string;
  /** Steps of the schema that were taken; undefined: nothing of hydrant is there yet. */
  readonly schema: number | undefined;
  /** Those that this version knows. */
  readonly knownSchema: number;
  readonly fsync: boolean;
  readonly synchronousCommit: string;
  /** `synchronous_standby_names`; empty: nobody waits for a replica. */
  readonly synchronousStandbys: string;
  readonly replicas: readonly { readonly name: string; readonly state: string | null; readonly sync: string | null }[];
  /** Whether it is on another machine, and whether what is sent there is encrypted. */
  readonly isRemote: boolean;
  readonly isEncrypted: boolean;
  /** Milliseconds by which its clock is ahead of that of this machine. */
  readonly clockAheadMs: number;
  /** That others than superusers may have, and that there are now. */
  readonly maxConnections: number;
  readonly connections: number;
  /** That one daemon may have. */
  readonly connectionsOfNode: number;
  /** Daemons that live. */
  readonly nodes: number;
  readonly autovacuum: boolean;
  readonly archiveMode: string;
  readonly hotTables: readonly HotTable[];
}

export interface HotTable {
  readonly name: string;
  readonly live: number;
  /** Rows that wait to be vacuumed. */
  readonly dead: number;
  /** Seconds; null: never since its figures began. */
  readonly vacuumedAgo: number | null;
}
