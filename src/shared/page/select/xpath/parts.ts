import { XPathFault, type XPathExpression } from './syntax.ts';

/** What of XPath is one word of CSS: names, attributes, places among the children of a parent. */

/** HTML has its names in lower case. */
export function nameText(name: string): string {
  return name.toLowerCase().replaceAll(/[^\w\u0080-\u{10ffff}-]/gu, String.raw`\$&`);
}

/** The values of these are compared in either case in HTML (HTML standard, 4.17.2), and in XPath never. */
const IN_EITHER_CASE: ReadonlySet<string> = new Set(
  (
    'accept accept-charset align alink axis bgcolor charset checked clear codetype color compact declare defer dir ' +
    'direction disabled enctype face frame hreflang http-equiv lang language link media method multiple nohref ' +
    'noresize noshade nowrap readonly rel rev rules scope scrolling selected shape target text type valign valuetype ' +
    'vlink'
  ).split(' '),
);

/** Ids and classes as attributes, too: `#a` and `.a` are in either case on pages without a doctype. */
export function attributeTest(name: string, sign: string, text: string): string {
  const value = text
    .replaceAll(/["\\]/g, String.raw`\$&`)
    .replaceAll(/[\n\r\f]/g, (end) => `\\${end.codePointAt(0)?.toString(16)} `);
  return `[${name}${sign}"${value}"${IN_EITHER_CASE.has(name) ? ' s' : ''}]`;
}

/** Places among the children of one parent, from 1; `isEnd`: the last one. */
export interface ChildRange {
  readonly from: number;
  readonly to: number;
  readonly isEnd?: true;
}

/** `[3]`, `[last()]`, `[position() > 1]`: which children; undefined for a condition of another kind. */
export function placeOf(expression: XPathExpression): ChildRange | undefined {
  if (expression.kind === 'number') return rangeOf('=', expression.value);
  if (isCall(expression, 'last')) return { from: 1, to: 1, isEnd: true };
  if (expression.kind !== 'compare' || !isCall(expression.left, 'position')) return undefined;
  const { sign, right } = expression;
  if (sign === '=' && isCall(right, 'last')) return { from: 1, to: 1, isEnd: true };
  if (right.kind === 'number') return rangeOf(sign, right.value);
  throw new XPathFault('it calculates a place');
}

function rangeOf(sign: string, number: number): ChildRange {
  const ranges: Readonly<Record<string, readonly [from: number, to: number]>> = {
    '=': [number, number],
    '>': [number + 1, Number.POSITIVE_INFINITY],
    '>=': [number, Number.POSITIVE_INFINITY],
    '<': [1, number - 1],
    '<=': [1, number],
  };
  const [from = 0, to = 0] = ranges[sign] ?? [];
  if (Number.isInteger(number) && to >= 1 && from <= to) return { from: Math.max(from, 1), to };
  throw new XPathFault(`it asks for the place ${sign} ${number}`);
}

export function isCall(expression: XPathExpression, name: string): boolean {
  return expression.kind === 'call' && expression.name === name && expression.values.length === 0;
}

export function placeText({ from, to, isEnd }: ChildRange, tag: string): string {
  const kind = tag === '' ? 'child' : 'of-type';
  if (isEnd === true) return `:last-${kind}`;
  if (from === 1 && to === 1) return `:first-${kind}`;
  if (from === to) return `:nth-${kind}(${from})`;
  return (from > 1 ? `:nth-${kind}(n+${from})` : '') + (to < Infinity ? `:nth-${kind}(-n+${to})` : '');
}
