import { isDeepStrictEqual } from 'node:util';
import type { StoredRequest } from './stored-request.ts';
import type { SinkKindName, SinkProblems, SinkWatches } from '../../shared/api/notify.ts';
import type { RenderOptions } from '../../shared/api/render.ts';

/**
 * The catalog: the small records people make by hand – organizations, members, keys, taps, rules, filters, sources, feeds, sinks.
 * Kept as one human-readable document; read whole at start, rewritten whole at a change.
 */
export interface Catalog {
  /** The last durable state. Never changed in place: keep the reference, and it stays what it was. */
  readonly data: CatalogData;
  /**
   * Applies `change` to a draft; what it returns is answered once the draft is durable and has become `data`. When
   * it throws, or the disk refuses, nothing has changed. Calls run one after another; several that wait share a
   * write.
   */
  update<Result>(change: (draft: Draft<CatalogData>) => Result): Promise<Result>;
  /**
   * Reports to `follower` what other processes change from now on, and what they have changed since this catalog was opened:
   * once it is `data`, in the order in which it was made. What `update` changes here is not reported, since whoever asks for a
   * change does what follows from it. A catalog that a single process writes reports nothing. There is one follower. Resolved
   * when other processes wait for this one before they answer a change, or when they cannot be told.
   */
  follow(follower: CatalogFollower): Promise<void>;
  /** Whether changes of other processes may be missing in `data` for longer than a second or two. */
  readonly isBehind: boolean;
  /** Waits for what is under way; later updates are refused. */
  close(): Promise<void>;
}

export type CatalogFollower = (changes: readonly RecordChange[]) => void;

/** A record that was added (without `before`), changed or removed (without `after`). */
export type RecordChange = {
  [Kind in CatalogKind]: {
    readonly kind: Kind;
    readonly id: string;
    readonly before: CatalogData[Kind][number] | undefined;
    readonly after: CatalogData[Kind][number] | undefined;
  };
}[CatalogKind];

export const CATALOG_KINDS = [
  'organizations',
  'members',
  'keys',
  'taps',
  'rules',
  'filters',
  'sources',
  'feeds',
  'sinks',
] as const satisfies readonly (keyof CatalogData)[];

export type CatalogKind = (typeof CATALOG_KINDS)[number];

export interface CatalogData {
  readonly schema: 4;
  readonly organizations: readonly OrganizationRecord[];
  readonly members: readonly MemberRecord[];
  readonly keys: readonly KeyRecord[];
  readonly taps: readonly TapRecord[];
  readonly rules: readonly RuleRecord[];
  readonly filters: readonly FilterRecord[];
  readonly sources: readonly SourceRecord[];
  readonly feeds: readonly FeedRecord[];
  readonly sinks: readonly SinkRecord[];
}

/** Timestamps in records are instants: `2026-02-27T00:00:00.000Z`. */
export interface OrganizationRecord {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  /** Where it may have more or less than its plan says; null: no limit. */
  readonly limits?: Partial<Record<PlanLimitName, number | null>>;
  /** Its credit is a balance, which the ledger has: without that there is none, and credit is not unlimited. */
  readonly prepaid?: true;
  readonly createdAt: string;
}

type PlanLimitName = 'activeTaps' | 'watchedUrls' | 'checksAMonth' | 'fastestMinutes' | 'rules';

export interface MemberRecord {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly role: 'admin' | 'member';
  readonly createdAt: string;
}

export interface KeyRecord {
  readonly id: string;
  readonly organizationId: string;
  readonly memberId: string;
  readonly name: string;
  readonly prefix: string;
  /** SHA-256 of the key, hex. The key itself is nowhere. */
  readonly hash: string;
  readonly createdAt: string;
}

