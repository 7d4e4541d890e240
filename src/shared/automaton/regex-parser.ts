import { INTERVAL_STEPS, RegexBudget } from './budget.ts';
import {
  ANY,
  ANY_TEXT,
  character,
  complement,
  EMPTY,
  intersection,
  negated,
  type Node,
  NOTHING,
  repeat,
  sequence,
  set,
  text,
  union,
} from './regex-node.ts';
import * as refuse from './regex-problem.ts';

/** Groups inside one another: a parser that recurses must not meet the end of its stack. */
const DEPTH = 250;
/** Sets of a pattern whose counts are written out. No pattern without counts can have as many; see regex.ts. */
const SIZE = 20_000;

export interface ParsedRegex {
  readonly node: Node;
  readonly shorthands: readonly Shorthand[];
}

/**
 * Reads Lucene's regex dialect (RegExp of 8.x, all of its optional syntax). Throws RegexProblem, and TooManyStates
 * when the budget is spent.
 */
export function parseRegex(pattern: string, budget: RegexBudget = new RegexBudget()): ParsedRegex {
  budget.spend(2 * pattern.length);
  return new Parser(pattern, budget).parse();
}

class Parser {
  readonly #pattern: string;
  readonly #budget: RegexBudget;
  readonly #shorthands: Shorthand[] = [];
  readonly #intervals = new Map<string, Node | undefined>();
  #at = 0;
  #depth = 0;
  /** Where a `)` last stood for itself, because something to match was expected. */
  #literalParenthesis = -1;
  /** Where a dash last made a range up to a bare `]`, which therefore does not end the class. */
  #dashBeforeBracket = -1;

  constructor(pattern: string, budget: RegexBudget) {
    this.#pattern = pattern;
    this.#budget = budget;
  }

