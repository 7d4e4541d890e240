/**
 * The robots.txt of the hosts of the crawl, as last fetched: kept over a restart, so that nobody is asked again for
 * what is known, and nobody's rules are forgotten while the file cannot be had. Bounded by `ROBOTS_COPIES` and
 * `ROBOTS_COPIES_BYTES`: those asked for longest ago go first, and never the one just saved.
 */
export interface RobotsCopies {
  robotsCopy(origin: string): Promise<RobotsCopy | undefined>;
  /** Replaces what was known of the origin. */
  saveRobotsCopy(copy: RobotsCopy): Promise<void>;
  robotsTotals(): Promise<RobotsTotals>;
  /** Origins that have answered when they were asked last, those asked last first. */
  answeredLast(atMost: number): Promise<readonly string[]>;
}

export interface RobotsCopy {
  /** `https://example.com:8443`: rules hold for one scheme, host and port. */
  readonly origin: string;
  readonly askedAt: number;
  /** When it is asked for again. */
  readonly expiresAt: number;
  /** The last file that came, also while it cannot be had; undefined where there is none. */
  readonly file: Uint8Array | undefined;
  /** Since when it cannot be had, and why; undefined when it was answered. */
  readonly unreachable: Unreachable | undefined;
}

export interface Unreachable {
  readonly since: number;
  /** A word, and a sentence. */
  readonly reason: string;
  readonly detail: string;
}

export interface RobotsTotals {
  readonly copies: number;
  /** Of files, before compression. */
  readonly bytes: number;
  /** Copies of hosts whose robots.txt cannot be had. */
  readonly unreachable: number;
}

export interface RobotsLimits {
  readonly copies: number;
  readonly bytes: number;
}
