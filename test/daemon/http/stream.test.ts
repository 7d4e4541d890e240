import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createApp } from '../../../src/daemon/http/app.ts';
import { streamRoutes } from '../../../src/daemon/http/stream.ts';
import { Problem } from '../../../src/daemon/problem.ts';
import { CHUNK_BYTES, TAIL_BYTES } from '../../../src/daemon/stream/tail.ts';
import { range, settle, sized, TAP, World } from '../stream/open-stream.ts';
import { parseStrictly } from '../stream/strict-parser.ts';

/** A client that reads only when it is told to. */
class Client {
  readonly response: IncomingMessage;
  readonly #chunks: Buffer[] = [];
  #updates = 0;

  constructor(response: IncomingMessage) {
    this.response = response;
  }

  read(): this {
    let carry = '';
    let isUpdate = false;
    this.response.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk);
      const lines = (carry + chunk.toString('latin1')).split('\n');
      carry = lines.pop() ?? '';
      for (const line of lines) {
        if (line === '' && isUpdate) this.#updates += 1;
        isUpdate = line === 'event: update' || (isUpdate && line !== '');
      }
    });
    return this;
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString();
  }

  get types(): string[] {
    return parseStrictly(this.text).events.map((event) => event.type);
  }

  get ids(): (string | undefined)[] {
    return parseStrictly(this.text).events.flatMap(({ type, id }) => (type === 'update' ? [id] : []));
  }

  /** Resolves when so many updates have arrived whole. */
  async until(updates: number): Promise<void> {
    while (this.#updates < updates) await once(this.response, 'data');
  }

  async ended(): Promise<void> {
    if (!this.response.readableEnded) await once(this.response, 'end');
  }
}

