import fc from 'fast-check';
import { compileRegex, type RegexMatcher } from '../../../src/shared/automaton/regex.ts';
import { RegexProblem } from '../../../src/shared/automaton/regex-problem.ts';

/**
 * Random regexes and what they mean by definition: for a place in the text, all the places where a match can end.
 * It shares nothing with the automata, knows complement and intersection only as set operations, and is slow.
 */
export interface Tree {
  readonly pattern: string;
  /** Not known to match any text. */
  readonly mayBeNothing: boolean;
  ends(text: readonly string[], from: number): ReadonlySet<number>;
}

const LETTERS = ['a', 'b', '1', '0', '😀'] as const;

/** Short texts over the same few characters. */
export const texts = fc.array(fc.constantFrom(...LETTERS), { maxLength: 6 });

export function isMatch(tree: Tree, text: readonly string[]): boolean {
  return tree.ends(text, 0).has(text.length);
}

/** The tree's matcher; the property does not count for the few trees that are truly too large. */
export function matcherOf(tree: Tree): RegexMatcher {
  try {
    return compileRegex(tree.pattern);
  } catch (error) {
    fc.pre(!(error instanceof RegexProblem && error.kind === 'states'));
    throw error;
  }
}

function one(pattern: string, takes: (character: string) => boolean): Tree {
  return {
    pattern,
    mayBeNothing: false,
    ends: (text, from) => new Set(from < text.length && takes(text[from] ?? '') ? [from + 1] : []),
  };
}

function all(text: readonly string[], from: number): number[] {
  return Array.from({ length: text.length - from + 1 }, (_, index) => from + index);
}

const nothing: Tree = { pattern: '#', mayBeNothing: true, ends: () => new Set() };
const empty: Tree = { pattern: '()', mayBeNothing: false, ends: (_, from) => new Set([from]) };
const anyText: Tree = {
  pattern: '@',
  mayBeNothing: false,
  ends: (text, from) => new Set(all(text, from)),
};

function literal(characters: readonly string[]): Tree {
  const ends: Tree['ends'] = (text, from) => {
    const fits = characters.every((character, index) => text[from + index] === character);
    return new Set(fits ? [from + characters.length] : []);
  };
  return { pattern: `"${characters.join('')}"`, mayBeNothing: false, ends };
}

function interval(low: number, high: number, width: number): Tree {
  const written = [low, high].map((bound) => String(bound).padStart(width, '0'));
  const isFixed = written[0]?.length === written[1]?.length;
  const ends: Tree['ends'] = (text, from) =>
    new Set(
      all(text, from).filter((end) => {
        const digits = text.slice(from, end).join('');
        if (!/^[0-9]+$/.test(digits) || (isFixed && digits.length !== written[0]?.length)) return false;
        return Number(digits) >= Math.min(low, high) && Number(digits) <= Math.max(low, high);
      }),
    );
  return { pattern: `<${written.join('-')}>`, mayBeNothing: false, ends };
}

/** Where one can be after the tree, from any of these places. */
function after(places: Iterable<number>, tree: Tree, text: readonly string[]): ReadonlySet<number> {
  const ends = new Set<number>();
  for (const place of places) for (const end of tree.ends(text, place)) ends.add(end);
  return ends;
}

function union(trees: readonly Tree[]): Tree {
  const ends: Tree['ends'] = (text, from) => new Set(trees.flatMap((tree) => Array.from(tree.ends(text, from))));
  return {
    pattern: `(${trees.map((tree) => tree.pattern).join('|')})`,
    mayBeNothing: trees.every((tree) => tree.mayBeNothing),
    ends,
  };
}

function intersection(left: Tree, right: Tree): Tree {
  const ends: Tree['ends'] = (text, from) => {
    const ends = right.ends(text, from);
    return new Set([...left.ends(text, from)].filter((end) => ends.has(end)));
  };
  return { pattern: `(${left.pattern}&${right.pattern})`, mayBeNothing: true, ends };
}

function sequence(trees: readonly Tree[]): Tree {
  const ends: Tree['ends'] = (text, from) =>
    trees.reduce<ReadonlySet<number>>((places, tree) => after(places, tree, text), new Set([from]));
  return {
    pattern: `(${trees.map((tree) => tree.pattern).join('')})`,
    mayBeNothing: trees.some((tree) => tree.mayBeNothing),
    ends,
  };
}

