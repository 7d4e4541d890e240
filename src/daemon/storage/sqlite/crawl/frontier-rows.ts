import { hash } from 'node:crypto';
import type { Answer, HostState, PageKind, Urgency, Validators } from '../../frontier.ts';
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
 * `expendable`: see `isExpendable`. The index of such pages has its figure, too. `canonical`: another page has said that
 * it is this one. `apart`: see `Places`.
 */
export const FLAG = {
  baseline: 1,
  fruitful: 2,
  shared: 4,
  visited: 8,
  expendable: 16,
  canonical: 32,
  apart: 64,
} as const;

const KINDS: readonly PageKind[] = ['article', 'hub', 'feed', 'sitemap', 'minor'];

export function kindOf(code: number): PageKind {
  return KINDS[code] ?? 'article';
}

export function codeOf(kind: PageKind): number {
  return KINDS.indexOf(kind);
}

/** Of a page that is parked, because all its sources are paused, the urgency is kept as its complement: below zero. */
export function urgencyOf(written: number): Urgency {
  return (written < 0 ? ~written : written) as Urgency;
}

/** `/path` for https, `h/path` for http, else the URL itself. */
export function shortUrl(url: string, host: string): string {
  const [secure, plain] = [`https://${host}/`, `http://${host}/`];
  if (url.startsWith(secure)) return url.slice(secure.length - 1);
  return url.startsWith(plain) ? `h${url.slice(plain.length - 1)}` : url;
}

export function wholeUrl(url: string, host: string): string {
  if (url.startsWith('/')) return `https://${host}${url}`;
  return url.startsWith('h/') ? `http://${host}${url.slice(1)}` : url;
}

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

/** 48 bits: what `bands` knows a site by. */
export function siteKey(site: string): number {
  return hash('sha256', site, 'buffer').readUIntBE(0, 6);
}

const OUTCOMES = ['changed', 'unchanged', 'failed'] as const;

/** `time outcome status reason` each, of the newest also where the page has moved, and its sentence after a line end. */
export function writeAnswers(answers: readonly Answer[]): string {
  const lines = answers.map(({ at, outcome, status, reason, movedTo }) => {
    const word = reason === undefined ? '' : `=${encodeURIComponent(reason)}`;
    const moved = movedTo === undefined ? '' : ` >${encodeURIComponent(movedTo)}`;
    return [at.toString(36), outcome[0], status ?? '', word].join(' ') + moved;
  });
  const detail = answers[0]?.detail;
  return lines.join(';') + (detail === undefined ? '' : `\n${detail}`);
}

export function readAnswers(text: string): Answer[] {
  if (text === '') return [];
  const end = text.indexOf('\n');
  const lines = (end === -1 ? text : text.slice(0, end)).split(';');
  const [newest, ...older] = lines.map(answerOf);
  if (!newest) return [];
  return [end === -1 ? newest : { ...newest, detail: text.slice(end + 1) }, ...older];
}

function answerOf(line: string): Answer {
  const [at = '', outcome, status = '', reason = '', movedTo] = line.split(' ');
  return {
    at: Number.parseInt(at, 36),
    outcome: OUTCOMES.find((name) => name[0] === outcome) ?? 'failed',
    ...(reason !== '' && { reason: decodeURIComponent(reason.slice(1)) }),
    ...(status !== '' && { status: Number(status) }),
    ...(movedTo !== undefined && { movedTo: decodeURIComponent(movedTo.slice(1)) }),
  };
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

/** Validators of a page or a watch by their columns; undefined where there are none. */
export function validatorsOf({
  etag,
  lastModified,
}: {
  readonly etag: string | null;
  readonly lastModified: string | null;
}): Validators | undefined {
  if (etag === null && lastModified === null) return undefined;
  return { ...(etag !== null && { etag }), ...(lastModified !== null && { lastModified }) };
}
