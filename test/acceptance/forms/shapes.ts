import { readFileSync } from 'node:fs';
import { Type, type TSchema } from 'typebox';
import { Value } from 'typebox/value';

/** How a command prints with `--json`: one value, an object a line, or what it prints without. */
export type Form = 'one' | 'lines' | 'text';

/** docs/json.md, as what it promises. */
export interface JsonPaper {
  /** By command: `tap list`. */
  readonly rows: ReadonlyMap<string, { readonly form: Form; readonly type: string }>;
  /** What is wrong with a value of a type; empty: nothing. @throws for a type that the paper does not have */
  readonly faults: (type: string, value: unknown) => readonly string[];
}

export function readPaper(file: string): JsonPaper {
  const text = readFileSync(file, 'utf8');
  const found = [...text.matchAll(/^\| `([a-z -]+)` \| (one|lines|text) \| (?:`([^`]*)`)?.*\|$/gm)];
  const rows = new Map(found.map(([, command = '', form = '', type = '']) => [command, { form: form as Form, type }]));
  const declarations = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block = '']) => block).join('\n');
  const types = closed(Type.Script(declarations)) as Readonly<Record<string, TSchema>>;
  return {
    rows,
    faults: (type, value) => {
      const [, name = '', list] = /^(\w+)(\[\])?$/.exec(type) ?? [];
      const schema = types[name];
      if (schema === undefined) throw new Error(`${file} has no type ${type}`);
      const errors = Value.Errors(list === undefined ? schema : Type.Array(schema), value);
      return errors.map(({ instancePath, message, params }) => `${instancePath}: ${message} ${JSON.stringify(params)}`);
    },
  };
}

/** A key that the paper does not name is a fault: what is printed is promised. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  const isObject = 'type' in schema && schema.type === 'object' && 'properties' in schema;
  return isObject ? { ...inner, additionalProperties: false } : inner;
}
