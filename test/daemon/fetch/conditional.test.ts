import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Fetched, PageRequest } from '../../../src/daemon/fetch/fetched.ts';
import { at, failure, fetcherFor, never, Site } from './site.ts';

const html = '<!doctype html><title>Zürich</title><p>Grüezi.';

interface Visited {
  readonly site: Site;
  readonly asked: IncomingHttpHeaders[];
  readonly fetch: (request?: Partial<PageRequest>) => Promise<Fetched>;
}

async function visiting(listener: RequestListener): Promise<Visited> {
  const asked: IncomingHttpHeaders[] = [];
  const site = await Site.http((request, response) => {
    asked.push(request.headers);
    listener(request, response);
  });
  const fetcher = fetcherFor({ resolve: at('127.0.0.1') });
  return { site, asked, fetch: (request) => fetcher.fetch({ url: site.url(), ...request }, never()) };
}

describe('validators', () => {
  test('come with the body, and go back as they were written', async () => {
    const etag = 'W/"caf\u00e9, \t1"';
    const lastModified = 'Mon, 1 jan 2024 7:00 CET';
    const { asked, fetch } = await visiting((request, response) => {
      if (request.headers['if-none-match'] !== undefined) response.writeHead(304).end();
      else response.writeHead(200, { etag, 'last-modified': lastModified }).end(html);
    });
    const first = await fetch();
    expect(first).toMatchObject({ outcome: 'fetched', validators: { etag, lastModified } });
    const second = await fetch({ validators: { etag, lastModified } });
    expect(asked.map((headers) => [headers['if-none-match'], headers['if-modified-since']])).toEqual([
      [undefined, undefined],
      [etag, lastModified],
    ]);
    expect(second).toMatchObject({
      outcome: 'not_modified',
      validators: { etag, lastModified },
      answer: { status: 304, bytes: 0 },
    });
  });

  test('of a 304 go before those that were sent', async () => {
    const { fetch } = await visiting((_, response) => response.writeHead(304, { etag: '"2"' }).end());
    expect(await fetch({ validators: { etag: '"1"', lastModified: 'x' } })).toMatchObject({
      validators: { etag: '"2"', lastModified: 'x' },
    });
  });

  test('of a page that is empty, broken off or an error are not told', async () => {
    const { fetch } = await visiting((_, response) => response.writeHead(404, { etag: '"1"' }).end(html));
    expect(await fetch()).not.toHaveProperty('validators');
  });

  test('are for the URL they came from: not sent on, and not taken from behind a redirect', async () => {
    const { asked, fetch, site } = await visiting((request, response) => {
      if (request.headers.host?.startsWith('b.test')) response.writeHead(200, { etag: '"b"' }).end(html);
      else response.writeHead(302, { location: `http://b.test:${site.port}/` }).end();
    });
    const fetched = await fetch({ validators: { etag: '"a"' } });
    expect(asked.map((headers) => headers['if-none-match'])).toEqual(['"a"', undefined]);
    expect(fetched).toMatchObject({ outcome: 'fetched' });
    expect(fetched).not.toHaveProperty('validators');
  });

  test.each([{}, { validators: {} }, { validators: { etag: 'not\u2028sendable' } }])(
    'that were not sent (%j) make a 304 a failure',
    async (request) => {
      const { fetch } = await visiting((_, response) => response.writeHead(304).end());
      expect(await fetch(request)).toEqual(
        failure('status', 'the server answered 304 Not Modified, but the request was not conditional'),
      );
    },
  );

  test('that a redirect led away from do so, too', async () => {
    const { fetch } = await visiting((request, response) => {
      if (request.url === '/') response.writeHead(302, { location: '/b' }).end();
      else response.writeHead(304).end();
    });
    expect(await fetch({ validators: { etag: '"a"' } })).toEqual(failure('status'));
  });
});

