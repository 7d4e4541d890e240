import type { OpenPage } from './open-page.ts';
import { eachPlacement, type OnPlacement, type Slot, type WorkBudget } from './phrase.ts';
import { after, BOOLEAN, NEVER, PHRASE, TERM } from './program.ts';

/** Whether the page matches the program's instruction at `at`. Throws when a phrase would take too long. */
export function run(program: readonly number[], at: number, page: OpenPage, budget: WorkBudget): boolean {
  switch (program[at]) {
    case NEVER:
      return false;
    case TERM:
      return page.has(program[at + 1] ?? 0);
    case PHRASE:
      return program[at + 1] === 0 ? runExact(program, at, page, budget) : runSloppy(program, at, page, budget);
    case BOOLEAN:
      return runBoolean(program, at, page, budget);
    default:
      return page.passes(program[at + 1] ?? 0);
  }
}

function runBoolean(program: readonly number[], at: number, page: OpenPage, budget: WorkBudget): boolean {
  const must = program[at + 2] ?? 0;
  const should = program[at + 3] ?? 0;
  let clause = at + 5;
  for (let left = must; left > 0; left--) {
    if (!run(program, clause, page, budget)) return false;
    clause = after(program, clause);
  }
  let found = must > 0;
  for (let left = should; left > 0; left--) {
    found ||= run(program, clause, page, budget);
    clause = after(program, clause);
  }
  if (!found) return false;
  for (let left = program[at + 4] ?? 0; left > 0; left--) {
    if (run(program, clause, page, budget)) return false;
    clause = after(program, clause);
  }
  return true;
}

/** From each place of its rarest word, looks whether the others stand where they should. */
function runExact(program: readonly number[], at: number, page: OpenPage, budget: WorkBudget): boolean {
  const rarest = rarestWord(program, at, page);
  if (rarest === 0) return false;
  const end = after(program, at);
  const offset = program[rarest + 1] ?? 0;
  for (let place = page.lastPosition(program[rarest] ?? 0); place >= 0; place = page.positionBefore(place)) {
    let word = at + 3;
    while (word < end && page.stands(program[word] ?? 0, place + (program[word + 1] ?? 0) - offset)) word += 2;
    if (word >= end) return true;
    budget.spend((word - at) >> 1);
  }
  return false;
}

/** Where the word of the phrase at `at` stands that the page has least often; 0 when it lacks one. */
function rarestWord(program: readonly number[], at: number, page: OpenPage): number {
  const end = after(program, at);
  let rarest = 0;
  let fewest = Infinity;
  for (let word = at + 3; word < end; word += 2) {
    const count = page.count(program[word] ?? 0);
    if (count === 0) return 0;
    if (count >= fewest) continue;
    fewest = count;
    rarest = word;
  }
  return rarest;
}

function runSloppy(program: readonly number[], at: number, page: OpenPage, budget: WorkBudget): boolean {
  let found = false;
  eachPlacementAt(program, at, page, budget, () => {
    found = true;
    return false;
  });
  return found;
}

/** Each place where the phrase at `at` matches. */
export function eachPlacementAt(
  program: readonly number[],
  at: number,
  page: OpenPage,
  budget: WorkBudget,
  found: OnPlacement,
): void {
  const slots: Slot[] = [];
  for (let word = at + 3; word < after(program, at); word += 2) {
    const term = program[word] ?? 0;
    const positions = page.positions(term);
    if (positions.length === 0) return;
    slots.push({ term, offset: program[word + 1] ?? 0, positions });
  }
  eachPlacement(slots, program[at + 1] ?? 0, budget, found);
}
