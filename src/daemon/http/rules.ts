import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Auth } from './auth.ts';
import { pathId } from './requests.ts';
import { type Diagnostic, DiagnosticSchema } from '../../shared/api/diagnostic.ts';
import { Rule, RuleChange, RuleCreation } from '../../shared/api/rule.ts';
import type { AcceptedRule, Rules } from '../taps/rules.ts';
import { json, ON_FREE, type RouteDoc } from './route-doc.ts';
import { RULES_PER_ORGANIZATION, RULES_REQUESTS_A_MINUTE } from '../../shared/limits.ts';
import { validate } from '../../shared/query/validate.ts';
import { Problem } from '../problem.ts';

/** `/v1/rules`, for tap tokens (spec: Rules). */
export function ruleRoutes(app: FastifyInstance, { auth, rules }: { auth: Auth; rules: Rules }): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const onRequest = auth.wantTap;

  routes.route({
    method: 'GET',
    url: '/v1/rules',
    onRequest,
    schema: { doc: docs.list },
    handler: async (request) => {
      const data = rules.list(auth.tap(request));
      return { data, meta: { count: data.length } };
    },
  });
  routes.route({
    method: 'POST',
    url: '/v1/rules',
    onRequest,
    schema: { doc: docs.create, body: RuleCreation },
    handler: async (request, reply) => {
      const accepted = await rules.create(auth.tap(request), request.body);
      return reply.code(201).send(envelope(accepted));
    },
  });
  routes.route({
    method: 'GET',
    url: '/v1/rules/:id',
    onRequest,
    schema: { doc: docs.get, params: pathId },
    handler: async (request) => ({ data: rules.get(auth.tap(request), request.params.id) }),
  });
  routes.route({
    method: 'PUT',
    url: '/v1/rules/:id',
    onRequest,
    schema: { doc: docs.change, params: pathId, body: RuleChange },
    handler: async (request) => envelope(await rules.change(auth.tap(request), request.params.id, request.body)),
  });
  routes.route({
    method: 'DELETE',
    url: '/v1/rules/:id',
    onRequest,
    schema: { doc: docs.remove, params: pathId },
    handler: async (request, reply) => {
      await rules.remove(auth.tap(request), request.params.id);
      return reply.code(204).send();
    },
  });
}

/**
 * What was accepted with warnings carries them beside the rule. `diagnostics` are those about the query, which is the
 * older name of the list.
 */
function envelope({ rule, warnings }: AcceptedRule): SavedRule {
  return { data: rule, ...(warnings.length > 0 && { warnings, diagnostics: warnings }) };
}

interface SavedRule {
  readonly data: Rule;
  readonly warnings?: readonly Diagnostic[];
  readonly diagnostics?: readonly Diagnostic[];
}

const rule = {
  id: '9ea1e19f-7c55-4a7e-9a52-0d3f0b1c2d3e',
  value: 'title:ferry AND language:en',
  tag: 'ferries',
  nsfw: false,
  quality: true,
};

const Saved = Type.Object({
  data: Rule,
  warnings: Type.Optional(Type.Array(DiagnosticSchema, { description: 'Hints about an accepted request.' })),
  diagnostics: Type.Optional(Type.Array(DiagnosticSchema, { description: 'The warnings about the query.' })),
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

const docs = {
  list: {
    ...common,
    id: 'listRules',
    summary: 'List the rules of the tap',
    answer: {
      status: 200,
      description: 'All rules, in the order they were created.',
      content: json(Type.Object({ data: Type.Array(Rule), meta: Type.Object({ count: Type.Integer() }) }), {
        data: [rule],
        meta: { count: 1 },
      }),
    },
    refusals: [tooOften],
  },
  create: {
    ...common,
    id: 'createRule',
    summary: 'Add a rule to the tap',
    description: 'It matches pages that are visited from now on.',
    answer: { status: 201, description: 'The rule.', content: saved },
    refusals: [badQuery, noFilter, badTag, noRoom, tooOften],
  },
  get: {
    ...common,
    id: 'getRule',
    summary: 'Show a rule',
    answer: { status: 200, description: 'The rule.', content: json(Type.Object({ data: Rule }), { data: rule }) },
    refusals: [theirRule, noRule, tooOften],
  },
  change: {
    ...common,
    id: 'changeRule',
    summary: 'Change a rule',
    description: 'Fields that are not sent stay unchanged; `tag: null` removes the tag.',
    answer: { status: 200, description: 'The changed rule.', content: saved },
    refusals: [theirRule, noRule, badQuery, noFilter, badTag, tooOften],
  },
  remove: {
    ...common,
    id: 'deleteRule',
    summary: 'Delete a rule',
    answer: { status: 204, description: 'The rule is deleted.' },
    refusals: [theirRule, noRule, tooOften],
  },
} as const satisfies Readonly<Record<string, RouteDoc>>;
