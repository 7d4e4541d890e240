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
