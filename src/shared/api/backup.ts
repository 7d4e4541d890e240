/** The files of a data directory that a backup holds, in the order in which they stand in it. */
export const BACKUP_FILES = ['hydrant.db', 'catalog.json', 'secret'] as const;
export type BackupFile = (typeof BACKUP_FILES)[number];

/** `manifest.json`, the first file of a backup: a tar archive, packed with zstd, with gzip or not at all. */
export interface BackupManifest {
  readonly format: 1;
  /** Of the hydrant that wrote it. */
  readonly version: string;
  /** An instant. */
  readonly created_at: string;
  /** What a daemon has to know to read it; one that knows less refuses. */
  readonly schema: { readonly catalog: number; readonly database: number };
  /** As `BACKUP_FILES`; SHA-256 in hexadecimal digits. */
  readonly files: readonly { readonly name: BackupFile; readonly bytes: number; readonly sha256: string }[];
  /** How many of each. */
  readonly holds: Readonly<Record<'organizations' | 'keys' | 'taps' | 'rules' | 'filters' | 'sources', number>>;
}

export const MANIFEST = 'manifest.json';

/** What `hydrant migrate` has moved; both sides say the same of it. */
export interface MigrateReport {
  readonly direction: 'to' | 'from';
  readonly data_dir: string;
  /** Servers and name of the database. */
  readonly database: string;
  /** The first part of event ids, which go on. */
  readonly partition: number;
  /** Offsets that were given in all taps, whether or not their events are still kept. */
  readonly offsets: number;
  readonly tables: readonly MovedTable[];
}

export interface MovedTable {
  /** As PostgreSQL calls it; `catalog`: organizations, keys, taps, rules, sources … */
  readonly name: string;
  readonly rows: number;
  /** 16 hexadecimal digits over all rows. */
  readonly checksum: string;
}

/** What `hydrant salvage` could read of a data directory, and what not. */
export interface SalvageReport {
  /** The file that the catalog was read from. */
  readonly catalog: string;
  /** Names of taps that have a new token, because what their own was sealed with is lost. */
  readonly renewed_taps: readonly string[];
  /** Of the database as it was; a guess where its first page is lost. */
  readonly schema: number;
  /** The journal is damaged before its end: the last writes may be missing, and no table tells of it. */
  readonly journal_cut: boolean;
  /** Those in which anything was. */
  readonly tables: readonly SalvagedTable[];
}

export interface SalvagedTable {
  readonly name: string;
  /** Rows that are in the new directory. */
  readonly saved: number;
  /** Rows that were read, and mean nothing without others that are lost. */
  readonly dropped: number;
  /** Rows that were seen, but not whole. */
  readonly broken: number;
  /** Pages of 8 KiB that could not be read, with an unknown number of rows. */
  readonly pages: number;
}
