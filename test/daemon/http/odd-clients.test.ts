import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { Api } from './api.ts';
import { QUERY_LENGTH, REQUEST_BYTES } from '../../../src/shared/limits.ts';

let api: Api;
beforeAll(async () => {
  api = await Api.open();
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(() => api.close());

/** Sends bytes as they are and reads until the server closes. */
function raw(text: string): Promise<{ status: number; head: string; body: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect(api.port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      const [head = '', body = ''] = answer.split('\r\n\r\n', 2);
      resolve({ status: Number(head.split(' ')[1]), head, body });
    });
  });
}

const request = (line: string, headers: readonly string[], body = ''): string =>
  [
    `${line} HTTP/1.1`,
    'Host: x',
    'Connection: close',
    `Authorization: Bearer ${api.house.key}`,
    ...headers,
    '',
    body,
  ].join('\r\n');

describe('a client that sends little', () => {
  test('needs no Accept and no Content-Type', async () => {
    const body = '{"name":"bare"}';
    const { status } = await raw(request('POST /v1/taps', [`Content-Length: ${body.length}`], body));
    expect(status).toBe(201);
    expect((await raw(request('GET /v1/taps', []))).status).toBe(200);
  });

  test('that wants only XML gets JSON all the same', async () => {
    const { status, headers } = await api.call('GET', '/v1/taps', api.house.key, undefined, { accept: 'text/xml' });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('application/json');
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'APPLICATION/JSON',
    'json',
    ';;;',
    'multipart/form-data; boundary=x',
  ])('that calls its JSON "%s" is read', async (type) => {
    const { status } = await api.call('POST', '/v1/taps', api.house.key, '{"name":"odd"}', { 'content-type': type });
    expect(status).toBe(201);
  });

  test('may claim JSON on a GET or DELETE without a body', async () => {
    const claims = ['Content-Type: application/json'];
    expect((await raw(request('GET /v1/taps', claims))).status).toBe(200);
    expect((await raw(request('DELETE /v1/taps/none', claims))).status).toBe(404);
    expect((await raw(request('DELETE /v1/taps/none', [...claims, 'Content-Length: 0']))).status).toBe(404);
  });

  test('is not refused for expecting what we do not know', async () => {
    const body = '{"name":"expecting"}';
    const head = ['Expect: the-unexpected', `Content-Length: ${body.length}`];
    expect((await raw(request('POST /v1/taps', head, body))).status).toBe(201);
  });

  test('may send its body in chunks, and with a byte order mark', async () => {
    const body = '{"name":"chunked"}';
    const [one, two] = [body.slice(0, 5), body.slice(5)];
    const chunks = `${one.length.toString(16)}\r\n${one}\r\n${two.length.toString(16)}\r\n${two}\r\n0\r\n\r\n`;
    expect((await raw(request('POST /v1/taps', ['Transfer-Encoding: chunked'], chunks))).status).toBe(201);
    expect((await api.call('POST', '/v1/taps', api.house.key, `\uFEFF${body}`)).status).toBe(201);
  });
});