  parse(): ParsedRegex {
    const node = this.#pattern === '' ? EMPTY : this.#union();
    // Only a `)` ends a union before the text does.
    if (this.#more()) throw refuse.strayParenthesis(this.#at);
    if (node.size > SIZE) throw refuse.tooManyRepetitions(this.#pattern, 0, this.#at);
    return { node, shorthands: this.#shorthands };
  }

  #more(): boolean {
    return this.#at < this.#pattern.length;
  }

  #peek(): string {
    return this.#pattern.charAt(this.#at);
  }

  #match(expected: string): boolean {
    if (this.#peek() !== expected) return false;
    this.#at++;
    return true;
  }

  #union(): Node {
    const items = [this.#intersection()];
    while (this.#match('|')) items.push(this.#intersection());
    return union(items);
  }

  #intersection(): Node {
    const items = [this.#sequence()];
    while (this.#match('&')) items.push(this.#sequence());
    return intersection(items);
  }

  #sequence(): Node {
    const items = [this.#repeated()];
    while (this.#more() && !')|&'.includes(this.#peek())) items.push(this.#repeated());
    return sequence(items);
  }

  #repeated(): Node {
    const start = this.#at;
    let node = this.#complemented();
    for (;;) {
      if (this.#match('?')) node = repeat(node, 0, 1);
      else if (this.#match('*')) node = repeat(node, 0, Infinity);
      else if (this.#match('+')) node = repeat(node, 1, Infinity);
      else if (this.#peek() === '{') node = repeat(node, ...this.#counts());
      else return node;
      if (node.size > SIZE) throw refuse.tooManyRepetitions(this.#pattern, start, this.#at);
    }
  }

  /** `{n}`, `{n,}` and `{n,m}`. */
  #counts(): [min: number, max: number] {
    const start = this.#at++;
    const min = this.#integer(start);
    if (min === undefined) throw refuse.countWithoutNumber(start, this.#at);
    const max = this.#match(',') ? (this.#integer(start) ?? Infinity) : min;
    if (!this.#match('}')) throw refuse.unclosedCount(this.#pattern, start, this.#at);
    return [min, max];
  }

  #integer(count: number): number | undefined {
    const start = this.#at;
    while (/[0-9]/.test(this.#peek())) this.#at++;
    if (this.#at === start) return undefined;
    const value = Number(this.#pattern.slice(start, this.#at));
    if (value > 0x7fffffff) throw refuse.hugeCount(count, this.#at);
    return value;
  }

  #complemented(): Node {
    let times = 0;
    while (this.#match('~')) times++;
    const node = this.#atom();
    return times % 2 === 0 ? node : complement(node);
  }

  #atom(): Node {
    const start = this.#at;
    switch (this.#peek()) {
      case '[':
        return this.#class();
      case '(':
        return this.#group();
      case '"':
        return this.#quoted();
      case '<':
        return this.#interval();
      case '.':
        this.#at++;
        return ANY;
      case '#':
        this.#at++;
        return NOTHING;
      case '@':
        this.#at++;
        return ANY_TEXT;
      case ')':
        this.#literalParenthesis = start;
        return character(this.#character());
      default:
        return character(this.#character());
    }
  }

  /** One character, whichever it is; a backslash before it changes nothing. */
  #character(inClass = false): number {
    const start = this.#at;
    if (this.#match('\\') && this.#more()) {
      const shorthand = shorthandAt(this.#pattern, start, inClass);
      if (shorthand) this.#shorthands.push(shorthand);
    }
    const codePoint = this.#pattern.codePointAt(this.#at);
    if (codePoint === undefined) throw refuse.nothingAfter(this.#pattern);
    this.#at += codePoint > 0xffff ? 2 : 1;
    return codePoint;
  }

  #group(): Node {
    const start = this.#at++;
    if (this.#match(')')) return EMPTY;
    if (!this.#more()) throw refuse.unclosedGroup(this.#pattern, start, -1);
    if (++this.#depth > DEPTH) throw refuse.tooDeep(start, DEPTH);
    const node = this.#union();
    if (!this.#match(')')) throw refuse.unclosedGroup(this.#pattern, start, this.#literalParenthesis);
    this.#depth--;
    return node;
  }

  #class(): Node {
    const start = this.#at++;
    const isNegated = this.#match('^');
    const ranges: number[] = [];
    do {
      if (!this.#more()) throw refuse.unclosedClass(this.#pattern, start, this.#dashBeforeBracket);
      ranges.push(...this.#range(start));
    } while (this.#more() && this.#peek() !== ']');
    if (!this.#match(']')) throw refuse.unclosedClass(this.#pattern, start, this.#dashBeforeBracket);
    return isNegated ? negated(set(ranges)) : set(ranges);
  }

  #range(bracket: number): [first: number, last: number] {
    const start = this.#at;
    const first = this.#character(true);
    if (!this.#match('-')) return [first, first];
    if (!this.#more()) throw refuse.unclosedClass(this.#pattern, bracket, -1);
    if (this.#peek() === ']') this.#dashBeforeBracket = this.#at - 1;
    const last = this.#character(true);
    if (first > last) throw refuse.backwardRange(this.#pattern, start, this.#at);
    return [first, last];
  }

  #quoted(): Node {
    const start = this.#at;
    const end = this.#pattern.indexOf('"', start + 1);
    if (end < 0) throw refuse.unclosedQuote(start);
    this.#at = end + 1;
    return text(this.#pattern.slice(start + 1, end));
  }

  #interval(): Node {
    const start = this.#at;
    const end = this.#pattern.indexOf('>', start + 1);
    if (end < 0) throw refuse.unclosedInterval(start);
    this.#at = end + 1;
    const written = this.#pattern.slice(start + 1, end);
    // Hundreds of sets each; a thousand equal ones are made once.
    const node = this.#intervals.get(written) ?? interval(written);
    this.#intervals.set(written, node);
    if (!node) throw refuse.badInterval(this.#pattern, start, end + 1);
    this.#budget.spend(node.size * INTERVAL_STEPS);
    return node;
  }
}

/** Java's int, which Lucene reads the bounds as. */
const MOST = 0x7fffffff;
const ZERO = 0x30;
const ANY_DIGIT = set([ZERO, ZERO + 9]);

/**
 * What stands in `<n-m>`: the decimal numbers from n to m, the bounds in either order. Bounds of the same length fix
 * the length, zeros in front included (`<01-12>`); otherwise any number of zeros may stand in front. Undefined when
 * it is no interval.
 */
function interval(written: string): Node | undefined {
  const bounds = /^([0-9]+)-([0-9]+)$/.exec(written);
  if (!bounds) return undefined;
  const [, one = '', other = ''] = bounds;
  const [low = 0, high = 0] = [Number(one), Number(other)].sort((a, b) => a - b);
  if (high > MOST) return undefined;
  if (one.length === other.length) {
    return between(String(low).padStart(one.length, '0'), String(high).padStart(one.length, '0'));
  }
  const lengths: Node[] = [];
  for (let digits = 1; digits <= String(high).length; digits++) {
    const least = digits === 1 ? 0 : 10 ** (digits - 1);
    const [from, to] = [Math.max(low, least), Math.min(high, 10 ** digits - 1)];
    if (from <= to) lengths.push(between(String(from), String(to)));
  }
  return sequence([repeat(character(ZERO), 0, Infinity), union(lengths)]);
}

/** The numbers between two of the same length. */
function between(low: string, high: string): Node {
  // Zeros in front may be thousands: the numbers themselves have ten digits at most.
  let shared = 0;
  while (shared < low.length && low[shared] === high[shared]) shared++;
  const rest = low.slice(shared);
  return shared === 0
    ? apart(low, high)
    : sequence([text(low.slice(0, shared)), rest === '' ? EMPTY : apart(rest, high.slice(shared))]);
}

/** The numbers between two of the same length and different first digits. */
function apart(low: string, high: string): Node {
  const [first, last] = [low.charCodeAt(0), high.charCodeAt(0)];
  const choices = [
    sequence([character(first), atLeast(low.slice(1))]),
    sequence([character(last), atMost(high.slice(1))]),
  ];
  if (first + 1 < last) choices.push(sequence([set([first + 1, last - 1]), digits(low.length - 1)]));
  return union(choices);
}

function atLeast(low: string): Node {
  if (low === '') return EMPTY;
  const first = low.charCodeAt(0);
  const same = sequence([character(first), atLeast(low.slice(1))]);
  if (first === ZERO + 9) return same;
  return union([same, sequence([set([first + 1, ZERO + 9]), digits(low.length - 1)])]);
}

function atMost(high: string): Node {
  if (high === '') return EMPTY;
  const first = high.charCodeAt(0);
  const same = sequence([character(first), atMost(high.slice(1))]);
  if (first === ZERO) return same;
  return union([same, sequence([set([ZERO, first - 1]), digits(high.length - 1)])]);
}

function digits(count: number): Node {
  return repeat(ANY_DIGIT, count, count);
}

/** `\d` and its kind: in Lucene the plain letter d, and hardly ever meant as one. */
export interface Shorthand {
  /** UTF-16 units into the pattern. */
  readonly start: number;
  readonly end: number;
  /**
   * What says the same in this dialect, to put in its place. Absent where nothing does (`\W` inside a class), and for
   * white space, of which a URL has none.
   */
  readonly replacement?: string;
}

const MEMBERS: Readonly<Record<string, string>> = { d: '0-9', w: 'A-Za-z0-9_' };

function shorthandAt(pattern: string, start: number, inClass: boolean): Shorthand | undefined {
  const letter = pattern.charAt(start + 1);
  if (letter === '' || !'dwsDWS'.includes(letter)) return undefined;
  const span = { start, end: start + 2 };
  const members = MEMBERS[letter.toLowerCase()];
  const isNegated = letter !== letter.toLowerCase();
  if (members === undefined || (inClass && isNegated)) return span;
  if (inClass) return { ...span, replacement: members };
  return { ...span, replacement: isNegated ? `[^${members}]` : `[${members}]` };
}
