import { domainOf } from '../../../shared/text/printable.ts';
import { checkField, type FieldTable, type Printed, textOf, valueAt } from '../../text/template.ts';
import { isObject } from '../../../shared/page/json-value.ts';

/** A match as `--json` prints it. */
export type MatchObject = Printed;

/** What a match may have, as --fields and --format name it. */
const KEYS = [
  'id',
  'event',
  'tap',
  'tap_id',
  'query_id',
  'query_ids',
  'matched_at',
  'tags',
  'document',
  'document.url',
  'document.title',
  'document.publish_time',
  'document.language',
  'document.page_category',
  'document.page_types',
  'document.domain_rating',
  'document.diff',
  'document.markdown',
] as const;

export const MATCH_FIELDS: FieldTable = {
  noun: 'a match',
  keys: KEYS,
  made: {
    domain: (match) => domainOf(textOf(valueAt(match, 'document.url'))),
    added: (match) => chunksOf(match, 'ins'),
    removed: (match) => chunksOf(match, 'del'),
  },
};

/** The parts of `--fields id,document.url`. @throws {UsageError} for one that no match has */
export function parseFields(written: string): readonly string[] {
  const fields = written.split(',').map((field) => field.trim());
  for (const field of fields) checkField(field, '--fields', MATCH_FIELDS);
  return fields;
}

/** The same match with these parts alone, each where it was: a program for the whole match reads this one too. */
export function pick(match: MatchObject, fields: readonly string[]): MatchObject {
  const picked: Record<string, unknown> = {};
  const document: Record<string, unknown> = {};
  for (const field of fields) {
    const value = valueAt(match, field);
    if (value === undefined) continue;
    const [, inner] = field.split('.');
    if (inner === undefined) picked[field] = value;
    else if (!fields.includes('document')) picked['document'] = Object.assign(document, { [inner]: value });
  }
  return picked;
}

function chunksOf(match: MatchObject, typ: 'ins' | 'del'): string {
  const diff = valueAt(match, 'document.diff');
  const chunks: readonly unknown[] = isObject(diff) && Array.isArray(diff['chunks']) ? diff['chunks'] : [];
  return chunks.flatMap((one) => (isObject(one) && one['typ'] === typ ? [textOf(one['text'])] : [])).join(' … ');
}
