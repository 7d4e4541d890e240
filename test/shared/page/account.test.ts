import { describe, expect, test } from 'vitest';
import { accountOf, uncounted, unreadable } from '../../../src/shared/page/account.ts';
import { compare } from '../../../src/shared/page/compare.ts';
import { pageOf } from './reading.ts';

const PROSE =
  '<p>The boat leaves the old harbour at dawn, crosses the bay in the lee of the island, and is back by noon. On days with much wind it stays in the harbour, and tickets are good for another day.</p>';

describe('an account of a reading', () => {
  test('counts what is read, what is boilerplate and what is hidden', () => {
    const page = pageOf('<nav>12345</nav><main><p>1234567890</p><div hidden>1234</div></main>');
    expect(accountOf(page)).toMatchObject({ read: 10, boilerplate: 5, hidden: 4, notes: [] });
  });

  test.each([
    [
      'application_shell',
      '<title>App</title><noscript>Enable JavaScript.</noscript><div id=root></div><script src=a.js></script>',
    ],
    ['application_shell', '<title>App</title><app-root><div class=spinner></div></app-root><script src=a.js></script>'],
    ['application_shell', '<title>App</title><shop-app>Loading…</shop-app><script type=module src=a.js></script>'],
    ['application_shell', '<title>App</title><body><script src=a.js></script>'],
    [
      'application_shell',
      '<div id=app><p>Please enable JavaScript to use this application.</p></div><script src=a.js></script>',
    ],
    ['sign_in', '<h1>Welcome back</h1><form><label>Password <input type=password></label><button>Go</button></form>'],
    ['not_found', '<title>Page not found</title><h1>Page not found</h1><p>We could not find the page.</p>'],
    ['moved', '<h1>Ferries</h1><p>This page has moved to <a href="/new">another place</a>.</p>'],
  ])('says that a page looks like %s', (kind, html) => {
    const account = accountOf(pageOf(html));
    expect(account.looks_like).toBe(kind);
    expect(account.notes).toHaveLength(1);
  });

  test.each([
    `<h1>Ferries</h1>${PROSE}${PROSE}<div id=root></div><script src=a.js></script>`,
    `<h1>Ferries</h1>${PROSE.repeat(3)}<form><input type=password></form>`,
    '<h1>Ferries</h1><p>No boat today.</p><script src=a.js></script>',
    '<h1>Ferry</h1><p>12 EUR</p><my-icon name=boat></my-icon><cookie-banner></cookie-banner><script src=a.js></script>',
    '<live-price>12 EUR</live-price><script src=a.js></script>',
    '<div id=app><h1>A course in JavaScript for beginners</h1></div><script src=a.js></script>',
  ])('and of another that it is one to read: %s', (html) => {
    expect(unreadable(pageOf(html))).toBeUndefined();
  });
});

test.each([
  ['volatile', '<p>Posted 2 hours ago</p>', '<p>Posted 3 hours ago</p>'],
  ['order', '<ul><li>One<li>Two</ul>', '<ul><li>Two<li>One</ul>'],
  ['boilerplate', '<p>One</p><nav>Two</nav>', '<p>One</p><nav>Three</nav>'],
  ['hidden', '<p>One</p><p hidden>Two</p>', '<p>One</p><p hidden>Three</p>'],
  ['metadata', '<meta name=description content=a><p>One</p>', '<meta name=description content=b><p>One</p>'],
  ['markup', '<p class=a>One</p>', '<p class=b>One</p>'],
])('a difference that is no change is said to lie in: %s', (where, one, other) => {
  const [before, after] = [pageOf(one), pageOf(other)];
  const found = compare(before, after);
  expect(found.change).toBeUndefined();
  expect(uncounted(before, after, found).map((difference) => difference.where)).toContain(where);
  expect(uncounted(before, before, compare(before, before), true)).toEqual([]);
});

test('boilerplate that has changed is named, text by text', () => {
  const [before, after] = ['<nav>One<p>Two</nav>', '<nav>Three<p>Two<p>Four</nav>'].map((nav) =>
    pageOf(`<p>Text</p>${nav}`),
  );
  if (!before || !after) throw new Error('two pages');
  expect(uncounted(before, after, compare(before, after))).toMatchObject([
    {
      where: 'boilerplate',
      texts: [
        { before: 'One', after: 'Three' },
        { before: '', after: 'Four' },
      ],
    },
  ]);
});