describe('GET /v1/stream', () => {
  let world: World;
  let app: FastifyInstance;
  let rules: number;
  let touched: string[];
  let isRevoked: boolean;
  let clients: Client[];
  let responses: ServerResponse[];

  beforeEach(async () => {
    world = new World();
    rules = 1;
    touched = [];
    isRevoked = false;
    clients = [];
    responses = [];
    app = createApp({ error: () => {} });
    app.addHook('onRequest', async (_, reply) => void responses.push(reply.raw));
    streamRoutes(app, {
      hub: world.hub,
      tapOf: ({ headers }) => {
        if (headers.authorization === 'Bearer svc_good' && !isRevoked) return { tapId: TAP, organizationId: 'org' };
        throw new Problem('unauthenticated', { wanted: 'tap token', given: 'unknown' });
      },
      ruleCount: () => rules,
      touch: (tapId) => void touched.push(tapId),
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
  });

  afterEach(async () => {
    for (const { response } of clients) response.destroy();
    await world.hub.closeAll(0);
    await app.close();
  });

  async function ask(query = '', headers: Record<string, string> = {}, method = 'GET'): Promise<Client> {
    const { port } = app.server.address() as AddressInfo;
    const authorization = 'Bearer svc_good';
    const asking = httpRequest({
      port,
      host: '127.0.0.1',
      path: `/v1/stream${query}`,
      method,
      headers: { authorization, ...headers },
    });
    asking.end();
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    const client = new Client(response);
    clients.push(client);
    return client;
  }

  test('answers with the headers that keep every proxy out of the way', async () => {
    const { response } = await ask();
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      connection: 'keep-alive',
      'x-stream-start': '0-0; live',
      'x-stream-head': '0-0',
      // What the server sets on every answer goes out although the reply is hijacked.
      'x-content-type-options': 'nosniff',
    });
    expect(response.headers['content-encoding']).toBeUndefined();
    expect(touched).toEqual([TAP]);
  });

  test('resumes after Last-Event-ID, goes on live, and ends at the limit with a complete frame', async () => {
    world.append('{}', '{}', '{}');
    const client = (await ask('?limit=4&offset=2&since=1h', { 'last-event-id': '0-0' })).read();
    expect(client.response.headers).toMatchObject({ 'x-stream-start': '0-1; resumed', 'x-stream-head': '0-3' });
    await client.until(2);
    world.publish('{}', '{}');
    await client.ended();
    expect(client.types).toEqual(['connected', 'update', 'update', 'update', 'update', 'end']);
    expect(client.ids).toEqual(range(1, 5));
    expect(parseStrictly(client.text).rest).toBe('');
    expect(client.response.complete).toBe(true);
    expect(world.hub.open).toBe(0);
  });

  test('a tap without rules is told what to do', async () => {
    rules = 0;
    const client = (await ask()).read();
    await client.ended();
    expect(client.types).toEqual(['connected', 'error']);
    expect(client.text).toContain('Create rules via POST /v1/rules.');
  });

  test.each([
    ['?timeout=0', {}, 'timeout'],
    ['?timeout=301', {}, 'timeout'],
    ['?since=25h', {}, 'since'],
    ['?offset=-1', {}, 'offset'],
    ['?limit=10001', {}, 'limit'],
    ['?limit=1&limit=2', {}, 'limit'],
    ['', { 'last-event-id': 'abc' }, 'Last-Event-ID'],
  ])('%s %o is a 422 that names the parameter', async (query, headers, field) => {
    const client = (await ask(query, headers)).read();
    await client.ended();
    expect(client.response.statusCode).toBe(422);
    const body = JSON.parse(client.text) as { errors: Record<string, string[]> };
    expect(Object.keys(body.errors)).toEqual([field]);
    expect(touched).toEqual([]);
  });

  test('a wrong token is a 401, whatever the parameters', async () => {
    const { response } = await ask('?timeout=0', { authorization: 'Bearer svc_bad' });
    expect(response.statusCode).toBe(401);
  });

  test('Accept: application/x-ndjson gives the same as lines of JSON', async () => {
    const client = (await ask('?limit=1', { accept: 'application/x-ndjson' })).read();
    expect(client.response.headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      'cache-control': 'no-cache, no-transform',
      vary: 'Accept',
    });
    world.publish('{}');
    await client.ended();
    const lines = client.text.trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { event: string }).event)).toEqual(['connected', 'update', 'end']);
    expect(client.response.complete).toBe(true);
  });

  test('a client of HTTP/1.0 gets no chunks, and the end of the connection for the end', async () => {
    const { port } = app.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    socket.write('GET /v1/stream?limit=1 HTTP/1.0\r\nauthorization: Bearer svc_good\r\n\r\n');
    while (world.hub.open === 0) await settle(1);
    world.publish('{}');
    await once(socket, 'close');
    const [head = '', ...body] = text.split('\r\n\r\n');
    expect(head).not.toContain('chunked');
    expect(parseStrictly(body.join('\r\n\r\n')).events.map((event) => event.type)).toEqual([
      'connected',
      'update',
      'end',
    ]);
  });

  test('after its end the connection can be used again', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const { port } = app.server.address() as AddressInfo;
    const sockets = new Set<unknown>();
    for (let turn = 0; turn < 3; turn += 1) {
      world.append('{}');
      const headers = { authorization: 'Bearer svc_good' };
      const path = '/v1/stream?offset=0&limit=1';
      const asking = httpRequest({ agent, port, host: '127.0.0.1', path, headers }).end();
      const [response] = (await once(asking, 'response')) as [IncomingMessage];
      const client = new Client(response).read();
      await client.ended();
      expect(client.types).toEqual(['connected', 'update', 'end']);
      sockets.add(asking.socket);
    }
    expect(sockets.size).toBe(1);
    agent.destroy();
  });

  test('without credit it is a 402 that says so', async () => {
    world.metering = { mayOpen: async () => false, deliver: (_tapId, _from, to) => to };
    const client = (await ask()).read();
    await client.ended();
    expect(client.response.statusCode).toBe(402);
    expect(client.text).toContain('prepaid balance');
    expect((await ask('', {}, 'HEAD')).response.statusCode).toBe(402);
    expect(touched).toEqual([]);
  });

  test('of a tap that is revoked while its credit is looked up it is a 401, and no stream', async () => {
    const deliver = (_tapId: string, _from: number, to: number): number => to;
    world.metering = { mayOpen: async () => (isRevoked = true), deliver };
    const client = (await ask()).read();
    await client.ended();
    expect(client.response.statusCode).toBe(401);
    expect(world.hub.open).toBe(0);
    expect(touched).toEqual([]);
  });

  test('keeps nothing of what the request said, its token least of all', async () => {
    const client = (await ask('?limit=1')).read();
    expect(responses[0]?.req).toHaveProperty('headers', {});
    expect(responses[0]?.req.rawHeaders).toEqual([]);
    world.publish('{}');
    await client.ended();
    expect(client.ids).toEqual(['0-0']);
  });

  test('HEAD answers as GET would, and opens no stream', async () => {
    const good = (await ask('', {}, 'HEAD')).read();
    await good.ended();
    expect(good.response.statusCode).toBe(200);
    expect(good.response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(good.text).toBe('');
    expect((await ask('?limit=0', {}, 'HEAD')).response.statusCode).toBe(422);
    expect((await ask('', { authorization: '' }, 'HEAD')).response.statusCode).toBe(401);
    expect(world.hub.open).toBe(0);
  });

  test('while streams are being closed, opening one is a 503 that says when to come back', async () => {
    const open = (await ask()).read();
    await world.hub.closeAll(5_000);
    await open.ended();
    expect(open.types).toEqual(['connected', 'end']);
    const { response } = await ask();
    expect(response.statusCode).toBe(503);
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('a log that cannot be read is a 500, not an empty stream', async () => {
    world.log.fault = new Error('disk on fire');
    const { response } = await ask();
    expect(response.statusCode).toBe(500);
    expect(world.hub.retained.taps).toBe(0);
  });

  test('a client that hangs up leaves nothing behind', async () => {
    const { response } = await ask();
    expect(world.hub.open).toBe(1);
    const [raw] = responses;
    response.destroy();
    await once(raw as ServerResponse, 'close');
    expect(world.hub.open).toBe(0);
    expect(world.hub.retained).toEqual({ taps: 0, bytes: 0 });
  });

  test('a client that never reads costs a chunk, and the other gets everything', async () => {
    const stalled = await ask();
    const reading = (await ask()).read();
    const [stalledRaw] = responses;
    const document = sized(16_000);
    const bound = CHUNK_BYTES + (stalledRaw?.writableHighWaterMark ?? 0) + 1_024;
    // Far more than the kernel takes for a socket that nobody reads.
    const rounds = 60;
    for (let round = 1; round <= rounds; round += 1) {
      world.publish(...Array.from({ length: 20 }, () => document));
      await reading.until(20 * round);
      expect(world.hub.retained.bytes).toBeLessThanOrEqual(TAIL_BYTES);
      expect(stalledRaw?.writableLength).toBeLessThanOrEqual(bound);
    }
    expect(reading.ids).toEqual(range(0, 20 * rounds));
    expect(stalledRaw?.writableNeedDrain).toBe(true);
    expect(world.hub.bufferedBytes).toBeGreaterThan(0);
    // When it reads at last, nothing is missing.
    stalled.read();
    await stalled.until(20 * rounds);
    await settle();
    expect(stalled.ids).toEqual(range(0, 20 * rounds));
  });
});
