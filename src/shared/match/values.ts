import type { FieldName, NumberField } from '../query/fields.ts';

/**
 * What the matcher reads of a document: the values of its fields. A field without a value is absent and never
 * matches. The values of a multi-valued field stand 100 positions apart.
 */
export interface FieldValues {
  readonly texts: Readonly<Partial<Record<FieldName, readonly string[]>>>;
  readonly numbers: Readonly<Partial<Record<NumberField, number>>>;
}
