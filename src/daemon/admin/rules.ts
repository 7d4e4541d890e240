import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Filters } from '../filters/filters.ts';
import type { RuleTally } from '../taps/rule-tally.ts';
import type { RuleTrials } from '../taps/rule-trials.ts';
import type { Rules } from '../taps/rules.ts';
import { FilterChange, FilterCreation, RulePause, RuleTrialOrder } from '../../shared/api/rule.ts';
import { pathId } from '../http/requests.ts';
import type { SavedMatches } from '../saved/saved-matches.ts';
import type { Manager } from '../accounts/keys.ts';
import { SavedMatchCreation, SavedMatchNote, SavedMatchQuestion } from '../../shared/api/match.ts';

/**
 * `GET /admin/rules`: matches and filtered-out pages of each rule of an organization, over 24 hours.
 * `PATCH /admin/rules/:id`: pauses a rule, or resumes it.
 */
export function ruleReportRoutes(
  app: FastifyInstance,
  { tally, rules }: { readonly tally: RuleTally; readonly rules: Rules },
  idOf: (request: FastifyRequest) => string,
): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  routes.route({
    method: 'PATCH',
    url: '/admin/rules/:id',
    schema: { params: pathId, body: RulePause },
    handler: async (request) => {
      const { params, body } = request;
      return { data: await rules.pause(idOf(request), params.id, body.paused) };
    },
  });
  routes.route({
    method: 'GET',
    url: '/admin/rules',
    handler: async (request) => ({ data: await tally.reports(idOf(request)) }),
  });
}

/** `POST /admin/rules/try`: what a rule would have matched in the last 24 hours. Nothing is saved. */
export function ruleTrialRoute(
  app: FastifyInstance,
  trials: RuleTrials,
  idOf: (request: FastifyRequest) => string,
): void {
  app.withTypeProvider<TypeBoxTypeProvider>().route({
    method: 'POST',
    url: '/admin/rules/try',
    schema: { body: RuleTrialOrder },
    handler: async (request) => trials.try(idOf(request), request.body),
  });
}

/** `/admin/filters`: `:id` is an id, a name or the beginning of an id. */
export function filterRoutes(
  app: FastifyInstance,
  filters: Filters,
  /** The organization that a request is about. */
  idOf: (request: FastifyRequest) => string,
): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();

  routes.route({
    method: 'GET',
    url: '/admin/filters',
    handler: async (request) => ({ data: filters.list(idOf(request)) }),
  });
  routes.route({
    method: 'POST',
    url: '/admin/filters',
    schema: { body: FilterCreation },
    handler: async (request, reply) => reply.code(201).send(await filters.add(idOf(request), request.body)),
  });
  routes.route({
    method: 'GET',
    url: '/admin/filters/:id',
    schema: { params: pathId },
    handler: async (request) => ({ data: filters.show(idOf(request), request.params.id) }),
  });
  routes.route({
    method: 'GET',
    url: '/admin/filters/:id/uses',
    schema: { params: pathId },
    handler: async (request) => ({ data: filters.uses(idOf(request), request.params.id) }),
  });
  routes.route({
    method: 'PATCH',
    url: '/admin/filters/:id',
    schema: { params: pathId, body: FilterChange },
    handler: async (request) => filters.change(idOf(request), request.params.id, request.body),
  });
  routes.route({
    method: 'DELETE',
    url: '/admin/filters/:id',
    schema: { params: pathId },
    handler: async (request, reply) => {
      await filters.remove(idOf(request), request.params.id);
      return reply.code(204).send();
    },
  });
}

/** `/admin/matches`: a match that is saved is a `201`, and a `200` where its address was saved already. */
export function savedMatchRoutes(
  app: FastifyInstance,
  saved: SavedMatches,
  /** The operator, acting for the organization that a request is about. */
  asking: (request: FastifyRequest) => Manager,
): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();

  routes.route({
    method: 'GET',
    url: '/admin/matches',
    schema: { querystring: SavedMatchQuestion },
    handler: async (request) => ({ data: await saved.list(asking(request).organizationId, request.query) }),
  });
  routes.route({
    method: 'POST',
    url: '/admin/matches',
    schema: { body: SavedMatchCreation },
    handler: async (request, reply) => {
      const { match, isNew } = await saved.save(asking(request), request.body);
      return reply.code(isNew ? 201 : 200).send({ data: match });
    },
  });
  routes.route({
    method: 'GET',
    url: '/admin/matches/:id',
    schema: { params: pathId },
    handler: async (request) => ({ data: await saved.show(asking(request).organizationId, request.params.id) }),
  });
  routes.route({
    method: 'PATCH',
    url: '/admin/matches/:id',
    schema: { params: pathId, body: SavedMatchNote },
    handler: async (request) => {
      const { params, body } = request;
      return { data: await saved.note(asking(request).organizationId, params.id, body.note) };
    },
  });
  routes.route({
    method: 'DELETE',
    url: '/admin/matches/:id',
    schema: { params: pathId },
    handler: async (request, reply) => {
      await saved.remove(asking(request).organizationId, request.params.id);
      return reply.code(204).send();
    },
  });
}
