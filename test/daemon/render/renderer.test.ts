import { afterAll, describe, expect, test } from 'vitest';
import { htmlOf, makeRenderer, NamedSite, NO_BROWSER, rendered, rendererFor } from './rendering.ts';

/** One browser for most of them: each start takes seconds. */
const renderer = makeRenderer();
afterAll(() => renderer.close());

const page = (body: string): string => `<!doctype html><title>A page</title><body>${body}`;

describe.skipIf(NO_BROWSER)('a rendered page', () => {
  test('has the text that its scripts make, after a call of an API', async () => {
    const site = await NamedSite.pages('site.test', {
      '/': page(
        '<div id=root>Loading</div><script src=/app.js></script><img src=/a.png><link rel=stylesheet href=/a.css>',
      ),
      '/app.js': `fetch('/items.json').then((r) => r.json()).then((items) => {
        document.getElementById('root').innerHTML = items.map((item) => '<p>' + item + '</p>').join('');
      });`,
      '/items.json': '["tea", "milk & sugar"]',
    });
    const fetched = await rendered(renderer, site.url());
    expect(fetched).toMatchObject({
      outcome: 'fetched',
      url: site.url(),
      status: 200,
      answer: { address: '127.0.0.2' },
    });
    expect(fetched).not.toHaveProperty('unsettled');
    expect(await htmlOf(renderer, site.url())).toContain('<div id="root"><p>tea</p><p>milk &amp; sugar</p></div>');
    // Neither pictures nor styles are asked for, by any of the two.
    expect(site.asked).toEqual([...Array(2)].flatMap(() => ['GET /', 'GET /app.js', 'GET /items.json']));
  });

  test('is flat: open and closed shadow roots, slots, and nothing that a form hides', async () => {
    const site = await NamedSite.pages('site.test', {
      '/': page(`<x-open>given</x-open><x-closed></x-closed><form><input name=childNodes><p>in a form</p></form>
        <template>inert</template><noscript>no script</noscript><script type="application/ld+json">{"a":1}</script><script>
        customElements.define('x-open', class extends HTMLElement { constructor() { super();
          this.attachShadow({ mode: 'open' }).innerHTML = '<p>open <slot>usual</slot></p>'; } });
        customElements.define('x-closed', class extends HTMLElement { constructor() { super();
          this.attachShadow({ mode: 'closed' }).innerHTML = '<p>closed <slot>usual</slot></p>'; } });
        </script>`),
    });
    const html = await htmlOf(renderer, site.url());
    expect(html).toContain('<x-open><p>open given</p></x-open><x-closed><p>closed usual</p></x-closed>');
    expect(html).toContain('<input name="childNodes"><p>in a form</p>');
    expect(html).toContain('<script type="application/ld+json">{"a":1}</script>');
    expect(html).not.toMatch(/inert|no script|customElements/);
  });

  test('is asked for with the name of hydrant, and with no login that a site asks for', async () => {
    const heads: string[] = [];
    const site = await NamedSite.listen('site.test', (request, response) => {
      heads.push(`${request.headers['user-agent']} ${request.headers.authorization}`);
      response.writeHead(401, { 'www-authenticate': 'Basic realm=x', 'content-type': 'text/html' }).end('<p>no');
    });
    const failure = { outcome: 'failed', reason: 'status', detail: 'the server answered 401 Unauthorized' };
    expect(await rendered(renderer, site.url())).toMatchObject(failure);
    expect(new Set(heads)).toEqual(
      new Set([expect.stringMatching(/ Chrome\/[\d.]+ .*\(compatible; hydrant\/1\.2\.3\) undefined$/)]),
    );
  });

  test('that waits for an element is ready when it is there, whatever else goes on', async () => {
    const site = await NamedSite.pages('site.test', {
      '/': page(`<p id=clock></p><script>setInterval(() => { clock.textContent = performance.now(); }, 20);
        setTimeout(() => document.body.append(Object.assign(document.createElement('b'), { className: 'price', textContent: '7 EUR' })), 300);
      </script>`),
    });
    const fetched = await rendered(renderer, site.url(), { waitFor: '.price' });
    expect(fetched).not.toHaveProperty('unsettled');
    expect(fetched.outcome === 'fetched' && Buffer.from(fetched.bytes).toString()).toContain('7 EUR');
  });

  test('that never settles is read at its limit, and says so', async () => {
    const site = await NamedSite.pages('site.test', {
      '/': page('<p id=o>0</p><script>setInterval(() => { o.textContent = performance.now(); }, 50)</script>'),
    });
    const fetched = await rendered(renderer, site.url(), { withinMs: 4_000 });
    expect(fetched).toMatchObject({ outcome: 'fetched', unsettled: 'it was still changing after 4 s' });
  });

  test('that begins a download settles all the same, and nothing is asked for it', async () => {
    const site = await NamedSite.pages('site.test', {
      '/': page('<a id=file download href=/file.bin>file</a><script>file.click()</script>text'),
      '/file.bin': 'bytes',
    });
    const fetched = await rendered(renderer, site.url(), { withinMs: 4_000 });
    expect(fetched.outcome).toBe('fetched');
    expect(fetched).not.toHaveProperty('unsettled');
    expect(site.asked).toEqual(['GET /']);
  });

  test('of which a part could not be had says so', async () => {
    const site = await NamedSite.listen('site.test', (request, response) => {
      if (request.url === '/items.json') response.writeHead(503).end();
      else
        response.writeHead(200, { 'content-type': 'text/html' }).end(page('<script>fetch("/items.json")</script>text'));
    });
    expect(await rendered(renderer, site.url())).toMatchObject({
      outcome: 'fetched',
      unsettled: `a part of it could not be loaded (site.test:${site.port} answered 503)`,
    });
  });

  test.each([
    ['a script without an end', '<script>setTimeout(() => { for (;;); }, 50)</script>', 'timeout'],
    [
      'a script that fills memory',
      '<script>const a=[]; for (;;) a.push(new Uint8Array(1<<26).fill(7))</script>',
      'too_large',
    ],
    [
      'a document of 8 MB',
      '<script>document.body.innerHTML = ("<p>" + "z".repeat(1000)).repeat(8000)</script>',
      'too_large',
    ],
  ])('with %s fails, and the next one is read', async (_, body, reason) => {
    const site = await NamedSite.pages('site.test', { '/bad': page(body), '/good': page('<p>good') });
    expect(await rendered(renderer, site.url('/bad'), { withinMs: 5_000 })).toMatchObject({
      outcome: 'failed',
      reason,
    });
    expect(await htmlOf(renderer, site.url('/good'))).toContain('<p>good');
  });

  test('whose browser is killed fails at once, and the next one is read by another browser', async () => {
    const site = await NamedSite.listen('site.test', (request, response) => {
      if (request.url === '/kill') void renderer.processGroup().then((pid) => process.kill(Number(pid), 'SIGKILL'));
      else response.writeHead(200, { 'content-type': 'text/html' }).end(page('<p>good'));
    });
    const failure = { outcome: 'failed', reason: 'render', detail: 'the browser ended while it rendered the page' };
    expect(await rendered(renderer, site.url('/kill'))).toMatchObject(failure);
    expect(await htmlOf(renderer, site.url('/good'))).toContain('<p>good');
  });

  test.each([
    ['a status', 404, 'text/html', 'status'],
    ['a type that is no HTML', 200, 'application/json', 'content_type'],
    ['a file to keep', 200, 'application/octet-stream', 'content_type'],
    ['nothing', 204, 'text/html', 'empty'],
  ])('that answers with %s is none', async (_, status, type, reason) => {
    const site = await NamedSite.listen('site.test', (_request, response) => {
      response.writeHead(status, { 'content-type': type }).end(status === 204 ? undefined : '{}');
    });
    expect(await rendered(renderer, site.url())).toMatchObject({ outcome: 'failed', reason });
  });
});

