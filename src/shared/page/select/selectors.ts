import { type Options, selectAll } from 'css-select';
import { html, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { SELECTOR_DEPTH, SELECTOR_STEPS } from '../../limits.ts';
import { selectorFlaw } from './selector-text.ts';
import { NothingSelected, type Selected, type Selection } from './selection.ts';
import { attribute, isElement, isText } from '../read/walk.ts';

/** What is wrong with a selector, as a sentence with its place. */
export function checkSelector(selector: string): string | undefined {
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
      throw new NothingSelected(
        `The page has more than ${SELECTOR_DEPTH} elements inside one another: nothing is selected.`,
      );
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
