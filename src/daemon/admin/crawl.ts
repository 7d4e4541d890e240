import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { type CrawlStatus, UrlQuestion, type UrlReport, type VisitOrder } from '../../shared/api/crawl.ts';

/** What the operator may ask of the crawl. Refusals are thrown as Problems. */
export interface CrawlDesk {
  status(): Promise<CrawlStatus>;
  why(url: string): Promise<UrlReport>;
  visit(url: string): Promise<VisitOrder>;
}

/** `/admin/crawl` and `/admin/urls`: the crawl in figures, one URL, a visit now. */
export function crawlRoutes(app: FastifyInstance, crawl: CrawlDesk): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();

  routes.route({ method: 'GET', url: '/admin/crawl', handler: async () => ({ data: await crawl.status() }) });
  routes.route({
    method: 'GET',
    url: '/admin/urls',
    schema: { querystring: UrlQuestion },
    handler: async (request) => ({ data: await crawl.why(request.query.url) }),
  });
  routes.route({
    method: 'POST',
    url: '/admin/urls/visit',
    schema: { body: UrlQuestion },
    handler: async (request) => ({ data: await crawl.visit(request.body.url) }),
  });
}
