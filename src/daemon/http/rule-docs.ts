import { Type } from 'typebox';
import { json, ON_FREE, type RouteDoc } from './route-doc.ts';
import { DiagnosticSchema } from '../../shared/api/diagnostic.ts';
import { Rule } from '../../shared/api/rule.ts';
import { RULES_PER_ORGANIZATION, RULES_REQUESTS_A_MINUTE } from '../../shared/limits.ts';
import { validate } from '../../shared/query/validate.ts';
import { Problem } from '../problem.ts';

const rule = {
  id: '9ea1e19f-7c55-4a7e-9a52-0d3f0b1c2d3e',
  value: 'title:ferry AND language:en',
  tag: 'ferries',
  nsfw: false,
  quality: true,
};

const Saved = Type.Object({
  data: Rule,
  warnings: Type.Optional(Type.Array(DiagnosticSchema, { description: 'What to know although it was accepted.' })),
  diagnostics: Type.Optional(
    Type.Array(DiagnosticSchema, { description: 'Those of the warnings that are about the query.' }),
  ),
});
const saved = json(Saved, { data: rule });

const noRule = new Problem('not_found', { resource: 'rule' });
const theirRule = new Problem('forbidden', { resource: 'rule' });
const tooOften = new Problem('rate_limited', { what: '/v1/rules', limit: RULES_REQUESTS_A_MINUTE, seconds: 12 });
const misspelt = validate('titel:ferry');
const badQuery = new Problem('invalid_query', { query: misspelt.expanded, diagnostics: misspelt.diagnostics });
const unknown = validate('$no-junk', { filters: () => undefined, filterNames: [] });
const noFilter = new Problem('unknown_filter', {
  field: 'value',
  name: 'no-junk',
  query: unknown.expanded,
  diagnostics: unknown.diagnostics,
});
const badTag = new Problem('invalid_field', { field: 'value', message: 'The value field is required.' });
const noRoom = new Problem('rule_limit_reached', { ...ON_FREE, limit: RULES_PER_ORGANIZATION });

const common = { tag: 'Rules', key: 'tap token' } as const;

export const ruleDocs: Readonly<Record<string, RouteDoc>> = {
  'GET /v1/rules': {
    ...common,
    id: 'listRules',
    summary: 'List the rules of the tap',
    answer: {
      status: 200,
      description: 'All rules, in the order they were made.',
      content: json(Type.Object({ data: Type.Array(Rule), meta: Type.Object({ count: Type.Integer() }) }), {
        data: [rule],
        meta: { count: 1 },
      }),
    },
    refusals: [tooOften],
  },
  'POST /v1/rules': {
    ...common,
    id: 'createRule',
    summary: 'Add a rule to the tap',
    description: 'It matches pages that are visited from now on.',
    answer: { status: 201, description: 'The rule.', content: saved },
    refusals: [badQuery, noFilter, badTag, noRoom, tooOften],
  },
  'GET /v1/rules/:id': {
    ...common,
    id: 'getRule',
    summary: 'Show a rule',
    answer: { status: 200, description: 'The rule.', content: json(Type.Object({ data: Rule }), { data: rule }) },
    refusals: [theirRule, noRule, tooOften],
  },
  'PUT /v1/rules/:id': {
    ...common,
    id: 'changeRule',
    summary: 'Change a rule',
    description: 'What is not sent stays as it is; `tag: null` takes the tag away.',
    answer: { status: 200, description: 'The rule as it is now.', content: saved },
    refusals: [theirRule, noRule, badQuery, noFilter, badTag, tooOften],
  },
  'DELETE /v1/rules/:id': {
    ...common,
    id: 'deleteRule',
    summary: 'Delete a rule',
    answer: { status: 204, description: 'The rule is no more.' },
    refusals: [theirRule, noRule, tooOften],
  },
};
