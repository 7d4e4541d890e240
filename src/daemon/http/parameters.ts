import { Problem } from '../problem.ts';
import { Type } from 'typebox';

/** A parameter of a query that is a whole number; undefined where it is not given. @throws {Problem} invalid_field */
export function integerIn(
  query: Readonly<Record<string, unknown>>,
  field: string,
  { least, most = Number.MAX_SAFE_INTEGER }: { readonly least: number; readonly most?: number },
): number | undefined {
  const text = query[field];
  if (text === undefined) return undefined;
  const value = typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  const range = most === Number.MAX_SAFE_INTEGER ? `of ${least} or more` : `from ${least} to ${most}`;
  throw new Problem('invalid_field', { field, message: `${field} must be a whole number ${range}.` });
}

/** `:id` of a path. Any text passes: what is no id of ours is a 404 of its resource, not a 422. */
export const pathId = Type.Object({ id: Type.String() });