describe.skipIf(NO_BROWSER)('what a rendered page asks for', () => {
  test('passes robots.txt URL by URL, hop by hop', async () => {
    const site = await NamedSite.listen('site.test', (request, response) => {
      const to: Record<string, string> = { '/hop1': '/hop2', '/hop2': '/private/x.json' };
      const target = to[request.url ?? ''];
      if (target !== undefined) response.writeHead(302, { location: target }).end();
      else if (request.url?.startsWith('/private') === true) response.end('forbidden text');
      else
        response.writeHead(200, { 'content-type': 'text/html' }).end(
          page(`<p id=o>none</p><script>
        for (const url of ['/hop1', '/private/y.json']) fetch(url).then((r) => r.text()).then((t) => { o.textContent = t; }, () => 0);
      </script>`),
        );
    });
    const refused = { outcome: 'failed', reason: 'robots', detail: 'forbidden' } as const;
    const robots = (url: URL) => Promise.resolve(url.pathname.startsWith('/private') ? refused : 0);
    expect(await htmlOf(renderer, site.url(), { mayLoad: robots })).toContain('<p id="o">none</p>');
    expect(site.asked.filter((one) => one.includes('private'))).toEqual([]);
    expect(site.asked).toContain('GET /hop2');
  });

  test('and where it leads is asked of who has the page', async () => {
    const site = await NamedSite.listen('site.test', (request, response) => {
      if (request.url === '/') response.writeHead(302, { location: '/elsewhere' }).end();
      else response.end('<p>elsewhere');
    });
    const moved = { outcome: 'failed', reason: 'moved', detail: 'not yours', leadsTo: site.url('/elsewhere') } as const;
    const fetched = await rendered(renderer, site.url(), { mayFollow: () => Promise.resolve(moved) });
    expect(fetched).toMatchObject({ outcome: 'failed', reason: 'moved', leadsTo: site.url('/elsewhere') });
    expect(site.asked).toEqual(['GET /']);
  });

  test('is bounded in bytes and in number', async () => {
    const site = await NamedSite.listen('site.test', (request, response) => {
      if (request.url === '/large')
        response.writeHead(200, { 'content-type': 'text/plain' }).end(Buffer.alloc(24 << 20));
      else if (request.url?.startsWith('/n') === true) response.end('1');
      else {
        const script =
          request.url === '/bytes' ? 'fetch("/large")' : 'for (let n = 0; n < 250; n += 1) fetch("/n" + n)';
        response.writeHead(200, { 'content-type': 'text/html' }).end(page(`<script>${script}</script>text`));
      }
    });
    const tooLarge = (detail: string) => ({ outcome: 'failed', reason: 'too_large', detail });
    expect(await rendered(renderer, site.url('/bytes'))).toMatchObject(tooLarge('the page loads more than 20 MB'));
    expect(await rendered(renderer, site.url('/many'))).toMatchObject(
      tooLarge('the page makes more than 200 requests'),
    );
  });

  test('carries a secret to the origin that it is for, and to no other by any way', async () => {
    const seen: string[] = [];
    const note = (name: string) => (request: { readonly url?: string | undefined; readonly headers: object }) => {
      const { 'x-secret': secret, cookie } = request.headers as Record<string, string>;
      seen.push(`${name} ${request.url} ${secret ?? '-'} ${cookie ?? '-'}`);
    };
    const other = await NamedSite.listen('other.test', (request, response) => {
      note('other')(request);
      response.writeHead(200, { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' }).end('0');
    });
    const site = await NamedSite.listen('site.test', (request, response) => {
      note('site')(request);
      if (request.url === '/away') response.writeHead(302, { location: other.url('/redirected') }).end();
      else
        response.writeHead(200, { 'content-type': 'text/html', 'access-control-allow-origin': '*' }).end(
          page(`<script src="${other.url('/third.js')}"></script><iframe src="${other.url('/frame')}"></iframe><script>
          fetch('/own'); fetch('/away', { mode: 'no-cors' }); fetch('${other.url('/cross')}', { mode: 'no-cors' });
          new Worker(URL.createObjectURL(new Blob(["fetch('${other.url('/worker')}', { mode: 'no-cors' })"])));
        </script>`),
        );
    });
    const secret = { 'x-secret': 'key', cookie: 'session=1' };
    const headersFor = (url: string) => (new URL(url).origin === new URL(site.url()).origin ? secret : {});
    await htmlOf(renderer, site.url(), { headersFor });
    expect(seen.filter((one) => one.startsWith('site')).sort()).toEqual([
      'site / key session=1',
      'site /away key session=1',
      'site /own key session=1',
    ]);
    expect(seen.filter((one) => one.startsWith('other')).sort()).toEqual(
      ['/cross', '/redirected', '/third.js', '/worker'].map((path) => `other ${path} - -`),
    );
  });
});

describe.skipIf(NO_BROWSER)('a renderer', () => {
  test('has as many places as it is told, and says when to come back for one', () => {
    const renderer = rendererFor({ pages: 1, outside: { now: () => 1_000_000 } });
    const first = renderer.enter();
    expect([renderer.enter().opensAt, renderer.enter().opensAt]).toEqual([1_003_000, 1_006_000]);
    if (first.opensAt === undefined) first.leave();
    expect(renderer.enter()).not.toHaveProperty('opensAt');
  });

  test('that finds no browser says what to install, and starts nothing', async () => {
    const renderer = rendererFor({ browser: '/nowhere/chromium' });
    expect(await renderer.refusal()).toBe('/nowhere/chromium is no program');
    expect(await rendered(renderer, 'http://site.test/')).toMatchObject({ outcome: 'failed', reason: 'render' });
  });

  test('ends its browser when nobody needs it', async () => {
    const site = await NamedSite.pages('site.test', { '/': page('<p>good') });
    const renderer = rendererFor({ idleMs: 0 });
    await htmlOf(renderer, site.url());
    await expect.poll(() => renderer.processGroup()).toBe(undefined);
  });
});
