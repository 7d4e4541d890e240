/**
 * XPath 1.0 as text → what it says, without knowing any page. All of its grammar is read that a path to elements may
 * have; arithmetic, variables and names with a prefix are not, and say so.
 */
export interface XPathUnion {
  readonly paths: readonly XPathPath[];
}

export interface XPathPath {
  /** Whether it begins at the document, not at the element it is asked of. */
  readonly isAbsolute: boolean;
  /** `//` is a step of its own: `descendant-or-self::node()`. */
  readonly steps: readonly XPathStep[];
}

export interface XPathStep {
  readonly axis: string;
  /** A name, `*`, `node()`, `text()`, … */
  readonly test: string;
  readonly predicates: readonly XPathExpression[];
}

export type XPathExpression =
  | { readonly kind: 'or' | 'and'; readonly parts: readonly XPathExpression[] }
  | { readonly kind: 'compare'; readonly sign: string; readonly left: XPathExpression; readonly right: XPathExpression }
  | { readonly kind: 'call'; readonly name: string; readonly values: readonly XPathExpression[] }
  | { readonly kind: 'path'; readonly path: XPathPath }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'number'; readonly value: number };

/** Why an XPath cannot be read or cannot be said in CSS: words that follow a colon. */
export class XPathFault extends Error {
  override readonly name = 'XPathFault';
}

/** `//`, and the only step that `..` and `.` differ from in their axis. */
export const ANYWHERE: XPathStep = { axis: 'descendant-or-self', test: 'node()', predicates: [] };

/** @throws {XPathFault} */
export function parseXPath(text: string): XPathUnion {
  return new Parser(tokensOf(text)).whole();
}

interface Token {
  readonly kind: 'mark' | 'text' | 'number' | 'name' | 'end';
  readonly text: string;
  /** From 1. */
  readonly at: number;
}

const NAME = String.raw`[\p{L}_][\p{L}\p{M}\p{N}_.·-]*`;
const TOKEN = new RegExp(
  String.raw`\s*(?:(?<number>\d+(?:\.\d*)?|\.\d+)|(?<mark>\/\/|::|\.\.|!=|<=|>=|[/@()[\],|=<>+*.$-])|(?<text>"[^"]*"|'[^']*')|(?<name>${NAME}(?::(?!:)(?:${NAME}|\*))?)|(?<end>$))`,
  'uy',
);

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (;;) {
    const from = TOKEN.lastIndex;
    const groups = TOKEN.exec(text)?.groups;
    if (groups === undefined) throw new XPathFault(`it is not understood from character ${from + 1} on`);
    const [kind, found = ''] = Object.entries(groups).find(([, value]) => value !== undefined) ?? [];
    const token = { kind: kind as Token['kind'], text: found, at: TOKEN.lastIndex - found.length + 1 };
    if (token.kind === 'name' && found.includes(':')) throw new XPathFault(`"${found}" has a prefix of a namespace`);
    tokens.push(token);
    if (token.kind === 'end') return tokens;
  }
}

