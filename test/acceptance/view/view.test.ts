import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tap, TapCreated } from '../../../src/shared/api/tap.ts';
import type { WatchReport } from '../../../src/shared/api/watch.ts';
import { loopback, RealDaemon, until } from '../real-daemon.ts';
import { hasChromium, RealBrowser, type Visitor, WIDTHS } from './browser.ts';
import { type SmallPage, SmallWeb } from './small-web.ts';

describe.skipIf(!hasChromium)('the web view, in Chromium (Debian’s package chromium)', () => {
  let daemon: RealDaemon;
  let web: SmallWeb;
  let browser: RealBrowser;
  const news: SmallPage = {
    title: 'Harbour news',
    lines: ['The ferry leaves at nine.', 'The café opens at ten and has bread.', 'Nothing else is known today.'],
  };
  const prices: SmallPage = {
    title: 'Prices',
    lines: ['Starter costs 9 a month.', 'Business costs 90 a month.', 'All plans can be ended every month.'],
  };
  let newsUrl = '';
  let pricesUrl = '';

  beforeAll(async () => {
    daemon = await RealDaemon.start([...loopback, '--ui']);
    web = new SmallWeb();
    browser = await RealBrowser.start();
    newsUrl = await web.add('127.0.0.31', news);
    pricesUrl = await web.add('127.0.0.32', prices);
    await daemon.hydrant(['tap', 'create', 'harbour']);
    await daemon.hydrant(['rule', 'add', 'ferry OR café', '--tag', 'boats', '--no-quality']);
    await daemon.hydrant(['crawl', 'add', newsUrl, '--scope', 'page', '--baseline']);
    await until('the first visit', async () => {
      const [source] = (await daemon.operator<{ data: { visits: number }[] }>('GET', '/admin/sources')).data;
      return (source?.visits ?? 0) > 0;
    });
  });
  afterAll(async () => {
    await browser?.close();
    web?.close();
    await daemon?.dispose();
  });

  async function signedIn(): Promise<Visitor> {
    const visitor = await browser.visitor();
    await visitor.page.goto((await daemon.hydrant(['ui'])).trim());
    await visitor.follow('button');
    return visitor;
  }

  const at = (path: string): string => `${daemon.notice.url}${path}`;

  async function visitNow(): Promise<void> {
    await daemon.operator('POST', '/admin/urls/visit', { url: newsUrl });
  }

  test('is worked in: sign in, a match comes live, a watch that fails, a query and its fix, sign out', async () => {
    const visitor = await signedIn();
    const { page } = visitor;
    expect(await visitor.text('h1')).toBe('Timeline');

    // A match arrives in the page that is open, with the words marked that differ.
    news.lines[0] = 'The ferry leaves at eleven.';
    await visitNow();
    await page.waitForSelector('.match');
    expect(await visitor.text('.match h2')).toBe('Harbour news');
    expect(await visitor.text('.match .about')).toContain('boats');
    expect(await visitor.text('.match ins mark')).toBe('eleven');
    expect(await visitor.text('.match del mark')).toBe('nine');

    // A watch, by a form; what is wrong with it is said as the command line says it.
    await visitor.follow('.bar [data-key="w"]');
    await visitor.follow('a[href="/ui/watches/new"]');
    await visitor.fill('#url', 'ftp://example.org/');
    await visitor.follow('main form button');
    const { message } = await daemon.operator<{ message: string }>('POST', '/admin/watches', {
      url: 'ftp://example.org/',
      frequency_minutes: 180,
    });
    expect(await visitor.text('#url-problem')).toBe(message);
    await visitor.fill('#url', pricesUrl);
    await visitor.fill('#title', 'Plans');
    await visitor.fill('#tags', 'money, plans');
    await visitor.follow('main form button');
    expect(await visitor.text('h1')).toBe('Plans');
    const checked = async (checks: number): Promise<void> => {
      await until(`check ${checks}`, async () => ((await watchOf(pricesUrl))?.checks ?? 0) >= checks);
    };
    await checked(1);

    // It changes, and the change is looked at in both forms.
    prices.lines[0] = 'Starter costs 12 a month.';
    await visitor.follow('.actions form[action$="/check"] button');
    await page.waitForFunction("!document.querySelector('[data-again]')");
    await until('the change', async () => (await watchOf(pricesUrl))?.last_change !== null);
    await page.goto(at('/ui/watches'));
    await visitor.follow('#watches a.what');
    expect(await visitor.text('#change-title')).toBe('changed: 1 line added, 1 removed');
    expect(await visitor.text('.line.ins mark')).toBe('12');
    await visitor.follow('a[href*="form=sides"]');
    expect(await visitor.look("document.querySelectorAll('.sides tbody td').length % 2")).toBe(0);
    expect(await visitor.text('td.del mark')).toBe('9');

    // Another one that is well, and the first one fails: it is the first in the list.
    await daemon.hydrant(['watch', 'add', newsUrl, '--every', '1h']);
    await until('the other check', async () => ((await watchOf(newsUrl))?.checks ?? 0) > 0);
    prices.status = 500;
    await visitor.follow('.actions form[action$="/check"] button');
    await until('the failure', async () => (await watchOf(pricesUrl))?.problem !== null);
    await visitor.follow('.bar [data-key="w"]');
    expect(await visitor.text('#watches li:first-child')).toContain('Plans');
    expect(await visitor.text('#watches li:first-child .bad')).toContain('500');
    expect(await visitor.text('.sum')).toContain('1 failing');

    // Filter as you type.
    await page.type('#q', 'no such watch');
    expect(await visitor.look("document.querySelectorAll('#watches li:not([hidden])').length")).toBe(0);

    // A query that is wrong, and its fix.
    await visitor.follow('.bar [data-key="q"]');
    await visitor.fill('#value', 'titel:harbour');
    await visitor.follow('main form button');
    expect(await visitor.text('#value-problem')).toContain('^^^^^');
    await visitor.follow('.fixes button');
    expect(await visitor.look("document.querySelector('#value').value")).toBe('title:harbour');
    await page.click('input[name="quality"]');
    await visitor.follow('main form button');
    expect(await visitor.text('.answer h2')).toMatch(/^\d+ match/);
    await visitor.fill('#value', 'ferry');
    await visitor.fill('#url', newsUrl);
    await visitor.follow('main form button');
    expect(await visitor.text('.answer')).toContain('eleven');

    // Signed out: nothing of it is shown any more, not by the way back either.
    await visitor.follow('.bar [data-key="t"]');
    expect(await page.content()).toContain('ferry');
    await visitor.follow('form[action="/ui/sign-out"] button');
    expect(await visitor.text('h1')).toBe('Sign in');
    await page.goBack();
    expect(await visitor.text('h1')).toBe('Sign in');
    expect(await page.content()).not.toContain('ferry');
    expect(visitor.complaints).toEqual([]);
  });

  test('is worked by keys alone', async () => {
    const visitor = await signedIn();
    const { page } = visitor;
    const press = async (key: string): Promise<void> => page.keyboard.press(key as 'g');
    await press('g');
    await Promise.all([page.waitForNavigation(), press('w')]);
    expect(await visitor.text('h1')).toBe('Watches');
    await press('j');
    await Promise.all([page.waitForNavigation(), press('o')]);
    expect(page.url()).toMatch(/\/ui\/watches\/[\w-]{36}$/);
    await press('?');
    expect(await visitor.look("document.querySelector('#keys').open")).toBe(true);
    await press('Escape');
    await page.goto(at('/ui/watches'));
    await press('/');
    expect(await visitor.look('document.activeElement.id')).toBe('q');
    // Who tabs comes to the content first.
    await page.goto(at('/ui/'));
    await press('Tab');
    expect(await visitor.look('document.activeElement.textContent')).toBe('Skip to the content');
    expect(visitor.complaints).toEqual([]);
  });

  test('works without a script', async () => {
    const visitor = await signedIn();
    await visitor.page.setJavaScriptEnabled(false);
    await visitor.page.goto(at('/ui/watches?q=plans'));
    expect(await visitor.text('#watches')).toContain('Plans');
    await visitor.follow('#watches a.what');
    await visitor.follow('.actions form[action$="/status"] button');
    expect(await visitor.text()).toContain('paused');
    await visitor.follow('.actions form[action$="/status"] button');
    expect(await visitor.text('main')).not.toContain('paused ·');
  });

  describe.each(WIDTHS)('at %i pixels', (width) => {
    test('every screen fits, and axe finds nothing serious', async () => {
      const visitor = await signedIn();
      await visitor.widen(width);
      const { docs, ...screens } = await allScreens();
      // The page of the API is long, and no other one on a phone.
      expect([...(await faultsOf(visitor, screens)), ...visitor.complaints]).toEqual([]);
      await visitor.page.goto(at(docs));
      expect(await visitor.overflow()).toBe(0);
    });
  });

  test.each(['day', 'night'])('axe finds nothing serious by %s, in the documents of the API either', async (time) => {
    const visitor = await signedIn();
    await visitor.dark(time === 'night');
    const { docs, ...screens } = await allScreens();
    // By day, the screens are those of above.
    const found = await faultsOf(visitor, time === 'night' ? { ...screens, docs } : { docs });
    expect([...found, ...visitor.complaints]).toEqual([]);
  });

  /** What axe finds on them, and where they are wider than the window. */
  async function faultsOf(visitor: Visitor, screens: Readonly<Record<string, string>>): Promise<string[]> {
    const found: string[] = [];
    for (const [name, path] of Object.entries(screens)) {
      await visitor.page.goto(at(path));
      await visitor.picture(name);
      found.push(...(await visitor.faults()).map((fault) => `${name}: ${fault}`));
      if ((await visitor.overflow()) > 0) found.push(`${name}: is wider than the window`);
    }
    return found;
  }

  /** Every screen, with things in it. */
  async function allScreens() {
    const first = async <Thing>(path: string, token?: string): Promise<Thing> => {
      const { data } = await daemon.operator<{ data: Thing[] }>('GET', path, undefined, token);
      if (data[0] === undefined) throw new Error(`there is nothing at ${path}`);
      return data[0];
    };
    const watch = (await watchOf(pricesUrl))?.id ?? '';
    const tap = await first<Tap>('/v1/taps');
    const source = await first<{ id: string }>('/admin/sources');
    const rule = await first<{ id: string }>('/v1/rules', tap.token);
    return {
      timeline: '/ui/',
      watches: '/ui/watches',
      watch: `/ui/watches/${watch}`,
      sides: `/ui/watches/${watch}?form=sides`,
      'watch-form': `/ui/watches/${watch}/edit`,
      'watch-remove': `/ui/watches/${watch}/remove`,
      rules: '/ui/rules',
      rule: `/ui/taps/${tap.id}/rules/${rule.id}`,
      query: '/ui/query?value=ferry',
      crawl: '/ui/crawl',
      source: `/ui/sources/${source.id}`,
      'source-form': '/ui/sources/new',
      health: '/ui/health',
      missing: '/ui/nothing-is-here',
      'sign-in': '/ui/sign-in',
      docs: '/docs',
    };
  }

  /** What a page has that is not of ours. */
  const STRANGERS = `(() => {
    const elements = [...document.querySelectorAll('*')];
    return {
      scripts: elements.filter((one) => one.localName === 'script').length - 1,
      handlers: elements.filter((one) => one.getAttributeNames().some((name) => name.startsWith('on'))).length,
      made: document.querySelectorAll('img, iframe, svg:not(.spark), b:not([class], .findings b)').length,
      links: elements.filter((one) => /^\\s*(javascript|data):/i.test(one.getAttribute('href') ?? '')).length,
      overridden: /[\\u{202a}-\\u{202e}\\u{2066}-\\u{2069}\\u{1b}]/u.test(document.body.innerText),
    };
  })()`;

  /** HTML's own, what a terminal would obey, and what a URL may carry. */
  const HOSTILE = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(2)>',
    "' onmouseover='alert(3)' x='",
    '</title></textarea></script><svg onload=alert(4)>',
    'javascript:alert(5)',
    '&lt;b&gt; ${alert(6)} {{7*7}} <!-- ]]>',
    '\u{202e}gnp.exe\u{2066} turned \u{1b}[31m around',
    'A'.repeat(3_000),
  ];

  test('titles, texts, addresses, names and tags of strangers change nothing on any screen', async () => {
    const hostile: SmallPage = { title: HOSTILE.join(' '), lines: ['The ferry is here.', ...HOSTILE] };
    const path = `/${encodeURIComponent('"><script>alert(8)</script>')}'?q=<svg/onload=alert(9)>`;
    const url = await web.add('127.0.0.33', hostile, path);
    const { token } = await daemon.operator<TapCreated>('POST', '/v1/taps', { name: HOSTILE[1] });
    for (const value of ['ferry', '"<script>alert(10)</script>" OR ferry']) {
      await daemon.operator(
        'POST',
        '/v1/rules',
        { value, tag: '<img src=x onerror=alert(11)>', quality: false },
        token,
      );
    }
    const add = { url, frequency_minutes: 180, title: HOSTILE[0], tags: ['<b>', '" onclick="alert(12)', "'><svg>"] };
    const { data: watch } = await daemon.operator<{ data: WatchReport }>('POST', '/admin/watches', add);
    await daemon.operator('POST', '/admin/sources', { url, scope: 'page', baseline: true });
    await until('both first looks', async () => {
      const sources = (await daemon.operator<{ data: { url: string; visits: number }[] }>('GET', '/admin/sources'))
        .data;
      return sources.every(({ visits }) => visits > 0) && ((await watchOf(url))?.checks ?? 0) > 0;
    });
    hostile.lines = ['The ferry has left.', ...HOSTILE.map((line) => `${line} again`)];
    await daemon.operator('POST', '/admin/urls/visit', { url });
    await daemon.operator('POST', `/admin/watches/${watch.id}/check`);
    await until('the change', async () => (await watchOf(url))?.last_change !== null);
    const visitor = await signedIn();
    const taps = (await daemon.operator<{ data: Tap[] }>('GET', '/v1/taps')).data;
    const tap = taps.find((one) => one.token === token);
    await until('the match', async () => {
      await visitor.page.goto(at(`/ui/?tap=${tap?.id}`));
      return (await visitor.page.$('.match')) !== null;
    });
    // Live, too.
    hostile.lines = ['The ferry is back.', ...HOSTILE.map((line) => `${line} once more`)];
    await daemon.operator('POST', '/admin/urls/visit', { url });
    await visitor.page.waitForFunction("document.querySelectorAll('.match').length > 1");
    const paths = [
      '/ui/',
      `/ui/?tap=${tap?.id}`,
      '/ui/watches',
      `/ui/watches?tag=${encodeURIComponent('<b>')}&q=${encodeURIComponent(HOSTILE[1] ?? '')}`,
      `/ui/watches/${watch.id}`,
      `/ui/watches/${watch.id}?form=sides`,
      `/ui/watches/${watch.id}/edit`,
      `/ui/watches/${watch.id}/remove`,
      '/ui/rules',
      `/ui/query?value=${encodeURIComponent(HOSTILE.join(' '))}`,
      '/ui/crawl',
      '/ui/health',
      `/ui/enter?code=${encodeURIComponent(HOSTILE[1] ?? '')}`,
      `/ui/${encodeURIComponent(HOSTILE[1] ?? '')}`,
    ];
    for (const where of paths) {
      await visitor.page.goto(at(where));
      const strangers = await visitor.look(STRANGERS);
      expect([where, strangers]).toEqual([where, { scripts: 0, handlers: 0, made: 0, links: 0, overridden: false }]);
      expect([where, await visitor.overflow()]).toEqual([where, 0]);
    }
    await visitor.widen(390);
    for (const name of ['timeline', 'watches']) {
      await visitor.page.goto(at(name === 'timeline' ? `/ui/?tap=${tap?.id}` : '/ui/watches'));
      await visitor.picture(`hostile-${name}`);
      expect([name, await visitor.overflow()]).toEqual([name, 0]);
    }
    expect(visitor.complaints).toEqual([]);
  });

  async function watchOf(url: string): Promise<WatchReport | undefined> {
    const { data } = await daemon.operator<{ data: WatchReport[] }>('GET', '/admin/watches');
    return data.find((watch) => watch.url === url);
  }
});
