import type { ServerResponse } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import { AjvCompiler, type BuildCompilerFromPool } from '@fastify/ajv-compiler';
import { fastify, type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import {
  fieldErrors,
  HEADER_BYTES,
  misspeltFieldsIn,
  NO_PROXY,
  readBodies,
  refuseAmbiguousHeads,
  refuseUnparsed,
} from './requests.ts';
import { answerTo, answerToFields, type ProblemAnswer } from './problems.ts';
import type { ProblemBody } from '../../shared/api/problem.ts';
import { PIPELINED_REQUESTS, REQUEST_BYTES, REQUEST_HEADERS, TLS_HANDSHAKE_MS } from '../../shared/limits.ts';
import type { Log } from '../process/log.ts';
import { isNoRoom, Problem } from '../problem.ts';
import { StartFailure } from '../start-failure.ts';
import { StorageUnavailable } from '../storage/unavailable.ts';

/** Milliseconds for a whole request to arrive: a client that sends a byte a minute must not hold a socket. */
const REQUEST_MS = 30_000;
const HEADERS_MS = 10_000;
/** How often Node looks for requests beyond these times; its default of 30 s would nearly double them. */
const CHECK_MS = 5_000;
/** Milliseconds that requests under way have when the server closes: enough for a commit. */
const CLOSING_MS = 1_000;
/** Characters of one path parameter. Ids need 36; the name of a key, percent-encoded, needs more. */
const PARAM_LENGTH = 4_096;
/** Characters of a path that are repeated in a 404. */
const SHOWN_PATH = 200;

export interface AppOptions {
  /** Networks, as 10.0.0.0/8, from which `X-Forwarded-For` is believed. */
  readonly trustedProxies?: readonly string[];
  /** PEM texts; with them the server speaks HTTPS. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** Milliseconds without a byte in either direction after which a connection is closed. Default: none. */
  readonly idleMs?: number;
  /** Called when a request was refused because the disk is full. */
  readonly onDiskFull?: (() => void) | undefined;
}

/**
 * A server without routes, with the conventions of the API: JSON in, JSON out, and every refusal – by a service, a schema,
 * Fastify or the HTTP parser – in the form `{ message, errors?, diagnostics? }`. The public server and the operator's are both
 * built on it. Fastify's own logger is off: it would write a line for each request, with paths
 * and parameters; what an operator must know is logged here.
 */
export function createApp(log: Pick<Log, 'error'>, options: AppOptions = {}): FastifyInstance {
  const newest = new WeakMap<Socket, ServerResponse>();
  const app = newServer(options, (error, socket) => refuseUnparsed(error, socket, newest.get(socket)));
  app.server.maxHeadersCount = REQUEST_HEADERS;
  // A server may ignore an unknown expectation (RFC 9110, 10.1.1). Node would refuse it without a message.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  // Node would close the connection without a message.
  app.server.on('connect', (_request, socket: Socket) => {
    refuseUnparsed({ code: NO_PROXY }, socket, newest.get(socket));
  });
  boundPipelines(app);
  // Answers contain tokens: no cache may keep one.
  app.addHook('onRequest', async (request, reply) => {
    newest.set(request.raw.socket, reply.raw);
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  });
  refuseAmbiguousHeads(app);
  refuseWhileClosing(app);
  readBodies(app);
  app.setErrorHandler<FastifyError>((error, request, reply) =>
    answer(reply, answerToError(error, request, { log, ...options })),
  );
  app.setNotFoundHandler((request) => {
    throw noSuchRoute(request);
  });
  return app;
}

function newServer(
  { trustedProxies = [], tls, idleMs = 0 }: AppOptions,
  clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => void,
): FastifyInstance {
  const http = {
    maxHeaderSize: HEADER_BYTES,
    headersTimeout: HEADERS_MS,
    connectionsCheckingInterval: CHECK_MS,
    // Node's own refusal has no body.
    requireHostHeader: false,
  };
  const settings = {
    logger: false,
    bodyLimit: REQUEST_BYTES,
    requestTimeout: REQUEST_MS,
    connectionTimeout: idleMs,
    // Ours carries Retry-After and the form of every other refusal.
    return503OnClosing: false,
    routerOptions: { maxParamLength: PARAM_LENGTH },
    trustProxy: trustOf(trustedProxies),
    ajv: { customOptions: { ...AS_SENT, ...COMPILED_FAST, allErrors: true } },
    schemaController: { compilersFactory: { buildValidator: compiledWhenUsed, buildSerializer: notCompiled } },
    frameworkErrors: (_error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      void answer(reply, answerTo(noSuchRoute(request)));
    },
    clientErrorHandler,
  } as const;
  if (tls === undefined) return fastify({ ...settings, http });
  // Its type differs by the server's, and nothing here or in the routes depends on that.
  return fastify({
    ...settings,
    https: { ...http, ...tls, handshakeTimeout: TLS_HANDSHAKE_MS },
  });
}

/** The defaults would turn 5 into "5" and drop unknown fields from what was sent. */
const AS_SENT = { coerceTypes: false, removeAdditional: false, useDefaults: false } as const;
/** Typebox makes no schema that is none, and V8 shortens the code by itself: ajv takes longer for both than for compiling. */
const COMPILED_FAST = { validateSchema: false, code: { optimize: false } } as const;

const buildCompiler = AjvCompiler();

/** Compiling the schemas of all routes takes 0.2 s of each start, and most of them are never used. */
const compiledWhenUsed: BuildCompilerFromPool = (schemas, options) => {
  const compile = buildCompiler(schemas, options);
  return (route) => {
    let compiled: ReturnType<typeof compile> | undefined;
    const validate = (data: unknown): boolean => {
      compiled ??= compile(route);
      const isValid = compiled(data) === true;
      validate.errors = compiled.errors;
      return isValid;
    };
    validate.errors = undefined as ReturnType<typeof compile>['errors'];
    return validate as ReturnType<typeof compile>;
  };
};

/** No route has a schema of its answers (`RouteDoc`); Fastify's own factory would load its package for them. */
const notCompiled = (): (() => typeof JSON.stringify) => () => JSON.stringify;

/** @throws {StartFailure} for an invalid network. */
function trustOf(networks: readonly string[]): (address: string) => boolean {
  const trusted = new BlockList();
  for (const network of networks) {
    const [address = '', bits = ''] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    try {
      trusted.addSubnet(address, /^\d+$/.test(bits) ? Number(bits) : Number.NaN, family);
    } catch (cause) {
      const what = `trusted-proxies has ${JSON.stringify(network)}, which is not a network`;
      throw new StartFailure('configuration', `${what}; write it as 10.0.0.0/8 or fd12:3456::/48`, { cause });
    }
  }
  return (address) => isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/**
 * Node stops reading from a client that does not read its answers, but serves what it has read by then: perhaps a thousand short
 * requests, each with a long answer. No real client pipelines that many: the connection is closed.
 */
function boundPipelines(app: FastifyInstance): void {
  const waiting = new WeakMap<Socket, number>();
  app.addHook('onRequest', async ({ raw: { socket } }, reply) => {
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > PIPELINED_REQUESTS) {
      socket.destroy();
      return reply.hijack();
    }
    waiting.set(socket, count);
    reply.raw.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
    return undefined;
  });
}

function refuseWhileClosing(app: FastifyInstance): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
    // Node would wait for connections that have not sent a whole request, too.
    setTimeout(() => app.server.closeAllConnections(), CLOSING_MS).unref();
  });
  app.addHook('onRequest', async () => {
    if (isClosing) throw new Problem('shutting_down', {});
  });
}

