/**
 * What the visits so far have shown about a page: where its text changes again and again, and what it had there. A
 * teaser that rotates is known by this and by nothing else.
 */
export interface PageHistory {
  /** By place (`placeOf`), the least recently changed first. */
  readonly rotations: Readonly<Record<string, Rotation>>;
}

export interface Rotation {
  /** A bit for each of the last five visits: 1, the place changed. */
  readonly changed: number;
  /** Hashes of what gave way there, oldest first. */
  readonly gone: readonly number[];
  /** Those of them that have come back since; absent, none has. */
  readonly returned?: readonly number[];
}

export const NO_HISTORY: PageHistory = { rotations: {} };

/** What stood between two neighbours that stayed, and as much that stands there now. */
export interface Replacement {
  readonly place: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** The visits a place is judged by, and how many of them must have found it changed. */
const VISITS = 5;
const OFTEN = 3;
/** What takes turns are more than two. What goes to and fro says something: open and closed, revoked and restored. */
const TURNS = 3;
/** Characters. A shorter text is a state ("Sold out"), a longer one a quotation, an offer, a headline. */
const LEAST_LENGTH = 25;
/** Places that a page remembers, and texts of each. More is not a page with a teaser, but a page that changes. */
const PLACES = 20;
const GONE = 24;

/**
 * Takes a comparison into account, so many visits after the last. `isVolatile` then tells of a replacement whether it
 * goes on as that place always does: it changed at three of the last five visits, it has had three texts or more, and
 * the new one is one of them. What is new is reported however often its place changes, and what has been there before
 * is when it comes back after a while. With `tellsReturns` each text is told when it first comes back, too: who watches
 * one page would rather hear of a teaser twice than never of what was put back.
 */
export function remember(
  history: PageHistory,
  replacements: readonly Replacement[],
  { visits = 1, tellsReturns = false }: { readonly visits?: number; readonly tellsReturns?: boolean },
): { readonly history: PageHistory; readonly isVolatile: (replacement: Replacement) => boolean } {
  const past = new Map(
    Object.entries(history.rotations).map(([place, { changed, ...texts }]) => [
      place,
      { changed: (changed << Math.min(visits, VISITS)) & MASK, ...texts },
    ]),
  );
  const rotations = new Map(past);
  for (const replacement of replacements) {
    const { place } = replacement;
    const rotation = rotations.get(place) ?? NEVER;
    rotations.delete(place);
    const turn = turned(rotation, replacement);
    rotations.set(place, tellsReturns ? withReturns(turn, rotation, replacement) : turn);
  }
  const kept = [...rotations].filter(([, { changed }]) => changed !== 0).slice(-PLACES);
  return {
    history: { rotations: Object.fromEntries(kept) },
    isVolatile: ({ place, before, after }) => {
      const { changed, gone, returned = [] } = past.get(place) ?? NEVER;
      if (bitsIn(changed | 1) < OFTEN || [...before, ...after].some(({ length }) => length < LEAST_LENGTH))
        return false;
      const known = new Set(tellsReturns ? returned : gone);
      const arriving = after.map(hashOf);
      const turns = new Set([...gone, ...before.map(hashOf), ...arriving]).size;
      return turns >= TURNS * after.length && arriving.every((hash) => known.has(hash));
    },
  };
}

function turned({ changed, gone }: Rotation, { before }: Replacement): Rotation {
  const leaving = before.map(hashOf);
  return { changed: changed | 1, gone: [...gone.filter((hash) => !leaving.includes(hash)), ...leaving].slice(-GONE) };
}

function withReturns(turn: Rotation, { gone, returned = [] }: Rotation, { after }: Replacement): Rotation {
  const back = after.map(hashOf).filter((hash) => gone.includes(hash) && !returned.includes(hash));
  return { ...turn, returned: [...returned, ...back].slice(-GONE) };
}

const NEVER: Rotation = { changed: 0, gone: [] };

/** A name for the place between two neighbours; a page has few of them, so 32 bits tell them apart. */
export function placeOf(previous: string | undefined, next: string | undefined): string {
  return hashOf(`${previous ?? ''}\n${next ?? ''}`).toString(36);
}

const MASK = (1 << VISITS) - 1;

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
