import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { resolved, Targets } from '../../../../src/shared/page/read/targets.ts';

describe('targets', () => {
  const page = 'https://www.example.com/news/today?page=2';
  const target = (href: string, base?: string): string | undefined => new Targets(page, base).resolve(href);

  test('are absolute and without fragment', () => {
    expect(target('/a/b?c=d')).toBe('https://www.example.com/a/b?c=d');
    expect(target('later#top')).toBe('https://www.example.com/news/later');
    expect(target('https://other.example/a#')).toBe('https://other.example/a');
    expect(target('../a', 'https://other.example/b/c/')).toBe('https://other.example/b/a');
    expect(target('/a', 'http://other.example:8080/b/')).toBe('http://other.example:8080/a');
  });

  test('have one form, whatever the writing', () => {
    expect(target('https://www.example.com:443/a')).toBe('https://www.example.com/a');
    expect(target('//other.example/a')).toBe('https://other.example/a');
    expect(target('/a/../b/./c')).toBe('https://www.example.com/b/c');
  });

  test('are of http and https, and not too long', () => {
    expect(target('mailto:someone@example.com')).toBeUndefined();
    expect(target(`/${'a'.repeat(3_000)}`)).toBeUndefined();
  });

  test('are those of the parser of URLs, whatever stands in an href', () => {
    const pieces =
      '/ // . .. %2e % ? # a B é _ ~ @ : :443 :8080 \\ & + = ; - \' " [ ] 1.2 0x1 xn--a localhost www.example.com EXAMPLE.com http:// https:// data:';
    const href = fc.array(fc.constantFrom(...pieces.split(' '), ' ', '\t'), { maxLength: 8 });
    const start = fc.constantFrom('', '/', 'https://www.example.com', 'https://www.example.com/');
    const base = fc.constantFrom(page, 'http://user@example.com:8080/a/b', 'data:text/html,a', 'no URL');
    fc.assert(
      fc.property(start, href, base, (first, rest, url) => {
        const written = first + rest.join('');
        expect(new Targets(url, undefined).resolve(written)).toBe(resolved(written, url));
      }),
      { numRuns: 2_000 },
    );
  });
});
