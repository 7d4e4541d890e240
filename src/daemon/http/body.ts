import type { FastifyInstance, FastifyRequest } from 'fastify';
import { REQUEST_BYTES } from '../../shared/limits.ts';
import { Problem } from '../problem.ts';

/**
 * Reads every body as JSON, whatever its Content-Type: the API has no other format, and clients send no Content-Type, that of a
 * form, or a misspelt one. An empty body is an empty object, so that the refusal names the missing fields, and a `DELETE` with
 * `application/json` and no body is accepted.
 */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  // Fastify answers 415 to a header it cannot parse before it asks any parser. Without the header it asks ours.
  app.addHook('onRequest', async (request) => {
    delete request.raw.headers['content-type'];
  });
  boundFraming(app);
  const options = { parseAs: 'buffer', bodyLimit: REQUEST_BYTES } as const;
  app.addContentTypeParser('*', options, async (_request: FastifyRequest, bytes: Buffer) => parse(bytes));
  app.addHook('preValidation', async (request) => {
    if (request.body === undefined) request.body = {};
  });
}

/**
 * Chunks of one byte, each with a meaningless extension of a kilobyte, occupy the HTTP parser for seconds before they reach the
 * body limit. A connection with so much overhead is closed without an answer.
 */
function boundFraming(app: FastifyInstance): void {
  app.addHook('preParsing', async ({ raw, routeOptions: { bodyLimit } }, _reply, payload) => {
    if (raw.headers['transfer-encoding'] === undefined) return payload;
    const { socket } = raw;
    const most = socket.bytesRead + FRAMING * bodyLimit + READ_BYTES;
    // The body parser resumes the stream; adding a listener alone would start it too early.
    raw.pause();
    raw.on('data', () => {
      if (socket.bytesRead > most) socket.destroy();
    });
    return payload;
  });
}

/** Bytes on the wire per byte of the body: allows a chunk for every three bytes. */
const FRAMING = 3;
/** What Node reads at once: it may belong to the next request. */
const READ_BYTES = 64 * 1_024;

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
