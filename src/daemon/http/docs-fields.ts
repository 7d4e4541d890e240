import { prose } from './docs-prose.ts';

/** As much of JSON Schema as our own schemas have. */
export interface SchemaNode {
  readonly type?: string;
  readonly const?: unknown;
  readonly description?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  readonly contentSchema?: SchemaNode;
}

export interface Field {
  /** Empty for the value as a whole: its own fields are shown, and it is not. */
  readonly name: string;
  readonly required: boolean;
  readonly schema: SchemaNode;
  /** Where a parameter stands. */
  readonly place?: string;
}

/** A row of HTML for a field and for each field inside it, by its path: `data.diagnostics[].code`. */
export function fieldRows({ name, required, schema, place }: Field): string[] {
  const kind = [place, typeOf(schema), boundsOf(schema), required ? '' : 'optional'].filter((part) => part);
  const row = `<tr><th scope="row"><code>${escaped(name)}</code></th><td>${escaped(kind.join(', '))}</td><td>${prose(
    schema.description ?? '',
  )}</td></tr>`;
  return [...(name === '' ? [] : [row]), ...inside(schema).flatMap((field) => rowsBelow(name, field))];
}

function rowsBelow(name: string, field: Field): string[] {
  const isElement = field.name === '[]';
  const path = name === '' || isElement ? `${name}${field.name}` : `${name}.${field.name}`;
  // What an element is has been said by the list.
  if (isElement) return inside(field.schema).flatMap((part) => rowsBelow(path, part));
  return fieldRows({ ...field, name: path });
}

function inside(schema: SchemaNode): Field[] {
  const { properties, required = [], items, anyOf = [], contentSchema } = schema;
  if (properties) {
    return Object.entries(properties).map(([name, part]) => ({
      name,
      required: required.includes(name),
      schema: part,
    }));
  }
  if (items) return [{ name: '[]', required: true, schema: items }];
  if (contentSchema) return inside(contentSchema);
  return anyOf.flatMap(inside);
}

function typeOf({ type, const: value, items, anyOf }: SchemaNode): string {
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' or ');
  if (value !== undefined) return JSON.stringify(value);
  if (items) return `list of ${typeOf(items)}`;
  return type ?? 'any';
}

function boundsOf({ minimum, maximum, minLength, maxLength, default: standard, anyOf = [] }: SchemaNode): string {
  const said = [
    [minimum === undefined ? '' : `from ${minimum}`, maximum === undefined ? '' : `to ${maximum}`].join(' ').trim(),
    minLength === undefined ? '' : `at least ${minLength} characters`,
    maxLength === undefined ? '' : `at most ${maxLength} characters`,
    standard === undefined ? '' : `default ${JSON.stringify(standard)}`,
    ...anyOf.map(boundsOf),
  ];
  return said.filter((part) => part !== '').join(', ');
}

/** JSON as people read it; a text as it is. */
export function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (found) => entities[found] ?? found);
}
