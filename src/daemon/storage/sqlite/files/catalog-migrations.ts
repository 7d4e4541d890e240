import { CATALOG_SCHEMA } from './catalog-shape.ts';

/** From one schema to the next; the new `schema` is set for it. It may change the document it is given. */
export type CatalogMigration = (document: Record<string, unknown>) => Record<string, unknown>;

/** The one at index i leads from schema `CATALOG_SCHEMA - length + i` to the next: the last leads to the present. */
const catalogMigrations: readonly CatalogMigration[] = [sourcesWithDepth, savedFilters];

/** Sources had a fixed interval and no end but that of their scope. */
function sourcesWithDepth(document: Record<string, unknown>): Record<string, unknown> {
  const { sources } = document;
  // What is no list of objects is left as it is: the check that follows names the place.
  if (!Array.isArray(sources)) return document;
  const widened = sources.map((source: unknown) =>
    typeof source === 'object' && source !== null
      ? Object.assign({ depth: null, baseline: false, paused: false }, source)
      : source,
  );
  return { ...document, sources: widened };
}

/** There were no saved filters. */
function savedFilters(document: Record<string, unknown>): Record<string, unknown> {
  return { ...document, filters: [] };
}

type Migrated =
  | { readonly kind: 'current'; readonly value: unknown; readonly changed: boolean }
  | { readonly kind: 'newer'; readonly schema: number }
  | { readonly kind: 'damaged'; readonly what: string };

/** Brings a parsed document to the present schema; what it holds is checked afterwards. */
export function migrate(value: unknown, migrations = catalogMigrations): Migrated {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { kind: 'damaged', what: 'the document must be an object' };
  }
  let document = value as Record<string, unknown>;
  const schema = document['schema'];
  if (!Number.isInteger(schema)) return { kind: 'damaged', what: '/schema must be a whole number' };
  const from = schema as number;
  if (from > CATALOG_SCHEMA) return { kind: 'newer', schema: from };
  const steps = CATALOG_SCHEMA - from;
  if (steps > migrations.length) return { kind: 'damaged', what: `/schema ${from} was never in use` };
  for (const [index, step] of migrations.slice(migrations.length - steps).entries()) {
    document = { ...step(document), schema: from + index + 1 };
  }
  return { kind: 'current', value: document, changed: steps > 0 };
}
