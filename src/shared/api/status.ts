import type { SinkKindName } from './notify.ts';

/** `hydrant status` on the wire: one screen of the daemon's life. */
export interface Status {
  readonly version: string;
  readonly pid: number;
  /** An instant. */
  readonly started_at: string;
  /** The public address, `http://127.0.0.1:7878`. */
  readonly url: string;
  readonly data_dir: string;
  /** As the crawl names itself. */
  readonly user_agent?: string;
  readonly organization: string;
  readonly crawl: {
    readonly sources: number;
    readonly pages: number;
    readonly visits: number;
    readonly changes: number;
    readonly failures: number;
    /** Visits under way. */
    readonly in_flight: number;
    /** Milliseconds by which the oldest due page is late; null when none is due. */
    readonly oldest_due_ms: number | null;
    /** Since when no host has answered, not even those that did lately: it may be our own network. */
    readonly network_doubted_since?: string | null;
    /** Hosts that fail, back off or are slow; 250 at most, those first that are asked again first. */
    readonly unhealthy?: readonly UnhealthyHost[];
    /** URLs of sources, and of watches, whose last visit failed: 250 at most, those of sources first. */
    readonly failing?: readonly FailingUrl[];
    /** URLs of sources that have moved for good: their page is read at its new address, by way of the old one. 250 at most. */
    readonly moved?: readonly MovedUrl[];
    readonly robots: {
      /** Whose robots.txt has been asked for; by scheme, name and port. */
      readonly hosts: number;
      /** Of these, whose robots.txt cannot be had now. */
      readonly unreachable: number;
      /** Pages that were not asked for because of robots.txt, since the daemon's start. */
      readonly refused: number;
    };
  };
  readonly watch: {
    readonly watches: number;
    /** Neither paused nor held. */
    readonly active: number;
    /** Their newest check failed. */
    readonly failing: number;
    /** The checks of their organization are used up. */
    readonly held: number;
    /** Since the database began. */
    readonly checks: number;
    readonly changes: number;
    /** Milliseconds by which the watch is late that waits longest on a host that could be asked; null when none is due. */
    readonly oldest_due_ms: number | null;
    /** How late the last thousand checks began; null before the first. */
    readonly late_ms: { readonly p50: number | null; readonly p99: number | null };
    /**
     * Checks since the start by how they ended: `baseline`, `changed`, `unchanged`, `none` (robots.txt was fetched, or the check
     * was called off), or the reason they failed for.
     */
    readonly outcomes: Readonly<Record<string, number>>;
    /** Checks since the start that could not be recorded. */
    readonly faults: number;
  };
  readonly match: {
    readonly taps: number;
    readonly rules: number;
    readonly events: number;
    /** Of the events; absent from older daemons. */
    readonly log?: EventLogUse;
  };
  /** Where messages are sent to; absent from older daemons. */
  readonly sinks?: SinkTotals;
  /** The daemons that share the database, by name, this one among them; absent without one that is shared. */
  readonly nodes?: readonly NodeStatus[];
  readonly stream: {
    readonly open: number;
    /** Bytes that wait in our memory for clients that do not read. */
    readonly buffered_bytes: number;
  };
  /** Of the process, in the memory of the machine. */
  readonly memory_bytes: number;
  /** What holds it; the parts sum up to about `memory_bytes`. Absent from older daemons. */
  readonly memory?: MemoryUse;
  /** Of the file system with the data directory: bytes that the daemon may still write, and all. Absent from older daemons. */
  readonly disk?: { readonly free_bytes: number; readonly total_bytes: number };
  /** What this start found lost, and went on without; absent when nothing was. They are among the problems as well. */
  readonly losses?: readonly string[];
  /**
   * Stored rules that match nothing, since the query language of this version refuses them: the id, the name of the tap, and
   * why; absent when there are none, at most 250.
   */
  readonly refused_rules?: readonly { readonly id: string; readonly tap: string; readonly why: string }[];
  /**
   * The newest failures, newest first, at most ten: one for each page or watch, or for each message, with how often it came
   * since the start where that is more than once. What was removed meanwhile has none.
   */
  readonly problems: readonly { readonly at: string; readonly message: string; readonly count?: number }[];
}

export interface NodeStatus {
  /** `host name:data directory`. */
  readonly name: string;
  readonly is_live: boolean;
  /** The one that answers. */
  readonly is_this: boolean;
  /** Milliseconds since it was last heard of. */
  readonly silent_ms: number;
}

export interface SinkTotals {
  readonly sinks: number;
  readonly paused: number;
  /** Of all of them together, as `SinkCounts` has them. */
  readonly sent: number;
  readonly parked: number;
  readonly dropped: number;
  readonly behind: number;
  /** Those that fail, are dead (for three days), or are disabled since their receiver is gone. */
  readonly unhealthy: readonly UnhealthySink[];
}

export interface UnhealthySink {
  readonly id: string;
  readonly name: string;
  readonly kind: SinkKindName;
  readonly state: 'failing' | 'dead' | 'disabled';
  readonly since: string;
  /** The newest error, as a sentence. */
  readonly detail: string;
}

export interface EventLogUse {
  /** What the events take, about, on disk. */
  readonly bytes: number;
  /** The setting `log-bytes`. */
  readonly most_bytes: number;
  /** The setting `stream-retention`. */
  readonly retention_seconds: number;
  /** All events of this time and later are kept; null where none was ever dropped. */
  readonly kept_from: string | null;
}

export interface MemoryUse {
  /** The setting `memory`. */
  readonly plan: 'small' | 'normal' | 'large';
  /** Node's own program, as far as it is in memory; null where the system does not say (all but Linux). */
  readonly program_bytes: number | null;
  /** Heaps of V8, as far as they are in memory. */
  readonly main_heap_bytes: number;
  readonly storage_heap_bytes: number;
  /** Of all analysis threads together. */
  readonly analysis_heap_bytes: number;
  readonly analysis_threads: number;
  /** Outside of these heaps, for them: bodies, packed pages, messages between threads. */
  readonly buffer_bytes: number;
  /** What SQLite's cache may come to; it is among the others. */
  readonly sqlite_cache_limit_bytes: number;
  /** The rest: SQLite, stacks, compiled code, and what was freed and is kept by the allocator. */
  readonly other_bytes: number;
}

export interface UnhealthyHost {
  /** `hostname[:port]`. */
  readonly host: string;
  /** Why: how its last request failed (`timeout`, `connect`, `tls`, `500`), what it was left alone for (`429`), or `slow`. */
  readonly reason: string;
  /** Requests in a row that failed. */
  readonly failures: number;
  /** When it is asked again at the earliest; null where nothing is to be asked of it. */
  readonly next_try: string | null;
}

export interface MovedUrl {
  /** Of the source. */
  readonly id: string;
  readonly url: string;
  /** Where the redirects end. */
  readonly to: string;
  readonly last_visit_at: string;
}

export interface FailingUrl {
  readonly kind: 'source' | 'watch';
  /** Of the source or watch. */
  readonly id: string;
  readonly url: string;
  /** A word (`not_found`, `robots`, `too_large`), or the HTTP status that it failed for (`404`). */
  readonly reason: string;
  /** Visits in a row that failed. */
  readonly failures: number;
  /** When the first of these was; absent where so old a visit is not kept. */
  readonly since?: string;
  /** Why the last one failed, as a sentence. */
  readonly detail?: string;
  readonly last_visit_at: string;
}
