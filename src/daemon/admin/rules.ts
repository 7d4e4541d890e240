import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RuleReport } from '../../shared/api/rule-report.ts';

/** Who knows what became of each rule. */
export interface RuleDesk {
  reports(organizationId: string): Promise<RuleReport[]>;
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
