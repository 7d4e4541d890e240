import { expect, test } from 'vitest';
import { domainsOf } from '../../../src/shared/page/domain.ts';

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
