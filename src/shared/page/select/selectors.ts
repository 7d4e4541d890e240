import { type Options, selectAll } from 'css-select';
import { html, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { SELECTOR_COMPOUNDS, SELECTOR_DEPTH, SELECTOR_STEPS } from '../../limits.ts';
import { checkJsonPath, isJsonPath } from './json-path.ts';
import { NothingSelected, type Selected, type Selection } from './selection.ts';
import { attribute, isElement, isText } from '../read/walk.ts';

/** What is wrong with a selector, as a sentence with its place. */
export function checkSelector(selector: string): string | undefined {
  if (isJsonPath(selector)) return checkJsonPath(selector);
  const flaw = selectorFlaw(selector);
  if (flaw !== undefined) return flaw;
  try {
    selectAll(selector, EMPTY, optionsFor(EMPTY, new Steps()));
    return undefined;
  } catch (refusal) {
    return sentence(selector, refusal);
  }
}

/** Takes what is ignored out of the tree, then selects. Throws `NothingSelected`. */
export function selectIn(document: Tree.Document, { select, ignore }: Selection): Selected {
  refuseDeep(document);
  const steps = new Steps();
  const ignored = ignore.map((selector) => ({ selector, elements: all(document, selector, steps) }));
  takeOut(ignored.flatMap(({ elements }) => elements));
  const selected = select.map((selector) => ({ selector, elements: all(document, selector, steps) }));
  const elements = new Set(selected.flatMap((one) => one.elements));
  if (select.length > 0 && elements.size === 0) throw new NothingSelected(missing(select));
  return {
    elements: select.length > 0 ? elements : undefined,
    found: [...selected, ...ignored].map((one) => ({ selector: one.selector, found: one.elements.length })),
  };
}

/** What searches below an element takes time for each level that it has come down. */
function refuseDeep(document: Tree.Document): void {
  let level = document.childNodes;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > SELECTOR_DEPTH) {
      throw new NothingSelected(`The page has more than ${SELECTOR_DEPTH} nested elements: nothing is selected.`);
    }
    level = level.flatMap((node) => (isElement(node) ? node.childNodes : []));
  }
}

function missing(select: readonly string[]): string {
  const names = select.map((selector) => `"${selector}"`).join(' or ');
  return `No element of the page matches ${names}.`;
}

function all(document: Tree.Document, selector: string, steps: Steps): Tree.Element[] {
  try {
    return selectAll(selector, document, optionsFor(document, steps));
  } catch (refusal) {
    if (refusal instanceof NothingSelected) throw refusal;
    throw new NothingSelected(sentence(selector, refusal));
  }
}

/** Parent by parent: taken out one by one, each of a thousand neighbours would be looked for among the thousand. */
function takeOut(elements: readonly Tree.Element[]): void {
  const gone = new Set<Tree.ChildNode>(elements);
  for (const parent of new Set(elements.map(({ parentNode }) => parentNode))) {
    if (parent) parent.childNodes = parent.childNodes.filter((node) => !gone.has(node));
  }
}

/** What css-select says of a selector that it cannot read, with the place where it says what it stopped at. */
function sentence(selector: string, refusal: unknown): string {
  if (refusal instanceof TypeError) {
    return 'A part of the selector needs something in parentheses behind it, such as ":nth-child(2)".';
  }
  const said = (refusal instanceof Error ? refusal.message : String(refusal)).replace(/\.$/, '');
  const rest = /^(?:Unmatched selector: |Expected name, found )(.*)$/s.exec(said)?.[1];
  if (rest !== undefined && selector.endsWith(rest)) {
    const at = selector.length - rest.length + 1;
    return rest === ''
      ? 'The selector ends where a name has to follow.'
      : `The selector is not understood from character ${at} on: "${rest.slice(0, 40)}".`;
  }
  const pseudo = /:[\w-]+/.exec(said)?.[0] ?? '';
  const at = pseudo === '' ? -1 : selector.toLowerCase().indexOf(pseudo);
  return at === -1
    ? `The selector is not understood: ${said.slice(0, 100)}.`
    : `"${pseudo}", at character ${at + 1} of the selector, is not understood: ${said.slice(0, 100)}.`;
}

/** Counted, not timed: the same page with the same selectors comes to the same each time. */
class Steps {
  #left = SELECTOR_STEPS;

