import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Stands before a daemon and cuts each connection some time after its first byte, as proxies with a limit do. */
export class CuttingProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Milliseconds of life; undefined: nothing more is cut. */
  #lifeMs: number | undefined;
  /** Connections that were cut. */
  cuts = 0;
  /** Heartbeats that went through the connections that are open. */
  readonly #beats = new Map<Socket, number>();

  private constructor(port: number, lifeMs: number) {
    this.#lifeMs = lifeMs;
    this.#server = createServer((client) => this.#pass(client, connect(port, '127.0.0.1')));
  }

  static async before(port: number, lifeMs: number): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(port, lifeMs);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Connections that are open, and how many of them have had a heartbeat. */
  get open(): { readonly all: number; readonly beaten: number } {
    return { all: this.#beats.size, beaten: [...this.#beats.values()].filter((beats) => beats > 0).length };
  }

  /** From now on connections live as long as their ends want. */
  stopCutting(): void {
    this.#lifeMs = undefined;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #pass(client: Socket, daemon: Socket): void {
    const cut = (): void => {
      if (this.#lifeMs === undefined) return;
      this.cuts += 1;
      client.destroy();
      daemon.destroy();
    };
    this.#beats.set(client, 0);
    for (const [from, to] of [
      [client, daemon],
      [daemon, client],
    ] as const) {
      this.#sockets.add(from);
      from.on('error', () => {});
      from.on('close', () => {
        this.#sockets.delete(from);
        this.#beats.delete(client);
        to.destroy();
      });
      from.pipe(to);
    }
    daemon.once('data', () => {
      if (this.#lifeMs !== undefined) setTimeout(cut, this.#lifeMs).unref();
    });
    daemon.on('data', (bytes: Buffer) => {
      // A comment in a chunk of its own; a line of JSON never begins with a colon.
      if (/^:$/m.test(bytes.toString('latin1'))) this.#beats.set(client, (this.#beats.get(client) ?? 0) + 1);
    });
  }
}