describe('a body that is not JSON', () => {
  test.each([
    ['{"name":', /^The body is not valid JSON: .*end/],
    ['{"name": "x",}', /position 13 \(line 1 column 14\)/],
    ['name=x', /not valid JSON/],
    ['{"name": "x"} trailing', /position 14/],
  ])('%j is a 400 that says where', async (body, sentence) => {
    const answer = await api.call('POST', '/v1/taps', api.house.key, body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ message: expect.stringMatching(sentence) as string });
  });

  test('nor UTF-8 is a 400', async () => {
    const response = await fetch(`${api.url}/v1/taps`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.house.key}` },
      body: Uint8Array.from([0x22, 0xff, 0x22]),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ message: 'The body is not valid JSON: it is not UTF-8' });
  });

  test('and too large is a 413, announced or in chunks', async () => {
    const message = `The body is too large. It may have up to ${REQUEST_BYTES} bytes.`;
    const text = JSON.stringify({ name: 'x'.repeat(REQUEST_BYTES) });
    const announced = await raw(request('POST /v1/taps', [`Content-Length: ${text.length}`]));
    expect(announced).toMatchObject({ status: 413, body: JSON.stringify({ message }) });
    const chunk = `${text.length.toString(16)}\r\n${text}\r\n`;
    const chunked = await raw(request('POST /v1/taps', ['Transfer-Encoding: chunked'], chunk));
    expect(chunked.status).toBe(413);
    expect(chunked.body).toContain(message);
  });

  test('but with the longest query, each of its characters escaped, is read', async () => {
    const { token } = await api.newTap();
    const value = `"${'\\u4e2d'.repeat(QUERY_LENGTH - 2)}"`.replaceAll('"', '\\"');
    const answer = await api.call('POST', '/v1/rules', token, `{"value":"${value}"}`);
    expect(answer.status).toBe(201);
  });

  test('but nested without end is read, and its unknown fields ignored', async () => {
    const depth = 20_000;
    const body = `{"name":"deep","more":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect((await api.call('POST', '/v1/taps', api.house.key, body)).status).toBe(201);
  });

  test('cannot reach prototypes', async () => {
    const body = '{"__proto__":{"name":"x"},"constructor":{"prototype":{"polluted":true}}}';
    const { status } = await api.call('POST', '/v1/taps', api.house.key, body);
    expect(status).toBe(422);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

test('a CONNECT is told that this is no proxy', async () => {
  const answer = await raw('CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n');
  expect(answer).toMatchObject({
    status: 400,
    body: '{"message":"This server is not a proxy: it does not support CONNECT."}',
  });
});

describe('a route that is not there', () => {
  test.each([
    ['POST', '/'],
    ['GET', '/v1'],
    ['GET', '/v1/tap'],
    ['PATCH', '/v1/taps'],
    ['OPTIONS', '/v1/taps'],
    ['DELETE', '/v1/rules'],
    ['POST', '/admin/keys'],
    ['GET', '/admin/status'],
  ])('%s %s is a 404 that names it', async (method, path) => {
    const { status, body } = await api.call(method, path, api.house.key);
    expect({ status, body }).toEqual({
      status: 404,
      body: { message: `There is no such route: ${method} ${path}.` },
    });
  });

  test('does not repeat the query, which may hold a key, nor a path without end', async () => {
    const { body } = await api.call('GET', '/v2?token=svc_secret');
    expect(body.message).toBe('There is no such route: GET /v2.');
    const long = await api.call('GET', `/${'x'.repeat(5_000)}`);
    expect(long.status).toBe(404);
    expect(long.body.message.length).toBeLessThan(300);
  });

  test('is what a path that cannot be decoded is, too', async () => {
    const { status, body } = await raw(request('GET /v1/taps/%E0%A4%A', []));
    expect(status).toBe(404);
    expect(JSON.parse(body)).toEqual({ message: 'There is no such route: GET /v1/taps/%E0%A4%A.' });
  });
});

describe('what is no HTTP request', () => {
  test('is answered in the same form and the connection closed', async () => {
    const answer = await raw('HELLO\r\n\r\n');
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toEqual({ message: 'The request is not valid HTTP.' });
    expect(answer.head).toContain('Connection: close');
  });

  test('does not keep its socket, even when the client does not hang up', async () => {
    const accepted = once(api.server.server, 'connection') as Promise<[Socket]>;
    const socket = connect({ port: api.port, host: '127.0.0.1', allowHalfOpen: true }, () =>
      socket.write('HELLO\r\n\r\n'),
    );
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    const [held] = await accepted;
    await once(held, 'close');
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    socket.destroy();
  });

  test('is what names no host, and is told so', async () => {
    const answer = await raw('GET /v1/taps HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toEqual({ message: 'The request has no Host header.' });
  });

  test.each([
    ['Host: y', 'The request has 2 Host headers; it must have one.'],
    ['hOST: x\r\nHost: x', 'The request has 3 Host headers; it must have one.'],
    ['Transfer-Encoding: gzip, chunked', 'The Transfer-Encoding header must be "chunked" and nothing else.'],
    [
      'Transfer-Encoding: x\r\nTransfer-Encoding: chunked',
      'The Transfer-Encoding header must be "chunked" and nothing else.',
    ],
  ])('nor what can be read in two ways: %j', async (header, message) => {
    // With keep-alive, and one behind it: neither is served.
    const head = `POST /v1/taps HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.house.key}\r\n`;
    const before = api.house.catalog.data.taps.length;
    const next = `${head}Content-Length: 15\r\n\r\n{"name":"other"}`;
    const answer = await raw(`${head}${header}\r\n\r\n${header.startsWith('T') ? '0\r\n\r\n' : ''}${next}`);
    expect(answer.status).toBe(400);
    expect(answer.head.toLowerCase()).toContain('connection: close');
    expect(JSON.parse(answer.body)).toEqual({ message });
    expect(api.house.catalog.data.taps).toHaveLength(before);
  });

  test('or has a head without end is a 431', async () => {
    const answer = await raw(request('GET /v1/taps', [`X-Long: ${'x'.repeat(20_000)}`]));
    expect(answer.status).toBe(431);
    expect(JSON.parse(answer.body)).toEqual({
      message: "The request's head is too large. It may have up to 16384 bytes.",
    });
  });
});

describe('what follows a good request on its connection and is none', () => {
  const taken = (body: string): string =>
    `POST /v1/taps HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.house.key}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

  test('does not take the place of its answer', async () => {
    const answer = await raw(`${taken('{"name":"followed"}')}HELLO\r\n\r\n`);
    expect(answer.status).toBe(201);
    expect(answer.head.toLowerCase()).toContain('connection: close');
    expect(answer.body).toContain('followed');
  });

  test('is refused when the answer is out', async () => {
    const socket = connect(api.port, '127.0.0.1', () => socket.write(taken('{"name":"first"}')));
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    await once(socket, 'data');
    socket.write('HELLO\r\n\r\n');
    await once(socket, 'close');
    expect(text).toMatch(/^HTTP\/1\.1 201 [\s\S]*HTTP\/1\.1 400 [\s\S]*not valid HTTP\."}$/);
  });

  test('cuts a stream, and writes nothing into it', async () => {
    const { token } = await api.newTap();
    await api.call('POST', '/v1/rules', token, { value: 'fox' });
    const socket = connect(api.port, '127.0.0.1', () => socket.write(stream(token)));
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    while (!text.includes('data: {}')) await once(socket, 'data');
    socket.write('HELLO\r\n\r\n');
    await once(socket, 'close');
    expect(text).toMatch(/\nretry: \d+\nevent: connected\ndata: \{\}\n\n\r\n$/);
    expect(api.house.hub.open).toBe(0);
  });
});

const stream = (token: string, ...headers: string[]): string =>
  ['GET /v1/stream?timeout=1 HTTP/1.1', 'Host: x', `Authorization: Bearer ${token}`, ...headers, '', ''].join('\r\n');

describe('a stream', () => {
  let token = '';
  beforeAll(async () => {
    ({ token } = await api.newTap());
  });

  test('closes the connection where the client asked for it', async () => {
    const answer = await raw(stream(token, 'Connection: close'));
    expect(answer.status).toBe(200);
    expect(answer.head).toMatch(/^connection: close$/im);
  });

  test('that came with a body takes all of it', async () => {
    const body = 'x'.repeat(1_000_000);
    const answer = await raw(stream(token, 'Connection: close', `Content-Length: ${body.length}`) + body);
    expect(answer.status).toBe(200);
  });
});

describe('a fault of ours', () => {
  test('is a 500 that says nothing, and a line in the log that says all', async () => {
    const cause = new Error(`disk on fire while writing ${api.house.key}`);
    vi.spyOn(api.house.catalog, 'update').mockRejectedValue(cause);
    const { status, body } = await api.call('POST', '/v1/taps', api.house.key, { name: 'x' });
    expect({ status, body }).toEqual({
      status: 500,
      body: { message: 'Internal error. The daemon’s log has the details.' },
    });
    expect(api.log.lines).toEqual([
      { level: 'error', facts: { err: cause, method: 'POST', route: '/v1/taps' }, message: 'a request failed' },
    ]);
    api.log.lines.length = 0;
  });

  test.each(['ENOSPC', 'EDQUOT', 'EFBIG'])('where the disk has no room (%s) is a 503 that says so', async (code) => {
    const cause = Object.assign(new Error('no space left on device, write'), { code });
    vi.spyOn(api.house.catalog, 'update').mockRejectedValue(cause);
    const { status, body } = await api.call('POST', '/v1/taps', api.house.key, { name: 'x' });
    const message = 'The disk is full: the change could not be saved. Free some space, then try again.';
    expect({ status, body }).toEqual({ status: 503, body: { message } });
    expect(api.log.lines).toMatchObject([{ level: 'error', message: 'the disk is full: a request was refused' }]);
    api.log.lines.length = 0;
  });

  test('in noting a tap’s use does not fail the request', async () => {
    const { token } = await api.newTap();
    vi.spyOn(api.house.catalog, 'update').mockRejectedValue(new Error('disk on fire'));
    expect((await api.call('GET', '/v1/rules', token)).status).toBe(200);
    expect(api.log.lines.map((line) => line.level)).toEqual(['warn']);
    api.log.lines.length = 0;
  });
});

describe('a server that closes', () => {
  test('does not wait for clients that have said nothing, or half of it', async () => {
    const closing = await Api.open();
    const post = `POST /v1/taps HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${closing.house.key}\r\n`;
    const said = ['', 'GET /v1/taps HTTP/1.1\r\nHo', `${post}Content-Length: 12\r\n\r\n{`];
    const ended: Promise<unknown>[] = [];
    for (const text of said) {
      const socket = connect(closing.port, '127.0.0.1', () => socket.write(text)).resume();
      ended.push(once(socket, 'close'));
      await once(closing.server.server, 'connection');
    }
    await closing.close();
    expect(await Promise.all(ended)).toHaveLength(said.length);
  });

  test('finishes what is under way, and answers what comes on an open connection with 503 and Retry-After', async () => {
    const closing = await Api.open();
    const held = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    vi.spyOn(closing.house.catalog, 'update').mockImplementation(async () => {
      entered.resolve();
      await held.promise;
      throw new Error('the test needs no tap');
    });
    const socket = connect(closing.port, '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    const head = `Host: x\r\nAuthorization: Bearer ${closing.house.key}\r\n`;
    socket.write(`POST /v1/taps HTTP/1.1\r\n${head}Content-Length: 12\r\n\r\n{"name":"x"}`);
    await entered.promise;
    const closed = closing.server.close();
    const { server } = closing.server;
    while (server.listening) await nextTurn();
    socket.write(`GET /v1/taps HTTP/1.1\r\n${head}\r\n`);
    await once(server, 'request');
    held.resolve();
    await Promise.all([closed, once(socket, 'close')]);
    expect(text).toContain('HTTP/1.1 500');
    expect(text).toMatch(/HTTP\/1\.1 503 [\s\S]*retry-after: 5/i);
    expect(text).toContain('{"message":"The daemon is shutting down. Try again in a few seconds."}');
  });
});