/** Routes that take lists have a larger limit. */
function limitOf({ routeOptions }: FastifyRequest): number {
  return routeOptions.bodyLimit ?? REQUEST_BYTES;
}

function noSuchRoute({ method, url }: FastifyRequest): Problem<'not_found'> {
  // Whoever mistypes the address of a feed, or puts a key into one, may show the message to others.
  const path = (url.split('?', 1)[0] ?? '').replace(/(svc[a-z]?_)\w+/g, '$1…');
  return new Problem('not_found', { resource: `route: ${method} ${path.slice(0, SHOWN_PATH)}` });
}

function answer(reply: FastifyReply, { status, headers, body }: ProblemAnswer): FastifyReply {
  return reply.code(status).headers(headers).send(body);
}

function answerToError(
  error: FastifyError,
  request: FastifyRequest,
  { log, onDiskFull }: Pick<AppOptions, 'onDiskFull'> & { readonly log: Pick<Log, 'error'> },
): ProblemAnswer {
  if (error instanceof Problem) return answerTo(error);
  const { code, statusCode, message, validation, validationContext } = error;
  if (validation) return answerToFields(fieldErrors(validation, validationContext, misspeltFieldsIn(request)));
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return answerTo(new Problem('body_too_large', { limit: limitOf(request) }));
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return answerTo(new Problem('malformed_body', { detail: message }));
  }
  const about = { err: error, method: request.method, route: request.routeOptions.url };
  if (isNoRoom(error)) {
    log.error(about, 'the disk is full: a request was refused');
    onDiskFull?.();
    return answerTo(new Problem('disk_full', {}));
  }
  if (error instanceof StorageUnavailable) return answerTo(new Problem('storage_unavailable', {}));
  log.error(about, 'a request failed');
  const body: ProblemBody = { message: 'Internal error. The daemon’s log has the details.' };
  return { status: 500, headers: {}, body };
}
