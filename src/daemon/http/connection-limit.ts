import type { FastifyInstance } from 'fastify';
import type { Socket } from 'node:net';

/**
 * How many connections a server holds at once. Beyond that room is made at the cost of those that are owed nothing: the one
 * goes that has been without a whole request for longest, be it silent, slow or between two requests. A client with
 * something to ask asks at once, so a flood of idle connections displaces itself and not the clients. Where every other one
 * is being served, the newest goes.
 *
 * Each connection is an open file of the process, and so is what the crawl, the store and the operator's socket need: with
 * a bound on these there are always some left for those.
 */
export function limitConnections(app: FastifyInstance, most: number, onFull?: () => void): void {
  const room = new ConnectionRoom(most, onFull);
  const leaves = new WeakMap<object, () => void>();
  app.server.on('connection', (socket: Socket) => room.enter(socket));
  // Its body is here, and who asks is known.
  app.addHook('preHandler', async ({ raw: { socket } }, reply) => {
    const leave = room.serve(socket);
    // A stream is hijacked, and is never sent.
    reply.raw.once('close', leave);
    leaves.set(reply, leave);
  });
  // From here on it is the client's turn to read.
  app.addHook('onSend', async (_request, reply) => leaves.get(reply)?.());
}

/** Connections are known by their remote address and port: with TLS that is what a socket and the one below it share. */
class ConnectionRoom {
  readonly #most: number;
  readonly #onFull: (() => void) | undefined;
  /** Who has waited longest is the first. */
  readonly #waiting = new Map<string, Socket>();
  readonly #served = new Map<string, { readonly socket: Socket; requests: number }>();
  #isFull = false;

  /** `onFull` is called when the first one has to go, and not again until there was some room. */
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
