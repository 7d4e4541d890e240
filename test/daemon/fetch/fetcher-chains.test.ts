import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { refreshTarget } from '../../../src/daemon/fetch/request-profile.ts';
import { failure, fetcherFor, never, Site } from './site.ts';

const page = '<title>There</title><p>What is there.';
const refresh = (content: string): string => `<html><head><meta http-equiv="refresh" content="${content}"></head>`;

async function siteOf(
  answers: Record<string, string | ((request: IncomingMessage, response: ServerResponse) => void)>,
): Promise<{ readonly site: Site; readonly asked: { readonly path: string; readonly cookie: string | undefined }[] }> {
  const asked: { path: string; cookie: string | undefined }[] = [];
  const site = await Site.http((request, response) => {
    const { url = '/', headers } = request;
    asked.push({ path: url, cookie: headers.cookie });
    const answer = answers[url];
    response.setHeader('content-type', 'text/html');
    if (answer === undefined) response.writeHead(404).end();
    else if (typeof answer === 'string') response.end(answer);
    else answer(request, response);
  });
  return { site, asked };
}

describe('a page that is to be refreshed after 0 seconds', () => {
  test('is a redirect: what is read is where it leads', async () => {
    const { site, asked } = await siteOf({ '/old': refresh('0; url=/new?a=1&amp;b=2'), '/new?a=1&b=2': page });
    const fetched = await fetcherFor().fetch({ url: site.url('/old') }, never());
    expect(fetched).toMatchObject({ outcome: 'fetched', url: site.url('/new?a=1&b=2') });
    // It is no word that the page has moved for good, and the next visit asks for the same address.
    expect(fetched).not.toHaveProperty('movedTo');
    expect(fetched).not.toHaveProperty('validators');
    expect(asked.map(({ path }) => path)).toEqual(['/old', '/new?a=1&b=2']);
  });

  test('passes the gate of a redirect, which may refuse it', async () => {
    const { site } = await siteOf({ '/old': refresh('0;URL=http://127.0.0.9/x') });
    const mayFollow = async () => ({ outcome: 'failed', reason: 'moved', detail: 'not now' }) as const;
    expect(await fetcherFor().fetch({ url: site.url('/old'), mayFollow }, never())).toEqual(failure('moved'));
  });

  test('five of them and no more are followed', async () => {
    const steps = Array.from({ length: 8 }, (_, step) => [`/${step}`, refresh(`0;url=/${step + 1}`)] as const);
    const { site, asked } = await siteOf(Object.fromEntries(steps));
    expect(await fetcherFor().fetch({ url: site.url('/0') }, never())).toEqual(failure('redirects'));
    expect(asked).toHaveLength(6);
  });

  test('is the page that is meant where it leads to itself, back, or nowhere', async () => {
    for (const content of ['0', '0;url=', '0;url=/page#top', '0; url=javascript:alert(1)', '0;url=http://[']) {
      const { site } = await siteOf({ '/page': refresh(content) });
      expect(await fetcherFor().fetch({ url: site.url('/page') }, never())).toMatchObject({
        outcome: 'fetched',
        url: site.url('/page'),
      });
    }
  });

  test.each([
    ['<META HTTP-EQUIV=Refresh CONTENT=0;URL=/new>', '/new'],
    [`<meta content='0; URL="/n e w"' http-equiv='REFRESH'>`, '/n e w'],
    ['<meta http-equiv="refresh" content="  0.5 , /new ">', '/new'],
    ['<meta name="a" content=">"><meta http-equiv="refresh" content="0 url=/new">', '/new'],
    ['<meta http-equiv="refresh" content="1; url=/new">', undefined],
    ['<meta http-equiv="refresh" content="10; url=/new">', undefined],
    ['<meta http-equiv="refresh" content="url=/new">', undefined],
    ['<meta http-equiv="refresh" content="5"><meta http-equiv="refresh" content="0;url=/new">', undefined],
    ['<!-- <meta http-equiv="refresh" content="0;url=/new"> -->', undefined],
    ['<noscript><meta http-equiv="refresh" content="0;url=/new"></noscript>', undefined],
    ['<script>"<meta http-equiv=refresh content=0;url=/new>"</script>', undefined],
    ['<title><meta http-equiv="refresh" content="0;url=/new"></title>', undefined],
    ['<body><p>As in <meta http-equiv="refresh" content="0;url=/new">', undefined],
    ['<meta name="refresh" content="0;url=/new">', undefined],
  ])('%s', (html, target) => {
    expect(refreshTarget(Buffer.from(html), 'text/html; charset=utf-8')).toBe(target);
  });

  test('is what the text of a plain file says, and no more', () => {
    expect(refreshTarget(Buffer.from(refresh('0;url=/new')), 'text/plain')).toBeUndefined();
  });
});

