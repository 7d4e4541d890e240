import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RuleReport } from '../../shared/api/rule-report.ts';
import { type RuleTrialAnswer, RuleTrialOrder } from '../../shared/api/rule.ts';

/** Who knows what became of each rule. */
export interface RuleDesk {
  reports(organizationId: string): Promise<RuleReport[]>;
}

/** Who tries rules before they are saved. Refusals are thrown as Problems. */
export interface RuleTrialDesk {
  try(organizationId: string, order: RuleTrialOrder): Promise<RuleTrialAnswer>;
}

/** `GET /admin/rules`: what became of the rules of an organization. */
export function ruleReportRoute(
  app: FastifyInstance,
  rules: RuleDesk,
  idOf: (request: FastifyRequest) => string,
): void {
  app.route({
    method: 'GET',
    url: '/admin/rules',
    handler: async (request) => ({ data: await rules.reports(idOf(request)) }),
  });
}

/** `POST /admin/rules/try`: what a rule would have matched in the last day. Nothing is saved. */
export function ruleTrialRoute(
  app: FastifyInstance,
  trials: RuleTrialDesk,
  idOf: (request: FastifyRequest) => string,
): void {
  app.withTypeProvider<TypeBoxTypeProvider>().route({
    method: 'POST',
    url: '/admin/rules/try',
    schema: { body: RuleTrialOrder },
    handler: async (request) => trials.try(idOf(request), request.body),
  });
}
