import { hashOf } from '../../shared/page/history.ts';
import { TRAP_DEPTH, TRAP_PARAMETERS, TRAP_REPETITIONS } from '../../shared/limits.ts';

/**
 * Why a URL looks like one of those that a site makes without end, as a sentence's rest: `its path has 17 segments`.
 * Undefined for an ordinary one. What only numbers tell (a calendar, a list of a million pages) is for the budget of its
 * pattern.
 */
export function trapOf(url: string | URL): string | undefined {
  const { pathname, search } = typeof url === 'string' ? new URL(url) : url;
  const segments = pathname.split('/').filter(Boolean);
  if (segments.length > TRAP_DEPTH) return `its path has ${segments.length} segments`;
  const parameters = search === '' ? 0 : search.slice(1).split('&').filter(Boolean).length;
  if (parameters > TRAP_PARAMETERS) return `it has ${parameters} query parameters`;
  return repeated(segments);
}

/**
 * URLs that one template makes have one pattern: a 32-bit FNV-1a hash of the host, of the path with what counts on in it
 * folded, and of the names of the parameters, sorted.
 */
export function patternOf(url: string | URL): number {
  const { host, pathname, search } = typeof url === 'string' ? new URL(url) : url;
  return hashOf(`${host}${folded(pathname)}?${search === '' ? '' : namesIn(search)}`);
}

function namesIn(search: string): string {
  const names = search.slice(1).split('&').filter(Boolean);
  return [...new Set(names.map((pair) => folded(pair.split('=', 1)[0] ?? '')))].sort().join('&');
}

/** A run of segments that comes again and again has one that does. `/1/1/1` is a numbering, or a date. */
function repeated(segments: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const segment of segments) {
    const count = (counts.get(segment) ?? 0) + 1;
    if (count >= TRAP_REPETITIONS && !/^\d{1,4}$/.test(segment))
      return `"${segment}" stands in its path ${count} times`;
    counts.set(segment, count);
  }
  return undefined;
}

/** Runs of digits, and hexadecimal ids, those of a UUID among them. */
function folded(text: string): string {
  if (!/\d/.test(text)) return text;
  return text.replace(/[\da-z]*\d[\da-z]*/gi, (word) => (HEX_ID.test(word) ? '#' : word.replace(/\d+/g, '#')));
}

const HEX_ID = /^(?:[\da-f]{8,}|[\da-f]{4})$/i;
