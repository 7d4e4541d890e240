import { type TNull, type TSchema, type TUnion, Type } from 'typebox';
import { DiagnosticSchema } from '../../../shared/api/diagnostic.ts';
import { MatchSchema } from '../../../shared/api/match.ts';
import { Rule } from '../../../shared/api/rule.ts';
import { Watch } from '../../../shared/api/watch.ts';

/** What answers are made of, as far as a caller may rely on it: `docs/json.md` has all of it, and there may be more. */

export function orNull<Schema extends TSchema>(schema: Schema): TUnion<[Schema, TNull]> {
  return Type.Union([schema, Type.Null()]);
}

export const Diagnostics = Type.Array(DiagnosticSchema);

export const Chunks = MatchSchema.properties.document.properties.diff.properties.chunks;

/** A document as a match has it; a list that was cut may be empty. */
export const Document = Type.Object({
  url: Type.String(),
  title: Type.Optional(Type.String()),
  publish_time: Type.Optional(Type.String()),
  language: Type.Optional(Type.String()),
  diff: Type.Optional(Type.Object({ chunks: Chunks })),
});

export const Visit = Type.Object({
  at: Type.String(),
  outcome: Type.String({ description: 'changed, unchanged or failed' }),
  reason: Type.Optional(Type.String()),
  detail: Type.Optional(Type.String()),
  status: Type.Optional(Type.Integer()),
});

export const ListedTap = Type.Object({
  id: Type.String(),
  name: Type.String(),
  status: Type.String({ description: 'active or paused' }),
  rules_count: Type.Integer(),
  last_used_at: orNull(Type.String()),
  created_at: Type.String(),
});

export const ListedRule = Type.Object({
  ...Rule.properties,
  tap_id: Type.Optional(Type.String()),
  matches: Type.Optional(Type.Integer({ description: 'in the last 24 hours' })),
  last_match_at: Type.Optional(orNull(Type.String())),
  withheld: Type.Optional(Type.Record(Type.String(), Type.Integer())),
  refused: Type.Optional(Type.String({ description: 'why it matches nothing' })),
  paused: Type.Optional(Type.Boolean()),
});

export const ListedWatch = Type.Object({
  ...Watch.properties,
  title: Type.Optional(Type.String()),
  tags: Type.Optional(Type.Array(Type.String())),
  unseen: Type.Optional(Type.Integer({ description: 'changes that nobody has looked at' })),
  problem: Type.Optional(
    orNull(Type.Object({ reason: Type.String(), detail: Type.String(), failures: Type.Integer() })),
  ),
  next_check_at: Type.Optional(orNull(Type.String())),
});

export const ListedSource = Type.Object({
  id: Type.String(),
  url: Type.String(),
  scope: Type.String(),
  depth: orNull(Type.Integer()),
  every_seconds: orNull(Type.Integer()),
  max_pages: Type.Integer(),
  paused: Type.Boolean(),
  pages: Type.Integer(),
  visits: Type.Integer(),
  last_visit: orNull(Visit),
  next_visit_at: orNull(Type.String()),
  problem: Type.Optional(Type.Object({ reason: Type.String(), failures: Type.Integer() })),
});

export const Check = Type.Object({
  n: Type.Integer({ description: 'its number' }),
  at: Type.String(),
  outcome: Type.String({ description: 'baseline, changed, unchanged or failed' }),
  note: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String()),
  detail: Type.Optional(Type.String()),
  lines: Type.Optional(Type.Object({ inserted: Type.Integer(), deleted: Type.Integer() })),
});

const Lines = Type.Optional(Type.Array(Type.String()));
export const Hunks = Type.Array(
  Type.Object({
    before: Type.Integer({ description: 'line of the former text, from 0' }),
    after: Type.Integer(),
    blocks: Type.Array(Type.Object({ ctx: Lines, del: Lines, ins: Lines })),
  }),
);

export const CheckWithDiff = Type.Object({
  ...Check.properties,
  hunks: Type.Optional(Hunks),
  chunks: Type.Optional(Chunks),
});

/** A part of a list: which, and of how many. */
export const listed = {
  total: Type.Integer(),
  offset: Type.Integer(),
};

/** How much of a list is wanted. */
export const page = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  offset: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: 'how many of the list to leave out' })),
};

/** @param items a JSON array as a command prints it */
export function part(
  items: unknown,
  { limit = 50, offset = 0 }: { readonly limit?: number | undefined; readonly offset?: number | undefined },
): { readonly total: number; readonly offset: number; readonly shown: unknown[] } {
  const all: readonly unknown[] = Array.isArray(items) ? items : [];
  return { total: all.length, offset, shown: all.slice(offset, offset + limit) };
}
