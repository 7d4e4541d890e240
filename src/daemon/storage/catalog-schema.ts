import { AjvCompiler } from '@fastify/ajv-compiler';
import { type Static, Type } from 'typebox';
import type { CatalogData } from './catalog.ts';
import { SINK_KINDS, SinkProblems, SinkWatches } from '../../shared/api/notify.ts';

/** The schema version that this code writes. */
export const CATALOG_SCHEMA = 4;

const Instant = Type.String({ minLength: 20 });
const Id = Type.String({ minLength: 1 });
const Count = Type.Integer({ minimum: 1 });
const Limit = Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]));
const Limits = Type.Object({
  activeTaps: Limit,
  watchedUrls: Limit,
  checksAMonth: Limit,
  fastestMinutes: Limit,
  rules: Limit,
});
const scopes = ['page', 'prefix', 'host', 'domain', 'any'] as const;

/** The catalog as it is stored: what people edited by hand is held against it before anything runs. */
const CatalogShape = Type.Object({
  schema: Type.Literal(CATALOG_SCHEMA),
  organizations: Type.Array(
    Type.Object({
      id: Id,
      name: Type.String(),
      plan: Type.String(),
      limits: Type.Optional(Limits),
      prepaid: Type.Optional(Type.Literal(true)),
      createdAt: Instant,
    }),
  ),
  members: Type.Array(
    Type.Object({
      id: Id,
      organizationId: Id,
      name: Type.String(),
      role: Type.Union([Type.Literal('admin'), Type.Literal('member')]),
      createdAt: Instant,
    }),
  ),
  keys: Type.Array(
    Type.Object({
      id: Id,
      organizationId: Id,
      memberId: Id,
      name: Type.String(),
      prefix: Type.String(),
      hash: Type.String(),
      createdAt: Instant,
    }),
  ),
  taps: Type.Array(
    Type.Object({
      id: Id,
      organizationId: Id,
      name: Type.String(),
      status: Type.Union([Type.Literal('active'), Type.Literal('paused')]),
      tokenPrefix: Type.String(),
      tokenHash: Type.String(),
      tokenSealed: Type.String(),
      createdAt: Instant,
      lastUsedAt: Type.Union([Instant, Type.Null()]),
    }),
  ),
  rules: Type.Array(
    Type.Object({
      id: Id,
      tapId: Id,
      value: Type.String(),
      tag: Type.Optional(Type.String()),
      nsfw: Type.Boolean(),
      quality: Type.Boolean(),
      paused: Type.Optional(Type.Literal(true)),
      createdAt: Instant,
    }),
  ),
  filters: Type.Array(
    Type.Object({ id: Id, organizationId: Id, name: Type.String(), value: Type.String(), createdAt: Instant }),
  ),
  sources: Type.Array(
    Type.Object({
      id: Id,
      url: Type.String(),
      scope: Type.Union(scopes.map((scope) => Type.Literal(scope))),
      depth: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
      everySeconds: Type.Union([Count, Type.Null()]),
      maxPages: Count,
      baseline: Type.Boolean(),
      paused: Type.Boolean(),
      createdAt: Instant,
    }),
  ),
  feeds: Type.Array(
    Type.Object({
      id: Id,
      organizationId: Id,
      name: Type.String(),
      kind: Type.Union([Type.Literal('tap'), Type.Literal('watch'), Type.Literal('tag')]),
      of: Id,
      prefix: Type.String(),
      hash: Type.String(),
      createdAt: Instant,
    }),
  ),
  sinks: Type.Array(
    Type.Object({
      id: Id,
      organizationId: Id,
      name: Type.String(),
      kind: Type.Union(SINK_KINDS.map((kind) => Type.Literal(kind))),
      options: Type.Record(Type.String(), Type.String()),
      secretsSealed: Type.Record(Type.String(), Type.String()),
      taps: Type.Union([Type.Literal('all'), Type.Array(Id)]),
      query: Type.Union([Type.String(), Type.Null()]),
      watches: SinkWatches,
      problems: SinkProblems,
      digest: Type.Union([Type.String(), Type.Null()]),
      quiet: Type.Union([Type.String(), Type.Null()]),
      zone: Type.String(),
      atMost: Type.Union([Type.String(), Type.Null()]),
      template: Type.Union([Type.String(), Type.Null()]),
      paused: Type.Boolean(),
      createdAt: Instant,
    }),
  ),
});

/**
 * Compiled: interpreted, the check of ten thousand sources took four fifths of each change (measured). By the library that
 * the API's requests are checked with: typebox's own is 330 modules more, a tenth of a second of each start. That the schema is
 * one, typebox sees to; ajv would compile the schema of schemas first, which takes as long as this one, and shorten the code that
 * V8 shortens.
 */
const validate = AjvCompiler()(
  {},
  {
    customOptions: {
      coerceTypes: false,
      removeAdditional: false,
      useDefaults: false,
      validateSchema: false,
      code: { optimize: false },
    },
  },
)({ schema: CatalogShape });

type Checked = { readonly ok: true; readonly data: CatalogData } | { readonly ok: false; readonly what: string };

function isCatalog(value: unknown): value is Static<typeof CatalogShape> {
  return validate(value) === true;
}

/** The data, or what is wrong with it and where: `/rules/3/nsfw must be boolean`. */
export function checkShape(value: unknown): Checked {
  if (isCatalog(value)) return { ok: true, data: value };
  const errors = validate.errors ?? [];
  // The last error of a place sums up those of its alternatives, and says less than the allowed words would.
  const { instancePath, message } = errors[0] ?? { instancePath: '', message: 'has a wrong shape' };
  const alternatives = errors
    .filter((error) => error.instancePath === instancePath && error.keyword === 'const')
    .map((error) => JSON.stringify((error.params as { allowedValue?: unknown }).allowedValue));
  const complaint = alternatives.length > 0 ? `must be ${alternatives.join(' or ')}` : message;
  return { ok: false, what: `${instancePath === '' ? 'the document' : instancePath} ${complaint}` };
}

/** From one schema to the next; the new `schema` is set for it. It may change the document it is given. */
export type CatalogMigration = (document: Record<string, unknown>) => Record<string, unknown>;

/** The one at index i leads from schema `CATALOG_SCHEMA - length + i` to the next: the last leads to the present. */
const catalogMigrations: readonly CatalogMigration[] = [sourcesWithDepth, savedFilters, feedsAndSinks];

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

/** There were neither feeds by address nor sinks. */
function feedsAndSinks(document: Record<string, unknown>): Record<string, unknown> {
  return { ...document, feeds: [], sinks: [] };
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
