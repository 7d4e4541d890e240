import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { timestamp } from '../outside.ts';
import type { TapHolder } from '../accounts/keys.ts';
import type { Hub } from '../stream/hub.ts';
import {
  formatHead,
  formatStart,
  readParameters,
  type StreamParameters,
  type StreamQuery,
  type StreamRequest,
  type StreamStart,
} from '../stream/request.ts';
import { formatFor, STREAM_ERRORS, type StreamErrorCode } from '../stream/format.ts';
import type { RouteDoc } from './route-doc.ts';
import { MatchSchema } from '../../shared/api/match.ts';
import { STREAM_LIMIT_EVENTS, STREAM_OPENINGS_A_MINUTE, STREAM_TIMEOUT_SECONDS } from '../../shared/limits.ts';
import { Problem } from '../problem.ts';
import type { Sink } from '../stream/connection.ts';

interface StreamDeps {
  readonly hub: Hub;
  /** The tap whose token the request carries. @throws Problem `unauthenticated` */
  readonly tapOf: (request: FastifyRequest) => Pick<TapHolder, 'tapId' | 'organizationId'>;
  /** Rules of the tap, registered or not: a paused tap keeps its rules and its stream. */
  readonly ruleCount: (tapId: string) => number;
  /** Seconds that `since` may reach back. Default: as the public API has it. */
  readonly longestSince?: number | undefined;
  /** The token was used. */
  readonly touch: (tapId: string) => void;
}

/**
 * `GET /v1/stream` (spec, Stream). Everything that can be refused is refused before the 200, with a status; what
 * goes wrong after it is an `error` event. HEAD answers what GET would, without a stream. (Node's server disables Nagle's
 * algorithm on every socket, so a match is sent without waiting for an acknowledgement.)
 */
export function streamRoutes(app: FastifyInstance, deps: StreamDeps): void {
  // Before the rate limit counts it: an invalid request opens no stream.
  const onRequest = async (request: FastifyRequest): Promise<void> => {
    deps.tapOf(request);
    parametersOf(request as FastifyRequest<{ Querystring: StreamQuery }>, deps);
  };

  // Fastify's own HEAD would run the handler of GET, and its stream would stay open without a reader.
  const options = { exposeHeadRoute: false, onRequest, schema: { doc } };
  app.get<{ Querystring: StreamQuery }>('/v1/stream', options, async (request, reply) => {
    const asked = await read(request, deps);
    // A body has no meaning here, but if it is not read, the request runs into its time limit.
    request.raw.resume();
    // The tap may have been revoked while the credit was looked up; from here on the hub notices.
    deps.tapOf(request);
    deps.touch(asked.tapId);
    await deps.hub.connect(asked, new ResponseSink(reply.raw, headersOf(reply, asked)));
    reply.hijack();
    // Streams have their own limits: for clients that do not read, and a heartbeat for idle ones.
    reply.raw.setTimeout(0);
    forgetHeaders(request.raw);
  });

  app.head<{ Querystring: StreamQuery }>('/v1/stream', { onRequest }, async (request, reply) => {
    const asked = await read(request, deps);
    reply.hijack();
    reply.raw.writeHead(200, headersOf(reply, asked));
    reply.raw.end();
  });
}

async function read(request: FastifyRequest<{ Querystring: StreamQuery }>, deps: StreamDeps): Promise<StreamRequest> {
  const { hub, tapOf, ruleCount } = deps;
  const { tapId, organizationId } = tapOf(request);
  const parameters = parametersOf(request, deps);
  await hub.admit(organizationId);
  return { ...parameters, tapId, format: formatFor(request.headers.accept), hasRules: ruleCount(tapId) > 0 };
}

function parametersOf(
  { query, headers }: FastifyRequest<{ Querystring: StreamQuery }>,
  { longestSince }: StreamDeps,
): StreamParameters {
  const { 'last-event-id': lastEventId } = headers;
  return readParameters(query, Array.isArray(lastEventId) ? lastEventId.join() : lastEventId, longestSince);
}

/** Node keeps the request as long as its response lasts: a kilobyte and more per stream, including its token. */
function forgetHeaders(request: IncomingMessage): void {
  request.headers = NO_HEADERS;
  request.rawHeaders = NO_RAW_HEADERS;
}

/** One of each for all streams: nobody writes into them. */
const NO_HEADERS: IncomingMessage['headers'] = {};
const NO_RAW_HEADERS: string[] = [];

