import { expect, test } from 'vitest';
import { PAGE_LINKED_DOMAINS } from '../../../../src/shared/limits.ts';
import { linkedDomains } from '../../../../src/shared/page/domain.ts';
import { type Anchor, NO_FACTS, type Page, type Zone } from '../../../../src/shared/page/page.ts';

function pageWith(hrefs: readonly string[], different: { url?: string; zone?: Zone; robots?: string[] } = {}): Page {
  const { url = 'http://www.own.example/news/', zone = 'main', robots = [] } = different;
  const anchors: Anchor[] = hrefs.map((href) => ({ href, text: 'a link', zone }));
  return { url, segments: [], anchors, links: [], facts: { ...NO_FACTS, robots } };
}

test('each other site is named once, by its registrable domain, in reading order', () => {
  const hrefs = ['https://b.example/', 'https://a.co.uk/x', 'http://www.b.example/2', 'https://blog.b.example/'];
  expect(linkedDomains(pageWith(hrefs))).toEqual({ from: 'own.example', to: ['b.example', 'a.co.uk'] });
});

test('the own site has no vote for itself, whichever of its hosts is linked to', () => {
  expect(linkedDomains(pageWith(['https://own.example/', 'https://shop.own.example/x']))?.to).toEqual([]);
});

test('comments and boxes count, the boilerplate of the site does not', () => {
  expect(linkedDomains(pageWith(['https://b.example/'], { zone: 'body' }))?.to).toEqual(['b.example']);
  expect(linkedDomains(pageWith(['https://b.example/'], { zone: 'chrome' }))?.to).toEqual([]);
});

test.each(['nofollow', 'none'])('a page whose robots directive is %s speaks for nobody', (directive) => {
  const page = pageWith(['https://b.example/'], { robots: ['noarchive', directive] });
  expect(linkedDomains(page)).toEqual({ from: 'own.example', to: [] });
});

test('addresses stand for themselves', () => {
  const page = pageWith(['http://127.0.0.3:81/', 'http://127.0.0.2:90/x'], { url: 'http://127.0.0.2:80/' });
  expect(linkedDomains(page)).toEqual({ from: '127.0.0.2', to: ['127.0.0.3'] });
});

test('a directory of a thousand sites speaks for the first of them', () => {
  const hrefs = Array.from({ length: 1_000 }, (_, index) => `https://site${index}.example/`);
  expect(linkedDomains(pageWith(hrefs))?.to).toEqual(
    hrefs.slice(0, PAGE_LINKED_DOMAINS).map((href) => new URL(href).hostname),
  );
});
