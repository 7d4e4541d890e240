import type { FastifyInstance } from 'fastify';
import type { Socket } from 'node:net';

/**
 * Limits the number of open connections. Beyond the limit, the connection is closed that has been without a complete request
 * for longest, whether it is silent, slow or between two requests. Real clients send their request at once, so a flood of idle
 * connections displaces itself and not the clients. If all others are being served, the newest is closed.
 *
 * Each connection is an open file of the process. The limit leaves enough files for the crawl, the database and the operator's
 * socket.
 */
export function limitConnections(app: FastifyInstance, most: number, onFull?: () => void): void {
  const table = new ConnectionTable(most, onFull);
  const leaves = new WeakMap<object, () => void>();
  app.server.on('connection', (socket: Socket) => table.enter(socket));
  // The body was read, and the client is authenticated.
  app.addHook('preHandler', async ({ raw: { socket } }, reply) => {
    const leave = table.serve(socket);
    // A stream is hijacked: `onSend` does not run for it.
    reply.raw.once('close', leave);
    leaves.set(reply, leave);
  });
  // From here on it is up to the client to read.
  app.addHook('onSend', async (_request, reply) => leaves.get(reply)?.());
}

/** Connections by remote address and port: with TLS, the only thing that a socket and the one below it share. */
class ConnectionTable {
  readonly #most: number;
  readonly #onFull: (() => void) | undefined;
  /** In the order of their waiting time, longest first. */
  readonly #waiting = new Map<string, Socket>();
  readonly #served = new Map<string, { readonly socket: Socket; requests: number }>();
  #isFull = false;

  /** `onFull` is called when the first connection is displaced, and not again before the count fell well below the limit. */
  constructor(most: number, onFull?: () => void) {
    this.#most = most;
    this.#onFull = onFull;
  }

  enter(socket: Socket): void {
    const name = nameOf(socket);
    this.#waiting.set(name, socket);
    socket.once('close', () => {
      this.#waiting.delete(name);
      this.#served.delete(name);
      if (this.#open < this.#most * SOME_ROOM) this.#isFull = false;
    });
    if (this.#open > this.#most) this.#makeRoom();
  }

  /** A request is being served on the socket until the answer is called. */
  serve(socket: Socket): () => void {
    const name = nameOf(socket);
    const known = this.#served.get(name) ?? this.#take(name);
    if (known === undefined) return () => undefined;
    known.requests += 1;
    let isServed = true;
    return () => {
      // Its answer is sent and, later, taken; by then another request of the connection may be served.
      if (!isServed) return;
      isServed = false;
      known.requests -= 1;
      if (known.requests > 0 || !this.#served.delete(name)) return;
      this.#waiting.set(name, known.socket);
    };
  }

  #take(name: string): { readonly socket: Socket; requests: number } | undefined {
    const socket = this.#waiting.get(name);
    if (socket === undefined) return undefined;
    const served = { socket, requests: 0 };
    this.#waiting.delete(name);
    this.#served.set(name, served);
    return served;
  }

  get #open(): number {
    return this.#waiting.size + this.#served.size;
  }

  #makeRoom(): void {
    const [first] = this.#waiting;
    if (first === undefined) return;
    const [name, socket] = first;
    // Its file is closed at once; 'close' comes later.
    this.#waiting.delete(name);
    socket.destroy();
    if (!this.#isFull) this.#onFull?.();
    this.#isFull = true;
  }
}

const SOME_ROOM = 0.9;

function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
