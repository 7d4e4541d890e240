import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Client } from '../../../src/cli/client/client.ts';
import { openTap } from '../../../src/cli/client/found.ts';
import { NotHydrant, Refused, send, Unreachable } from '../../../src/cli/client/transport.ts';
import type { Connection } from '../../../src/cli/runtime/context.ts';
import { UsageError } from '../../../src/cli/runtime/failure.ts';
import { FakeDaemon, RULE, TAP } from '../harness.ts';

let daemon: FakeDaemon;
let client: Client;
let connection: Connection;

beforeEach(async () => {
  daemon = await FakeDaemon.onPort();
  connection = {
    target: { kind: 'url', url: daemon.url },
    credential: { kind: 'manager', key: 'svcm_x' },
    label: 'test',
  };
  client = new Client(connection);
});
afterEach(async () => daemon.stop());

describe('the client', () => {
  test('sends the management key for taps and the token for rules', async () => {
    daemon.on('GET /v1/taps', 200, { data: [TAP] }).on('GET /v1/rules', 200, { data: [RULE], meta: { count: 1 } });
    expect(await client.taps()).toEqual([TAP]);
    expect(await client.rules(TAP.token)).toEqual([RULE]);
    expect(daemon.received.map(({ authorization }) => authorization)).toEqual(['Bearer svcm_x', `Bearer ${TAP.token}`]);
  });

  test('waits as long as the daemon asks and tries again', async () => {
    daemon
      .on('GET /v1/taps', 429, { message: 'slow down' }, { 'retry-after': '0' })
      .on('GET /v1/taps', 200, { data: [] });
    expect(await client.taps()).toEqual([]);
    expect(daemon.received).toHaveLength(2);
  });

  test('gives up after three tries', async () => {
    daemon.on('GET /v1/taps', 503, { message: 'stopping' }, { 'retry-after': '0' });
    await expect(client.taps()).rejects.toMatchObject({ exitCode: 8, message: 'stopping' });
    expect(daemon.received).toHaveLength(3);
  });

  test('does not wait for an hour', async () => {
    daemon.on('GET /v1/taps', 429, { message: 'slow down' }, { 'retry-after': '3600' });
    await expect(client.taps()).rejects.toMatchObject({ exitCode: 8 });
    expect(daemon.received).toHaveLength(1);
  });

  test.each([
    [400, 6],
    [401, 4],
    [402, 7],
    [403, 4],
    [404, 5],
    [413, 6],
    [422, 6],
    [500, 70],
  ])('makes a %i the exit code %i, with the daemon’s sentence', async (status, code) => {
    daemon.on('GET /v1/taps', status, { message: 'because.' });
    const failure = await client.taps().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Refused);
    expect(failure).toMatchObject({ exitCode: code, message: 'because.' });
  });

  test('makes a refused query the exit code 1', async () => {
    const diagnostics = [{ severity: 'error', code: 'unknown_field', message: 'unknown field', field: 'titel' }];
    daemon.on('POST /v1/rules', 422, { message: 'no', diagnostics });
    await expect(client.createRule(TAP.token, { value: 'titel:x' })).rejects.toMatchObject({
      exitCode: 1,
      diagnostics,
    });
  });

  test('follows no redirect, which would carry the key elsewhere', async () => {
    daemon.on('GET /v1/taps', 302, '', { location: 'https://elsewhere.example/' });
    await expect(client.taps()).rejects.toThrow('redirects to https://elsewhere.example/');
  });

  test.each([
    ['a page of HTML', '<html>log in</html>'],
    ['JSON that is no envelope', '[]'],
    ['a list of something else', '{"data":[{"id":1}]}'],
    ['a text', '"hello"'],
  ])('takes %s for another server', async (_, body) => {
    daemon.on('GET /v1/taps', 200, body, { 'content-type': 'text/html' });
    await expect(client.taps()).rejects.toThrow(NotHydrant);
  });

  test('passes unknown keys of a newer daemon on', async () => {
    daemon.on('GET /v1/taps', 200, { data: [{ ...TAP, colour: 'blue' }] });
    expect(await client.taps()).toEqual([{ ...TAP, colour: 'blue' }]);
  });

  test('says when an answer breaks off', async () => {
    daemon.reply('GET /v1/taps', (_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{"data":');
      response.socket?.end();
    });
    await expect(client.taps()).rejects.toThrow(Unreachable);
  });

  test('keeps what is the operator’s for the socket', async () => {
    await expect(client.status()).rejects.toThrow("the daemon's own machine");
    expect(daemon.received).toEqual([]);
  });

  test('with a tap’s token alone opens that tap only', async () => {
    const own: Connection = { ...connection, credential: { kind: 'tap', token: TAP.token } };
    expect(await openTap(own, new Client(own), undefined)).toEqual({ token: TAP.token, tap: undefined });
    await expect(openTap(own, new Client(own), 'news')).rejects.toThrow(UsageError);
    await expect(new Client(own).taps()).rejects.toThrow(UsageError);
  });
});

describe('the transport', () => {
  test('says what it could not reach, and why', async () => {
    await expect(
      send({ kind: 'socket', path: '/nowhere/admin.sock' }, { method: 'GET', path: '/' }),
    ).rejects.toMatchObject({
      name: 'Unreachable',
      exitCode: 3,
      message: 'cannot reach the daemon at /nowhere/admin.sock: the socket does not exist',
      target: { kind: 'socket', path: '/nowhere/admin.sock' },
    });
    const { url } = daemon;
    await daemon.stop();
    await expect(send({ kind: 'url', url }, { method: 'GET', path: '/' })).rejects.toThrow(
      'nothing is listening there',
    );
    daemon = await FakeDaemon.onPort();
  });

  test('keeps the path of a daemon behind a proxy', async () => {
    daemon.on('GET /water/v1/taps', 200, { data: [] });
    const answer = await send({ kind: 'url', url: `${daemon.url}/water/` }, { method: 'GET', path: '/v1/taps' });
    expect(answer.status).toBe(200);
    answer.body.resume();
  });

  test('ends with the signal, which is no fault of the daemon', async () => {
    const abort = new AbortController();
    daemon.reply('GET /', () => abort.abort());
    await expect(
      send({ kind: 'url', url: daemon.url }, { method: 'GET', path: '/', signal: abort.signal }),
    ).rejects.toMatchObject({ name: 'AbortError' });
  });
});
