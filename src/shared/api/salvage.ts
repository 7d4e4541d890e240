/** What `hydrant salvage` could read of a data directory, and what not. */
export interface SalvageReport {
  /** The file that the catalog was read from. */
  readonly catalog: string;
  /** Names of taps that have a new token, because what their own was sealed with is lost. */
  readonly renewed_taps: readonly string[];
  /** Of the database as it was; a guess where its first page is lost. */
  readonly schema: number;
  /** The journal is damaged before its end: what was written last may be missing, and no table tells of it. */
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
