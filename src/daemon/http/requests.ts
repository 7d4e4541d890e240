import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest, FastifySchemaValidationError } from 'fastify';
import { Type } from 'typebox';
import type { ProblemBody } from '../../shared/api/problem.ts';
import { REQUEST_BYTES } from '../../shared/limits.ts';
import { Problem } from '../problem.ts';
import { isObject } from '../../shared/page/json-value.ts';
import type { Diagnostic } from '../../shared/api/diagnostic.ts';
import { distance } from '../../shared/query/suggest/misspelling.ts';

/*
 * What comes in, before a route's handler reads it: the head, the body, and what every route's parameters share.
 */

/** Bytes of a request's head: Node's own default, named because it is a limit of this API. */
export const HEADER_BYTES = 16 * 1_024;
/** The code for CONNECT, besides those of Node. */
export const NO_PROXY = 'NO_PROXY';
/** Milliseconds a client has to read the refusal and close. Node has no other limit for half-closed sockets. */
const LINGER_MS = 1_000;

/**
 * Answers what the HTTP parser refuses; it never becomes a request, so the response is written by hand. `newest` is the response
 * to the last request that was read from this connection. While a response is pending, nothing may be written before or into
 * it: the client would take the refusal for that response, or for a part of its stream.
 */
export function refuseUnparsed(
  error: Pick<NodeJS.ErrnoException, 'code'>,
  socket: Socket,
  newest: ServerResponse | undefined,
): void {
  // Refused already; further bytes are ignored, because a reset would discard the refusal.
  if (socket.writableEnded && !socket.destroyed) return;
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else if (newest === undefined || isTurnOfRefusal(newest, socket)) refuse(error.code, socket);
  else if (newest.headersSent) socket.destroy();
  else newest.setHeader('connection', 'close');
}

function isTurnOfRefusal(newest: ServerResponse, socket: Socket): boolean {
  // Its own request broke off, and it is the first in the line of answers (the others have no socket yet).
  if (!newest.req.complete) return !newest.headersSent && newest.socket === socket;
  return newest.writableFinished;
}

function refuse(code: string | undefined, socket: Socket): void {
  const { status, message } = sentenceFor(code);
  const body = JSON.stringify({ message } satisfies ProblemBody);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  const linger = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(linger));
}

function sentenceFor(code: string | undefined): { status: number; message: string } {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return { status: 431, message: `The request's head is too large. It may have up to ${HEADER_BYTES} bytes.` };
  }
  if (code === NO_PROXY) return { status: 400, message: 'This server is not a proxy: it does not support CONNECT.' };
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return { status: 408, message: 'The request took too long to arrive.' };
  return { status: 400, message: 'The request is not valid HTTP.' };
}

/**
 * Refuses requests with an ambiguous head with a 400, and closes the connection (request smuggling: RFC 9112, 3.2, 6.1 and
 * 11.2). A proxy in front of the server may read such a head differently, and see other requests in the bytes that follow; so
 * nothing that follows on the connection is served. Node's parser has already refused heads with two lengths, or with a length
 * and chunks.
 */
export function refuseAmbiguousHeads(app: FastifyInstance): void {
  const refused = new WeakSet<Socket>();
  app.addHook('onRequest', async (request, reply) => {
    const { socket } = request.raw;
    // Pipelined behind the refused one, whose answer closes the connection.
    if (refused.has(socket)) return reply.hijack();
    const message = faultOf(request);
    if (message === undefined) return undefined;
    refused.add(socket);
    return reply
      .code(400)
      .headers({ connection: 'close' })
      .send({ message } satisfies ProblemBody);
  });
}

function faultOf({ raw: { headers, rawHeaders, httpVersion } }: FastifyRequest): string | undefined {
  // Of several, Node keeps the first in `headers`.
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts === 0 && httpVersion === '1.1') return 'The request has no Host header.';
  if (hosts > 1) return `The request has ${hosts} Host headers; it must have one.`;
  const coding = headers['transfer-encoding'];
  if (coding === undefined || coding.toLowerCase() === 'chunked') return undefined;
  return 'The Transfer-Encoding header must be "chunked" and nothing else.';
}

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

/** A parameter of a query that is a whole number; undefined where it is not given. @throws {Problem} invalid_field */
export function integerIn(
  query: Readonly<Record<string, unknown>>,
  field: string,
  { least, most = Number.MAX_SAFE_INTEGER }: { readonly least: number; readonly most?: number },
): number | undefined {
  const text = query[field];
  if (text === undefined) return undefined;
  const value = typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  const range = most === Number.MAX_SAFE_INTEGER ? `of ${least} or more` : `from ${least} to ${most}`;
  throw new Problem('invalid_field', { field, message: `${field} must be a whole number ${range}.` });
}

/** `:id` of a path. Any text passes: what is no id of ours is a 404 of its resource, not a 422. */
export const pathId = Type.Object({ id: Type.String() });

/**
 * The `errors` of a 422, by field: what schema validation found. One message per field – the first finding is the cause, the
 * others follow from it (a union reports each of its branches). If a required field is missing and the body has an unknown
 * field with a similar name, the message names it.
 */
