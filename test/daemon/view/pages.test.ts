import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { html, verbatim } from '../../../src/daemon/view/html.ts';
import { idleStatus } from '../../fixtures/status.ts';
import { OpenView } from './open-view.ts';
import { manyWatches, seedEvents } from './seed-events.ts';

describe('a template', () => {
  test('escapes every text, and leaves out what is not there', () => {
    const hostile = `<img src=x onerror="alert('1')">&`;
    expect(html`<p title="${hostile}">${hostile}${undefined}${false}${null}${7}</p>`.toString()).toBe(
      '<p title="&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;">' +
        '&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;7</p>',
    );
    expect(html`${[html`<b>1</b>`, '<b>', [html`<i></i>`]]}`.toString()).toBe('<b>1</b>&lt;b&gt;<i></i>');
  });

  test('replaces what would move a cursor or turn the direction; what a form gives back stays', () => {
    expect(html`${'a\u{202e}b\u{1b}[31m\nc'}`.toString()).toBe('a\u{fffd}b\u{fffd}[31m c');
    expect(verbatim('one\n  <two>').toString()).toBe('one\n  &#60;two&#62;');
  });
});

describe('pages', () => {
  let view: OpenView;
  let cookie: string;
  beforeEach(async () => {
    view = await OpenView.open();
    cookie = await view.operator();
  });
  afterEach(() => view.close());

  async function thousandWatches(): Promise<void> {
    const { accounts, organizationId, operator, watchService } = view.house;
    await accounts.organizations.change(organizationId, { limits: { watchedUrls: 10_000, checksAMonth: 10_000_000 } });
    await watchService.addAll(operator, manyWatches(1_000));
  }

  test('of 1,000 watches are a hundred each, of at most 150 kB, and are filtered as a whole', async () => {
    await thousandWatches();
    const first = await view.ask('/ui/watches', { cookie });
    expect([first.status, first.text.match(/<li class="" data-item>/g)?.length]).toEqual([200, 100]);
    expect(Buffer.byteLength(first.text)).toBeLessThan(150_000);
    expect(first.text).toContain('Page 1 of 10');
    const last = await view.ask('/ui/watches?page=99', { cookie });
    expect(last.text).toContain('Page 10 of 10');
    const some = await view.ask('/ui/watches?q=number%20777', { cookie });
    expect(some.text.match(/data-item/g)).toHaveLength(1);
    const tagged = await view.ask('/ui/watches?tag=shelf%203', { cookie });
    expect(tagged.text.match(/data-item/g)).toHaveLength(25);
  });

  test('of 10,000 matches are of at most 150 kB, whatever they say, and lead to all of them, each once', async () => {
    const { house } = view;
    const { organizationId, storage } = house;
    const tap = await house.taps.create(organizationId, 'news');
    await house.rules.create({ kind: 'tap', tapId: tap.id, organizationId }, { value: 'ferry' });
    await seedEvents(storage, tap.id, 10_000, house.clock.now());
    const seen: string[] = [];
    for (let path: string | undefined = '/ui/'; path !== undefined && seen.length < 1_000;) {
      const { text } = await view.ask(path, { cookie });
      expect(Buffer.byteLength(text)).toBeLessThan(150_000);
      const ids = [...text.matchAll(/id="m-[\w-]+-0-(\d+)"/g)].map(([, id = '']) => id);
      expect(ids.length).toBeGreaterThan(0);
      seen.push(...ids);
      path = /href="([^"]+)" rel="next"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(seen).toEqual(Array.from({ length: seen.length }, (_, index) => String(9_999 - index)));
  });

  test('load a script of at most 8 kB', () => {
    const script = readFileSync(new URL('../../../src/daemon/view/view.js', import.meta.url));
    expect(script.length).toBeLessThanOrEqual(8_192);
  });
});

test('the health of several daemons shows the disk, and which of them is silent', async () => {
  const nodes = [
    { name: 'one', is_live: true, is_this: true, silent_ms: 100 },
    { name: 'two<b>', is_live: false, is_this: false, silent_ms: 20_000 },
  ];
  const view = await OpenView.open({
    status: { ...idleStatus, nodes, disk: { free_bytes: 2_000_000_000, total_bytes: 9_000_000_000 } },
  });
  const { text } = await view.ask('/ui/health', { cookie: await view.operator() });
  await view.close();
  expect(text).toContain('2.0 GB free of 9.0 GB');
  expect(text).toMatch(/>one<\/bdi><\/span>\s*<p class="about">this one · running/);
  expect(text).toMatch(/>two&lt;b&gt;<\/bdi><\/span>\s*<p class="about">not heard of for 20 s/);
});
