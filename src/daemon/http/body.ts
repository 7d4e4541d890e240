import type { FastifyInstance, FastifyRequest } from 'fastify';
import { REQUEST_BYTES } from '../../shared/limits.ts';
import { Problem } from '../problem.ts';

/**
 * Reads every body as JSON, whatever the client calls it: the API has no other form, and clients send none, a
 * form's or a misspelt Content-Type. An empty body is an empty object, so that a forgotten one is told which fields
 * it lacks, and a `DELETE` that claims `application/json` and sends nothing is fine.
 */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  // Fastify answers 415 to a header it cannot parse before it asks any parser. Without the header it asks ours.
  app.addHook('onRequest', async (request) => {
    delete request.raw.headers['content-type'];
  });
  const options = { parseAs: 'buffer', bodyLimit: REQUEST_BYTES } as const;
  app.addContentTypeParser('*', options, async (_request: FastifyRequest, bytes: Buffer) => parse(bytes));
  app.addHook('preValidation', async (request) => {
    if (request.body === undefined) request.body = {};
  });
}

function parse(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    // V8 says what it met and where: "… in JSON at position 9 (line 1 column 10)".
    throw new Problem('malformed_body', { detail: error instanceof Error ? error.message : 'it cannot be read' });
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Problem('malformed_body', { detail: 'it is not UTF-8' });
  }
}
