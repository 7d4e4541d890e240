import { domainOf, printable } from '../../text/printable.ts';
import { UsageError } from '../../runtime/failure.ts';
import { isObject } from '../../../shared/page/json-value.ts';

/** A match as `--json` prints it. */
export type MatchObject = Readonly<Record<string, unknown>>;

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

/** Not in the match itself; for people who read lines. */
const MADE: Readonly<Record<string, (match: MatchObject) => string>> = {
  domain: (match) => domainOf(textOf(valueAt(match, 'document.url'))),
  added: (match) => chunksOf(match, 'ins'),
  removed: (match) => chunksOf(match, 'del'),
};

/** The parts of `--fields id,document.url`. @throws {UsageError} for one that no match has */
export function parseFields(written: string): readonly string[] {
  const fields = written.split(',').map((field) => field.trim());
  for (const field of fields) checkField(field, '--fields', KEYS);
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

export type Template = readonly (string | { readonly field: string })[];

/**
 * `{matched_at} {document.title}\t{added}`: what stands in braces is a field, `{{` and `}}` are braces, `\t`, `\n` and
 * `\\` what they are elsewhere. @throws {UsageError} for a field that no match has, and for a brace without its other
 */
export function parseTemplate(written: string): Template {
  const known = [...KEYS, ...Object.keys(MADE)];
  return [...written.matchAll(/\{\{|\}\}|\{([^{}]*)\}|\\.|[^{}\\]+|./gs)].map(([part, field]) => {
    if (field !== undefined) {
      checkField(field.trim(), '--format', known);
      return { field: field.trim() };
    }
    if (part === '{' || part === '}') {
      throw new UsageError(`--format: \`${part}\` stands alone`, {
        hint: `write a literal brace as \`${part}${part}\``,
      });
    }
    if (part.startsWith('\\')) return ESCAPES[part] ?? part;
    return part === '{{' || part === '}}' ? part.slice(1) : part;
  });
}

const ESCAPES: Readonly<Record<string, string>> = { '\\t': '\t', '\\n': '\n', '\\\\': '\\' };

/** One line; what a match does not have is empty. What comes from a page cannot act on a terminal, or break the line. */
export function fill(template: Template, match: MatchObject): string {
  const parts = template.map((part) => {
    if (typeof part === 'string') return part;
    return printable(MADE[part.field]?.(match) ?? textOf(valueAt(match, part.field)));
  });
  return `${parts.join('')}\n`;
}

function checkField(field: string, flag: string, known: readonly string[]): void {
  if (known.includes(field)) return;
  const near = known.find((one) => one.endsWith(`.${field}`));
  throw new UsageError(`${flag}: a match has no field \`${field}\``, {
    hint: near === undefined ? `fields: ${known.join(', ')}` : `did you mean \`${near}\`?`,
  });
}

function valueAt(match: MatchObject, field: string): unknown {
  const [outer = '', inner] = field.split('.');
  const value = match[outer];
  if (inner === undefined) return value;
  return isObject(value) ? value[inner] : undefined;
}

function chunksOf(match: MatchObject, typ: 'ins' | 'del'): string {
  const diff = valueAt(match, 'document.diff');
  const chunks: readonly unknown[] = isObject(diff) && Array.isArray(diff['chunks']) ? diff['chunks'] : [];
  return chunks.flatMap((one) => (isObject(one) && one['typ'] === typ ? [textOf(one['text'])] : [])).join(' … ');
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).join(',');
  return JSON.stringify(value);
}
