import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The media type and text of a path on a site; an empty text is a 404. */
export type Answer = (path: string, url: string) => readonly [type: string, text: string];

/** A web server on loopback that answers each path from a function, and remembers what was asked for. */
export class SmallSite {
  readonly requests: string[] = [];
  readonly #server: Server;

  private constructor(answer: Answer) {
    this.#server = createServer((request, response) => {
      const path = request.url ?? '/';
      this.requests.push(path);
      const [type, text] = answer(path, this.url);
      response.writeHead(text === '' ? 404 : 200, { 'content-type': type }).end(text);
    });
  }

  static async start(answer: Answer): Promise<SmallSite> {
    const site = new SmallSite(answer);
    await new Promise<void>((resolve) => site.#server.listen(0, '127.0.0.1', resolve));
    return site;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** How often the path was asked for. */
  asked(path: string): number {
    return this.requests.filter((asked) => asked === path).length;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
