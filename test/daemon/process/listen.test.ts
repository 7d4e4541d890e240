import { mkdirSync, mkdtempSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type Listener, listenPublic, listenSocket, socketPath } from '../../../src/daemon/process/listeners.ts';

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

/** A server of node:net that listens as Fastify does. */
function listener(): Listener {
  const server = createServer((socket) => socket.end());
  open.push(server);
  return {
    listen: (where) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(where, () => resolve(JSON.stringify(server.address())));
      }),
  };
}

const port = (address: string): number => (JSON.parse(address) as { port: number }).port;

describe('the public port', () => {
  test('in use: says so, and what to do', async () => {
    const taken = port(await listenPublic(listener(), '127.0.0.1', 0));
    await expect(listenPublic(listener(), '127.0.0.1', taken)).rejects.toMatchObject({
      name: 'StartFailure',
      kind: 'environment',
      message: expect.stringMatching(`port ${taken} on 127.0.0.1 is in use.*--port`) as string,
    });
  });

  test('an address of another machine: says so', async () => {
    await expect(listenPublic(listener(), '192.0.2.1', 0)).rejects.toThrow('--listen');
  });
});

describe('the operator’s socket', () => {
  test('is in the data directory, for its owner alone', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'hydrant-listen-'));
    const path = await listenSocket(listener(), directory);
    expect(path).toBe(join(directory, 'admin.sock'));
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('moves where the path would be cut by the kernel, to a name that only this directory has', async () => {
    const base = mkdtempSync(join(tmpdir(), 'hydrant-listen-'));
    const deep = ['a', 'b'].map((letter) => join(base, letter.repeat(100)));
    for (const directory of deep) mkdirSync(directory);
    const paths = await Promise.all(deep.map((directory) => listenSocket(listener(), directory)));
    expect(new Set(paths).size).toBe(2);
    for (const path of paths) expect(Buffer.byteLength(path)).toBeLessThanOrEqual(103);
  });

  test('is a named pipe on Windows, another one for each directory', () => {
    const pipes = ['C:\\Data\\a', 'C:\\Data\\b'].map((directory) => socketPath(directory, 'win32'));
    for (const pipe of pipes) expect(pipe).toMatch(/^\\\\\.\\pipe\\hydrant-[0-9a-f]{16}$/);
    expect(pipes[0]).not.toBe(pipes[1]);
  });

  test('a socket that a killed daemon left is taken over; a living one is not', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'hydrant-listen-'));
    await listenSocket(listener(), directory);
    await expect(listenSocket(listener(), directory)).rejects.toThrow('another process is listening');
  });
});
