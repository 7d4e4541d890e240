import { expect, test } from 'vitest';
import { inScope } from '../../../src/daemon/discovery/scope.ts';
import type { SourceScope } from '../../../src/daemon/storage/catalog.ts';

test.each<[SourceScope, string, string, boolean]>([
  ['page', 'https://example.com/a', 'https://example.com/a', true],
  ['page', 'https://example.com/a?utm_source=x#y', 'https://example.com/a', true],
  ['page', 'https://example.com/a', 'https://example.com/a/', false],
  ['prefix', 'https://example.com/news/', 'https://example.com/news/a', true],
  ['prefix', 'https://example.com/news/', 'http://example.com/news/a', true],
  ['prefix', 'https://example.com/news/today.html', 'https://example.com/news/old.html', true],
  ['prefix', 'https://example.com/news', 'https://example.com/sport', true],
  ['prefix', 'https://example.com/news/', 'https://example.com/newsletter', false],
  ['prefix', 'https://example.com/news/', 'https://example.com/news', false],
  ['prefix', 'https://example.com/news/', 'https://www.example.com/news/a', true],
  ['prefix', 'https://example.com/news/', 'https://m.example.com/news/a', false],
  ['host', 'https://example.com/a', 'http://example.com/b', true],
  ['host', 'https://example.com/a', 'https://example.com:8443/b', false],
  ['host', 'https://example.com/a', 'https://www.example.com/b', true],
  ['host', 'http://www.example.com:81/a', 'https://example.com:81/b', true],
  ['host', 'https://example.com/a', 'https://m.example.com/b', false],
  ['host', 'https://example.com/a', 'https://wwwexample.com/b', false],
  ['host', 'https://example.com./a', 'https://example.com/b', true],
  ['domain', 'https://www.example.co.uk/', 'https://news.example.co.uk/a', true],
  ['domain', 'https://www.example.co.uk/', 'https://other.co.uk/a', false],
  ['domain', 'https://a.github.io/', 'https://b.github.io/', false],
  ['domain', 'https://a.github.io/', 'https://x.a.github.io/', true],
  ['domain', 'https://example.com/', 'https://example.com.evil.example/', false],
  ['domain', 'https://example.com/', 'https://evilexample.com/', false],
  ['domain', 'http://127.0.0.1/', 'http://127.0.0.1:8080/', true],
  ['domain', 'http://127.0.0.1/', 'http://127.0.0.2/', false],
  ['domain', 'http://localhost/', 'http://localhost/a', true],
  ['any', 'https://example.com/', 'https://elsewhere.example/', true],
])('%s of %s: %s is in it: %s', (scope, seed, url, isIn) => {
  expect(inScope(url, { url: seed, scope })).toBe(isIn);
});
