import { Type } from 'typebox';
import { QUERY_LENGTH, TRIAL_SHOWN } from '../../../shared/limits.ts';
import { isObject } from '../../../shared/page/json-value.ts';
import type { Diagnostic } from '../../../shared/api/diagnostic.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { Failure } from '../../runtime/failure.ts';
import { invalidQuery } from '../query-report.ts';
import { Diagnostics, Document, orNull } from './answer-schemas.ts';
import { only } from './list-tools.ts';
import { type Call, tool, type Tool } from './tool.ts';

/** Far more than a query may have: a longer one is told so by the language, with its place; only absurd ones are refused here. */
const LONGEST_QUERY = 4 * QUERY_LENGTH;

export const QueryText = Type.String({
  maxLength: LONGEST_QUERY,
  description: 'a Lucene query, such as title:"annual report" AND language:en; saved filters as $name',
});

const switches = {
  quality: Type.Optional(
    Type.Boolean({ default: true, description: 'as in a rule: only pages of the last 7 days, no index pages' }),
  ),
  nsfw: Type.Optional(Type.Boolean({ default: false, description: 'as in a rule: adult pages, too' })),
};

interface Switches {
  readonly quality?: boolean | undefined;
  readonly nsfw?: boolean | undefined;
}

const Compiled = orNull(Type.Object({ lucene: Type.String(), effective_lucene: Type.String() }));

const validateQuery = tool({
  name: 'validate_query',
  title: 'Validate a query',
  description:
    'Checks a query without saving it: every mistake with its place (carets in the text), what to write instead, and the query with every certain fix applied. Needs no daemon, except for saved filters.',
  effect: 'computes',
  input: { query: QueryText, ...switches },
  output: {
    valid: Type.Boolean(),
    diagnostics: Diagnostics,
    compiled: Compiled,
    fixed: Type.Optional(
      Type.String({ description: 'the query with every certain fix applied, where that is another one' }),
    ),
    fixed_valid: Type.Optional(Type.Boolean()),
  },
  call: async (call, { query, ...chosen }) => {
    const words = await flagsOf(call, query, chosen);
    const { value } = only(await call.run(['validate', ...words, '--', query]));
    const { value: fix } = only(await call.run(['validate', '--fix', ...words, '--', query]));
    const lines = await call.tell(['validate', ...words, '--', query]);
    const fixed =
      'query' in fix && fix.query !== query ? { fixed: fix.query, fixed_valid: 'valid' in fix && fix.valid } : {};
    return { value: { ...value, ...fixed }, lines };
  },
});

const explainQuery = tool({
  name: 'explain_query',
  title: 'Explain a query',
  description:
    'How a query is read: with every field and operator written out, with the filters of a rule around it, and which tokens its bare words are split into. Needs no daemon, except for saved filters.',
  effect: 'computes',
  input: { query: QueryText, ...switches },
  output: {
    reads_as: Type.String({ description: 'each field named, + and - for what must and must not be there' }),
    evaluated_as: Type.String({ description: 'the same with the filters of a rule' }),
    fields_used: Type.Array(Type.String()),
    words: Type.Array(Type.Object({ text: Type.String(), tokens: Type.Array(Type.String()) }), {
      description: 'bare words and phrases, which are looked for in the text that was added, and their tokens',
    }),
    diagnostics: Diagnostics,
  },
  call: async (call, { query, ...chosen }) => {
    const words = await flagsOf(call, query, chosen);
    const found = read((await call.run(['validate', ...words, '--', query])).values[0]);
    if (found.compiled === null) throw invalidQuery(found.diagnostics, query);
    return {
      value: {
        reads_as: found.compiled.lucene,
        evaluated_as: found.compiled.effective_lucene,
        fields_used: found.info.fields_used,
        words: await tokensOf(call, found.info.default_field_terms.slice(0, MOST_WORDS)),
        diagnostics: found.diagnostics,
      },
    };
  },
});

/** Bare words whose tokens are told. */
const MOST_WORDS = 50;

async function tokensOf({ run }: Call, terms: readonly string[]): Promise<object[]> {
  const told = [];
  for (const text of terms) {
    const { value } = only(await run(['analyze', '--', text]));
    const tokens: readonly unknown[] = 'tokens' in value && Array.isArray(value.tokens) ? value.tokens : [];
    told.push({ text, tokens: tokens.flatMap((token) => (isObject(token) ? [String(token['term'])] : [])) });
  }
  return told;
}

/** What `validate --json` prints. */
interface Validated {
  readonly compiled: { readonly lucene: string; readonly effective_lucene: string } | null;
  readonly diagnostics: readonly Diagnostic[];
  readonly info: { readonly fields_used: readonly string[]; readonly default_field_terms: readonly string[] };
}

function read(value: unknown): Validated {
  if (isObject(value) && 'compiled' in value && 'info' in value) return value as object as Validated;
  throw new Failure('bug', exitCode.bug, 'the check of the query answered nothing');
}

async function flagsOf(call: Call, query: string, { quality, nsfw }: Switches): Promise<string[]> {
  const filters = await savedFilters(call, [query]);
  return [
    ...(quality === false ? ['--no-quality'] : []),
    ...(nsfw === true ? ['--nsfw'] : []),
    ...[...filters].map(([name, value]) => `--filter=${name}=${value}`),
  ];
}

/** `$name` in a query. */
const REFERENCE = /(?<!\\)\$[\w-]/;

/**
 * The saved filters that queries may refer to, by name; none where no query does, and where nobody but the operator may
 * read them: such a query has an unknown filter.
 */
export async function savedFilters(
  { session }: Pick<Call, 'session'>,
  queries: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (!queries.some((query) => REFERENCE.test(query))) return new Map();
  const { connection, client } = await session.connect();
  if (connection.credential.kind !== 'operator') return new Map();
  return new Map((await client.filters.list()).map(({ name, value }) => [name, value]));
}

const tryQuery = tool({
  name: 'try_query',
  title: 'Try a query',
  description:
    'What a query would have matched among the changes that the daemon has kept of the last 24 hours, and what the filters of a rule would have withheld. Saves nothing.',
  effect: 'reads',
  input: {
    query: QueryText,
    ...switches,
    since: Type.Optional(Type.String({ default: '24h', description: 'how far back: 30m, 6h, 24h' })),
    limit: Type.Optional(
      Type.Integer({ minimum: 0, maximum: TRIAL_SHOWN, default: 5, description: 'matches to show, the newest' }),
    ),
    tap: Type.Optional(Type.String({ description: 'name or id of the tap whose saved filters are meant' })),
  },
  output: {
    since: Type.String(),
    changes: Type.Integer({ description: 'how many were looked at' }),
    complete: Type.Boolean({ description: 'false: the time for a trial was up, and older changes were not looked at' }),
    matches: Type.Integer(),
    pages: Type.Integer(),
    domains: Type.Integer(),
    withheld: Type.Record(Type.String(), Type.Integer()),
    newest: Type.Array(Type.Object({ matched_at: Type.String(), document: Document })),
  },
  call: async ({ run }, { query, quality, nsfw, since, limit = 5, tap }) => {
    const flags = [
      `--limit=${limit}`,
      ...(since === undefined ? [] : [`--since=${since}`]),
      ...(tap === undefined ? [] : [`--tap=${tap}`]),
      ...(quality === false ? ['--quality=off'] : []),
      ...(nsfw === true ? ['--nsfw'] : []),
    ];
    return only(await run(['rule', 'try', ...flags, '--', query]));
  },
});

export const queryTools: readonly Tool[] = [validateQuery, explainQuery, tryQuery];
