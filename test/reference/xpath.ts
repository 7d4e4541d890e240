import { defaultTreeAdapter, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import {
  parseXPath,
  type XPathExpression,
  type XPathPath,
  type XPathStep,
} from '../../src/shared/page/select/xpath/syntax.ts';

/** An attribute as a node of its own. */
interface Attribute {
  readonly owner: Tree.Element;
  readonly name: string;
  readonly value: string;
}

type Node = Tree.Node | Attribute;
type Value = readonly Node[] | string | number | boolean;

/** Where an expression is evaluated (XPath 1.0, 1). */
interface Context {
  readonly node: Node;
  readonly position: number;
  readonly size: number;
}

/** XPath 1.0 by its definition: node by node, axis by axis, predicate by predicate. Elements in the order of the document. */
export function elementsByXPath(xpath: string, document: Tree.Document): Tree.Element[] {
  const context: Context = { node: document, position: 1, size: 1 };
  const found = new Set(parseXPath(xpath).paths.flatMap((path) => walk(path, context)));
  return descendants(document).filter((node): node is Tree.Element => isElement(node) && found.has(node));
}

function walk({ isAbsolute, steps }: XPathPath, { node }: Context): Node[] {
  let nodes: Node[] = [isAbsolute ? rootOf(node) : node];
  for (const step of steps) nodes = [...new Set(nodes.flatMap((one) => stepFrom(one, step)))];
  return nodes;
}

function stepFrom(from: Node, { axis, test, predicates }: XPathStep): Node[] {
  let nodes = along(from, axis).filter((node) => passes(node, test));
  for (const predicate of predicates) {
    const size = nodes.length;
    nodes = nodes.filter((node, index) => {
      const value = evaluate(predicate, { node, position: index + 1, size });
      return typeof value === 'number' ? value === index + 1 : toBoolean(value);
    });
  }
  return nodes;
}

/** In the direction of the axis: backwards for those that look back. */
function along(node: Node, axis: string): Node[] {
  switch (axis) {
    case 'self':
      return [node];
    case 'child':
      return childrenOf(node);
    case 'descendant':
      return descendants(node);
    case 'descendant-or-self':
      return [node, ...descendants(node)];
    case 'parent':
      return ancestors(node).slice(0, 1);
    case 'ancestor':
      return ancestors(node);
    case 'following-sibling':
      return siblings(node).slice(siblings(node).indexOf(node) + 1);
    case 'preceding-sibling':
      return siblings(node).slice(0, siblings(node).indexOf(node)).toReversed();
    case 'attribute':
      return isElement(node) ? node.attrs.map(({ name, value }) => ({ owner: node, name, value })) : [];
    default:
      throw new Error(`no axis ${axis}`);
  }
}

function passes(node: Node, test: string): boolean {
  if (test === 'node()') return true;
  if (test === 'text()') return isText(node);
  const name = 'owner' in node ? node.name : nameOf(node);
  return name !== '' && (test === '*' || name === test);
}

function evaluate(expression: XPathExpression, context: Context): Value {
  switch (expression.kind) {
    case 'or':
      return expression.parts.some((part) => toBoolean(evaluate(part, context)));
    case 'and':
      return expression.parts.every((part) => toBoolean(evaluate(part, context)));
    case 'path':
      return walk(expression.path, context);
    case 'compare':
      return compared(expression.sign, evaluate(expression.left, context), evaluate(expression.right, context));
    case 'call':
      return called(expression.name, expression.values, context);
    case 'text':
    case 'number':
      return expression.value;
  }
}

function called(name: string, given: readonly XPathExpression[], context: Context): Value {
  const values = given.map((one) => evaluate(one, context));
  const call = functions[name];
  if (call === undefined) throw new Error(`no function ${name}`);
  return call(values[0] ?? [context.node], values[1] ?? '', context, values);
}

type Call = (first: Value, second: Value, context: Context, values: readonly Value[]) => Value;

const functions: Readonly<Record<string, Call>> = {
  not: (first) => !toBoolean(first),
  boolean: (first) => toBoolean(first),
  true: () => true,
  false: () => false,
  position: (_, __, { position }) => position,
  last: (_, __, { size }) => size,
  contains: (first, second) => toText(first).includes(toText(second)),
  'starts-with': (first, second) => toText(first).startsWith(toText(second)),
  'ends-with': (first, second) => toText(first).endsWith(toText(second)),
  concat: (_, __, ___, values) => values.map(toText).join(''),
  'normalize-space': (first) =>
    toText(first)
      .replaceAll(/[\t\n\r ]+/g, ' ')
      .replaceAll(/^ | $/g, ''),
  name: (_, __, { node }) => nameOf(node),
  'local-name': (_, __, { node }) => nameOf(node),
};

function nameOf(node: Node): string {
  return isElement(node) ? node.tagName : '';
}

/** XPath 1.0, 3.4: of a set of nodes, some node has to compare. */
function compared(sign: string, left: Value, right: Value): boolean {
  if (isNodes(left)) return left.some((node) => compared(sign, textOf(node), right));
  if (isNodes(right)) return right.some((node) => compared(sign, left, textOf(node)));
  if (sign !== '=' && sign !== '!=') return ordered(sign, Number(left), Number(right));
  const isNumeric = typeof left === 'number' || typeof right === 'number';
  const isSame = isNumeric ? Number(left) === Number(right) : left === right;
  return isSame === (sign === '=');
}

function ordered(sign: string, left: number, right: number): boolean {
  if (sign === '<') return left < right;
  if (sign === '<=') return left <= right;
  return sign === '>' ? left > right : left >= right;
}

function isNodes(value: Value): value is readonly Node[] {
  return Array.isArray(value);
}

function toBoolean(value: Value): boolean {
  return isNodes(value) ? value.length > 0 : Boolean(value);
}

function toText(value: Value): string {
  if (!isNodes(value)) return String(value);
  const [first] = value;
  return first === undefined ? '' : textOf(first);
}

function textOf(node: Node): string {
  if ('owner' in node) return node.value;
  if (isText(node)) return node.value;
  return descendants(node)
    .map((one) => (isText(one) ? one.value : ''))
    .join('');
}

function rootOf(node: Node): Node {
  return ancestors(node).at(-1) ?? node;
}

/** Comments and the doctype are left out: no test names them. */
function childrenOf(node: Node): Tree.ChildNode[] {
  return 'childNodes' in node ? node.childNodes.filter((child) => isElement(child) || isText(child)) : [];
}

function descendants(node: Node): Tree.ChildNode[] {
  return childrenOf(node).flatMap((child) => [child].concat(descendants(child)));
}

function ancestors(node: Node): Tree.Node[] {
  const parent = 'owner' in node ? node.owner : parentOf(node);
  return parent ? [parent, ...ancestors(parent)] : [];
}

function parentOf(node: Tree.Node): Tree.Node | null {
  return 'parentNode' in node ? node.parentNode : null;
}

function siblings(node: Node): Node[] {
  const [parent] = 'owner' in node ? [] : ancestors(node);
  return parent === undefined ? [node] : childrenOf(parent);
}

function isElement(node: Node): node is Tree.Element {
  return !('owner' in node) && defaultTreeAdapter.isElementNode(node);
}

function isText(node: Node): node is Tree.TextNode {
  return !('owner' in node) && defaultTreeAdapter.isTextNode(node);
}
