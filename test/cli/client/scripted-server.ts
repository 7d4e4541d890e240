import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Target } from '../../../src/cli/client/transport.ts';

/** One turn of the script: what the server does with one request. */
export type Turn = (response: ServerResponse, request: IncomingMessage) => void;

/** A real HTTP server that follows a script, one turn a request; the last turn repeats. */
export class ScriptedServer {
  readonly requests: { readonly url: string; readonly lastEventId: string | undefined }[] = [];
  readonly #server: Server;
  readonly #waiters: { readonly count: number; readonly resolve: () => void }[] = [];

  constructor(turns: readonly Turn[]) {
    this.#server = createServer((request, response) => {
      const turn = turns[Math.min(this.requests.length, turns.length - 1)];
      const id = request.headers['last-event-id'];
      this.requests.push({ url: request.url ?? '', lastEventId: typeof id === 'string' ? id : undefined });
      turn?.(response, request);
      for (const waiter of this.#waiters) if (this.requests.length >= waiter.count) waiter.resolve();
    });
  }

  async listen(): Promise<Target> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('no TCP address');
    const { port } = address;
    return { kind: 'url', url: `http://127.0.0.1:${port}` };
  }

  async requested(count: number): Promise<void> {
    if (this.requests.length >= count) return;
    await new Promise<void>((resolve) => {
      this.#waiters.push({ count, resolve });
    });
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }
}

export function open(response: ServerResponse, start?: string, more: Readonly<Record<string, string>> = {}): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    ...more,
    ...(start !== undefined && { 'x-stream-start': start }),
  });
  response.write('event: connected\ndata: {}\n\n');
}

export function frame(
  offset: number,
  partition = 0,
  title = `Page ${offset}`,
  at = '2026-02-13T08:06:32.123Z',
): string {
  const match = {
    tap_id: 't',
    query_ids: ['r1'],
    matched_at: at,
    document: { url: `https://example.org/${offset}`, title },
  };
  return `id: ${partition}-${offset}\nevent: update\ndata: ${JSON.stringify(match)}\n\n`;
}

/** Opens a stream, writes these offsets, and stays open. */
export function streaming(offsets: readonly number[], start?: string): Turn {
  return (response) => {
    open(response, start);
    for (const offset of offsets) response.write(frame(offset));
  };
}

/** The same, then the daemon's own end. */
export function ending(offsets: readonly number[], start?: string): Turn {
  return (response, request) => {
    streaming(offsets, start)(response, request);
    response.end('event: end\ndata: {}\n\n');
  };
}

/** The same, then the connection breaks off. */
export function breaking(offsets: readonly number[], start?: string): Turn {
  return (response, request) => {
    streaming(offsets, start)(response, request);
    // A comment's write tells that all before it left the process; then the socket goes, without the last chunk.
    response.write(': soon\n\n', () => response.destroy());
  };
}

export function answering(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Turn {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
}