export function fieldErrors(
  findings: readonly FastifySchemaValidationError[],
  place: string | undefined,
  misspelt: readonly MisspeltField[] = [],
): Record<string, string[]> {
  const noun = place === 'querystring' ? 'parameter' : 'field';
  const byField = Map.groupBy(findings, fieldOf);
  const suffix = (field: string): string => {
    const sent = misspelt.find(({ meant }) => meant === field)?.sent;
    return sent === undefined ? '' : ` The field ${JSON.stringify(sent)} is unknown.`;
  };
  return Object.fromEntries(
    [...byField].map(([field, found]) => [field, [`${sentence(field, noun, found)}${suffix(field)}`]]),
  );
}

/** The key in `errors` for a finding about the body as a whole. */
const WHOLE_BODY = 'body';

function fieldOf(finding: FastifySchemaValidationError): string {
  const missing = finding.params['missingProperty'];
  if (typeof missing === 'string') return missing;
  return finding.instancePath.split('/')[1] ?? WHOLE_BODY;
}

function sentence(field: string, noun: string, findings: readonly FastifySchemaValidationError[]): string {
  const choices = findings.filter((finding) => finding.keyword === 'const');
  if (choices.length > 0) {
    const [choice] = choices;
    return `The ${field} ${noun}${choice ? placeOf(choice) : ''} must be ${choices.map(({ params }) => String(params['allowedValue'])).join(' or ')}.`;
  }
  const [first] = findings;
  if (field === WHOLE_BODY) return 'The body must be a JSON object.';
  return `The ${field} ${noun}${first ? `${placeOf(first)} ${predicate(first)}` : ' is not valid'}.`;
}

/** The position inside a field that is a list or an object: `, watches entry 3,`. */
function placeOf({ instancePath, params }: FastifySchemaValidationError): string {
  const steps = instancePath.split('/').slice('missingProperty' in params ? 1 : 2);
  const words = steps.map((step) => (/^\d+$/.test(step) ? `entry ${Number(step) + 1},` : step)).join(' ');
  return words === '' ? '' : `, ${words}${words.endsWith(',') ? '' : ','}`;
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  object: 'an object',
  array: 'an array',
};

function predicate({ keyword, params, message }: FastifySchemaValidationError): string {
  const limit = Number(params['limit']);
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'type':
      return `must be ${typeNames[String(params['type'])] ?? String(params['type'])}`;
    case 'maxLength':
      return `must not be longer than ${limit} characters`;
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`;
    case 'pattern':
      return 'must have at least one visible character, and no control characters or broken surrogate pairs';
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must not be greater than ${limit}`;
    default:
      return message ?? 'is not valid';
  }
}

/** An unknown field of a body, and the known field that was probably meant. */
interface MisspeltField {
  readonly sent: string;
  readonly meant: string;
}

/** How many unknown fields are compared, and characters of each: a body may have ten thousand fields. */
const COMPARED = 100;
const NAME_LENGTH = 64;

/**
 * Adds a warning to the answer of an accepted request with an unknown field whose name is similar to a known one. Other
 * unknown fields are ignored silently: clients send back whole answers, or fields of newer versions and other services. Must
 * be called before the routes are registered.
 */
export function warnOfMisspeltFields(app: FastifyInstance): void {
  app.addHook('preSerialization', async (request, reply, payload) => {
    if (reply.statusCode >= 300 || typeof payload !== 'object' || payload === null) return payload;
    const found = misspeltFieldsIn(request).map(warningOf);
    if (found.length === 0) return payload;
    const others = 'warnings' in payload && Array.isArray(payload.warnings) ? (payload.warnings as Diagnostic[]) : [];
    return { ...payload, warnings: [...found, ...others] };
  });
}

function warningOf({ sent, meant }: MisspeltField): Diagnostic {
  const hint = { message: `Did you mean ${JSON.stringify(meant)}?`, replacement: meant };
  const message = `The field ${JSON.stringify(sent)} is unknown and was ignored. ${hint.message}`;
  return { severity: 'warning', code: 'unknown_body_field', message, field: sent, hint };
}

/** Compares the fields of a JSON object with the body schema of its route. */
export function misspeltFieldsIn({ body, routeOptions }: FastifyRequest): MisspeltField[] {
  const schema = routeOptions.schema?.body;
  if (!isObject(schema) || !isObject(schema['properties']) || !isObject(body)) return [];
  const known = Object.keys(schema['properties']);
  const unknown = Object.keys(body).filter((name) => !known.includes(name));
  return unknown.slice(0, COMPARED).flatMap((name) => {
    const sent = name.slice(0, NAME_LENGTH);
    const meant = known.find((one) => isNear(normalized(sent), normalized(one)));
    return meant === undefined ? [] : [{ sent, meant }];
  });
}

/** `frequencyMinutes` and `Frequency-Minutes` equal `frequency_minutes`. */
function normalized(name: string): string {
  return name.toLowerCase().replaceAll(/[_\s-]/g, '');
}

/** One edit (a plural is one), two in a longer name; or a prefix: `frequency`. */
function isNear(sent: string, known: string): boolean {
  if (sent.length >= SHORT && known.startsWith(sent)) return true;
  const most = known.length > SHORT + 1 ? 2 : 1;
  return distance(sent, known, most + 1) <= most;
}

const SHORT = 4;