describe('what the answer tells', () => {
  test('of when to come back and how long it holds, whatever came of it', async () => {
    const { fetch, site } = await visiting((_, response) => {
      response.writeHead(503, { 'retry-after': '120', 'cache-control': 'max-age=7' }).end('busy');
    });
    expect(await fetch()).toEqual({
      outcome: 'failed',
      reason: 'status',
      detail: 'the server answered 503 Service Unavailable',
      answer: {
        host: `127.0.0.1:${site.port}`,
        status: 503,
        ms: expect.any(Number) as number,
        bytes: expect.any(Number) as number,
        address: '127.0.0.1',
        retryAfterMs: 120_000,
        maxAgeMs: 7_000,
        madeAt: expect.any(Number) as number,
      },
    });
  });

  test('is of the host that answered last, with the bytes of all', async () => {
    const packed = gzipSync(html);
    const { fetch, site } = await visiting((request, response) => {
      if (request.url === '/') response.writeHead(302, { location: `http://b.test:${site.port}/b` }).end('12345');
      else response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed);
    });
    const { answer } = (await fetch()) as { answer: { host: string; bytes: number } };
    expect(answer).toMatchObject({ host: `b.test:${site.port}`, status: 200, address: '127.0.0.1' });
    expect([packed.length, packed.length + 5]).toContain(answer.bytes);
  });

  test('is nothing where nobody did', async () => {
    expect(await fetcherFor().fetch({ url: 'http://127.0.0.1:1/' }, never())).not.toHaveProperty('answer');
  });

  test('of a redirect remains when what it leads to is refused', async () => {
    const { fetch } = await visiting((_, response) => response.writeHead(301, { location: 'http://10.0.0.1/' }).end());
    expect(await fetch()).toMatchObject({ reason: 'private_address', answer: { status: 301 } });
  });
});

describe('a page that has moved', () => {
  test.each([
    [[301], true],
    [[308, 301], true],
    [[302], false],
    [[301, 302], false],
    [[307, 308], false],
    [[303], false],
    [[], false],
  ])('by redirects %j is known there from now on: %s', async (statuses, moved) => {
    const { fetch, site } = await visiting((request, response) => {
      const at = Number(request.url?.slice(1));
      const status = statuses[at];
      if (status === undefined) response.end(html);
      else response.writeHead(status, { location: `/${at + 1}` }).end();
    });
    const fetched = await fetch({ url: site.url('/0') });
    expect(fetched).toMatchObject({ outcome: 'fetched', url: site.url(`/${statuses.length}`) });
    expect((fetched as { movedTo?: string }).movedTo).toBe(moved ? site.url(`/${statuses.length}`) : undefined);
  });
});

describe('the exchange for an archive', () => {
  test('is the request as it was sent, the head as it was received, and the body as it was encoded', async () => {
    const packed = gzipSync(html);
    const head = `HTTP/1.1 200 Fine, Thanks\r\nX-Odd: twö\r\ncontent-encoding: gzip\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Length: ${packed.length}\r\n`;
    let received = '';
    const site = await Site.listening((socket) => {
      socket.on('data', (data) => {
        received += data.toString('latin1');
        if (!received.endsWith('\r\n\r\n')) return;
        socket.write(`${head}\r\n`, 'latin1');
        socket.write(packed);
      });
    });
    const validators = { etag: '"caf\u00e9"' };
    const request = { url: site.url('/a?b=c'), withExchange: true, validators };
    const fetched = await fetcherFor().fetch(request, never());
    const { exchange } = fetched as Extract<Fetched, { outcome: 'fetched' }>;
    expect(exchange?.requestHead).toBe(received.slice(0, -2));
    expect(exchange?.responseHead).toBe(head);
    expect(Buffer.from(exchange?.wire ?? []).equals(packed)).toBe(true);
  });

  test('is kept only where it is asked for', async () => {
    const { fetch } = await visiting((_, response) => response.end(html));
    expect(await fetch()).not.toHaveProperty('exchange');
    expect(await fetch({ withExchange: true })).toHaveProperty('exchange');
  });
});
