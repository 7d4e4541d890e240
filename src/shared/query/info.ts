import type { Expression, Group } from './ast.ts';
import { DEFAULT_FIELD, isKnownField } from './fields.ts';

/** Spec: Validation result. */
export interface QueryInfo {
  /** Each field once, in the order of the text, the default one included. */
  readonly fields_used: readonly string[];
  /** Words and phrases that name no field and so are looked for in `added`, as they are written, each once. */
  readonly default_field_terms: readonly string[];
}

export function infoOf(query: Group): QueryInfo {
  const fields = new Set<string>();
  const terms = new Set<string>();
  const visit = (expression: Expression, isNamed: boolean): void => {
    const hasField = isNamed || expression.fieldSpan !== undefined;
    if (expression.kind === 'group') {
      for (const clause of expression.clauses) visit(clause.expression, hasField);
      return;
    }
    if (isKnownField(expression.field)) fields.add(expression.field);
    if (!hasField && expression.field === DEFAULT_FIELD) for (const term of termsOf(expression)) terms.add(term);
  };
  visit(query, false);
  return { fields_used: [...fields], default_field_terms: [...terms] };
}

function termsOf(expression: Exclude<Expression, Group>): readonly string[] {
  switch (expression.kind) {
    case 'words':
      return expression.words.map((word) => word.text);
    case 'quoted':
    case 'fuzzy':
      return [expression.text];
    case 'wildcard':
      return [expression.pattern];
    case 'regex':
    case 'range':
    case 'refused':
      return [];
  }
}
