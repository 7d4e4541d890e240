import type { FastifyInstance } from 'fastify';
import { createAdminServer } from '../../../src/daemon/admin/server.ts';
import { createServer } from '../../../src/daemon/http/server.ts';
import { View } from '../../../src/daemon/view/view.ts';
import type { CrawlService } from '../../../src/daemon/admin/crawl.ts';
import type { Sources } from '../../../src/daemon/crawl/sources.ts';
import type { Sinks } from '../../../src/daemon/notify/sinks.ts';
import { crawlFigures } from '../../fixtures/crawl-figures.ts';
import type { Status } from '../../../src/shared/api/status.ts';
import { idleStatus } from '../../fixtures/status.ts';
import { uncalledServices } from '../admin/uncalled-services.ts';
import { RecordingLog } from '../http/api.ts';
import { type House, openHouse } from '../taps/house.ts';

export interface Shown {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface ViewOptions {
  readonly trustedProxies?: readonly string[];
  readonly status?: Status;
}

/** The view on a port of loopback, over rooms in memory. */
export class OpenView {
  readonly house: House;
  readonly admin: FastifyInstance;
  readonly url: string;
  readonly #server: FastifyInstance;

  private constructor(house: House, servers: { admin: FastifyInstance; server: FastifyInstance }, url: string) {
    this.house = house;
    this.admin = servers.admin;
    this.#server = servers.server;
    this.url = url;
  }

  static async open({ status = idleStatus, ...options }: ViewOptions = {}): Promise<OpenView> {
    const house = await openHouse();
    const log = new RecordingLog();
    const { organizations, metering } = house.accounts;
    const view = new View({ ...house, log, organizations, metering, eventLog: house.storage.eventLog });
    const server = createServer({ ...house, log }, { ...options, beside: view.routes });
    const url = await server.listen({ host: '127.0.0.1', port: 0 });
    const crawl = {
      status: async () => crawlFigures,
      history: () => ({ day_seconds: 900, week_seconds: 3_600, day: [null], week: [null] }),
    } as Partial<CrawlService> as CrawlService;
    const admin = createAdminServer({
      ...house,
      ...uncalledServices,
      log,
      crawl,
      sources: { list: async () => [] } as unknown as Sources,
      sinks: { list: async () => [] } as unknown as Sinks,
      status: async () => status,
    });
    view.attach(admin, url);
    return new OpenView(house, { admin, server }, url);
  }

  async close(): Promise<void> {
    await this.house.hub.closeAll(0);
    await this.#server.close();
    await this.admin.close();
  }

  /** A request without a session but the one of `cookie`. */
  async ask(path: string, { cookie, form, headers = {} }: Asked = {}): Promise<Shown> {
    const answer = await fetch(this.url + path, {
      method: form === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: {
        ...(cookie !== undefined && { cookie }),
        ...(form !== undefined && { origin: this.url }),
        ...headers,
      },
      ...(form !== undefined && { body: new URLSearchParams(form).toString() }),
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  }

  async link(): Promise<string> {
    const answer = await this.admin.inject({ method: 'POST', url: '/admin/ui/links' });
    const { data } = JSON.parse(answer.body) as { data: { url: string } };
    return new URL(data.url).searchParams.get('code') ?? '';
  }

  /** Cookies of who is signed in. */
  async operator(): Promise<string> {
    return cookieOf(await this.ask('/ui/enter', { form: { code: await this.link() } }));
  }

  async member(key: string): Promise<string> {
    return cookieOf(await this.ask('/ui/sign-in', { form: { key } }));
  }
}

interface Asked {
  readonly cookie?: string | undefined;
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a browser would send back. */
export function cookieOf({ headers }: Shown): string {
  return headers.getSetCookie()[0]?.split(';')[0] ?? '';
}
