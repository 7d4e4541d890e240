import type { Label } from '../label.ts';

/** What speaks for a value of the vocabulary: how loudly (1 to 10), and in words. */
export interface Clue {
  readonly value: string;
  readonly points: number;
  readonly reason: string;
}

/**
 * Gathers clues and gives the labels. Families compete: one that has clearly less than the best is left out, and so
 * are all when even the best is weak. Within a family its children compete in the same way. Sources that agree add
 * little to each other, since they often repeat each other: a content system writes JSON-LD and og:type from one field.
 */
export class Evidence {
  readonly #clues: Clue[] = [];
  readonly #hints: Clue[] = [];

  add(clue: Clue | undefined): void {
    if (clue) this.#clues.push(clue);
  }

  /** A clue that chooses among the children of a family, but does not speak for the family. */
  hint(clue: Clue): void {
    this.#hints.push(clue);
  }

  /** Whether something speaks for the value, or below it, as loudly as that. */
  has(value: string, points: number): boolean {
    return this.#clues.some(
      (clue) => clue.points >= points && (clue.value === value || clue.value.startsWith(`${value}/`)),
    );
  }

  /** Whether anything speaks loudly enough. */
  get speaks(): boolean {
    return this.#clues.some(({ points }) => points >= SPEAKS);
  }

  labels(): Label[] {
    const families = best(group(this.#clues, rootOf), SPEAKS);
    return families.flatMap(({ value: family, clues, reason }) => {
      const below = [...clues, ...this.#hints].filter((clue) => clue.value !== family && rootOf(clue) === family);
      const children = best(
        group(below, ({ value }) => value),
        CHOOSES,
      ).slice(0, CHILDREN);
      return [...children, { value: family, reason }].map(({ value, reason }) => ({ value, reason }));
    });
  }
}

/** Points from which a family is given, and from which one of its children is. */
const SPEAKS = 5;
const CHOOSES = 3;
/** Part of the points of the best that others need to be given too. */
const CLOSE = 0.78;
const CHILDREN = 2;

interface Rated {
  readonly value: string;
  readonly clues: readonly Clue[];
  readonly points: number;
  readonly reason: string;
}

function rootOf({ value }: Clue): string {
  const end = value.indexOf('/', 1);
  return end === -1 ? value : value.slice(0, end);
}

function group(clues: readonly Clue[], keyOf: (clue: Clue) => string): Rated[] {
  return [...Map.groupBy(clues, keyOf)].map(([value, own]) => {
    const loudest = own.reduce((one, other) => (other.points > one.points ? other : one));
    const others = new Set(own.map(({ reason }) => reason)).size - 1;
    return { value, clues: own, points: loudest.points + Math.min(others, 2), reason: loudest.reason };
  });
}

/** In the order of points; of equals, the one that was found first. */
function best(rated: readonly Rated[], least: number): Rated[] {
  const most = Math.max(0, ...rated.map(({ points }) => points));
  return rated
    .filter(({ points }) => points >= least && points >= CLOSE * most)
    .sort((one, other) => other.points - one.points);
}