/** The response is written without Fastify: the headers that its hooks set are merged with those of the stream. */
function headersOf(reply: FastifyReply, { format }: StreamRequest): OutgoingHttpHeaders {
  const given = reply.getHeaders() as OutgoingHttpHeaders;
  const vary = given['vary'] === undefined ? 'Accept' : `${given['vary']}, Accept`;
  return { ...given, 'content-type': format.contentType, vary, ...HEADERS };
}

const HEADERS = {
  // no-transform: a proxy that compresses would hold frames back until its window is full.
  'cache-control': 'no-cache, no-transform',
  // nginx buffers responses, and reads no other header to learn that it must not.
  'x-accel-buffering': 'no',
} as const;

/**
 * The socket of a stream, as the hub sees it. Holds the response and nothing else of the request: ten thousand streams
 * that are silent must cost little each.
 *
 * It writes HTTP's chunks itself, framed once for all readers that are given the same bytes: Node would make three
 * pieces of each write, for each client anew (measured: a third of what the process spends on a delivery).
 */
class ResponseSink implements Sink {
  readonly #response: ServerResponse;
  /** Until the stream begins. */
  #headers: OutgoingHttpHeaders | undefined;
  /** HTTP/1.0 has no chunks: there the end of the connection is the end of the answer. */
  #isChunked = false;

  constructor(response: ServerResponse, headers: OutgoingHttpHeaders) {
    this.#response = response;
    this.#headers = headers;
    // A client that resets its connection is no fault of ours; 'close' follows and cleans up.
    response.on('error', ignore);
  }

  get buffered(): number {
    return this.#response.writableLength;
  }

  begin(start: StreamStart): void {
    this.#response.writeHead(200, {
      ...this.#headers,
      'x-stream-start': formatStart(start),
      'x-stream-head': formatHead(start),
      ...(start.keptFrom !== undefined && { 'x-stream-kept-from': timestamp(start.keptFrom) }),
    });
    this.#headers = undefined;
    this.#isChunked = this.#response.chunkedEncoding;
    // From here on Node takes what it is given as it is.
    this.#response.chunkedEncoding = false;
  }

  write(bytes: Uint8Array): boolean {
    return this.#response.write(this.#isChunked ? chunkOf(bytes) : bytes);
  }

  onDrain(listener: () => void): void {
    this.#response.on('drain', listener);
  }

  onClose(listener: () => void): void {
    if (this.#response.closed || this.#response.destroyed) listener();
    // It comes once; `once` would keep a function more for each stream.
    else this.#response.on('close', listener);
  }

  end(): void {
    if (this.#isChunked) this.#response.write(LAST_CHUNK);
    this.#response.end();
  }

  destroy(): void {
    this.#response.destroy();
  }
}

function ignore(): void {
  /* See where it is given. */
}

/** RFC 9112, 7.1. */
const LAST_CHUNK = Buffer.from('0\r\n\r\n');
const CRLF = Buffer.from('\r\n');

/** What is written once is soon written again, to the next reader of the same tap; kept no longer than the bytes are. */
const chunks = new WeakMap<Uint8Array, Buffer>();

function chunkOf(bytes: Uint8Array): Buffer {
  const known = chunks.get(bytes);
  if (known) return known;
  const chunk = Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, CRLF]);
  chunks.set(bytes, chunk);
  return chunk;
}

/**
 * What a stream says, event by event, for the document of the API: as JSON lines have it, and as an SSE client has it once
 * it has read `data` as JSON.
 */
const nothing = Type.Object({}, { additionalProperties: false });

const ConnectedEvent = Type.Object(
  { event: Type.Literal('connected'), data: nothing },
  { title: 'ConnectedEvent', description: 'Once, when the stream opens.', additionalProperties: false },
);

const UpdateEvent = Type.Object(
  {
    event: Type.Literal('update'),
    id: Type.String({ pattern: '^\\d+-\\d+$', description: '`<partition>-<offset>`, for `Last-Event-ID`.' }),
    data: MatchSchema,
  },
  { title: 'UpdateEvent', description: 'A page that matched.', additionalProperties: false },
);

const codes = Object.keys(STREAM_ERRORS) as StreamErrorCode[];
const ErrorEvent = Type.Object(
  {
    event: Type.Literal('error'),
    data: Type.Object(
      { message: Type.String(), code: Type.Union(codes.map((code) => Type.Literal(code))) },
      { additionalProperties: false },
    ),
  },
  { title: 'ErrorEvent', description: 'An error; the stream closes.', additionalProperties: false },
);

