import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Sources } from '../crawl/sources.ts';
import {
  ArchiveQuestion,
  type CrawlHistory,
  type CrawlStatus,
  type Ingested,
  PageChangeQuestion,
  SourceBatch,
  SourceChange,
  SourceCreation,
  UrlQuestion,
  type UrlReport,
  type VisitOrder,
} from '../../shared/api/crawl.ts';
import { pathId } from '../http/requests.ts';
import { ARCHIVE_RECORD_BYTES, SOURCES_REQUEST_BYTES } from '../../shared/limits.ts';
import type { PageChanges } from '../crawl/page-changes.ts';
import type { DomainRatings } from '../ratings/domain-ratings.ts';
import { RatingImportCreation, RatingImportPart } from '../../shared/api/rating.ts';

/** The crawl as the operator sees it. Refusals are thrown as Problems. */
export interface CrawlService {
  status(): Promise<CrawlStatus>;
  history(): CrawlHistory;
  why(url: string): Promise<UrlReport>;
  visit(url: string): Promise<VisitOrder>;
}

/** `/admin/crawl` and `/admin/urls`: the crawl in figures, one URL, a visit now. */
export function crawlRoutes(app: FastifyInstance, crawl: CrawlService): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();

  routes.route({ method: 'GET', url: '/admin/crawl', handler: async () => ({ data: await crawl.status() }) });
  routes.route({ method: 'GET', url: '/admin/crawl/history', handler: async () => ({ data: crawl.history() }) });
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

/** `GET /admin/urls/change`: the last change of a page, and what the rules of an organization, and a query, make of it. */
export function pageChangeRoute(
  app: FastifyInstance,
  changes: PageChanges,
  idOf: (request: FastifyRequest) => string,
): void {
  app.withTypeProvider<TypeBoxTypeProvider>().route({
    method: 'GET',
    url: '/admin/urls/change',
    schema: { querystring: PageChangeQuestion },
    handler: async (request) => {
      return { data: await changes.last(idOf(request), request.query.url, request.query.value) };
    },
  });
}

/** `/admin/sources`: where the crawl starts, one by one or in lists. */
export function sourceRoutes(app: FastifyInstance, sources: Sources): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();

  routes.route({ method: 'GET', url: '/admin/sources', handler: async () => ({ data: await sources.list() }) });
  routes.route({
    method: 'POST',
    url: '/admin/sources',
    schema: { body: SourceCreation },
    handler: async (request, reply) => reply.code(201).send({ data: await sources.add(request.body) }),
  });
  routes.route({
    method: 'POST',
    url: '/admin/sources/batch',
    bodyLimit: SOURCES_REQUEST_BYTES,
    schema: { body: SourceBatch },
    handler: async (request) => ({ data: await sources.addAll(request.body.sources) }),
  });
  routes.route({
    method: 'GET',
    url: '/admin/sources/:id',
    schema: { params: pathId },
    handler: async (request) => ({ data: await sources.show(request.params.id) }),
  });
  routes.route({
    method: 'PATCH',
    url: '/admin/sources/:id',
    schema: { params: pathId, body: SourceChange },
    handler: async (request) => ({ data: await sources.edit(request.params.id, request.body) }),
  });
  routes.route({
    method: 'DELETE',
    url: '/admin/sources/:id',
    schema: { params: pathId },
    handler: async (request, reply) => {
      await sources.remove(request.params.id);
      return reply.code(204).send();
    },
  });
}

/** Takes pages from web archives. */
export interface IngestService {
  known(question: ArchiveQuestion): Promise<boolean[]>;
  add(record: Uint8Array): Promise<Ingested>;
}

/** `/admin/ingest`: one record a request, as it stands in a WARC file, so that `curl --data-binary` will do. */
export function ingestRoutes(app: FastifyInstance, ingest: IngestService): void {
  app.withTypeProvider<TypeBoxTypeProvider>().route({
    method: 'POST',
    url: '/admin/ingest/known',
    schema: { body: ArchiveQuestion },
    bodyLimit: QUESTION_BYTES,
    handler: async (request) => ({ data: { known: await ingest.known(request.body) } }),
  });
  // The other routes read JSON, whatever the body is called.
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, bytes: Buffer) => bytes);
    scope.route({
      method: 'POST',
      url: '/admin/ingest',
      bodyLimit: ARCHIVE_RECORD_BYTES,
      handler: async (request) => {
        const record = Buffer.isBuffer(request.body) ? request.body : new Uint8Array();
        return { data: await ingest.add(record) };
      },
    });
  });
}

/** As many URLs of full length as one may ask for, each character of them escaped. */
const QUESTION_BYTES = 2 * 1_024 * 1_024;

/** `/admin/ratings`: the state, one domain, and an import in as many requests as it takes. */
export function ratingRoutes(app: FastifyInstance, ratings: DomainRatings): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();

  routes.route({ method: 'GET', url: '/admin/ratings', handler: async () => ({ data: await ratings.status() }) });
  routes.route({
    method: 'DELETE',
    url: '/admin/ratings',
    handler: async (_request, reply) => {
      await ratings.clear();
      return reply.code(204).send();
    },
  });
  routes.route({
    method: 'GET',
    url: '/admin/ratings/domains/:domain',
    schema: { params: Type.Object({ domain: Type.String() }) },
    handler: async (request) => ({ data: await ratings.show(request.params.domain) }),
  });
  importRoutes(app, ratings);
}

function importRoutes(app: FastifyInstance, ratings: DomainRatings): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();

  routes.route({
    method: 'POST',
    url: '/admin/ratings/imports',
    schema: { body: RatingImportCreation },
    handler: async (request, reply) => reply.code(201).send({ data: await ratings.begin(request.body.name) }),
  });
  routes.route({
    method: 'POST',
    url: '/admin/ratings/imports/:id/domains',
    schema: { params: pathId, body: RatingImportPart },
    handler: async (request) => ({ data: await ratings.add(request.params.id, request.body) }),
  });
  routes.route({
    method: 'POST',
    url: '/admin/ratings/imports/:id/publish',
    schema: { params: pathId },
    handler: async (request) => ({ data: await ratings.publish(request.params.id) }),
  });
  routes.route({
    method: 'DELETE',
    url: '/admin/ratings/imports/:id',
    schema: { params: pathId },
    handler: async (request, reply) => {
      await ratings.giveUp(request.params.id);
      return reply.code(204).send();
    },
  });
}
