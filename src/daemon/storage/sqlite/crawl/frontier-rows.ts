import { hash } from 'node:crypto';
import type { HostState } from '../../frontier.ts';
import { siteOf } from '../../../../shared/page/domain.ts';

/**
 * How the frontier is written down. A page that nobody has visited yet has one short row, because most of ten million
 * have no more: its URL without the host it stands under, and numbers.
 */
export interface PlaceRow {
  readonly key: number;
  readonly host: number;
  readonly url: string;
  readonly due: number;
  readonly urgency: number;
  readonly kind: number;
  /** The first holder, and the page's depth in it; any others are in `holdings`. */
  readonly source: number;
  readonly depth: number;
  readonly bucket: number;
  readonly flags: number;
}

export const PLACE =
  'pages.key, pages.host, pages.url, pages.due, pages.urgency, pages.kind, pages.source, pages.depth, pages.bucket, pages.flags';

/**
 * Which part of the web a host belongs to, 0 to 65,535, by its registrable domain: what the frontier can be spread over
 * machines by, so that one of them has a site and all its politeness. Not used yet.
 */
export function partitionOf(host: string): number {
  return hash('sha256', siteOf(`http://${host}/`) ?? host, 'buffer').readUInt16BE();
}

/** Of a page from before identities were kept: below zero, from the first 32 bits of a SHA-256 of its URL. */
export function formerHash(url: string): number {
  return -1 - hash('sha256', url, 'buffer').readUInt32BE();
}

export interface HostRow extends Omit<HostState, 'backoffReason'> {
  readonly key: number;
  readonly name: string;
  readonly pages: number;
  readonly turn: number;
  readonly isOld: number;
  readonly isCounted: number;
  readonly foreignDay: number;
  readonly foreignUrls: number;
  readonly backoffReason: string | null;
}

export const HOST = `hosts.key, hosts.name, hosts.pages, hosts.turn, hosts.is_old AS isOld, hosts.is_counted AS isCounted,
  hosts.foreign_day AS foreignDay, hosts.foreign_urls AS foreignUrls, hosts.not_before AS notBefore, hosts.backoff,
  hosts.backoff_at AS backoffAt, hosts.backoff_reason AS backoffReason, hosts.failures, hosts.response_ms AS responseMs,
  hosts.day, hosts.fetches, hosts.bytes`;

export function hostState(row: HostRow): HostState {
  const { notBefore, backoff, backoffAt, backoffReason, failures, responseMs, day, fetches, bytes } = row;
  const figures = { failures, responseMs, day, fetches, bytes };
  return { notBefore, backoff, backoffAt, backoffReason: backoffReason ?? undefined, ...figures };
}

/**
 * The class of a host (`hostClass` in `frontier-rules.ts`) as SQL: its place in `HOST_CLASSES`. The two lines of hosts are
 * kept by class, so that whoever may take one more quick host finds it behind any number of dead ones. An expression, since
 * nobody has to keep it up; the index is used where a query repeats it to the letter, so a change of it is a new step.
 */
export const HOST_CLASS = `CASE WHEN failures > 0 AND backoff_reason >= 'a' THEN 3
  WHEN response_ms >= 2000 THEN 2 WHEN response_ms = 0 THEN 1 ELSE 0 END`;
