import { FIELD_NAMES, FIELDS } from '../query/fields.ts';

/**
 * How each field is read, by its place in FIELD_NAMES. Of one shape, which the fields' own descriptions are not: asking
 * them on every page shows.
 */
export const READINGS = FIELD_NAMES.map((field) => {
  const { kind, keepsStopWords, vocabulary } = FIELDS[field];
  return { field, isKeyword: kind === 'keyword', keepsStopWords, isLabel: vocabulary !== undefined };
});
