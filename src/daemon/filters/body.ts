import { Problem } from '../problem.ts';
import type { Diagnostic } from '../../shared/api/diagnostic.ts';
import type { Query } from '../../shared/query/ast.ts';
import { print } from '../../shared/query/syntax/print.ts';
import { validate } from '../../shared/query/validate.ts';

const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** @throws {Problem} invalid_field */
export function checkName(name: string): void {
  if (NAME.test(name)) return;
  const message = 'The name of a filter has 1 to 64 letters (A to Z), digits, - and _, and no $.';
  throw new Problem('invalid_field', { field: 'name', message });
}

/**
 * The warnings of a text that may be saved. It must be a query by itself: what cannot stand alone cannot stand in the
 * parentheses it is put in either, and the mistake is better told here than in each rule.
 * @throws {Problem} invalid_field, invalid_query
 */
export function checkBody(name: string, value: string): readonly Diagnostic[] {
  if (value.includes('$')) {
    const message = 'The text of a filter cannot have a $ in it: a filter does not refer to another one.';
    throw new Problem('invalid_field', { field: 'value', message });
  }
  const { valid, diagnostics } = validate(value);
  if (valid) return diagnostics;
  const turned = diagnostics.map((found) => turnedRound(found, name, value));
  throw new Problem('invalid_query', { query: value, diagnostics: turned });
}

/**
 * `NOT a NOT b` is how other services write such a filter. In parentheses it matches nothing (Lucene), so that
 * `ferry AND $no-junk` would never match. Decided against: giving these parentheses another meaning than all others
 * have, since `$no-junk` beside OR or NOT would then have none.
 */
function turnedRound(found: Diagnostic, name: string, value: string): Diagnostic {
  if (found.code !== 'only_negative') return found;
  const unwanted = unwantedIn(value);
  const message =
    `A filter that only says NOT matches nothing where it is used. Save what is unwanted, ` +
    `and write AND NOT $${name} in the rules.`;
  const hint = unwanted !== undefined && { message: `Unwanted is: ${unwanted}`, replacement: unwanted };
  return { ...found, message, ...(hint && { hint }) };
}

/** What a text of nothing but NOT keeps out, as a query; undefined where that takes more than leaving the NOTs out. */
function unwantedIn(value: string): string | undefined {
  const { query } = validate(`added:wanted AND ${value}`);
  if (query?.kind !== 'boolean') return undefined;
  const [wanted, ...rest] = query.clauses;
  if (wanted?.occur !== 'must' || rest.length === 0 || rest.some(({ occur }) => occur !== 'must_not')) return undefined;
  const unwanted = rest.map((clause) => written(clause.query)).join(' OR ');
  // `recent` is printed as the engine understands it, which nobody can write.
  return validate(unwanted).valid ? unwanted : undefined;
}

function written(query: Query): string {
  return query.kind === 'boolean' ? `(${print(query)})` : print(query);
}
