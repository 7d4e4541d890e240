import { randomBytes, timingSafeEqual } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Connect } from '../fetch/connector.ts';
import { FetchProblem } from '../fetch/fetched.ts';
import { networkProblem } from '../fetch/network-error.ts';

/**
 * The only way out of the browser: a proxy on loopback. It makes each connection as the fetcher does – looked up once, judged by
 * the address guard, connected to by address, the peer judged again – and so holds whatever the browser was made to do.
 *
 * Every page has a passage: a login of its own, the origins that its requests were allowed to, a limit of bytes, and a record of
 * what was refused, since a page cannot tell our 403 from one of the site. A request to an origin that nobody has asked the gate
 * for (`request-gate.ts`) – by a worker, a WebSocket, what the browser loads ahead – ends here.
 *
 * For HTTPS it sees names and ports, not URLs: what robots.txt says is asked for before, at the gate.
 */
export class EgressProxy {
  readonly #server = http.createServer({ maxHeaderSize: HEADER_BYTES });
  readonly #passages = new Map<string, Passage>();
  readonly #connect: Connect;

  private constructor(connect: Connect) {
    this.#connect = connect;
    this.#server.on('request', (request, response) => void this.#forward(request, response));
    this.#server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
      client.on('error', () => undefined);
      void this.#tunnel(request, client, head);
    });
    this.#server.on('clientError', (_, socket) => socket.destroy());
  }

  /** @param host where browsers reach it */
  static async open({ connect, host }: { readonly connect: Connect; readonly host: string }): Promise<EgressProxy> {
    const proxy = new EgressProxy(connect);
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once('error', reject).listen(0, host, resolve);
    });
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** For one page. `connect`: another way out than that of the proxy. */
  admit({ mostBytes, connect = this.#connect }: { readonly mostBytes: number; readonly connect?: Connect }): Passage {
    const passage = new Passage(mostBytes, connect, (user) => this.#passages.delete(user));
    this.#passages.set(passage.user, passage);
    return passage;
  }

  close(): void {
    for (const passage of this.#passages.values()) passage.end();
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const passage = this.#passageOf(request);
    if (!passage) {
      response.writeHead(407, ASKS_FOR_LOGIN).end();
      return;
    }
    const url = URL.parse(request.url ?? '');
    if (url?.hostname === GREETING_HOST) {
      response.writeHead(200, { 'content-type': 'text/html', 'content-length': 0 }).end();
      return;
    }
    try {
      if (url?.protocol !== 'http:') throw new FetchProblem('bad_url', 'a proxy forwards http requests only');
      const socket = await passage.dial(url);
      const { 'proxy-authorization': _login, 'proxy-connection': _kept, ...headers } = request.headers;
      const onward = http.request({
        createConnection: () => socket,
        method: request.method,
        path: url.pathname + url.search,
        headers: { ...headers, host: url.host, connection: 'close' },
        maxHeaderSize: HEADER_BYTES,
      });
      onward.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.on('error', () => response.destroy()).pipe(response);
      });
      onward.on('error', () => response.destroy());
      response.on('close', () => socket.destroy());
      request.pipe(onward);
    } catch (error) {
      passage.refused(request.url ?? '', error);
      response.writeHead(statusFor(error), { 'content-length': 0 }).end();
    }
  }

  async #tunnel(request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    const passage = this.#passageOf(request);
    if (!passage) {
      const asks = Object.entries(ASKS_FOR_LOGIN).map(([name, value]) => `${name}: ${value}\r\n`);
      client.end(`HTTP/1.1 407 Proxy Authentication Required\r\n${asks.join('')}\r\n`);
      return;
    }
    const url = URL.parse(`https://${request.url ?? ''}/`);
    try {
      if (!url) throw new FetchProblem('bad_url', 'the browser asked for no host');
      const socket = await passage.dial(url);
      const end = (): void => {
        socket.destroy();
        client.destroy();
      };
      socket.on('error', end).on('close', end);
      client.on('close', end);
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      if (head.length > 0) socket.write(head);
      socket.pipe(client).pipe(socket);
    } catch (error) {
      passage.refused(request.url ?? '', error);
      client.end(`HTTP/1.1 ${statusFor(error)} Refused\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
    }
  }

  #passageOf({ headers }: IncomingMessage): Passage | undefined {
    const [, encoded = ''] = /^Basic (.+)$/i.exec(headers['proxy-authorization'] ?? '') ?? [];
    const [user = '', password = ''] = Buffer.from(encoded, 'base64').toString('latin1').split(':');
    const passage = this.#passages.get(user);
    return passage?.isOpenedBy(password) === true ? passage : undefined;
  }
}

/** What one page may have of the network, and what it had. */
export class Passage {
  readonly user = randomBytes(9).toString('base64url');
  readonly password = randomBytes(24).toString('base64url');
  readonly #mostBytes: number;
  readonly #connect: Connect;
  readonly #onEnd: (user: string) => void;
  readonly #ended = new AbortController();
  readonly #origins = new Set<string>();
  readonly #refusals: Refusal[] = [];
  #bytes = 0;
  #address = '';

  constructor(mostBytes: number, connect: Connect, onEnd: (user: string) => void) {
    this.#mostBytes = mostBytes;
    this.#connect = connect;
    this.#onEnd = onEnd;
  }

  /** Bytes that have come in, as they were on the wire. */
  get bytes(): number {
    return this.#bytes;
  }

  get isOver(): boolean {
    return this.#bytes > this.#mostBytes;
  }

  /** The address of the connection that was made first: that of the page, unless a redirect led there. */
  get address(): string {
    return this.#address;
  }

  /** The newest ones last; of no more than a hundred. */
  get refusals(): readonly Refusal[] {
    return this.#refusals;
  }

  isOpenedBy(password: string): boolean {
    const given = Buffer.from(password);
    const own = Buffer.from(this.password);
    return given.length === own.length && timingSafeEqual(given, own);
  }

  /** Requests to the origin of a URL may pass from now on. */
  allow(url: URL): void {
    this.#origins.add(url.origin);
  }

  /** @throws {FetchProblem} for what may not be reached, or cannot be */
  async dial(url: URL): Promise<Socket> {
    if (!this.#origins.has(url.origin)) {
      throw new FetchProblem('robots', `nobody has asked whether ${url.host} may be requested`);
    }
    if (this.isOver) throw new FetchProblem('too_large', 'the page has had all its bytes');
    const { hostname, host, protocol } = url;
    // The browser's TLS goes through as it is.
    const port = url.port === '' ? (protocol === 'https:' ? '443' : '80') : url.port;
    const socket = await new Promise<Socket>((resolve, reject) => {
      const connected = this.#connect(this.#ended.signal, (_, address) => {
        if (this.#address === '') this.#address = address;
      });
      connected({ hostname, host, protocol: 'http:', port }, (...[error, socket]) => {
        if (socket) resolve(socket);
        else reject(networkProblem(error, url) ?? error);
      });
    });
    const end = (): void => void socket.destroy();
    this.#ended.signal.addEventListener('abort', end, { once: true });
    socket.on('close', () => this.#ended.signal.removeEventListener('abort', end));
    socket.on('data', (chunk: Buffer) => {
      this.#bytes += chunk.length;
      if (this.isOver) this.#ended.abort(new FetchProblem('too_large', 'the page has had all its bytes'));
    });
    return socket;
  }

  refused(target: string, error: unknown): void {
    const problem = error instanceof FetchProblem ? error : new FetchProblem('connect', String(error));
    this.#refusals.push({ target, problem });
    if (this.#refusals.length > MOST_REFUSALS) this.#refusals.shift();
  }

  /** Its connections are closed, and its login opens nothing any more. */
  end(): void {
    this.#onEnd(this.user);
    this.#ended.abort(new FetchProblem('aborted', 'the page is over'));
  }
}

export interface Refusal {
  /** As the browser named it: a URL, or `host:port`. */
  readonly target: string;
  readonly problem: FetchProblem;
}

/** A host that the proxy answers for itself: a page asks for it once, so that its browser knows the login from there on. */
export const GREETING_HOST = 'greeting.hydrant.invalid';

const ASKS_FOR_LOGIN = { 'proxy-authenticate': 'Basic realm="hydrant"', 'content-length': '0' };
const HEADER_BYTES = 64 * 1_024;
const MOST_REFUSALS = 100;

/** The page is told that it may not, or that the host is not there. */
function statusFor(error: unknown): number {
  return error instanceof FetchProblem && FORBIDDEN.has(error.reason) ? 403 : 502;
}

const FORBIDDEN: ReadonlySet<string> = new Set(['private_address', 'bad_url', 'robots', 'too_large']);