function complement(tree: Tree): Tree {
  const ends: Tree['ends'] = (text, from) => {
    const taken = tree.ends(text, from);
    return new Set(all(text, from).filter((end) => !taken.has(end)));
  };
  return { pattern: `~(${tree.pattern})`, mayBeNothing: true, ends };
}

function repeat(tree: Tree, operator: string, min: number, max: number): Tree {
  const ends: Tree['ends'] = (text, from) => {
    const found = new Set<number>();
    let places: ReadonlySet<number> = new Set([from]);
    // As many rounds as reach every place there is, and no fewer than are asked for.
    for (let round = 0; round <= Math.min(max, min + text.length); round++) {
      if (round >= min) for (const place of places) found.add(place);
      places = after(places, tree, text);
    }
    return found;
  };
  // Of nothing a star is nothing in Lucene; that has its own test. Of nothing or the empty text it is as by definition.
  const isStar = min === 0 && max === Infinity;
  const item = isStar && tree.mayBeNothing ? `(${tree.pattern}|())` : tree.pattern;
  const mayBeNothing = min > max || (min > 0 && tree.mayBeNothing);
  return { pattern: `${item}${operator}`, mayBeNothing, ends: remembered(ends) };
}

/** Counts within counts would ask the same again and again: six of them, for seconds. */
function remembered(ends: Tree['ends']): Tree['ends'] {
  const known = new WeakMap<readonly string[], Map<number, ReadonlySet<number>>>();
  return (text, from) => {
    const places = known.get(text) ?? new Map<number, ReadonlySet<number>>();
    known.set(text, places);
    const found = places.get(from) ?? ends(text, from);
    places.set(from, found);
    return found;
  };
}

const plainAtoms = fc.oneof(
  fc.constantFrom(...LETTERS).map((letter) => one(letter, (character) => character === letter)),
  fc.constantFrom(...LETTERS).map((letter) => one(`\\${letter}`, (character) => character === letter)),
  fc.constant(one('.', () => true)),
  fc.constant(one('[ab]', (character) => 'ab'.includes(character))),
  fc.constant(one('[^a1]', (character) => !'a1'.includes(character))),
  fc.constant(one('[0-9😀]', (character) => /^[0-9😀]$/u.test(character))),
  fc.constant(empty),
);

const atoms = fc.oneof(
  plainAtoms,
  fc.constantFrom(nothing, anyText),
  fc.array(fc.constantFrom(...LETTERS), { maxLength: 3 }).map(literal),
  fc.tuple(fc.nat(120), fc.nat(120), fc.nat(3)).map(([low, high, width]) => interval(low, high, width)),
);

const counts = fc.oneof(
  fc.constantFrom(
    { operator: '?', min: 0, max: 1 },
    { operator: '*', min: 0, max: Infinity },
    { operator: '+', min: 1, max: Infinity },
  ),
  fc.nat(3).map((min) => ({ operator: `{${min}}`, min, max: min })),
  fc.nat(3).map((min) => ({ operator: `{${min},}`, min, max: Infinity })),
  fc.tuple(fc.nat(3), fc.nat(3)).map(([min, max]) => ({ operator: `{${min},${max}}`, min, max })),
);

type Counts = { operator: string; min: number; max: number };
const counted = (tree: fc.Arbitrary<Tree>, counts: fc.Arbitrary<Counts>): fc.Arbitrary<Tree> =>
  fc.tuple(tree, counts).map(([tree, { operator, min, max }]) => repeat(tree, operator, min, max));

/** All of the language. */
export const trees = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    atoms,
    fc.array(tie('tree'), { minLength: 1, maxLength: 4 }).map(sequence),
    fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map(union),
    fc.tuple(tie('tree'), tie('tree')).map(([left, right]) => intersection(left, right)),
    tie('tree').map(complement),
    counted(tie('tree'), counts),
  ),
})).tree;

/** What JavaScript reads the same way: no operators of Lucene's own, counts in order and on groups only. */
export const commonTrees = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    plainAtoms.filter((tree) => !tree.pattern.startsWith('\\')),
    fc.array(tie('tree'), { minLength: 1, maxLength: 4 }).map(sequence),
    fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map(union),
    counted(
      tie('tree').map((tree) => sequence([tree])),
      counts.filter(({ min, max }) => min <= max),
    ),
  ),
})).tree;
