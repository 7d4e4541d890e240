import type { PhraseQuery } from '../query/ast.ts';
import type { Terms } from './document.ts';

/**
 * Steps one rule may spend on the phrases of one page. A page of two million equal words and a phrase of thousands of
 * them would need billions; a real rule on a page of 5 MB stays far below this.
 */
const MOST_STEPS = 1_000_000;

export class TooMuchWork extends Error {
  override readonly name = 'TooMuchWork';
}

/** Counts the work of one rule on one page; throws when it is too much, and the rule is reported as failed. */
export class WorkBudget {
  #left = MOST_STEPS;

  /** For the next rule. */
  renew(): void {
    this.#left = MOST_STEPS;
  }

  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new TooMuchWork(`a phrase needs more than ${MOST_STEPS} steps on this page`);
  }
}

export interface Slot {
  /** Equal for equal words. */
  readonly term: string | number;
  /** Where the word stands in the phrase. */
  readonly offset: number;
  /** Where it stands in the page, ascending. */
  readonly positions: readonly number[];
}

/** Receives the positions of one place where a phrase matches; false ends the search. */
export type OnPlacement = (positions: readonly number[]) => boolean;

/** Calls `found` with each place where the phrase matches. */
export function eachPhrase(phrase: PhraseQuery, terms: Terms, budget: WorkBudget, found: OnPlacement): void {
  const slots: Slot[] = [];
  for (const { term, position } of phrase.terms) {
    const positions = terms.get(term);
    if (!positions) return;
    slots.push({ term, offset: position, positions });
  }
  eachPlacement(slots, phrase.slop, budget, found);
}

/**
 * Lucene's rule: with p the position of a word in the page and q in the phrase, all p − q lie within `slop` of one
 * another, and a word that the phrase repeats takes as many different positions. So for each value v that a p − q
 * has, each word needs a position in [v + q, v + q + slop]; giving equal words the first free one, in order, is
 * always right because their windows are equally wide.
 */
export function eachPlacement(slots: readonly Slot[], slop: number, budget: WorkBudget, found: OnPlacement): void {
  const repeats = slop > 0 && new Set(slots.map((slot) => slot.term)).size < slots.length;
  for (const start of slop === 0 ? exactStarts(slots) : looseStarts(slots, budget)) {
    const positions = placesFrom(start, slots, slop, repeats, budget);
    if (positions && !found(positions)) return;
  }
}

/** Without slop, the rarest word decides where the phrase can begin. */
function* exactStarts(slots: readonly Slot[]): Generator<number> {
  const rarest = slots.reduce((best, slot) => (slot.positions.length < best.positions.length ? slot : best));
  for (const position of rarest.positions) yield position - rarest.offset;
}

/** Every p − q, ascending, each once: the words' lists, merged. */
function* looseStarts(slots: readonly Slot[], budget: WorkBudget): Generator<number> {
  const next = slots.map(() => 0);
  for (;;) {
    budget.spend(slots.length);
    let least = Infinity;
    for (const [index, { positions, offset }] of slots.entries()) {
      least = Math.min(least, (positions[next[index] ?? 0] ?? Infinity) - offset);
    }
    if (least === Infinity) return;
    yield least;
    for (const [index, { positions, offset }] of slots.entries()) {
      const at = next[index] ?? 0;
      if ((positions[at] ?? Infinity) - offset === least) next[index] = at + 1;
    }
  }
}

function placesFrom(
  start: number,
  slots: readonly Slot[],
  slop: number,
  repeats: boolean,
  budget: WorkBudget,
): readonly number[] | undefined {
  const places: number[] = [];
  const taken = repeats ? new Map<Slot['term'], number>() : undefined;
  for (const { term, offset, positions } of slots) {
    budget.spend(1);
    const free = Math.max(start + offset, (taken?.get(term) ?? -1) + 1);
    const place = positions[firstFrom(positions, free)];
    if (place === undefined || place > start + offset + slop) return undefined;
    taken?.set(term, place);
    places.push(place);
  }
  return places;
}

/** Index of the first position that is not below `least`. */
function firstFrom(positions: readonly number[], least: number): number {
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((positions[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
