import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Resolve } from '../../../src/daemon/fetch/names.ts';
import type { Fetched } from '../../../src/daemon/fetch/fetched.ts';
import { createFetcher, userAgent } from '../../../src/daemon/fetch/fetcher.ts';
import { StartFailure } from '../../../src/daemon/start-failure.ts';
import { AddressGuard } from '../../../src/daemon/fetch/address-guard.ts';
import { at, failure, fetcherFor, never, saying, Site, visit } from './site.ts';

const MIB = 1024 * 1024;
const html = '<!doctype html><title>Zürich</title><p>Grüezi.';

/** 16 bytes of SHA-256. */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

async function visitRaw(answer: string): Promise<Fetched> {
  const site = await Site.raw((socket) => socket.end(answer, 'latin1'));
  const fetched = await fetcherFor().fetch({ url: site.url() }, never());
  await site.deserted();
  return fetched;
}

async function endless(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/html' });
  const chunk = Buffer.alloc(MIB, 'spam ');
  while (!response.destroyed) {
    if (!response.write(chunk)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
}

describe('a page', () => {
  test('arrives with its address, status, type, bytes and hash', async () => {
    const site = await Site.http((_, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8').end(html);
    });
    const fetched = await fetcherFor().fetch({ url: site.url('/news?page=1#top') }, never());
    expect(fetched).toEqual({
      outcome: 'fetched',
      url: site.url('/news?page=1'),
      status: 200,
      contentType: 'text/html; charset=utf-8',
      bytes: new Uint8Array(Buffer.from(html)),
      hash: hashOf(html),
      answer: {
        host: `127.0.0.1:${site.port}`,
        status: 200,
        ms: expect.any(Number) as number,
        bytes: Buffer.byteLength(html),
        address: '127.0.0.1',
        madeAt: expect.any(Number) as number,
      },
    });
    await site.deserted();
  });

  test('is asked for with fixed headers, and nothing else', async () => {
    let seen: unknown;
    await visit((request, response) => {
      seen = { method: request.method, ...request.headers, host: '' };
      response.end(html);
    });
    expect(seen).toEqual({
      method: 'GET',
      host: '',
      connection: 'keep-alive',
      'user-agent': 'hydrant/test',
      accept: expect.stringContaining('text/html') as string,
      'accept-encoding': 'gzip, br, zstd, deflate',
    });
  });

  test.each([
    ['gzip', gzipSync(html)],
    ['br', brotliCompressSync(html)],
    ['zstd', zstdCompressSync(html)],
    ['deflate', deflateSync(html)],
    ['gzip, br', brotliCompressSync(gzipSync(html))],
  ])('is decoded from %s, and hashed as decoded', async (encoding, body) => {
    const fetched = await visit((_, response) => response.setHeader('content-encoding', encoding).end(body));
    expect(fetched).toMatchObject({ hash: hashOf(html) });
  });

  test('may come without a content type, or with one that says nothing', async () => {
    expect(await visit((_, response) => response.end(html))).toMatchObject({ outcome: 'fetched', contentType: '' });
    for (const type of ['unknown/unknown', 'html', '*/*']) {
      const fetched = await visit((_, response) => response.setHeader('content-type', type).end(html));
      expect(fetched).toMatchObject({ outcome: 'fetched', contentType: type });
    }
  });

  test('brings along what its headers say of the content, and no more of it than that may need', async () => {
    const fetched = await visit((_, response) => {
      response.setHeader('Rating', 'RTA-5042-1996-1400-1577-RTA');
      response.setHeader('X-Robots-Tag', ['noindex', 'x'.repeat(1_000)]);
      response.setHeader('Content-Language', 'de-AT').end(html);
    });
    expect(fetched).toMatchObject({ headers: { rating: 'RTA-5042-1996-1400-1577-RTA', contentLanguage: 'de-AT' } });
    const { robots } = (fetched as { headers: { robots: string } }).headers;
    expect([robots.startsWith('noindex, x'), robots.length]).toEqual([true, 500]);
    const silent = await visit((_, response) => response.end(html));
    expect(silent).not.toHaveProperty('headers');
  });

  test('may come by name: the resolver is asked, the Host header keeps the name', async () => {
    const site = await Site.http((request, response) => response.end(request.headers.host));
    const asked: string[] = [];
    const resolve: Resolve = (hostname) => {
      asked.push(hostname);
      return at('127.0.0.1')(hostname);
    };
    const fetched = await fetcherFor({ resolve }).fetch({ url: `http://a.test:${site.port}/` }, never());
    expect(fetched.outcome === 'fetched' && Buffer.from(fetched.bytes).toString()).toBe(`a.test:${site.port}`);
    expect(asked).toEqual(['a.test']);
  });

  test('may come from localhost when loopback is open', async () => {
    const site = await Site.http((_, response) => response.end(html));
    // Where localhost has a v6 address too, both must be open.
    const guard = new AddressGuard({ allowPrivate: ['127.0.0.0/8', '::1/128'] });
    const fetched = await fetcherFor({ guard }).fetch({ url: `http://localhost:${site.port}/` }, never());
    expect(fetched).toMatchObject({ outcome: 'fetched' });
  });

  test('many at once do not mix', async () => {
    const site = await Site.http((request, response) => response.end(`page ${request.url}`));
    const fetcher = fetcherFor();
    const paths = Array.from({ length: 50 }, (_, index) => `/${index}`);
    const pages = await Promise.all(paths.map((path) => fetcher.fetch({ url: site.url(path) }, never())));
    expect(pages.map((page) => page.outcome === 'fetched' && Buffer.from(page.bytes).toString())).toEqual(
      paths.map((path) => `page ${path}`),
    );
    expect(site.accepted).toBe(1);
    await site.deserted();
  });
});

describe('an answer that is no page', () => {
  test.each([
    [206, '206 Partial Content'],
    [404, '404 Not Found'],
    [500, '500 Internal Server Error'],
    [403, '403 Forbidden'],
    [799, '799'],
  ])('status %i fails with its number, and its body is not read', async (status, named) => {
    const fetched = await visit((_, response) => {
      response.writeHead(status).write('an error page that never ends');
    });
    expect(fetched).toEqual(failure('status', `the server answered ${named}`));
    expect(fetched).toMatchObject({ answer: { status } });
  });

  test.each([
    [200, 'the server answered 200 OK with an empty body'],
    [204, 'the server answered 204 No Content with an empty body'],
    [205, 'the server answered 205 Reset Content with an empty body'],
  ])('status %i without a body is empty', async (status, detail) => {
    expect(await visit((_, response) => response.writeHead(status).end())).toEqual(failure('empty', detail));
  });

  test('nothing, gzipped, is empty', async () => {
    const listener: RequestListener = (_, response) => {
      response.setHeader('content-encoding', 'gzip').end(gzipSync(''));
    };
    expect(await visit(listener)).toEqual(failure('empty'));
  });

  test.each(['image/png', 'video/mp4', 'application/octet-stream', 'text/css', 'font/woff2', 'image/svg+xml'])(
    '%s is refused by its header',
    async (type) => {
      const fetched = await visit((_, response) => {
        response.setHeader('content-type', `${type}; charset=utf-8`);
        response.write('a body that never ends');
      });
      expect(fetched).toEqual(failure('content_type', `the content type is "${type}", which hydrant does not read`));
    },
  );

  test.each([
    'text/html',
    'TEXT/HTML',
    'text/plain',
    'application/xhtml+xml',
    'text/markdown',
    'text/csv',
    'text/tab-separated-values',
    'text/xml',
    'application/rss+xml',
    'application/json',
    'application/feed+json',
    'application/pdf',
  ])('%s is let through', async (type) => {
    const fetched = await visit((_, response) => response.setHeader('content-type', type).end(html));
    expect(fetched).toMatchObject({ outcome: 'fetched', contentType: type });
  });

  test.each([
    ['not HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', 'undecodable'],
    ['a broken header', 'HTTP/1.1 200 OK\r\nno colon here\r\n\r\n', 'undecodable'],
    ['a broken chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n', 'undecodable'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxy', 'undecodable'],
    [
      'a broken header behind a length',
      'HTTP/1.1 200 OK\r\ncontent-length: 1\r\nno colon here\r\n\r\nx',
      'undecodable',
    ],
    [
      'another protocol',
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
      'undecodable',
    ],
    ['a continuation', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\nx', 'undecodable'],
    ['nothing at all', '', 'reset'],
    [
      'a body shorter than promised on a connection that closes',
      'HTTP/1.0 200 OK\r\ncontent-length: 9\r\n\r\nx',
      'reset',
    ],
    ['half a header', 'HTTP/1.1 200 OK\r\ncontent-', 'reset'],
  ])('%s', async (_, answer, reason) => {
    const fetched = await visitRaw(answer);
    expect(fetched).toEqual(failure(reason));
    expect(JSON.stringify(fetched)).not.toContain('OpenSSH');
  });
});

describe('an answer that breaks off', () => {
  test('a reset in the middle of the body', async () => {
    const fetched = await visit((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.write(html, () => response.socket?.resetAndDestroy());
    });
    expect(fetched).toEqual(failure('reset'));
  });

  test.each(['1.1', '1.0'])(
    'a reset in the middle of a body that only the connection ends, HTTP/%s',
    async (version) => {
      const site = await Site.raw((socket) => {
        socket.write(`HTTP/${version} 200 OK\r\n\r\n${html}`, () => socket.resetAndDestroy());
      });
      const detail = saying('before its answer was complete');
      expect(await fetcherFor().fetch({ url: site.url() }, never())).toEqual(failure('reset', detail));
    },
  );

  test('a body that only the connection ends, and that is closed in order, is whole', async () => {
    expect(await visitRaw(`HTTP/1.1 200 OK\r\n\r\n${html}`)).toMatchObject({ outcome: 'fetched' });
  });

  test('a body shorter than its Content-Length', async () => {
    const answer = `HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n${html}`;
    expect(await visitRaw(answer)).toEqual(failure('reset', saying('before its answer was complete')));
  });

  test('a chunked body without its last chunk', async () => {
    const answer = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n';
    expect(await visitRaw(answer)).toEqual(failure('reset'));
  });

  test('a gzip body cut short by a server that thinks it is whole', async () => {
    const body = gzipSync(html.repeat(20));
    const cut = body.subarray(0, body.length - 20);
    const fetched = await visit((_, response) => response.setHeader('content-encoding', 'gzip').end(cut));
    expect(fetched).toEqual(failure('undecodable', 'the body is not what its encoding says (Z_BUF_ERROR)'));
  });

  test('a body longer than its Content-Length is read as far as promised', async () => {
    const fetched = await visitRaw(`HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello and much more`);
    expect(fetched).toMatchObject({ outcome: 'fetched', bytes: new Uint8Array(Buffer.from('hello')) });
  });
});

describe('an answer that is too much', () => {
  test('an endless page', async () => {
    expect(await visit((_, response) => void endless(response))).toEqual(
      failure('too_large', 'the page is larger than 5 MiB'),
    );
  });

  test('200 MB, announced', async () => {
    const fetched = await visit((_, response) => {
      response.writeHead(200, { 'content-length': 200_000_000 }).write('x');
    });
    expect(fetched).toEqual(failure('too_large', 'the page is larger than 5 MiB'));
  });

  test.each([
    ['gzip', gzipSync(Buffer.alloc(200 * MIB))],
    ['br', brotliCompressSync(Buffer.alloc(64 * MIB))],
    ['zstd', zstdCompressSync(Buffer.alloc(200 * MIB))],
    ['gzip, gzip', gzipSync(gzipSync(Buffer.alloc(200 * MIB)))],
  ])('a bomb in %s', async (encoding, bomb) => {
    const fetched = await visit((_, response) => response.setHeader('content-encoding', encoding).end(bomb));
    expect(fetched).toEqual(failure('too_large', saying('MiB')));
  });

  test('a flood of headers', async () => {
    const headers = Array.from({ length: 2_000 }, (_, index) => `x-${index}: ${'y'.repeat(50)}\r\n`).join('');
    expect(await visitRaw(`HTTP/1.1 200 OK\r\n${headers}\r\n${html}`)).toEqual(
      failure('too_large', 'the response headers are larger than 32 KiB'),
    );
  });

  test('many headers are read, and a flood of informational answers is not', async () => {
    const many = Array.from({ length: 5_000 }, (_, index) => `${index.toString(36)}:\r\n`).join('');
    expect(await visitRaw(`HTTP/1.1 200 OK\r\n${many}\r\n${html}`)).toMatchObject({ outcome: 'fetched' });
    const few = 'HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n'.repeat(20);
    expect(await visitRaw(`${few}HTTP/1.1 200 OK\r\n\r\n${html}`)).toMatchObject({ outcome: 'fetched' });
    const flood = 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(100_000);
    expect(await visitRaw(flood)).toEqual(failure('undecodable', 'the server sent more than 20 informational answers'));
  });

  test('five million chunks of one byte', async () => {
    const site = await Site.raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      const chunks = '1\r\nx\r\n'.repeat(10_000);
      const pump = (): void => {
        while (!socket.destroyed && socket.write(chunks));
      };
      socket.on('drain', pump);
      pump();
    });
    expect(await fetcherFor().fetch({ url: site.url() }, never())).toEqual(failure('too_large'));
    await site.deserted();
  });
});

describe('an answer that is too slow', () => {
  const deadline = 'the page was not complete within 0.3 s, the deadline for one page';

  test('a body that drips', async () => {
    const fetched = await visit(
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        const timer = setInterval(() => response.write('x'), 20);
        response.on('close', () => clearInterval(timer));
      },
      { deadlineMs: 300 },
    );
    expect(fetched).toEqual(failure('timeout', deadline));
  });

  test('headers that drip, informational answers without end, and silence', async () => {
    for (const line of ['x-drip: 1\r\n', 'HTTP/1.1 103 Early Hints\r\n\r\n', '']) {
      const site = await Site.raw((socket) => {
        if (line.startsWith('x')) socket.write('HTTP/1.1 200 OK\r\n');
        const timer = setInterval(() => socket.write(line), 20);
        socket.on('close', () => clearInterval(timer));
      });
      const fetched = await fetcherFor({ deadlineMs: 300 }).fetch({ url: site.url() }, never());
      expect(fetched).toEqual(failure('timeout', deadline));
      await site.deserted();
    }
  });

  test('redirects, each quick, that together take too long', async () => {
    const site = await Site.http((request, response) => {
      setTimeout(() => response.writeHead(302, { location: `${request.url}x` }).end(), 100);
    });
    const fetched = await fetcherFor({ deadlineMs: 300 }).fetch({ url: site.url() }, never());
    expect(fetched).toEqual(failure('timeout', deadline));
    await site.deserted();
  });

  test('a name that is never looked up', async () => {
    const hanging: Resolve = () => new Promise(() => undefined);
    const fetched = await fetcherFor({ deadlineMs: 300, resolve: hanging }).fetch({ url: 'http://a.test/' }, never());
    expect(fetched).toEqual(failure('timeout', deadline));
  });
});

describe('calling off', () => {
  const hanging = (): Promise<Site> => Site.http(() => undefined);

  test('the caller’s signal ends a fetch that waits, and the connection with it', async () => {
    const site = await hanging();
    const caller = new AbortController();
    const fetching = fetcherFor().fetch({ url: site.url() }, caller.signal);
    await site.connected(1);
    caller.abort();
    expect(await fetching).toEqual(failure('aborted', 'the fetch was cancelled'));
    await site.deserted();
  });

  test('and one that reads', async () => {
    const caller = new AbortController();
    const site = await Site.http((_, response) => {
      response.write(html, () => caller.abort());
    });
    expect(await fetcherFor().fetch({ url: site.url() }, caller.signal)).toEqual(failure('aborted'));
    await site.deserted();
  });

  test('a signal that has already fired fetches nothing', async () => {
    const site = await hanging();
    expect(await fetcherFor().fetch({ url: site.url() }, AbortSignal.abort())).toEqual(failure('aborted'));
    expect(site.accepted).toBe(0);
  });

  test('closing calls off what is under way, and what comes later', async () => {
    const site = await hanging();
    const fetcher = fetcherFor();
    const other = await hanging();
    const urls = [site.url(), site.url('/waits-for-its-turn'), other.url()];
    const fetching = Promise.all(urls.map((url) => fetcher.fetch({ url }, never())));
    await Promise.all([site.connected(1), other.connected(1)]);
    await fetcher.close();
    expect(await fetching).toEqual(urls.map(() => failure('aborted')));
    expect(await fetcher.fetch({ url: site.url() }, never())).toEqual(failure('aborted'));
    await fetcher.close();
    await site.deserted();
    expect(site.accepted).toBe(1);
  });

  test('one fetch that fails leaves the others alone', async () => {
    const site = await Site.http((request, response) => {
      if (request.url === '/bad') response.socket?.resetAndDestroy();
      else response.end(html);
    });
    const fetcher = fetcherFor();
    const paths = ['/a', '/bad', '/b', '/bad', '/c'];
    const fetched = await Promise.all(paths.map((path) => fetcher.fetch({ url: site.url(path) }, never())));
    expect(fetched.map(({ outcome }) => outcome)).toEqual(['fetched', 'failed', 'fetched', 'failed', 'fetched']);
    await site.deserted();
  });
});

describe('the User-Agent', () => {
  test('names the version, and the contact if there is one', () => {
    expect(userAgent('0.1.0', 'https://example.com/bot')).toBe('hydrant/0.1.0 (+https://example.com/bot)');
    expect(userAgent('0.1.0', '')).toBe('hydrant/0.1.0');
  });

  test.each(['a\r\nx: y', 'bücher@example.com', 'a) b'])('a contact like %j is refused at the start', (contact) => {
    expect(() => userAgent('0.1.0', contact)).toThrow(StartFailure);
    expect(() => userAgent('0.1.0', contact)).toThrow(/^crawl-contact: /);
  });
});

test('a fetcher made without a resolver asks the system', async () => {
  const guard = new AddressGuard({ allowPrivate: [] });
  const fetcher = createFetcher({ guard, userAgent: 'hydrant/test', deadlineMs: 10_000 });
  const fetched = await fetcher.fetch({ url: 'http://name.invalid/' }, never());
  expect(fetched).toEqual(failure('dns'));
  await fetcher.close();
});