  take(steps: number): void {
    this.#left -= steps;
    if (this.#left >= 0) return;
    throw new NothingSelected(
      'To find what the selectors ask for takes too long on this page: it is large, and they look at all neighbours of each element. Name an id or a class instead.',
    );
  }
}

const EMPTY: Tree.Document = { nodeName: '#document', mode: html.DOCUMENT_MODE.NO_QUIRKS, childNodes: [] };

/** Good for a tree as it is now, and no longer. */
function optionsFor(document: Tree.Document, steps: Steps): Options<Tree.Node, Tree.Element> {
  const before = new Neighbours();
  return {
    quirksMode: document.mode === html.DOCUMENT_MODE.QUIRKS,
    adapter: {
      isTag(node): node is Tree.Element {
        steps.take(1);
        return isElement(node);
      },
      getAttributeValue: (element, name) => valueOf(element, name, steps),
      hasAttrib: (element, name) => valueOf(element, name, steps) !== undefined,
      getChildren: (node) => ('childNodes' in node ? node.childNodes : []),
      // SVG has names such as `linearGradient`, and selectors come in lower case.
      getName({ tagName, namespaceURI }) {
        return namespaceURI === html.NS.HTML ? tagName : tagName.toLowerCase();
      },
      getParent({ parentNode }) {
        steps.take(1);
        return parentNode;
      },
      getSiblings: (node) => ('parentNode' in node && node.parentNode ? node.parentNode.childNodes : [node]),
      prevElementSibling: (node) => (isElement(node) ? before.of(node) : null),
      getText: (node) => textOf(node, steps),
      // Asked of lists of roots only, and ours is one document.
      removeSubsets: (nodes) => nodes,
    },
  };
}

/** The element before each, found for all children of a parent at once. */
class Neighbours {
  readonly #before = new Map<Tree.ParentNode, Map<Tree.Element, Tree.Element>>();

  of(element: Tree.Element): Tree.Element | null {
    const { parentNode } = element;
    if (!parentNode) return null;
    let before = this.#before.get(parentNode);
    if (!before) {
      before = new Map();
      let last: Tree.Element | undefined;
      for (const node of parentNode.childNodes) {
        if (!isElement(node)) continue;
        if (last) before.set(node, last);
        last = node;
      }
      this.#before.set(parentNode, before);
    }
    return before.get(element) ?? null;
  }
}

/** Found among all attributes, and then searched: by its caller, but what that costs is known here. */
function valueOf(element: Tree.Element, name: string, steps: Steps): string | undefined {
  const value = attribute(element, name);
  steps.take(element.attrs.length + (value?.length ?? 0));
  return value;
}

/** On an array, not the call stack: elements may be a hundred thousand inside one another. */
function textOf(root: Tree.Node, steps: Steps): string {
  let text = '';
  const open: Tree.Node[] = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    steps.take(1);
    if (isText(node)) text += node.value;
    else if ('childNodes' in node) for (const child of node.childNodes.toReversed()) open.push(child);
  }
  // Searched for a word, not for a pattern.
  steps.take(text.length / 16);
  return text;
}

/** What is wrong with a selector as text, as a sentence with its place; undefined where nothing can be told by its text. */
function selectorFlaw(selector: string): string | undefined {
  if (selector.trim() === '') return 'The selector is empty.';
  const scan = new Scan(selector);
  while (scan.flaw === undefined && scan.at < selector.length) scan.step();
  return scan.flaw ?? scan.ended();
}

interface Opening {
  readonly mark: string;
  readonly at: number;
  /** Whether it is that of `:has(`. */
  readonly has: boolean;
}

