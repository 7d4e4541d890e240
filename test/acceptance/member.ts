import type { CrawlEntry, Watch } from '../../src/shared/api/watch.ts';

/** The public API as the holder of a key sees it. */
export class Member {
  readonly #url: string;
  readonly #key: string;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  async ask(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
    const headers = {
      authorization: `Bearer ${this.#key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const said = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${this.#url}${path}`, { method, headers, ...said });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  }

  async watch(url: string): Promise<Watch> {
    const { status, body } = await this.ask('POST', '/v1/url-watch', { url, frequency_minutes: 5 });
    if (status !== 201) throw new Error(`${url} is not watched: ${status} ${JSON.stringify(body)}`);
    return (body as { data: Watch }).data;
  }

  /** With its newest crawls, 100 at most. */
  async show(id: string): Promise<{ data: Watch; diffs: CrawlEntry[] }> {
    return (await this.ask('GET', `/v1/url-watch/${id}?limit=100`)).body as { data: Watch; diffs: CrawlEntry[] };
  }

  async change(id: string, change: unknown): Promise<Watch> {
    return ((await this.ask('PUT', `/v1/url-watch/${id}`, change)).body as { data: Watch }).data;
  }
}
