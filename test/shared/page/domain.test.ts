import { expect, test } from 'vitest';
import { domainsOf, ownedDomain, siteOf } from '../../../src/shared/page/domain.ts';

test.each<[string, string[]]>([
  ['https://blog.example.co.uk/post?id=1', ['blog.example.co.uk', 'example.co.uk']],
  ['https://example.com', ['example.com']],
  ['https://www.example.com/', ['www.example.com', 'example.com']],
  ['https://WWW.Blog.Example.COM:8443/', ['www.blog.example.com', 'blog.example.com', 'example.com']],
  ['https://a.www.example.com/', ['a.www.example.com', 'example.com']],
  ['https://x.www.com/', ['x.www.com', 'www.com']],
  ['https://someone.github.io/page', ['someone.github.io', 'github.io']],
  ['http://127.0.0.1:8080/', ['127.0.0.1']],
  ['http://[2001:db8::1]/', ['2001:db8::1']],
  ['http://localhost:3000/', ['localhost']],
  ['http://co.uk/', ['co.uk']],
  ['https://example.com./', ['example.com']],
  ['https://bücher.example/', ['xn--bcher-kva.example']],
  ['not a url', []],
  ['mailto:someone@example.com', []],
])('%s is %j', (url, domains) => {
  expect(domainsOf(url)).toEqual(domains);
});

test.each<[string, string | undefined]>([
  ['WWW.Example.co.uk', 'example.co.uk'],
  ['https://blog.example.com/post', 'example.com'],
  ['someone.github.io', 'github.io'],
  ['127.0.0.1', '127.0.0.1'],
  ['2001:db8::1', '2001:db8::1'],
  ['localhost', 'localhost'],
  ['example.com.', 'example.com'],
  ['example.com:8080', undefined],
  ['example.com/path', undefined],
  ['someone@example.com', undefined],
  ['two words', undefined],
  ['a..b', undefined],
  ['*.example.com', undefined],
  ['2', undefined],
  ['10.1', undefined],
  ['0x7f', undefined],
  ['', undefined],
  ['x'.repeat(300), undefined],
])('the site of %s is %s', (host, site) => {
  expect(siteOf(host)).toBe(site);
});

test.each([
  ['www.example.co.uk', 'example.co.uk'],
  ['a.github.io', 'a.github.io'],
  ['x.a.github.io', 'a.github.io'],
  ['github.io', 'github.io'],
  ['127.0.0.1', '127.0.0.1'],
  ['[2001:db8::1]', '[2001:db8::1]'],
  ['localhost', 'localhost'],
  ['www.example.com.', 'example.com'],
])('one owner has %s as %s', (host, domain) => {
  expect(ownedDomain(host)).toBe(domain);
});
