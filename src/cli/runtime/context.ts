import type { Readable, Writable } from 'node:stream';
import type { BackupManifest, MigrateReport, SalvageReport } from '../../shared/api/backup.ts';
import type { DatabaseHealth } from '../../shared/api/database-health.ts';
import type { RequestChange } from '../../shared/api/own-request.ts';
import type { Body } from '../../shared/page/page.ts';
import type { Target } from '../client/transport.ts';
import type { Line } from './input.ts';

/**
 * What a command knows of the world: its streams, the environment, the clock, and which daemon it speaks to. The one
 * place of the command line that reads any of them, so that a test hands in its own.
 */
export interface Context {
  readonly io: Streams;
  readonly environment: Environment;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly random: () => number;
  readonly resolve: (flags: GlobalFlags) => Promise<Connection>;
  /** All of stdin as text, once. @throws {UsageError} on a terminal, and when it was read before */
  readonly readInput: (purpose: string) => Promise<string>;
  /** The lines of stdin, once, however many. @throws as `readInput` */
  readonly readLines: (purpose: string, longest?: number) => AsyncIterable<Line>;
  /** Stdin as it comes, once. @throws as `readInput` */
  readonly readBytes: (purpose: string) => Readable;
  /** Runs the daemon in this process; answers with its exit code. Injected by `bin/`. */
  readonly serve: (flags: Record<string, unknown>) => Promise<number>;
  /** One page of the web, as the daemon fetches it, for whoever asks in person. Never rejects. Injected by `bin/`. */
  readonly fetchPage: FetchPage;
  /** What is done to a data directory without its daemon, or beside it. Injected by `bin/`. */
  readonly upkeep: () => Promise<Upkeep>;
  /** `bin/hydrantd`, to spawn. */
  readonly daemonPath: string;
  /** Aborted when the reader of stdout has gone (EPIPE): whatever runs may clean up and end; the exit code is 0. */
  readonly closed?: AbortSignal;
}

export type FetchPage = (url: string, signal: AbortSignal, asker?: Asker, way?: FetchWay) => Promise<FetchedPage>;

/** How a page is asked for and read, where that is not as all pages are. */
export interface FetchWay {
  /** As a browser shows it. */
  readonly render?: RenderWish;
  /** As a watch would be asked for; `environment` is that of a program which prints headers. */
  readonly request?: { readonly change: RequestChange; readonly environment: Environment } | undefined;
}

export interface RenderWish {
  readonly withinMs: number;
  readonly waitFor?: string | undefined;
  readonly settings: Pick<KnownSettings, 'renderBrowser' | 'renderEndpoint' | 'renderProxy' | 'renderSandbox'>;
}

/** Who has named the URL (default: a person). A person means the private network that he types; a program may have it from a page. */
export type Asker = 'person' | 'program';

/** A body, or the reason there is none: a word and a sentence. */
export type FetchedPage =
  /** `unsettled`: of a rendered page that may not have been complete, why. */
  | ({ readonly outcome: 'fetched'; readonly unsettled?: string } & Body)
  | { readonly outcome: 'failed'; readonly reason: string; readonly detail: string };

/** The daemon's half of backup, restore and doctor: see `src/daemon/upkeep.ts`. */
export interface Upkeep {
  /** Copies into `workDir`, which is empty, and the archive of them, to be read once; progress in pages. */
  readonly backUp: (plan: {
    readonly dataDir: string;
    readonly workDir: string;
    readonly onProgress: (done: number, total: number) => void;
  }) => Promise<{ readonly manifest: BackupManifest; readonly archive: AsyncIterable<Uint8Array> }>;
  readonly restore: (plan: {
    readonly archive: AsyncIterable<Uint8Array>;
    readonly dataDir: string;
    readonly onBegin: (manifest: BackupManifest) => void;
  }) => Promise<BackupManifest>;
  /** A new directory of what can be read of a damaged one; `onStep` hears of each table, and ends it by throwing. */
  readonly salvage: (plan: {
    readonly dataDir: string;
    readonly into: string;
    readonly catalog: string | undefined;
    readonly onStep: (table: string) => Promise<void>;
  }) => Promise<SalvageReport>;
  /** All data from the directory to an empty database, or the other way; `onStep` hears of what is done, and ends it by throwing. */
  readonly migrate: (plan: {
    readonly direction: 'to' | 'from';
    readonly dataDir: string;
    readonly url: string;
    readonly onStep: (what: string, rows: number) => Promise<void>;
  }) => Promise<MigrateReport>;
  /** Where the data is, if that is PostgreSQL: by the settings, or since it was moved there. */
  readonly inPostgres: (dataDir: string, environment: Environment) => Promise<string | undefined>;
  /** Of the PostgreSQL database of this URL. @throws where it cannot be reached */
  readonly databaseHealth: (url: string) => Promise<DatabaseHealth>;
  /** Whether the directory has a database of SQLite, and whether that was moved to PostgreSQL. */
  readonly leftBehind: (dataDir: string) => Promise<'moved' | 'unused' | undefined>;
  /** What is wrong with the database; `owner` is the user id of the file. */
  readonly checkStore: (dataDir: string, owner: number) => readonly string[];
  /** The daemon's settings, as one that starts now would have them. */
  readonly settingsOf: (flags: Readonly<Record<string, unknown>>, environment: Environment) => Promise<KnownSettings>;
  /** The browser that a daemon with these settings would render pages with, or why it has none and what to do. */
  readonly rendererOf: (settings: KnownSettings) => Promise<{
    readonly browser?: string | undefined;
    readonly refusal?: string | undefined;
  }>;
}

/** Those of the daemon's settings that the command line reads. */
export interface KnownSettings {
  readonly dataDir: string;
  /** The URL of a PostgreSQL database; empty: SQLite in the data directory. */
  readonly store: string;
  readonly listen: string;
  readonly port: number;
  readonly crawlContact: string;
  /** Empty: none. */
  readonly logFile: string;
  readonly renderBrowser: string;
  readonly renderEndpoint: string;
  readonly renderProxy: string;
  readonly renderSandbox: 'on' | 'off';
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Streams {
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined };
  readonly stdout: Output;
  readonly stderr: Output;
}

export type Output = Writable & { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined };

/** The flags every command takes. */
export interface GlobalFlags {
  readonly url?: string | undefined;
  readonly dataDir?: string | undefined;
  readonly keyFile?: string | undefined;
  /** The name of a stored context. */
  readonly context?: string | undefined;
  readonly org?: string | undefined;
  /** Also where `jq` or `template` is given. */
  readonly json?: boolean | undefined;
  readonly jq?: string | undefined;
  readonly template?: string | undefined;
  readonly quiet?: boolean | undefined;
  readonly color?: boolean | undefined;
}

export interface Connection {
  readonly target: Target;
  readonly credential:
    /** Acting for an organization; absent: the only one. */
    | { readonly kind: 'operator'; readonly organization?: string }
    | { readonly kind: 'manager'; readonly key: string }
    | { readonly kind: 'tap'; readonly token: string };
  /** How a screen names the daemon: `local`, a directory, a host, or a context. */
  readonly label: string;
}
