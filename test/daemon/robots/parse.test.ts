import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRobots, wholeLines, written } from '../../../src/daemon/robots/parse.ts';
import { ROBOTS_SEARCHES, ROBOTS_SITEMAPS, ROBOTS_TXT_BYTES } from '../../../src/shared/limits.ts';

const parsed = (text: string) => parseRobots(Buffer.from(text), 'hydrant');
const rulesOf = (file: Uint8Array): string[] =>
  parseRobots(file, 'hydrant').rules.map(
    ({ allows, pattern, line }) => `${line} ${allows ? '+' : '-'}${written(pattern)}`,
  );

describe('a robots.txt', () => {
  test('is sorted by how specific its rules are, and what allows comes first', () => {
    expect(rulesOf(Buffer.from('User-agent: *\nDisallow: /\nDisallow: /a\nAllow: /a\nAllow: /*.html$'))).toEqual([
      '5 +/*.html$',
      '4 +/a',
      '3 -/a',
      '2 -/',
    ]);
  });

  test('that names us says nothing else to us, also when it has no rule for us', () => {
    expect(rulesOf(Buffer.from('User-agent: *\nDisallow: /\nUser-agent: HYDRANT/1.0 (any)\nAllow:'))).toEqual([]);
    expect(rulesOf(Buffer.from('User-agent: hydrant-news\nDisallow: /\nUser-agent: hydrants\nDisallow: /'))).toEqual(
      [],
    );
  });

  test('has a crawl delay in the group that is ours, the longest of several', () => {
    expect(parsed('User-agent: *\nCrawl-delay: 7.5\nDisallow: /x').crawlDelay).toBe(7.5);
    expect(parsed('User-agent: *\nCrawl-delay: 7\nUser-agent: hydrant\nDisallow:').crawlDelay).toBe(7);
    expect(
      parsed('User-agent: *\nCrawl-delay: 7\nDisallow:\nUser-agent: hydrant\nDisallow:').crawlDelay,
    ).toBeUndefined();
    expect(parsed('User-agent: hydrant\nCrawl-delay: 2\nCrawl-delay: 9\nCrawl-delay: 3').crawlDelay).toBe(9);
    expect(parsed('User-agent: *\nCrawl-delay: -1\nCrawl-delay: soon\nCrawl-delay: 1e9').crawlDelay).toBeUndefined();
  });

  test('has sitemaps wherever they stand, each once, and not without end', () => {
    const text =
      'Sitemap: https://a.test/s.xml\nUser-agent: other\nsite-map:https://a.test/\u00e9.xml\nSitemap:\nSITEMAP: https://a.test/s.xml';
    expect(parsed(text).sitemaps).toEqual(['https://a.test/s.xml', 'https://a.test/\u00e9.xml']);
    const many = Array.from({ length: ROBOTS_SITEMAPS + 5 }, (_, index) => `Sitemap: https://a.test/${index}`).join(
      '\n',
    );
    expect(parsed(many).sitemaps).toHaveLength(ROBOTS_SITEMAPS);
  });

  test.each([
    ['UTF-8', Buffer.from('\ufeffUser-agent: *\nDisallow: /\u00e9')],
    ['half a UTF-8', Buffer.concat([Buffer.from([0xef, 0xbb]), Buffer.from('User-agent: *\nDisallow: /\u00e9')])],
    ['UTF-16, little end first', Buffer.from('\ufeffUser-agent: *\nDisallow: /\u00e9', 'utf16le')],
    ['UTF-16, big end first', Buffer.from('\ufeffUser-agent: *\nDisallow: /\u00e9', 'utf16le').swap16()],
  ])('may begin with the byte order mark of %s', (_, file) => expect(rulesOf(file)).toEqual(['2 -/%C3%A9']));

  test('ends at its limit, and a line that the limit cuts is not read', () => {
    const start = 'User-agent: *\nDisallow: /a\n';
    const filler = `#${'x'.repeat(ROBOTS_TXT_BYTES - start.length - 10)}\n`;
    const file = Buffer.from(`${start}${filler}Disallow: /long\nDisallow: /beyond\n`);
    expect(rulesOf(file)).toEqual(['2 -/a']);
    expect(wholeLines(file).length).toBe(start.length + filler.length);
    expect(wholeLines(Buffer.alloc(ROBOTS_TXT_BYTES + 1, 'x'))).toHaveLength(0);
    expect(wholeLines(Buffer.alloc(ROBOTS_TXT_BYTES, 'x'))).toHaveLength(ROBOTS_TXT_BYTES);
  });

  test('keeps no rule that is longer than any address', () => {
    expect(rulesOf(Buffer.from(`User-agent: *\nDisallow: /${'a'.repeat(10_000)}\nDisallow: /b`))).toEqual(['3 -/b']);
  });

  test('searches for so many rules and no more: what is beyond disallows more, and allows less', () => {
    const some = Array.from({ length: ROBOTS_SEARCHES - 1 }, (_, index) => `Allow: /*x${index}y`);
    const rest = ['Disallow: /last*a', 'Disallow: /cut*a*b$', 'Allow: /gone*a', 'Disallow: /z*', 'Allow: /z'];
    const rules = rulesOf(Buffer.from(['User-agent: *', ...some, ...rest].join('\n')));
    const told = rules.filter((rule) => !/x\d+y$/.test(rule)).map((rule) => rule.replace(/^\d+ /, ''));
    expect(rules).toHaveLength(ROBOTS_SEARCHES + 3);
    expect(told).toEqual(['-/cut', '-/last*a', '-/z*', '+/z']);
  });

  test('may be any bytes', () => {
    const word = fc.constantFrom(
      'User-agent',
      'Disallow',
      'Allow',
      ':',
      ' ',
      '*',
      '$',
      '\n',
      '\r',
      '#',
      '/',
      '%',
      '%2',
      '\u00e9',
      'hydrant',
    );
    const text = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.array(word).map((words) => Buffer.from(words.join(''))),
    );
    fc.assert(
      fc.property(text, (file) => {
        const lengths = parseRobots(file, 'hydrant').rules.map(({ pattern }) => pattern.length);
        expect(lengths).toEqual(lengths.toSorted((one, other) => other - one));
      }),
    );
  });
});
