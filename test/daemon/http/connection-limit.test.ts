import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { limitConnections } from '../../../src/daemon/http/connection-limit.ts';

const ANSWER_BYTES = 16 * 1_024 * 1_024;

/** A server with room for one, on which one request has an answer that takes long to read, and one that takes long to come. */
async function serverForOne() {
  const app = fastify();
  limitConnections(app, 1);
  const sent = Promise.withResolvers<void>();
  const taken = Promise.withResolvers<void>();
  const held = Promise.withResolvers<() => void>();
  app.get('/large', async (_request, reply) => {
    reply.raw.once('close', () => taken.resolve());
    return Buffer.alloc(ANSWER_BYTES);
  });
  app.get('/held', (_request, reply) => held.resolve(() => void reply.send('done')));
  app.addHook('onSend', async () => sent.resolve());
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const client = (): Socket => connect(port, '127.0.0.1').on('error', () => undefined);
  return { app, client, sent: sent.promise, taken: taken.promise, held: held.promise };
}

const ask = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

test('a request that is served keeps its place when the answer to the one before it has been read at last', async () => {
  const { app, client, sent, taken, held } = await serverForOne();
  const first = client();
  first.write(ask('/large'));
  await sent;
  first.write(ask('/held'));
  const answer = await held;
  first.resume();
  await taken;

  const other = client();
  const gone = await Promise.race([
    once(first, 'close').then(() => 'the one that is served'),
    once(other, 'close').then(() => 'the newest'),
  ]);
  expect(gone).toBe('the newest');
  answer();
  first.destroy();
  await app.close();
});
