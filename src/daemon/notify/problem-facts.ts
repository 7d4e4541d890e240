/** One problem, as the log of problems keeps it and a receiver that is a program gets it. */
export interface ProblemFacts {
  /** `source`, `watch`: cannot be read. `disk`: nearly full. `storage`: something was lost. `sink`: cannot be delivered to. */
  readonly kind: 'source' | 'watch' | 'disk' | 'storage' | 'sink';
  /** Of the source, watch or sink. */
  readonly id?: string;
  readonly url?: string;
  /** Whose it is; absent: the instance's. */
  readonly organization_id?: string;
  /** What is wrong, and that it is not any more; each one line. */
  readonly title: string;
  readonly over: string;
  readonly detail?: string;
  /** The HTTP status. */
  readonly status?: number;
  /** Failures in a row when it became a problem. */
  readonly failures?: number;
  /** An instant. */
  readonly since: string;
  /** Tags of the watch. */
  readonly tags?: readonly string[];
}