const EndEvent = Type.Object(
  { event: Type.Literal('end'), data: nothing },
  {
    title: 'EndEvent',
    description: 'The timeout or the limit is reached; the stream closes.',
    additionalProperties: false,
  },
);

const StreamEvent = Type.Union([ConnectedEvent, UpdateEvent, ErrorEvent, EndEvent], { title: 'StreamEvent' });

const match = {
  tap_id: '0f5ad3a1-3f6c-4e0b-9b3a-5f1f6a1f2f10',
  query_ids: ['9ea1e19f-7c55-4a7e-9a52-0d3f0b1c2d3e'],
  matched_at: '2026-02-13T08:06:32.123Z',
  document: {
    url: 'https://example.com/news/ferry',
    title: 'The ferry was late',
    publish_time: '2026-02-13T08:00:00',
    diff: { chunks: [{ typ: 'ins', text: 'The ferry was late again on Tuesday.' }] },
    language: 'en',
  },
};

const frames = [
  'retry: 2718\nevent: connected\ndata: {}\n\n',
  `id: 0-1842\nevent: update\ndata: ${JSON.stringify(match)}\n\n`,
  'event: end\ndata: {}\n\n',
].join('');

const lines = [
  '{"event":"connected","data":{}}',
  `{"event":"update","id":"0-1842","data":${JSON.stringify(match)}}`,
  '{"event":"end","data":{}}',
];

/** A text that is a list of events once it is read as its media type says. */
function streamOf(contentMediaType: string) {
  return Type.String({ contentMediaType, contentSchema: Type.Array(StreamEvent) });
}

const { least, most, default: seconds } = STREAM_TIMEOUT_SECONDS;
const limits = STREAM_LIMIT_EVENTS;

const doc: RouteDoc = {
  id: 'stream',
  tag: 'Stream',
  key: 'tap token',
  summary: 'Receive matches as they happen',
  description:
    'Server-sent events: `connected` once, an `update` a match, `end` at the timeout or the limit, `error` with a message ' +
    'when something goes wrong after the opening. The start is that of `Last-Event-ID` or `lastEventId`, else `offset`, ' +
    'else `since`, else the next event. With `Accept: application/x-ndjson` the same as JSON lines. Matches are kept for about 24 hours, or longer if the operator says so. HEAD answers the same without a stream.',
  query: Type.Object({
    timeout: Type.Optional(
      Type.Integer({
        minimum: least,
        maximum: most,
        default: seconds,
        description: 'Seconds the stream stays open.',
      }),
    ),
    since: Type.Optional(
      Type.String({ pattern: '^\\d{1,6}[smh]$', description: 'How far back to start: `5m`, `1h`, at most `24h`.' }),
    ),
    offset: Type.Optional(Type.Integer({ minimum: 0, description: 'Offset of the first event.' })),
    limit: Type.Optional(
      Type.Integer({
        minimum: limits.least,
        maximum: limits.most,
        description: 'Number of events after which the stream ends.',
      }),
    ),
    lastEventId: Type.Optional(
      Type.String({ description: 'The same as `Last-Event-ID`, for clients that cannot send that header.' }),
    ),
  }),
  headers: Type.Object({
    'Last-Event-ID': Type.Optional(
      Type.String({ description: 'Id of the last `update` the client has, `<partition>-<offset>`.' }),
    ),
  }),
  answer: {
    status: 200,
    description: 'The stream: `connected`, then an `update` a match, then `end` or `error`.',
    content: {
      'text/event-stream': { schema: streamOf('text/event-stream'), example: frames },
      'application/x-ndjson': { schema: streamOf('application/x-ndjson'), example: `${lines.join('\n')}\n` },
    },
    headers: {
      'X-Stream-Start': Type.String({
        description: 'The id of the first event to come, and why: `0-1842; resumed`.',
      }),
      'X-Stream-Head': Type.String({
        description: 'The id that the next match to come will have: a replay has ended where it is reached.',
      }),
      'X-Stream-Kept-From': Type.String({
        description:
          'Only if the start is `clamped` because of age or size: the time from which on all matches are kept, ISO-8601.',
      }),
    },
  },
  refusals: [
    new Problem('invalid_field', {
      field: 'timeout',
      message: `timeout must be a whole number of seconds from ${least} to ${most}.`,
    }),
    new Problem('out_of_credit', {}),
    new Problem('rate_limited', { what: '/v1/stream', limit: STREAM_OPENINGS_A_MINUTE, seconds: 12 }),
  ],
};
