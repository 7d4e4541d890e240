import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiDocument } from './api-document.ts';
import { routesOf } from './routes.ts';
import { docsColors, docsPage } from '../../src/daemon/http/docs-page.ts';
import { FEED_ROUTE } from '../../src/daemon/http/feeds.ts';
import { Api } from '../daemon/http/api.ts';

let api: Api;
let document: ApiDocument;
beforeAll(async () => {
  api = await Api.open();
  document = await ApiDocument.of(api);
});
afterAll(() => api.close());

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );

describe('the document of the API', () => {
  test('has every route that is registered, and no other', () => {
    // Feeds are beside the API: for readers of feeds, which have an address and no key.
    const ofApi = routesOf(api.server).filter(({ path }) => path !== FEED_ROUTE);
    const registered = ofApi.map(({ method, path }) => `${method} ${path}`);
    expect(registered.length).toBeGreaterThan(10);
    const described = operations().map(({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`);
    expect(described.toSorted()).toEqual(registered.toSorted());
    expect(operations().filter(({ operation }) => !operation.operationId)).toEqual([]);
  });

  test('is OpenAPI 3.1 and names each operation once', async () => {
    const { body } = await api.call<{ openapi: string; info: object }>('GET', '/openapi.json');
    expect(body.openapi).toMatch(/^3\.1\./);
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('is valid: a validator of others finds nothing', async () => {
    const { body } = await api.call<object>('GET', '/openapi.json');
    const { valid, errors } = await new Validator().validate(body as Record<string, unknown>);
    expect([valid, errors]).toEqual([true, undefined]);
  });

  test('says where the API is, and names its schemas as programs can', async () => {
    const { body } = await api.call<{ servers: { url: string }[]; components: { schemas: object } }>(
      'GET',
      '/openapi.json',
    );
    expect(body.servers.map(({ url }) => new URL(url, `${api.url}/openapi.json`).href)).toEqual([`${api.url}/`]);
    const names = Object.keys(body.components.schemas);
    expect(names.filter((name) => !/^[A-Z][A-Za-z]+$/.test(name))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['Match', 'StreamEvent', 'UpdateEvent', 'ErrorEvent', 'CrawlEntry']));
  });

  test('has a schema for what a stream says, event by event', async () => {
    const { token } = await api.newTap('typed');
    const headers = { authorization: `Bearer ${token}`, accept: 'application/x-ndjson' };
    const bare = (await (await fetch(`${api.url}/v1/stream`, { headers })).text()).trimEnd().split('\n');
    const shown = document.operation('GET', '/v1/stream').responses['200']?.content?.['application/x-ndjson'];
    const example = String(shown?.example).trimEnd().split('\n');
    const said = [...bare, ...example].map((line) => JSON.parse(line) as { event: string });
    expect(said.map(({ event }) => event)).toEqual(['connected', 'error', 'connected', 'update', 'end']);
    const schema = { $ref: '#/components/schemas/StreamEvent' };
    expect(said.filter((one) => !document.fits(schema, one))).toEqual([]);
    expect(document.fits(schema, { event: 'update', data: {} })).toBe(false);
    expect(document.fits(schema, { event: 'error', data: { message: 'x', code: 'unheard_of' } })).toBe(false);
  });

  test('says for every operation which key it needs, and what happens without one', () => {
    for (const { path, operation } of operations()) {
      const isOpen = operation.security.length === 0;
      expect(isOpen).toBe(!path.startsWith('/v1/') || path === '/v1/validate/public');
      expect('401' in operation.responses).toBe(!isOpen);
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['500', '503']));
    }
  });

  test('names the statuses that the specification names', () => {
    const statuses = (id: string): string[] => {
      const found = operations().find(({ operation }) => operation.operationId === id);
      return Object.keys(found?.operation.responses ?? {});
    };
    expect(statuses('createTap')).toEqual(expect.arrayContaining(['201', '401', '422']));
    expect(statuses('changeTap')).toEqual(expect.arrayContaining(['200', '401', '403', '404', '422']));
    expect(statuses('revokeTap')).toEqual(expect.arrayContaining(['204', '401', '403', '404']));
    for (const id of ['createRule', 'changeRule']) expect(statuses(id)).toEqual(expect.arrayContaining(['422', '429']));
    expect(statuses('stream')).toEqual(expect.arrayContaining(['200', '401', '402', '422', '429']));
    expect(statuses('listWatches')).toEqual(expect.arrayContaining(['200', '401', '422']));
    expect(statuses('createWatch')).toEqual(expect.arrayContaining(['201', '401', '422']));
    for (const id of ['getWatch', 'changeWatch']) {
      expect(statuses(id)).toEqual(expect.arrayContaining(['200', '401', '404', '422']));
    }
    expect(statuses('deleteWatch')).toEqual(expect.arrayContaining(['204', '401', '404']));
    expect(statuses('validate')).toEqual(expect.arrayContaining(['200', '401', '422', '503']));
    expect(statuses('validatePublic')).toEqual(expect.arrayContaining(['200', '422', '429', '503']));
  });

  test('gives an example of each body and each answer, and each fits its schema', () => {
    const [faults, examples]: [string[], unknown[]] = [[], []];
    for (const { method, path, operation } of operations()) {
      const contents = [
        operation.requestBody?.content,
        ...Object.values(operation.responses).map((one) => one.content),
      ];
      for (const media of contents.flatMap((content) => Object.values(content ?? {}))) {
        const values = [...('example' in media ? [media.example] : []), ...named(media.examples)];
        examples.push(...values);
        if (values.length === 0) faults.push(`${method} ${path} has content without an example`);
        faults.push(
          ...values.filter((value) => !document.fits(media.schema, value)).map((value) => JSON.stringify(value)),
        );
      }
    }
    expect(faults).toEqual([]);
    expect(examples.length).toBeGreaterThan(80);
  });
});

function named(examples: Readonly<Record<string, { readonly value: unknown }>> = {}): unknown[] {
  return Object.values(examples).map(({ value }) => value);
}

/** WCAG 2.2, 1.4.3. */
function contrast(one: string, other: string): number {
  const luminance = (color: string): number => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((left, right) => right - left);
  return (light + 0.05) / (dark + 0.05);
}

describe('GET /docs', () => {
  test.each([
    ['127.0.0.1:9000', 'http://127.0.0.1:9000'],
    ['[::1]:9000', 'http://[::1]:9000'],
    ['hydrant.example.org', 'http://hydrant.example.org'],
    ['a.example$(id)', 'http://127.0.0.1:7878'],
    ['a.example"<b>', 'http://127.0.0.1:7878'],
  ])('asked for at %j has curl lines for %s', async (host, url) => {
    const { body } = await api.server.inject({ url: '/docs', headers: { host } });
    expect(body).toContain(`export HYDRANT_URL=${url} HYDRANT_KEY`);
  });

  test('is kept for a few hosts only, and later ones see the default', async () => {
    const bodies: string[] = [];
    for (let host = 0; host < 20; host += 1) {
      bodies.push((await api.server.inject({ url: '/docs', headers: { host: `h${host}.example` } })).body);
    }
    expect(bodies.at(-1)).toContain('export HYDRANT_URL=http://127.0.0.1:7878 ');
  });

  const page = async () => {
    const response = await fetch(`${api.url}/docs`);
    return { response, html: await response.text() };
  };

  test('is one page of HTML that needs nothing from elsewhere, and runs nothing', async () => {
    const { response, html } = await page();
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(html).not.toMatch(/<script|<link|<img|<iframe|@import|url\(|\son\w+=/i);
    expect([...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, target]) => target)).toSatisfy((targets: string[]) =>
      targets.every((target) => target.startsWith('#') || target === 'openapi.json'),
    );
  });

  test('tells of every operation, each of its statuses, and each link leads to one', async () => {
    const { html } = await page();
    for (const { path, operation } of operations()) {
      const [, own = ''] = html.split(`<article id="${operation.operationId}">`);
      const article = own.split('</article>')[0] ?? '';
      expect(article).toContain(`<code>${path}</code>`);
      for (const status of Object.keys(operation.responses)) expect(article).toContain(`>${status}</b>`);
    }
    const ids = new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));
    const links = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.filter((id) => !ids.has(id))).toEqual([]);
  });

  test('shows fields by their path, with their type and what they are for', async () => {
    const { html } = await page();
    expect(html).toContain('<code>data[].last_used_at</code></th><td>string or null</td>');
    expect(html).toContain('<code>timeout</code></th><td>query, integer, from 1 to 300, default 300, optional</td>');
    expect(html).toContain('<code>[].data.document.diff.chunks[].typ</code>');
  });

  test('renders the Markdown of descriptions', async () => {
    const { html } = await page();
    expect(html).toContain('Keys are sent as <code>Authorization: Bearer …</code>.');
    expect(html.replaceAll(/<(pre|code)[^>]*>[^]*?<\/\1>/g, '')).not.toMatch(/`|\*\*|\]\(/);
  });

  test('has a line of curl for each route that says what the route wants', async () => {
    const { html } = await page();
    const lines = [...html.matchAll(/<pre class="curl">([^<]*)<\/pre>/g)].map(([, line = '']) => line);
    expect(lines).toHaveLength(operations().length);
    const plain = lines.map((line) => line.replaceAll('&quot;', '"').replaceAll('&#39;', "'"));
    expect(plain).toContain(
      `curl -s -X POST "$HYDRANT_URL/v1/taps" -H "Authorization: Bearer $HYDRANT_KEY" ` +
        `-H 'Content-Type: application/json' -d '{"name":"news"}'`,
    );
    expect(plain).toContain('curl -N "$HYDRANT_URL/v1/stream" -H "Authorization: Bearer $HYDRANT_TAP_TOKEN"');
    expect(plain).toContain('curl -s "$HYDRANT_URL/v1/rules/$ID" -H "Authorization: Bearer $HYDRANT_TAP_TOKEN"');
  });

  test('fits a phone: nothing has a fixed width, and code and tables are broken instead of scrolled', async () => {
    const { html } = await page();
    expect(html).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
    const style = /<style>([^]*?)<\/style>/.exec(html)?.[1] ?? '';
    expect(style).toMatch(/pre \{[^}]*white-space: pre-wrap/);
    expect(style).toMatch(/body \{[^}]*overflow-wrap: anywhere/);
    expect(style).toMatch(/@media \(max-width: 40rem\) \{[^@]*td[^{]*\{ display: block/);
    expect(style).not.toMatch(/overflow-x|[^-]width: \d+px|nowrap/);
  });

  test('can be read with a screen reader: landmarks, one first heading, no level left out, headers of tables', async () => {
    const { html } = await page();
    expect(html).toMatch(/<html lang="en">[^]*<title>hydrant API<\/title>/);
    for (const landmark of ['header', 'nav', 'main']) expect(html.split(`<${landmark}`)).toHaveLength(2);
    const levels = [...html.matchAll(/<h(\d)/g)].map(([, level]) => Number(level));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).toEqual([]);
    const tables = html.split('<table>').slice(1);
    expect(tables.filter((table) => !table.startsWith('<thead><tr><th scope="col">'))).toEqual([]);
  });

  test('has a contrast of 4.5 to 1 at least, in the light and in the dark', () => {
    const { background, ...others } = docsColors;
    for (const [name, pair] of Object.entries(others)) {
      for (const mode of [0, 1] as const)
        expect([name, contrast(pair[mode], background[mode]) >= 4.5]).toEqual([name, true]);
    }
  });

  test('escapes whatever stands in the document', () => {
    const evil = `<script>alert("1")</script>'&`;
    const html = docsPage({
      info: { title: evil, version: evil, description: evil },
      paths: {
        [evil]: {
          get: {
            operationId: evil,
            tags: [evil],
            summary: evil,
            description: `\`${evil}\``,
            parameters: [{ name: evil, in: evil, description: evil, schema: { type: evil, default: evil } }],
            requestBody: {
              content: { [evil]: { schema: { properties: { [evil]: { const: evil } } }, example: evil } },
            },
            responses: {
              [evil]: { description: evil, content: { [evil]: { schema: {}, example: { [evil]: evil } } } },
            },
          },
        },
      },
    });
    expect(html).not.toContain('<script');
    expect(html).not.toContain('"1"');
  });
});
