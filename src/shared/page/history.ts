import { isBareNumber } from './volatile.ts';

/**
 * What the visits so far have shown about a page: where its text changes again and again, and which texts it had
 * there. A teaser that rotates and a bare counter are known by this and by nothing else.
 */
export interface PageHistory {
  /** For each place (`placeOf`), a bit for each of the last five comparisons that found a difference: 1, here too. */
  readonly places: Readonly<Record<string, number>>;
  /** Hashes of texts that gave way to others, oldest first. */
  readonly seen: readonly number[];
}

export const NO_HISTORY: PageHistory = { places: {}, seen: [] };

/** One text, or a few, that gave way to as many others between neighbours that stayed. */
export interface Replacement {
  readonly place: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** The comparisons a place is judged by, and how many of them must have found it changed. */
const COMPARISONS = 5;
const OFTEN = 3;
/** Places and texts that a page remembers. More of them is not a page with a teaser, but a page that changes. */
const PLACES = 50;
const SEEN = 100;

/**
 * Takes a comparison into account. `isVolatile` then tells of a replacement whether it goes on as that place always
 * does: it changed at three of the last five comparisons, and the new text has been on the page before (a rotation);
 * or it changed at each of the five and is a bare number. What is new is reported however often its place changes.
 */
export function remember(
  history: PageHistory,
  replacements: readonly Replacement[],
): { readonly history: PageHistory; readonly isVolatile: (replacement: Replacement) => boolean } {
  const seen = new Set(history.seen);
  const places = new Map(Object.entries(history.places).map(([place, bits]) => [place, (bits << 1) & MASK]));
  for (const { place } of replacements) places.set(place, (places.get(place) ?? 0) | 1);
  const kept = [...places].filter(([, bits]) => bits !== 0).slice(-PLACES);
  const gone = replacements.flatMap(({ before }) => before.map(hashOf));
  return {
    history: {
      places: Object.fromEntries(kept),
      seen: [...new Set([...history.seen.filter((hash) => !gone.includes(hash)), ...gone])].slice(-SEEN),
    },
    isVolatile: ({ place, before, after }) => {
      const times = bitsIn(places.get(place) ?? 0);
      if (times >= OFTEN && after.every((text) => seen.has(hashOf(text)))) return true;
      return times === COMPARISONS && [...before, ...after].every(isBareNumber);
    },
  };
}

/** A name for the place between two neighbours; a page has few of them, so 32 bits tell them apart. */
export function placeOf(previous: string | undefined, next: string | undefined): string {
  return hashOf(`${previous ?? ''}\n${next ?? ''}`).toString(36);
}

const MASK = (1 << COMPARISONS) - 1;

function bitsIn(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
}

/** FNV-1a over UTF-16 units (Fowler, Noll, Vo). Whoever makes two texts collide only hides a change of his own page. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
