import { commonPieces, type Literals } from './matcher.ts';
import { type Node, type RepeatNode } from './regex-node.ts';

/** What is known of all texts that a part of a regex matches. */
interface Known {
  /** The only text there is. */
  readonly exact?: string;
  readonly prefix: string;
  readonly suffix: string;
  /** Contained, beside prefix and suffix. */
  readonly pieces: readonly string[];
}

/** Longer pieces say no more, and a regex can repeat a word a thousand times. */
const LONGEST = 256;
const MOST_PIECES = 32;
const UNKNOWN: Known = { prefix: '', suffix: '', pieces: [] };

/** The pieces of text that every match of the regex contains, begins and ends with. */
export function literalsOf(root: Node): Literals {
  const { prefix, suffix, pieces } = knownOf(root);
  return commonPieces(prefix, suffix, pieces);
}

function knownOf(node: Node): Known {
  switch (node.kind) {
    case 'set': {
      const character = onlyCharacter(node);
      return character === undefined ? UNKNOWN : exactly(character);
    }
    case 'sequence':
      return oneAfterTheOther(node.items);
    case 'union':
      return node.items.map(knownOf).reduce(either);
    case 'intersection':
      return node.items.map(knownOf).reduce(both);
    case 'complement':
      return UNKNOWN;
    case 'repeat':
      return repeated(node);
  }
}

function exactly(text: string): Known {
  if (text.length > LONGEST) return { prefix: text.slice(0, LONGEST), suffix: text.slice(-LONGEST), pieces: [] };
  return { exact: text, prefix: text, suffix: text, pieces: [] };
}

function onlyCharacter(node: Node): string | undefined {
  if (node.kind !== 'set' || node.ranges.length !== 2 || node.ranges[0] !== node.ranges[1]) return undefined;
  return String.fromCodePoint(node.ranges[0] ?? 0);
}

function oneAfterTheOther(items: readonly Node[]): Known {
  let known = exactly('');
  let run = '';
  for (const item of items) {
    const character = onlyCharacter(item);
    if (character !== undefined) run += character;
    else {
      known = follow(follow(known, exactly(run)), knownOf(item));
      run = '';
    }
  }
  return follow(known, exactly(run));
}

function follow(one: Known, other: Known): Known {
  if (one.exact !== undefined && other.exact !== undefined) return exactly(one.exact + other.exact);
  const prefix = one.exact === undefined ? one.prefix : one.exact + other.prefix;
  const suffix = other.exact === undefined ? other.suffix : one.suffix + other.exact;
  const pieces = [...one.pieces, ...other.pieces];
  // Otherwise the seam is within the prefix or the suffix.
  if (one.exact === undefined && other.exact === undefined) pieces.push(one.suffix + other.prefix);
  return { prefix: prefix.slice(0, LONGEST), suffix: suffix.slice(-LONGEST), pieces: longest(pieces) };
}

/** A piece of the one that stands within a piece of the other is in the texts of both. */
function either(one: Known, other: Known): Known {
  const [pieces, others] = [all(one), all(other)];
  return {
    prefix: commonStart(one.prefix, other.prefix),
    suffix: commonEnd(one.suffix, other.suffix),
    pieces: longest([
      ...pieces.filter((piece) => others.some((longer) => longer.includes(piece))),
      ...others.filter((piece) => pieces.some((longer) => longer.includes(piece))),
    ]),
  };
}

function both(one: Known, other: Known): Known {
  return {
    prefix: longer(one.prefix, other.prefix),
    suffix: longer(one.suffix, other.suffix),
    pieces: longest([...all(one), ...all(other)]),
  };
}

function repeated({ item, min, max }: RepeatNode): Known {
  if (min === 0) return UNKNOWN;
  const once = knownOf(item);
  if (once.exact !== undefined) {
    // Whole repetitions only, so that it is the end of the text as well as its beginning.
    const times = Math.min(min, Math.ceil(LONGEST / Math.max(once.exact.length, 1)));
    const known = exactly(once.exact.repeat(times));
    return times === max ? known : { prefix: known.prefix, suffix: known.suffix, pieces: [] };
  }
  return min === 1 ? once : follow(once, once);
}

function all({ prefix, suffix, pieces }: Known): readonly string[] {
  return [prefix, suffix, ...pieces].filter((piece) => piece !== '');
}

function longest(pieces: readonly string[]): readonly string[] {
  if (pieces.length <= MOST_PIECES) return pieces;
  const different = [...new Set(pieces)].filter((piece) => piece !== '');
  return different.sort((one, other) => other.length - one.length).slice(0, MOST_PIECES);
}

function longer(one: string, other: string): string {
  return other.length > one.length ? other : one;
}

function commonStart(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return one.slice(0, length);
}

function commonEnd(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one.at(-1 - length) === other.at(-1 - length)) length++;
  return length === 0 ? '' : one.slice(-length);
}
