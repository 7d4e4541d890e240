import { align } from './alignment.ts';

/** A part of a line; `changed`: the other line has something else there, or nothing. */
export interface LinePart {
  readonly text: string;
  readonly changed: boolean;
}

export interface ChangedLine {
  readonly before: readonly LinePart[];
  readonly after: readonly LinePart[];
}

/** Share of a line's letters and digits that has to have stayed: below it, marks would say less than the two lines do. */
const ALIKE = 0.4;
/** UTF-16 units from which a line is shown without marks: nobody looks for a word in it. */
const LONGEST = 20_000;

/**
 * Which words of a line changed, where one line became another; undefined where they have too little in common to be
 * one line. The parts of each side, joined, are the line.
 */
export function changedWords(before: string, after: string): ChangedLine | undefined {
  if (before.length > LONGEST || after.length > LONGEST) return undefined;
  const [old, recent] = [wordsOf(before), wordsOf(after)];
  const numbers = new Map<string, number>();
  const numbered = (words: readonly string[]): number[] =>
    words.map((word) => {
      const number = numbers.get(word) ?? numbers.size;
      numbers.set(word, number);
      return number;
    });
  const hunks = align(numbered(old), numbered(recent));
  const line = {
    before: partsOf(
      old,
      hunks.map((hunk) => hunk.before),
    ),
    after: partsOf(
      recent,
      hunks.map((hunk) => hunk.after),
    ),
  };
  const stayed = weight(line.before.filter(({ changed }) => !changed).map(({ text }) => text));
  return stayed >= ALIKE * Math.max(weight([before]), weight([after])) ? line : undefined;
}

/** Which line of `deleted` became which of `inserted`: for each inserted one the place in `deleted`, in rising order. */
export function pairedLines(deleted: readonly string[], inserted: readonly string[]): Map<number, number> {
  const pairs = new Map<number, number>();
  const bags = deleted.map(bagOf);
  let from = 0;
  for (const [index, line] of inserted.entries()) {
    const bag = bagOf(line);
    let [best, at] = [ALIKE, -1];
    for (let place = from; place < Math.min(from + AHEAD, bags.length); place += 1) {
      const score = likeness(bags[place] ?? new Map(), bag);
      if (score > best) [best, at] = [score, place];
    }
    if (at === -1) continue;
    pairs.set(index, at);
    from = at + 1;
  }
  return pairs;
}

/** Deleted lines among which the one that became an inserted line is looked for. */
const AHEAD = 8;

type Bag = ReadonlyMap<string, number>;

function bagOf(line: string): Bag {
  const bag = new Map<string, number>();
  for (const word of wordsOf(line.slice(0, LONGEST))) {
    if (weight([word]) > 0) bag.set(word, (bag.get(word) ?? 0) + 1);
  }
  return bag;
}

/** Of 1: letters and digits of the words that both have, of those of the longer. */
function likeness(one: Bag, other: Bag): number {
  let [shared, ofOne, ofOther] = [0, 0, 0];
  for (const [word, often] of one) {
    ofOne += word.length * often;
    shared += word.length * Math.min(often, other.get(word) ?? 0);
  }
  for (const [word, often] of other) ofOther += word.length * often;
  return shared / Math.max(1, ofOne, ofOther);
}

/** Words, blanks, and every other character by itself; scripts that part no words go by the character. */
function wordsOf(line: string): string[] {
  return line.match(WORD) ?? [];
}

const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]\p{M}*|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}])[\p{L}\p{M}\p{N}_])+|\s+|[^]/gu;

function partsOf(
  words: readonly string[],
  changes: readonly { readonly from: number; readonly to: number }[],
): LinePart[] {
  const parts: LinePart[] = [];
  let at = 0;
  for (const { from, to } of changes) {
    add(parts, words.slice(at, from).join(''), false);
    add(parts, words.slice(from, to).join(''), true);
    at = to;
  }
  add(parts, words.slice(at).join(''), false);
  return parts;
}

/** A blank between two changed words belongs to them. */
function add(parts: LinePart[], text: string, changed: boolean): void {
  const [last, blank] = [parts.at(-2), parts.at(-1)];
  if (text === '') return;
  if (changed && last?.changed === true && blank?.changed === false && blank.text.trim() === '') {
    parts.splice(-2, 2, { text: last.text + blank.text + text, changed });
  } else {
    parts.push({ text, changed });
  }
}

function weight(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.replaceAll(/[^\p{L}\p{N}]/gu, '').length, 0);
}
