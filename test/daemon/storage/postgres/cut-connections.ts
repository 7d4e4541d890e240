import { connect, createServer, type Server, type Socket } from 'node:net';

/** `commit`: the answer to the next COMMIT does not arrive. `before-commit`: the next COMMIT does not arrive. */
type Cut = 'commit' | 'before-commit';

/** A way to the database that a test can cut: all of it, or at one place of the conversation. */
export class CutConnections {
  readonly #server: Server;
  readonly #target: URL;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #isDown = false;
  #cut: Cut | undefined;

  static async open(url: string): Promise<CutConnections> {
    const proxy = new CutConnections(url);
    await new Promise<void>((resolve) => {
      proxy.#server.listen(0, '127.0.0.1', resolve);
    });
    return proxy;
  }

  private constructor(url: string) {
    this.#target = new URL(url);
    this.#server = createServer((client) => this.#accept(client));
  }

  get url(): string {
    const address = this.#server.address();
    const url = new URL(this.#target);
    url.port = String(typeof address === 'object' ? address?.port : '');
    return url.href;
  }

  /** Ends all connections, and takes no new ones. */
  down(): void {
    this.#isDown = true;
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
  }

  up(): void {
    this.#isDown = false;
  }

  cutNext(cut: Cut): void {
    this.#cut = cut;
  }

  async close(): Promise<void> {
    this.down();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  #accept(client: Socket): void {
    if (this.#isDown) {
      client.destroy();
      return;
    }
    const server = connect(Number(this.#target.port), this.#target.hostname);
    const pair = [client, server] as const;
    this.#pairs.add(pair);
    let isMute = false;
    const end = (): void => {
      this.#pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    for (const socket of pair) socket.on('error', end).on('close', end);
    client.on('data', (bytes) => {
      if (this.#cut === undefined || !bytes.includes('COMMIT')) {
        server.write(bytes);
        return;
      }
      if (this.#cut === 'commit') server.write(bytes);
      else end();
      this.#cut = undefined;
      isMute = true;
    });
    server.on('data', (bytes) => {
      if (isMute) end();
      else client.write(bytes);
    });
  }
}
