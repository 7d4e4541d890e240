import { hash } from 'node:crypto';
import type { Answer, PageKind, Urgency, Validators } from './frontier.ts';

/** How both databases write down what the frontier knows: short, because most of ten million pages have one row each. */

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
