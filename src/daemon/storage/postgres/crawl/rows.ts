import type { HostState } from '../../frontier.ts';
import { storable } from '../connection/columns.ts';

/** A page: `url` without its host, `source` and `depth` of its first holder, the others in `holdings`. */
export interface PageRow {
  readonly key: number;
  readonly host: number;
  readonly hash: number;
  readonly url: string;
  readonly bucket: number;
  due: number;
  source: number;
  depth: number;
  /** Below zero, its complement: all its sources are paused. */
  urgency: number;
  kind: number;
  flags: number;
}

export const PAGE = `pages.key, pages.host, pages.hash, pages.url, pages.bucket, pages.due, pages.source, pages.depth,
  pages.urgency, pages.kind, pages.flags`;

/** What visits have left of a page. */
export interface VisitedRow {
  readonly page: number;
  visitedAt: number;
  fullAt: number;
  doubtedAt: number | null;
  theta: number;
  info: number;
  pull: number;
  site: number | null;
  copyOf: number | null;
  aliasOf: number | null;
  /** The sitemap that said it has changed, until a visit shows whether it had. */
  hintedBy: number | null;
  failures: number;
  rights: number;
  wrongs: number;
  bodyHash: string | null;
  simhash: string | null;
  etag: string | null;
  lastModified: string | null;
  answers: string;
}

export const VISITED = `visited.page, visited.visited_at AS "visitedAt", visited.full_at AS "fullAt",
  visited.doubted_at AS "doubtedAt", visited.theta, visited.info, visited.pull, visited.site, visited.copy_of AS "copyOf",
  visited.alias_of AS "aliasOf", visited.hinted_by AS "hintedBy", visited.failures, visited.rights, visited.wrongs,
  visited.body_hash AS "bodyHash", visited.simhash, visited.etag, visited.last_modified AS "lastModified", visited.answers`;

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** A host, with all that the frontier changes of it. */
export interface HostRow extends Writable<Omit<HostState, 'backoffReason'>> {
  readonly key: number;
  readonly name: string;
  backoffReason: string | null;
  pages: number;
  isCounted: boolean;
  turn: number;
  foreignDay: number;
  foreignUrls: number;
  leaseToken: number;
  /** `p` and the id of a page, or `w` and that of a watch. */
  leaseOwner: string | null;
  leaseSince: number;
  leaseUntil: number;
  /** Whether sitemap entries and others both waited: it counts as a turn. */
  leaseContest: boolean;
}

export const HOST = `hosts.key, hosts.name, hosts.pages, hosts.is_counted AS "isCounted", hosts.turn,
  hosts.foreign_day AS "foreignDay", hosts.foreign_urls AS "foreignUrls", hosts.lease_token AS "leaseToken",
  hosts.lease_owner AS "leaseOwner", hosts.lease_since AS "leaseSince", hosts.lease_until AS "leaseUntil",
  hosts.lease_contest AS "leaseContest", hosts.not_before AS "notBefore", hosts.backoff, hosts.backoff_at AS "backoffAt",
  hosts.backoff_reason AS "backoffReason", hosts.failures, hosts.response_ms AS "responseMs", hosts.day, hosts.fetches,
  hosts.bytes`;

export function hostState(row: HostRow): HostState {
  const { notBefore, backoff, backoffAt, backoffReason, failures, responseMs, day, fetches, bytes } = row;
  const figures = { failures, responseMs, day, fetches, bytes };
  return { notBefore, backoff, backoffAt, backoffReason: backoffReason ?? undefined, ...figures };
}

/** A page by its number, a watch by its id. */
export type LeaseOwner = number | string;

export function ownerCode(owner: LeaseOwner): string {
  return typeof owner === 'number' ? `p${owner}` : `w${storable(owner)}`;
}

/** What a source's terms are to its pages. */
export interface TermsRow {
  readonly key: number;
  readonly id: string;
  readonly everyMs: number;
  readonly isPaused: boolean;
}

export const TERMS = 'sources.key, sources.id, sources.every_ms AS "everyMs", sources.is_paused AS "isPaused"';

export interface HolderRow extends TermsRow {
  readonly depth: number;
}

/** Another holder of a page than its first. */
export interface Holding {
  readonly source: number;
  readonly page: number;
  depth: number;
}
