import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Key } from '../../src/shared/api/organization.ts';
import type { Rule } from '../../src/shared/api/rule.ts';
import type { Source } from '../../src/shared/api/crawl.ts';
import type { Tap } from '../../src/shared/api/tap.ts';
import type { FetchPage, Upkeep } from '../../src/cli/runtime/context.ts';
import { main } from '../../src/cli/main.ts';

export const TAP: Tap = {
  id: '4f1c2ab8-0000-4000-8000-000000000001',
  name: 'news',
  status: 'active',
  token: `svc_${'a'.repeat(40)}`,
  token_prefix: 'svc_aaaa',
  rules_count: 3,
  last_used_at: null,
  created_at: '2026-02-27T00:00:00+00:00',
};
export const OTHER_TAP: Tap = {
  ...TAP,
  id: '4f1c9999-0000-4000-8000-000000000002',
  name: 'jobs',
  token: `svc_${'b'.repeat(40)}`,
};
export const RULE: Rule = { id: '7d0e0001', value: 'title:release', tag: 'linux', nsfw: false, quality: true };
export const KEY: Key = {
  id: 'k-1',
  name: 'laptop',
  prefix: 'svcm_Yk3a',
  member: 'admin',
  created_at: '2026-02-27T00:00:00+00:00',
};
export const SOURCE: Source = {
  id: 's-0001',
  url: 'https://example.org/',
  scope: 'page',
  depth: null,
  every_seconds: 600,
  max_pages: 1_000,
  baseline: false,
  paused: false,
  created_at: '2026-02-27T00:00:00+00:00',
  pages: 1,
  visits: 0,
  last_visit: null,
  next_visit_at: null,
};

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

type Reply = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** A node:http server that answers from a table and remembers what it was asked, on a Unix socket or a port. */
export class FakeDaemon {
  readonly received: Received[] = [];
  readonly #replies = new Map<string, Reply[]>();
  readonly #server: Server;
  readonly directory: string;
  #address = '';

  private constructor(directory: string) {
    this.directory = directory;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  /** In a data directory of its own, with the notice that the CLI looks for. */
  static async onSocket(): Promise<FakeDaemon> {
    const daemon = new FakeDaemon(await mkdtemp(path.join(tmpdir(), 'hydrant-cli-')));
    const socket = path.join(daemon.directory, 'admin.sock');
    await new Promise<void>((resolve) => daemon.#server.listen(socket, resolve));
    await writeFile(path.join(daemon.directory, 'daemon.json'), JSON.stringify({ socket, pid: 1 }));
    return daemon;
  }

  static async onPort(): Promise<FakeDaemon> {
    const daemon = new FakeDaemon(await mkdtemp(path.join(tmpdir(), 'hydrant-cli-')));
    await new Promise<void>((resolve) => daemon.#server.listen(0, '127.0.0.1', resolve));
    const address = daemon.#server.address();
    if (typeof address === 'object' && address) daemon.#address = `http://127.0.0.1:${address.port}`;
    return daemon;
  }

  get url(): string {
    return this.#address;
  }

  /** `route` is `GET /v1/taps`. Several answers are given one after another, the last one again and again. */
  on(route: string, status: number, body?: unknown, headers: Record<string, string> = {}): this {
    return this.reply(route, (_, response) => {
      const sent = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(sent);
    });
  }

  reply(route: string, reply: Reply): this {
    this.#replies.set(route, [...(this.#replies.get(route) ?? []), reply]);
    return this;
  }

  /** What was sent to `route`. */
  sent(route: string): Received[] {
    return this.received.filter(({ method, path: asked }) => `${method} ${asked}` === route);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await rm(this.directory, { recursive: true, force: true });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { method = '', url = '' } = request;
    const { authorization, 'content-type': type } = request.headers;
    const isJson = type === undefined || type === 'application/json';
    const read: unknown = isJson && body !== '' ? JSON.parse(body) : body || undefined;
    this.received.push({ method, path: url, authorization, body: read });
    const waiting = this.#replies.get(`${method} ${url}`) ?? [];
    const reply = waiting.length > 1 ? waiting.shift() : waiting[0];
    if (reply) reply(request, response, body);
    else response.writeHead(404).end(JSON.stringify({ message: `no such route: ${method} ${url}` }));
  }
}

export const noFetch: FetchPage = () => Promise.reject(new Error('no fetch was expected'));

export const noUpkeep = (): Promise<Upkeep> => Promise.reject(new Error('no upkeep was expected'));

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Record<string, string | undefined>;
  /** A terminal of so many columns; absent: pipes. */
  readonly columns?: number;
  readonly input?: string;
  readonly name?: 'hydrant' | 'hydrantd';
  readonly serve?: (flags: Record<string, unknown>) => Promise<number>;
  readonly fetchPage?: FetchPage;
  readonly upkeep?: () => Promise<Upkeep>;
}

/** The command line in this process, with streams of its own. */
export async function run(argv: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const terminal = { isTTY: options.columns !== undefined, columns: options.columns };
  const stream = (): PassThrough & typeof terminal => Object.assign(new PassThrough(), terminal);
  const io = { stdin: stream(), stdout: stream(), stderr: stream(), env: options.env ?? {}, exit: () => {} };
  io.stdin.end(options.input ?? '');
  const said = Promise.all([text(io.stdout), text(io.stderr)]);
  const serve = options.serve ?? (() => Promise.reject(new Error('serve was not expected')));
  const fetchPage = options.fetchPage ?? noFetch;
  const upkeep = options.upkeep ?? noUpkeep;
  const programs = { serve, fetchPage, upkeep, daemonPath: '/nowhere', ...(options.name && { name: options.name }) };
  const code = await main(argv, io, programs);
  io.stdout.end();
  io.stderr.end();
  const [stdout, stderr] = await said;
  return { code, stdout, stderr };
}
