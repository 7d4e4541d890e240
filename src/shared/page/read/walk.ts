import type { DefaultTreeAdapterTypes as Tree } from 'parse5';

/** What is done on the way. `Scope` is what an element passes down to everything inside it. */
export interface Visitor<Scope> {
  /** The scope of the element's children; undefined leaves the whole subtree out. */
  enter(element: Tree.Element, scope: Scope): Scope | undefined;
  text(value: string, scope: Scope): void;
  /** After the children of an element that was entered, with the scope they had. */
  leave(element: Tree.Element, scope: Scope): void;
}

/**
 * Once over the tree, in the order of the document. The stack is an array, not the call stack: a page of 100,000
 * divs inside one another is 500 kB, and recursion would end the process.
 */
export function walk<Scope>(document: Tree.Document, scope: Scope, visitor: Visitor<Scope>): void {
  const open: Frame<Scope>[] = [{ children: document.childNodes, next: 0, scope }];
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const node = top.children[top.next];
    top.next += 1;
    if (node === undefined) {
      open.pop();
      if (top.element) visitor.leave(top.element, top.scope);
    } else if (isText(node)) {
      visitor.text(node.value, top.scope);
    } else if (isElement(node)) {
      const inner = visitor.enter(node, top.scope);
      if (inner === undefined) continue;
      const { childNodes } = 'content' in node ? node.content : node;
      if (childNodes.length === 0) visitor.leave(node, inner);
      else open.push({ element: node, children: childNodes, next: 0, scope: inner });
    }
  }
}

interface Frame<Scope> {
  readonly element?: Tree.Element;
  readonly children: readonly Tree.ChildNode[];
  next: number;
  readonly scope: Scope;
}

export function attribute(element: Tree.Element, name: string): string | undefined {
  for (const found of element.attrs) if (found.name === name) return found.value;
  return undefined;
}

/** The text directly inside an element: all there is in a title or a script. */
export function ownText(element: Tree.Element): string {
  return element.childNodes
    .filter(isText)
    .map((node) => node.value)
    .join('');
}

export function isText(node: Tree.Node): node is Tree.TextNode {
  return node.nodeName === '#text';
}

export function isElement(node: Tree.Node): node is Tree.Element {
  return 'tagName' in node;
}
