import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import type { Auth } from './auth.ts';
import { pathId } from './path-id.ts';
import type { Diagnostic } from '../../shared/api/diagnostic.ts';
import { type Rule, RuleChange, RuleCreation } from '../../shared/api/rule.ts';
import type { AcceptedRule, Rules } from '../taps/rules.ts';

/** `/v1/rules`, for tap tokens (spec: Rules). */
export function ruleRoutes(app: FastifyInstance, { auth, rules }: { auth: Auth; rules: Rules }): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const onRequest = auth.wantTap;

  routes.route({
    method: 'GET',
    url: '/v1/rules',
    onRequest,
    handler: async (request) => {
      const data = rules.list(auth.tap(request));
      return { data, meta: { count: data.length } };
    },
  });
  routes.route({
    method: 'POST',
    url: '/v1/rules',
    onRequest,
    schema: { body: RuleCreation },
    handler: async (request, reply) => {
      const accepted = await rules.create(auth.tap(request), request.body);
      return reply.code(201).send(envelope(accepted));
    },
  });
  routes.route({
    method: 'GET',
    url: '/v1/rules/:id',
    onRequest,
    schema: { params: pathId },
    handler: async (request) => ({ data: rules.get(auth.tap(request), request.params.id) }),
  });
  routes.route({
    method: 'PUT',
    url: '/v1/rules/:id',
    onRequest,
    schema: { params: pathId, body: RuleChange },
    handler: async (request) => envelope(await rules.change(auth.tap(request), request.params.id, request.body)),
  });
  routes.route({
    method: 'DELETE',
    url: '/v1/rules/:id',
    onRequest,
    schema: { params: pathId },
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
