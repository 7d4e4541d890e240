import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { ArchiveQuestion, type Ingested } from '../../shared/api/ingest.ts';
import { ARCHIVE_RECORD_BYTES } from '../../shared/limits.ts';

/** What the operator may do with archives. */
export interface IngestDesk {
  known(question: ArchiveQuestion): Promise<boolean[]>;
  add(record: Uint8Array): Promise<Ingested>;
}

/** `/admin/ingest`: one record a request, as it stands in a WARC file, so that `curl --data-binary` will do. */
export function ingestRoutes(app: FastifyInstance, ingest: IngestDesk): void {
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
