import { describe, expect, test } from 'vitest';
import { parsePublishTime } from '../../../../src/shared/page/metadata/dates.ts';
import { pageOf } from '../reading.ts';

describe('parsePublishTime', () => {
  test.each([
    ['2026-02-13T08:06:32Z', '2026-02-13T08:06:32', '2026-02-13T08:06:32Z'],
    ['2026-02-13T08:06:32.987+02:00', '2026-02-13T08:06:32', '2026-02-13T06:06:32Z'],
    ['2026-02-13T08:06:32-0500', '2026-02-13T08:06:32', '2026-02-13T13:06:32Z'],
    ['2026-02-13T08:06+01', '2026-02-13T08:06:00', '2026-02-13T07:06:00Z'],
    ['2026-02-13 08:06:32', '2026-02-13T08:06:32', '2026-02-13T08:06:32Z'],
    ['2026-02-13 08:06 EST', '2026-02-13T08:06:00', '2026-02-13T13:06:00Z'],
    ['2026-02-13', '2026-02-13T00:00:00', '2026-02-13T00:00:00Z'],
    ['2026/02/13', '2026-02-13T00:00:00', '2026-02-13T00:00:00Z'],
    ['20260213T080632Z', '2026-02-13T08:06:32', '2026-02-13T08:06:32Z'],
    ['20260213', '2026-02-13T00:00:00', '2026-02-13T00:00:00Z'],
    ['Fri, 13 Feb 2026 08:06:32 GMT', '2026-02-13T08:06:32', '2026-02-13T08:06:32Z'],
    ['Fri, 13 Feb 2026 08:06:32 +0200', '2026-02-13T08:06:32', '2026-02-13T06:06:32Z'],
    ['Fri Feb 13 2026 08:06:32 GMT+0100 (CET)', '2026-02-13T08:06:32', '2026-02-13T07:06:32Z'],
    ['February 13th, 2026 12:06 am', '2026-02-13T00:06:00', '2026-02-13T00:06:00Z'],
    ['Feb. 13, 2026 8:06 p.m. PST', '2026-02-13T20:06:00', '2026-02-14T04:06:00Z'],
    ['13 Feb 2026', '2026-02-13T00:00:00', '2026-02-13T00:00:00Z'],
    ['1770969992', '2026-02-13T08:06:32', '2026-02-13T08:06:32Z'],
    ['1770969992123', '2026-02-13T08:06:32', '2026-02-13T08:06:32Z'],
  ])('%s', (written, local, instant) => {
    expect(parsePublishTime(written)).toEqual({ local, instant: Date.parse(instant) });
  });

  test.each(
    [
      ['', 'yesterday', '2026', '2026-02', '0001-01-01T00:00:00Z', '1970-01-01T01:00:00+01:00', '1994-12-31'],
      [
        '2026-02-30',
        '2026-13-01',
        '2026-02-13T25:00:00',
        '2026-02-13T08:61:00',
        '13 Foo 2026',
        '99999999999999',
        '123',
      ],
    ].flat(),
  )('%j is no date', (written) => {
    expect(parsePublishTime(written)).toBeUndefined();
  });
});

describe('the publication time of a page', () => {
  const local = (html: string): string | undefined => pageOf(`<title>t</title>${html}`).publishTime?.local;
  const jsonLd = (value: unknown): string => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;

  test('JSON-LD first, then meta, then microdata, then a dated time element', () => {
    const time = '<time pubdate datetime="2026-01-05">';
    const microdata = '<span itemprop="datePublished" content="2026-01-04"></span>';
    const meta =
      '<meta name="dc.date" content="2026-01-03"><meta property="article:published_time" content="2026-01-02">';
    const ld = jsonLd({ '@type': 'NewsArticle', datePublished: '2026-01-01T10:00:00+01:00' });
    expect(local(time)).toBe('2026-01-05T00:00:00');
    expect(local(time + microdata)).toBe('2026-01-04T00:00:00');
    expect(local(time + microdata + meta)).toBe('2026-01-02T00:00:00');
    expect(local(time + microdata + meta + ld)).toBe('2026-01-01T10:00:00');
  });

  test('JSON-LD in a graph, in lists, of several types, among other things', () => {
    const graph = {
      '@graph': [
        { '@type': 'Review', datePublished: '2025-01-01' },
        { '@type': 'WebPage', datePublished: '2025-02-02' },
        [
          {
            '@type': ['Article', 'Thing'],
            datePublished: ['2025-03-03'],
            comment: [{ '@type': 'Comment', datePublished: '2025-04-04' }],
          },
        ],
      ],
    };
    expect(local(jsonLd(graph))).toBe('2025-03-03T00:00:00');
    expect(local(jsonLd({ '@type': 'http://schema.org/BlogPosting', datePublished: '2025-05-05' }))).toBe(
      '2025-05-05T00:00:00',
    );
    expect(local(jsonLd({ '@type': 'VideoObject', uploadDate: '2025-06-06' }))).toBe('2025-06-06T00:00:00');
    expect(local(jsonLd({ '@type': 'Comment', datePublished: '2025-04-04' }))).toBeUndefined();
    expect(local(jsonLd({ '@type': 'Article', dateModified: '2025-04-04' }))).toBeUndefined();
  });

  test.each([
    ['//<![CDATA[\n', '\n//]]>'],
    ['/*<![CDATA[*/', '/*]]>*/'],
    ['<!--', '-->'],
  ])('JSON-LD wrapped in %j', (open, close) => {
    const script = `{"@type":"Article","headline":"a\nb","datePublished":"2025-03-03"}`;
    expect(local(`<script type="application/ld+json">${open}${script}${close}</script>`)).toBe('2025-03-03T00:00:00');
  });

  test('broken and hostile JSON-LD is no date', () => {
    expect(local('<script type="application/ld+json">{"datePublished": "2025-03-03",}</script>')).toBeUndefined();
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    expect(local(`<script type="application/ld+json">${deep}</script>`)).toBeUndefined();
    expect(local(jsonLd(null) + jsonLd('x') + jsonLd({ '@type': 7, datePublished: 7 }))).toBeUndefined();
  });

  test('a time element counts in the header of an article, not in its text or the header of the site', () => {
    const time = '<time datetime="2026-01-05T09:00">5 January</time>';
    expect(local(`<article><header>${time}</header><p>x</article>`)).toBe('2026-01-05T09:00:00');
    expect(local(`<article><p>${time}</article>`)).toBeUndefined();
    expect(local(`<header>${time}</header><p>x`)).toBeUndefined();
  });

  test('an impossible date gives way to the next place', () => {
    const meta = '<meta name="date" content="2026-01-03">';
    expect(local(jsonLd({ '@type': 'Article', datePublished: '0001-01-01T00:00:00Z' }) + meta)).toBe(
      '2026-01-03T00:00:00',
    );
  });
});