export interface TapRecord {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly status: 'active' | 'paused';
  readonly tokenPrefix: string;
  /** SHA-256 of the token, hex: how it is looked up. */
  readonly tokenHash: string;
  /** The token, sealed with the instance's secret: it can be read back (spec, Authentication 2). */
  readonly tokenSealed: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

export interface RuleRecord {
  readonly id: string;
  readonly tapId: string;
  readonly value: string;
  readonly tag?: string;
  readonly nsfw: boolean;
  readonly quality: boolean;
  /** By the operator: it is kept, and asked of no page. Absent: it is not. */
  readonly paused?: true;
  readonly createdAt: string;
}

/** A saved filter: `$name` in a query of its organization stands for `(value)`. */
export interface FilterRecord {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly value: string;
  readonly createdAt: string;
}

export interface SourceRecord {
  readonly id: string;
  readonly url: string;
  readonly scope: SourceScope;
  /** Links from the seed; null: as far as the scope goes (of a feed or sitemap with scope `page`: its entries). */
  readonly depth: number | null;
  /** Fixed, for all its pages; null: each page by how often it changes. */
  readonly everySeconds: number | null;
  readonly maxPages: number;
  /** What is there at first is no news. */
  readonly baseline: boolean;
  readonly paused: boolean;
  /** Of scope `page`: how its URL is asked for. */
  readonly request?: StoredRequest;
  /** Of scope `page`: its URL is read as a browser shows it. */
  readonly render?: RenderOptions;
  readonly createdAt: string;
}

/** A feed that is read by its address alone, whose secret is kept as a hash. */
export interface FeedRecord {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly kind: 'tap' | 'watch' | 'tag';
  /** The id of the tap or of the watch, or the tag itself. */
  readonly of: string;
  readonly prefix: string;
  /** SHA-256 of the secret, hex. The secret itself is nowhere. */
  readonly hash: string;
  readonly createdAt: string;
}

/** Where the operator has messages sent to, and which (`src/shared/api/notify.ts`). */
export interface SinkRecord {
  readonly id: string;
  /** Whose matches and changes it carries. */
  readonly organizationId: string;
  readonly name: string;
  readonly kind: SinkKindName;
  readonly options: Readonly<Record<string, string>>;
  /** By name, each sealed with the instance's secret. */
  readonly secretsSealed: Readonly<Record<string, string>>;
  /** Ids. */
  readonly taps: 'all' | readonly string[];
  readonly query: string | null;
  readonly watches: SinkWatches;
  readonly problems: SinkProblems;
  readonly digest: string | null;
  readonly quiet: string | null;
  readonly zone: string;
  readonly atMost: string | null;
  readonly template: string | null;
  readonly paused: boolean;
  readonly createdAt: string;
}

export type SourceScope = 'page' | 'prefix' | 'host' | 'domain' | 'any';

/** The same shape, writable all the way down. */
export type Draft<T> = T extends object ? { -readonly [Key in keyof T]: Draft<T[Key]> } : T;

/** A catalog nobody has written to yet. */
export function emptyCatalog(): CatalogData {
  const people = { organizations: [], members: [], keys: [] };
  return frozen({ schema: 4, ...people, taps: [], rules: [], filters: [], sources: [], feeds: [], sinks: [] });
}

/**
 * What a change makes of the catalog; `data` itself stays as it is, also when the change throws half-way. The new
 * state is what a restart would read back (JSON and nothing else), it shares no object with the draft, and it is
 * frozen: who keeps a reference to it, or to what the change returned, can no longer alter the truth by accident.
 */
export function applied<Result>(
  data: CatalogData,
  change: (draft: Draft<CatalogData>) => Result,
): { readonly result: Result; readonly data: CatalogData } {
  // All of it is JSON; of ten thousand sources a structured clone takes seven times as long.
  const draft = copied(data) as Draft<CatalogData>;
  const result = change(draft);
  return { result, data: frozen(copied(draft) as CatalogData) };
}

/** What leads from one state to another, but for the order of records: kind by kind, what is there in its order, then what is gone. */
export function recordChanges(before: CatalogData, after: CatalogData): RecordChange[] {
  const changes: Record<keyof RecordChange, unknown>[] = [];
  for (const kind of CATALOG_KINDS) {
    const gone = new Map<string, object>(before[kind].map((record) => [record.id, record]));
    for (const record of after[kind]) {
      const { id } = record;
      const former = gone.get(id);
      gone.delete(id);
      if (!isDeepStrictEqual(former, record)) changes.push({ kind, id, before: former, after: record });
    }
    for (const [id, record] of gone) changes.push({ kind, id, before: record, after: undefined });
  }
  return changes as RecordChange[];
}

function copied(data: CatalogData | Draft<CatalogData>): unknown {
  return JSON.parse(JSON.stringify(data));
}

/** Frozen all the way down. Recursion is as deep as the record shapes are. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}
