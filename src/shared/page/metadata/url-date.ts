import { timeOf } from './calendar.ts';
import { monthNamed } from './month-names.ts';
import type { PublishTime } from '../page.ts';

/**
 * The day that the address of an article names: `/2026/02/13/slug`, `/2026/feb/13/slug`, `/2026-02-13-slug`,
 * `/20260213/slug`. An address that ends with its date is an archive of that day, not something published on it.
 */
export function dateInUrl(url: string): PublishTime | undefined {
  const path = URL.parse(url)?.pathname ?? '';
  const folders = FOLDERS.exec(path);
  if (folders) return timeOf([folders[1], monthOf(folders[2] ?? ''), folders[3]]);
  const slug = SLUG.exec(path) ?? COMPACT.exec(path);
  return slug ? timeOf([slug[1], slug[2], slug[3]]) : undefined;
}

const FOLDERS = /\/((?:19|20)\d{2})\/(\d{1,2}|[a-z]{3,9})\/(\d{1,2})\/[^/]/i;
const SLUG = /[/_-]((?:19|20)\d{2})-(\d{2})-(\d{2})(?=[-_/]\w|\.\w|_)/;
const COMPACT = /\/((?:19|20)\d{2})(\d{2})(\d{2})\/[^/]/;

function monthOf(written: string): string | number {
  return /^\d/.test(written) ? written : (monthNamed(written.toLowerCase()) ?? 0);
}