const CLOSING: Readonly<Record<string, string>> = { ')': '(', ']': '[' };
const COMBINATOR = /[>+~<]/;
/** What stands in no name and begins nothing. */
const ODD = /[@$%&=!?;{}^`/]/;
/** Pseudo-elements (one colon by an old rule of CSS, two by the new one), and what only somebody's browser knows. */
const ABSENT = /^:(?::[\w-]*|(?:before|after|first-line|first-letter|hover|active|visited)(?![\w-]))/i;

/** Walks a selector once: brackets, quotes, escapes, commas, and what no page has. */
class Scan {
  at = 0;
  flaw: string | undefined;
  readonly #text: string;
  readonly #open: Opening[] = [];
  #compounds = 0;
  #isParted = true;
  /** Whether something stands since the last comma or opening parenthesis. */
  #isFilled = false;
  /** Where a combinator is that nothing has followed yet. */
  #pending: number | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  step(): void {
    const character = this.#text[this.at] ?? '';
    if (character === '\\') this.#part(2);
    else if (character === '"' || character === "'") this.#quoted(character);
    else if (this.#open.at(-1)?.mark === '[' && character !== ']') this.at += 1;
    else if (character === '(' || character === '[') this.#opens(character);
    else if (character === ')' || character === ']') this.#closes(character);
    else this.#unbracketed(character);
  }

  #unbracketed(character: string): void {
    if (character === ',') this.#comma();
    else if (character === ':' && ABSENT.test(this.#text.slice(this.at))) this.#absent();
    else if (COMBINATOR.test(character)) this.#combinator();
    else if (/\s/.test(character)) this.#parts();
    else if (this.#text.startsWith('/*', this.at)) this.#comment();
    else if (ODD.test(character))
      this.flaw = `"${character}", at character ${this.at + 1}, has no meaning in a selector.`;
    else this.#part(1);
  }

  /** What is wrong at the end of a selector of a list. */
  #unfollowed(): string | undefined {
    if (this.#pending === undefined) return undefined;
    return `Nothing follows the "${this.#text[this.#pending]}" at character ${this.#pending + 1} of the selector.`;
  }

  #combinator(): void {
    this.flaw = this.#unfollowed();
    // `:has(> b)` is of its element; elsewhere nothing would ever be found.
    if (!this.#isFilled && this.#open.at(-1)?.has !== true) {
      this.flaw ??= `Nothing stands before the "${this.#text[this.at]}" at character ${this.at + 1} of the selector.`;
    }
    this.#pending = this.at;
    this.#parts();
  }

  #comment(): void {
    const end = this.#text.indexOf('*/', this.at + 2);
    if (end === -1) this.flaw = `The comment at character ${this.at + 1} of the selector is never closed.`;
    this.at = end + 2;
  }

  ended(): string | undefined {
    const open = this.#open.at(-1);
    if (open) return `The "${open.mark}" at character ${open.at + 1} of the selector is never closed.`;
    const unfollowed = this.#unfollowed();
    return this.#isFilled || unfollowed ? unfollowed : 'Nothing stands after the last comma of the selector.';
  }

  #part(length: number): void {
    if (this.#isParted) this.#compounds += 1;
    this.#isParted = false;
    this.#isFilled = true;
    this.#pending = undefined;
    this.at += length;
    if (this.#compounds > SELECTOR_COMPOUNDS) {
      this.flaw = `The selector has more than ${SELECTOR_COMPOUNDS} parts, such as "div.price"; make it shorter.`;
    }
  }

  #parts(): void {
    this.#isParted = true;
    this.at += 1;
  }

  #quoted(quote: string): void {
    const from = this.at;
    for (this.at += 1; this.at < this.#text.length && this.#text[this.at] !== quote; this.at += 1) {
      if (this.#text[this.at] === '\\') this.at += 1;
    }
    if (this.at >= this.#text.length) {
      this.flaw = `The quote at character ${from + 1} of the selector is never closed.`;
    }
    this.#isFilled = true;
    this.at += 1;
  }

  #opens(mark: string): void {
    const has = mark === '(' && /:has$/i.test(this.#text.slice(0, this.at));
    if (has && this.#open.some((outer) => outer.has)) {
      this.flaw = `":has" inside ":has", at character ${this.at - 3} of the selector, is not possible.`;
    }
    this.#open.push({ mark, at: this.at, has });
    if (mark === '[') this.#part(0);
    this.#isParted = mark === '(';
    this.#isFilled = mark === '[';
    this.at += 1;
  }

  #closes(mark: string): void {
    const at = this.at + 1;
    if (this.#open.pop()?.mark !== CLOSING[mark]) {
      this.flaw = `The "${mark}" at character ${at} of the selector closes nothing.`;
    } else if (!this.#isFilled) {
      this.flaw = `Nothing stands before the "${mark}" at character ${at} of the selector.`;
    } else this.flaw = this.#unfollowed();
    this.#isParted = false;
    this.#isFilled = true;
    this.at = at;
  }

  #comma(): void {
    this.flaw = this.#unfollowed();
    if (!this.#isFilled) this.flaw ??= `Nothing stands before the comma at character ${this.at + 1} of the selector.`;
    this.#isFilled = false;
    this.#parts();
  }

  #absent(): void {
    const [name = ''] = ABSENT.exec(this.#text.slice(this.at)) ?? [];
    this.flaw = `"${name}", at character ${this.at + 1} of the selector, is nothing that a fetched page has: leave it out.`;
  }
}
