import type { FastifyInstance } from 'fastify';
import { createServer, type ServerOptions } from '../../../src/daemon/http/server.ts';
import type { Filters } from '../../../src/daemon/filters/filters.ts';
import { followCatalog, followNodes } from '../../../src/daemon/composition/catalog-feed.ts';
import type { Storage } from '../../../src/daemon/storage/storage.ts';
import type { ProblemBody } from '../../../src/shared/api/problem.ts';
import { openMemory } from '../../reference/storage/memory.ts';
import { HeldOutside, type House, instanceSecret, openHouse } from '../taps/house.ts';

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

/** One of the servers of an API. */
interface Node {
  readonly house: House;
  readonly server: FastifyInstance;
  readonly url: string;
}

interface ApiOptions extends ServerOptions {
  readonly filters?: Pick<Filters, 'lookup'>;
  /** Of the same data; each has a server of its own. The first is closed last. */
  readonly storages?: readonly [Storage, ...Storage[]];
}

/** The public API on ephemeral loopback ports, over rooms in memory, or over one or more storages. */
export class Api {
  readonly #nodes: readonly [Node, ...Node[]];
  #turn = 0;
  readonly log: RecordingLog;

  private constructor(nodes: readonly [Node, ...Node[]], log: RecordingLog) {
    this.#nodes = nodes;
    this.log = log;
  }

  static async open({ filters, storages = [openMemory()], ...options }: ApiOptions = {}): Promise<Api> {
    const log = new RecordingLog();
    const clock = new HeldOutside();
    const open = async (storage: Storage): Promise<Node> => {
      const house = await openHouse(storage, instanceSecret, clock);
      if (storages.length > 1) await followOthers(house, log);
      const { requestCounts } = storage.nodes;
      const server = createServer({ ...house, log, requestCounts, ...(filters && { filters }) }, options);
      return { house, server, url: await server.listen({ host: '127.0.0.1', port: 0 }) };
    };
    const [first, ...others] = storages;
    const nodes: [Node, ...Node[]] = [await open(first)];
    for (const storage of others) nodes.push(await open(storage));
    return new Api(nodes, log);
  }

  /** What a test looks into. */
  get house(): House {
    return this.#nodes[0].house;
  }

  get server(): FastifyInstance {
    return this.#nodes[0].server;
  }

  /** Of one server after another. */
  get url(): string {
    this.#turn += 1;
    return (this.#nodes[this.#turn % this.#nodes.length] ?? this.#nodes[0]).url;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** Streams that are open. */
  get openStreams(): number {
    return this.#nodes.reduce((sum, { house }) => sum + house.hub.open, 0);
  }

  async close(): Promise<void> {
    for (const { house, server } of this.#nodes) {
      await house.hub.closeAll(0);
      await server.close();
      await house.accounts.metering.settle();
    }
    for (const { house } of this.#nodes.toReversed()) await house.storage.close();
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

/** As the daemon does, without a crawl and sinks. */
async function followOthers(house: House, log: RecordingLog): Promise<void> {
  const { storage, hub, accounts, quota, watchNews: notifier } = house;
  const [sources, sinkLoops] = [
    { follow: () => undefined },
    { sync: () => undefined, tapsMoved: () => undefined, watchChanged: () => undefined },
  ];
  followNodes({ nodes: storage.nodes, hub, sinkLoops, notifier });
  await followCatalog({ ...house, credit: accounts.credit, quota, sources, sinkLoops, log });
}
