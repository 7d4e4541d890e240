import type { Span } from '../ast.ts';

export function isWithin(inner: Span | undefined, outer: Span): boolean {
  return inner !== undefined && inner.start >= outer.start && inner.end <= outer.end;
}
