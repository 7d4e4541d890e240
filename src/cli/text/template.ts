import { isObject } from '../../shared/page/json-value.ts';
import { UsageError } from '../runtime/failure.ts';
import { printable } from '../../shared/text/printable.ts';

/** What `--format`, `--fields` and `--template` take from: a match, a change of a watch, or another object of `--json`. */
export type Printed = Readonly<Record<string, unknown>>;

/** What such an object may have. */
export interface FieldTable {
  /** With its article: `a match`. */
  readonly noun: string;
  /** Names of fields: `id`, `document.url`. */
  readonly keys: readonly string[];
  /** Not in the object itself; for people who read lines. */
  readonly made: Readonly<Record<string, (object: Printed) => string>>;
}

export type Template = readonly (string | { readonly field: string })[];

/**
 * `{matched_at} {document.title}\t{added}`: what stands in braces is a field, `{{` and `}}` are braces, `\t`, `\n` and
 * `\\` what they are elsewhere. Without a table any field may be named.
 * @throws {UsageError} for a field that there is not, and for a brace without its other
 */
export function parseTemplate(written: string, flag: string, table?: FieldTable): Template {
  return [...written.matchAll(/\{\{|\}\}|\{([^{}]*)\}|\\.|[^{}\\]+|./gs)].map(([part, field]) => {
    if (field !== undefined) {
      if (table) checkField(field.trim(), flag, { ...table, keys: [...table.keys, ...Object.keys(table.made)] });
      return { field: field.trim() };
    }
    if (part === '{' || part === '}') {
      throw new UsageError(`${flag}: \`${part}\` stands alone`, {
        hint: `write a literal brace as \`${part}${part}\``,
      });
    }
    if (part.startsWith('\\')) return ESCAPES[part] ?? part;
    return part === '{{' || part === '}}' ? part.slice(1) : part;
  });
}

const ESCAPES: Readonly<Record<string, string>> = { '\\t': '\t', '\\n': '\n', '\\\\': '\\' };

/** One line; what an object does not have is empty. What comes from a page cannot act on a terminal, or break the line. */
export function fill(template: Template, object: Printed, made: FieldTable['made'] = {}): string {
  const parts = template.map((part) => {
    if (typeof part === 'string') return part;
    return printable(made[part.field]?.(object) ?? textOf(valueAt(object, part.field)));
  });
  return `${parts.join('')}\n`;
}

/** @throws {UsageError} for a field that no such object has */
export function checkField(field: string, flag: string, { noun, keys }: Pick<FieldTable, 'noun' | 'keys'>): void {
  if (keys.includes(field)) return;
  const near = keys.find((one) => one.endsWith(`.${field}`));
  throw new UsageError(`${flag}: ${noun} has no field \`${field}\``, {
    hint: near === undefined ? `fields: ${keys.join(', ')}` : `did you mean \`${near}\`?`,
  });
}

/** Of `document.url`, the URL; of `taps.0.name`, that of the first. */
export function valueAt(object: Printed, field: string): unknown {
  let value: unknown = object;
  for (const part of field.split('.')) {
    if (Array.isArray(value)) value = value[Number(part)];
    else value = isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  }
  return value;
}

export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).join(',');
  return JSON.stringify(value);
}
