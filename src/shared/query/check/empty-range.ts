import type { Diagnostic } from '../../api/diagnostic.ts';
import type { Bound, Leaf, NumberQuery } from '../ast.ts';
import { compareCodePoints } from '../syntax/code-point-order.ts';
import { diagnostic, type Hint, shown } from '../codes.ts';

/** A Domain Rating (spec: Indexed query fields). */
const RATING = { least: 0, most: 100 } as const;

/** Warns of a range that holds nothing: bounds swapped, nothing between them, or a rating there is none of. */
export function emptyRange(leaf: Leaf, text: string, number?: NumberQuery): Diagnostic[] {
  if (leaf.kind === 'range' && leaf.low && leaf.high) {
    const found = betweenBounds(leaf, leaf.low, leaf.high, text, number);
    if (found) return [found];
  }
  if (number?.field !== 'dr' || !isOffScale(number)) return [];
  const message = `A dr is a number from ${RATING.least} to ${RATING.most}, so this clause matches nothing.`;
  return [finding(leaf, message, undefined)];
}

function betweenBounds(
  leaf: Leaf,
  low: Bound,
  high: Bound,
  text: string,
  number: NumberQuery | undefined,
): Diagnostic | undefined {
  const order = number ? Number(low.text) - Number(high.text) : compareCodePoints(low.text, high.text);
  if (order > 0) {
    return finding(leaf, 'The bounds are swapped, so this range matches nothing.', swapped(low, high, text));
  }
  const isHollow = number ? isEmpty(number) : order === 0 && !(low.inclusive && high.inclusive);
  if (!isHollow) return undefined;
  return finding(leaf, 'Nothing lies between the bounds, so this range matches nothing.', closed(low, high, text));
}

function isEmpty({ low, high }: NumberQuery): boolean {
  return low !== undefined && high !== undefined && low > high;
}

function isOffScale({ low, high }: NumberQuery): boolean {
  return (low ?? RATING.least) > RATING.most || (high ?? RATING.most) < RATING.least;
}

function finding(leaf: Leaf, message: string, replacement: string | undefined): Diagnostic {
  const hint: Hint | undefined =
    replacement === undefined ? undefined : { message: `Write ${shown(replacement)}.`, replacement };
  return diagnostic('empty_range', leaf.span, message, { field: leaf.field, hint });
}

/** Each bound keeps its own bracket. */
function swapped(low: Bound, high: Bound, text: string): string {
  return `${high.inclusive ? '[' : '{'}${written(high, text)} TO ${written(low, text)}${low.inclusive ? ']' : '}'}`;
}

function closed(low: Bound, high: Bound, text: string): string {
  return `[${written(low, text)} TO ${written(high, text)}]`;
}

function written({ span }: Bound, text: string): string {
  return text.slice(span.start, span.end);
}