describe('a redirect that sets a cookie', () => {
  const wants =
    (cookie: string, to = '/page') =>
    (request: IncomingMessage, response: ServerResponse) => {
      if (request.headers.cookie?.includes(cookie) === true) response.end(page);
      else response.writeHead(302, { location: to, 'set-cookie': `${cookie}; Path=/; HttpOnly` }).end();
    };

  test('and leads back has the cookie with the next request, and the page is there', async () => {
    const { site, asked } = await siteOf({ '/page': wants('seen=1') });
    const fetched = await fetcherFor().fetch({ url: site.url('/page') }, never());
    expect(fetched).toMatchObject({ outcome: 'fetched', url: site.url('/page') });
    expect(asked).toEqual([
      { path: '/page', cookie: undefined },
      { path: '/page', cookie: 'seen=1' },
    ]);
  });

  test('over another page of its own', async () => {
    const { site } = await siteOf({
      '/page': wants('a=b', '/set'),
      '/set': (_, response) => response.writeHead(302, { location: '/page' }).end(),
    });
    expect(await fetcherFor().fetch({ url: site.url('/page') }, never())).toMatchObject({ outcome: 'fetched' });
  });

  test('is forgotten after it: the next visit begins without', async () => {
    const { site, asked } = await siteOf({ '/page': wants('seen=1') });
    const fetcher = fetcherFor();
    for (let visit = 0; visit < 2; visit += 1) await fetcher.fetch({ url: site.url('/page') }, never());
    expect(asked.map(({ cookie }) => cookie)).toEqual([undefined, 'seen=1', undefined, 'seen=1']);
  });

  test('goes to nobody else', async () => {
    const other = await siteOf({ '/there': page });
    const { site } = await siteOf({
      '/page': (_, response) =>
        response
          .writeHead(302, { location: other.site.url('/there'), 'set-cookie': 'secret=1; Domain=127.0.0.1' })
          .end(),
    });
    expect(await fetcherFor().fetch({ url: site.url('/page') }, never())).toMatchObject({ outcome: 'fetched' });
    expect(other.asked).toEqual([{ path: '/there', cookie: undefined }]);
  });

  test('and does not look for it ends: it is asked once more with the same cookie, and no more', async () => {
    const { site, asked } = await siteOf({
      '/page': (_, response) => response.writeHead(302, { location: '/page', 'set-cookie': 'seen=1' }).end(),
    });
    expect(await fetcherFor().fetch({ url: site.url('/page') }, never())).toEqual(failure('redirects'));
    expect(asked).toHaveLength(2);
  });

  test('another one each time ends, too', async () => {
    let turn = 0;
    const { site, asked } = await siteOf({
      '/page': (_, response) => {
        turn += 1;
        response.writeHead(302, { location: '/page', 'set-cookie': `seen=${turn}` }).end();
      },
    });
    expect(await fetcherFor().fetch({ url: site.url('/page') }, never())).toEqual(failure('redirects'));
    expect(asked).toHaveLength(2);
  });

  test.each(['a', '=b', 'a b=c', 'a=\u00e9', 'a=b; Max-Age=0', `a=${'x'.repeat(5_000)}`])(
    'that is none: %j',
    async (line) => {
      const { site, asked } = await siteOf({
        '/page': (_, response) => response.writeHead(302, { location: '/new', 'set-cookie': line }).end(),
        '/new': page,
      });
      await fetcherFor().fetch({ url: site.url('/page') }, never());
      expect(asked[1]).toEqual({ path: '/new', cookie: undefined });
    },
  );
});
