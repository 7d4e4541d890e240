import type { FastifyInstance } from 'fastify';
import { createServer, type ServerOptions } from '../../../src/daemon/http/server.ts';
import type { Filters } from '../../../src/daemon/filters/filters.ts';
import type { ProblemBody } from '../../../src/shared/api/problem.ts';
import { type House, openHouse } from '../taps/house.ts';

export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** Lines the server logged, in order. */
export class RecordingLog {
  readonly lines: { level: 'warn' | 'error'; facts: unknown; message: string }[] = [];
  readonly warn = (facts: unknown, message = ''): void => void this.lines.push({ level: 'warn', facts, message });
  readonly error = (facts: unknown, message = ''): void => void this.lines.push({ level: 'error', facts, message });
}

/** The public API on an ephemeral loopback port, over rooms in memory. */
export class Api {
  readonly house: House;
  readonly server: FastifyInstance;
  readonly log: RecordingLog;
  readonly url: string;

  private constructor(house: House, server: FastifyInstance, log: RecordingLog, url: string) {
    this.house = house;
    this.server = server;
    this.log = log;
    this.url = url;
  }

  static async open(options: ServerOptions & { filters?: Pick<Filters, 'lookup'> } = {}): Promise<Api> {
    const house = await openHouse();
    const log = new RecordingLog();
    const { filters } = options;
    const server = createServer({ ...house, log, ...(filters && { filters }) }, options);
    const url = await server.listen({ host: '127.0.0.1', port: 0 });
    return new Api(house, server, log, url);
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  async close(): Promise<void> {
    await this.house.hub.closeAll(0);
    await this.server.close();
  }

  /** `key` undefined: no Authorization header. An object is sent as JSON, a string as it is. */
  async call<Body = ProblemBody>(
    method: string,
    path: string,
    key?: string,
    body?: object | string,
    headers: Record<string, string> = {},
  ): Promise<Answer<Body>> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(typeof body === 'object' && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const read = (text === '' ? undefined : JSON.parse(text)) as Body;
    return { status: response.status, headers: response.headers, body: read };
  }

  /** A tap of the first organization: its id and its token. */
  async newTap(name = 'news'): Promise<{ id: string; token: string }> {
    return this.house.taps.create(this.house.organizationId, name);
  }
}