const NODE_TYPES: ReadonlySet<string> = new Set(['node', 'text', 'comment', 'processing-instruction']);
const COMPARISONS: ReadonlySet<string> = new Set(['=', '!=', '<', '<=', '>', '>=']);
/** Expressions inside one another. */
const DEPTH = 20;

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): XPathUnion {
    const isGrouped = this.#accept('(');
    const paths = [this.#path()];
    while (this.#accept('|')) paths.push(this.#path());
    if (isGrouped) this.#expect(')');
    if (isGrouped && this.#peek().kind !== 'end') {
      throw new XPathFault('what follows the parentheses is about all that is found, and CSS looks at one element');
    }
    if (this.#peek().kind !== 'end') throw this.#unexpected();
    return { paths };
  }

  #path(): XPathPath {
    const steps: XPathStep[] = [];
    const isAbsolute = ['/', '//'].includes(this.#mark());
    if (this.#accept('//')) steps.push(ANYWHERE);
    else this.#accept('/');
    steps.push(this.#step());
    for (;;) {
      if (this.#accept('//')) steps.push(ANYWHERE);
      else if (!this.#accept('/')) return { isAbsolute, steps };
      steps.push(this.#step());
    }
  }

  #step(): XPathStep {
    if (this.#accept('..')) return { axis: 'parent', test: 'node()', predicates: this.#predicates() };
    if (this.#accept('.')) return { axis: 'self', test: 'node()', predicates: this.#predicates() };
    const axis = this.#axis();
    return { axis, test: this.#test(), predicates: this.#predicates() };
  }

  #axis(): string {
    if (this.#accept('@')) return 'attribute';
    if (this.#peek().kind !== 'name' || this.#peek(1).text !== '::') return 'child';
    const { text } = this.#take();
    this.#take();
    return text;
  }

  #test(): string {
    if (this.#accept('*')) return '*';
    if (this.#peek().kind !== 'name') throw this.#unexpected();
    const { text } = this.#take();
    if (this.#mark() !== '(') return text;
    if (!NODE_TYPES.has(text)) throw new XPathFault(`${text}() is no step to an element`);
    this.#take();
    if (this.#peek().kind === 'text') this.#take();
    this.#expect(')');
    return `${text}()`;
  }

  #predicates(): XPathExpression[] {
    const predicates: XPathExpression[] = [];
    while (this.#accept('[')) {
      predicates.push(this.#expression());
      this.#expect(']');
    }
    return predicates;
  }

  #expression(): XPathExpression {
    this.#depth += 1;
    if (this.#depth > DEPTH) throw new XPathFault('its conditions are nested too deeply');
    const found = this.#joined('or', () => this.#joined('and', () => this.#comparison()));
    this.#depth -= 1;
    return found;
  }

  #joined(kind: 'or' | 'and', part: () => XPathExpression): XPathExpression {
    const parts = [part()];
    while (this.#peek().kind === 'name' && this.#peek().text === kind) {
      this.#take();
      parts.push(part());
    }
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : { kind, parts };
  }

  #comparison(): XPathExpression {
    let left = this.#value();
    while (COMPARISONS.has(this.#mark())) {
      const { text: sign } = this.#take();
      left = { kind: 'compare', sign, left, right: this.#value() };
    }
    return left;
  }

  #value(): XPathExpression {
    const token = this.#peek();
    if (token.kind === 'text') return { kind: 'text', value: this.#take().text.slice(1, -1) };
    if (token.kind === 'number') return { kind: 'number', value: Number(this.#take().text) };
    if (token.kind === 'mark' && token.text === '(') return this.#grouped();
    const isCall = token.kind === 'name' && this.#peek(1).text === '(' && !NODE_TYPES.has(token.text);
    return isCall ? this.#call() : { kind: 'path', path: this.#path() };
  }

  #grouped(): XPathExpression {
    this.#take();
    const inner = this.#expression();
    this.#expect(')');
    return inner;
  }

  #call(): XPathExpression {
    const { text: name } = this.#take();
    this.#take();
    const values: XPathExpression[] = [];
    if (this.#mark() !== ')') {
      do values.push(this.#expression());
      while (this.#accept(','));
    }
    this.#expect(')');
    return { kind: 'call', name, values };
  }

  #peek(ahead = 0): Token {
    const token = this.#tokens[Math.min(this.#next + ahead, this.#tokens.length - 1)];
    if (token === undefined) throw new XPathFault('it is empty');
    return token;
  }

  #take(): Token {
    const token = this.#peek();
    this.#next += 1;
    return token;
  }

  /** The mark that is next; empty for anything else. */
  #mark(): string {
    const { kind, text } = this.#peek();
    return kind === 'mark' ? text : '';
  }

  #accept(mark: string): boolean {
    if (this.#mark() !== mark) return false;
    this.#next += 1;
    return true;
  }

  #expect(mark: string): void {
    if (!this.#accept(mark)) throw this.#unexpected();
  }

  #unexpected(): XPathFault {
    const { kind, text, at } = this.#peek();
    if (kind === 'end') return new XPathFault('it ends in the middle of a path or a condition');
    return new XPathFault(`"${text}", at character ${at}, is not understood there`);
  }
}
