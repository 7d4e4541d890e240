import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** What a phone was sent: https://docs.ntfy.sh/publish/#publish-as-json. */
export interface Pushed {
  readonly topic: string;
  readonly title: string;
  readonly message: string;
  readonly sequence_id?: string;
  readonly click?: string;
}

/** A stand-in of an ntfy server: it takes what is published as JSON at its root, and answers as one. */
export class PhoneServer {
  readonly origin: string;
  readonly pushed: Pushed[] = [];
  readonly headers: IncomingHttpHeaders[] = [];
  /** What it answers. */
  status = 200;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(): Promise<PhoneServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const phone = new PhoneServer(server);
    server.on('request', (request, response) => {
      void json(request).then((body) => {
        phone.headers.push(request.headers);
        if (phone.status === 200) phone.pushed.push(body as Pushed);
        response.writeHead(phone.status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(phone.status === 200 ? { id: 'x', event: 'message' } : { error: 'no' }));
      });
    });
    return phone;
  }

  /** What came for a topic. */
  of(topic: string): Pushed[] {
    return this.pushed.filter((one) => one.topic === topic);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
