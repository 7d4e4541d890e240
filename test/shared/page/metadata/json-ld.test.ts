import { describe, expect, test } from 'vitest';
import { JsonLd } from '../../../../src/shared/page/metadata/json-ld.ts';
import { TypesByPlace } from '../../../../src/shared/page/metadata/schema.ts';

function read(...blocks: readonly unknown[]): JsonLd {
  const jsonLd = new JsonLd();
  for (const block of blocks) jsonLd.read(typeof block === 'string' ? block : JSON.stringify(block));
  return jsonLd;
}

function typesOf(...blocks: readonly unknown[]): string[] {
  return TypesByPlace.inOrder([read(...blocks).types]);
}

describe('JSON-LD', () => {
  test('types: the main entity first, then own nodes, parts, other pages, and the boilerplate of the site', () => {
    const graph = {
      '@graph': [
        { '@type': 'Organization', name: 'Harbour Press' },
        { '@type': 'WebPage', mainEntity: { '@type': 'Product', offers: { '@type': 'Offer' } } },
        { '@type': 'BreadcrumbList', itemListElement: [] },
        { '@type': 'ItemList', itemListElement: [{ '@type': 'ListItem', item: { '@type': 'Recipe' } }] },
      ],
    };
    expect(typesOf(graph)).toEqual([
      'Product',
      'ItemList',
      'WebPage',
      'Offer',
      'Recipe',
      'Organization',
      'BreadcrumbList',
      'ListItem',
    ]);
  });

  test('types lose their prefix, stand once, and are names', () => {
    const types = ['https://schema.org/NewsArticle', 'schema:NewsArticle', 'a b', '<x>', 7, null];
    expect(typesOf({ '@type': types })).toEqual(['NewsArticle']);
  });

  test('authors, publishers, pictures and comments are not of the page', () => {
    const person = { '@type': 'Person', datePublished: '2020-01-01' };
    const article = {
      '@type': 'Article',
      author: person,
      publisher: { '@type': 'Organization' },
      image: { '@type': 'ImageObject' },
      comment: [{ '@type': 'Comment', datePublished: '2020-01-02' }],
    };
    expect(typesOf(article)).toEqual(['Article']);
    expect(read(article).dates).toEqual([]);
  });

  test('the pages of a list do not date the list', () => {
    const item = { '@type': 'NewsArticle', datePublished: '2026-01-01' };
    expect(read({ '@type': 'ItemList', itemListElement: [{ item }] }).dates).toEqual([]);
    expect(read({ '@type': 'Blog', blogPost: [item, item] }).dates).toEqual([]);
    expect(read({ '@type': 'WebPage', mainEntity: item }).dates).toHaveLength(1);
  });

  test('a job is dated by its posting, a video by its upload, a question by its creation', () => {
    const dates = (node: unknown): string[] => read(node).dates.map(({ written }) => written);
    expect(dates({ '@type': 'JobPosting', datePosted: '2026-01-01' })).toEqual(['2026-01-01']);
    expect(dates({ '@type': 'VideoObject', uploadDate: '2026-01-02' })).toEqual(['2026-01-02']);
    expect(dates({ '@type': 'QAPage', mainEntity: { '@type': 'Question', dateCreated: '2026-01-03' } })).toEqual([
      '2026-01-03',
    ]);
    expect(dates({ '@type': 'WebPage', dateCreated: '2026-01-04', dateModified: '2026-01-05' })).toEqual([]);
  });

  test('sections, breadcrumbs, headline and the name of the site', () => {
    const { sections, crumbs, headline, siteName } = read([
      { '@type': 'WebSite', name: 'Harbour Press', headline: undefined },
      { '@type': 'NewsArticle', headline: 'Ferry late', articleSection: ['News', 'Traffic'] },
      {
        '@type': 'BreadcrumbList',
        itemListElement: [{ name: 'Home' }, { item: { name: 'Coast' } }, null, 'x', { item: 7 }],
      },
    ]);
    expect({ sections, crumbs, headline, siteName }).toEqual({
      sections: ['News', 'Traffic'],
      crumbs: ['Home', 'Coast'],
      headline: 'Ferry late',
      siteName: 'Harbour Press',
    });
  });

  test('a node that says it is not for families is heard in every writing', () => {
    expect(read({ isFamilyFriendly: false }, { isFamilyFriendly: 'http://schema.org/False' }).familyFriendly).toEqual([
      'false',
      'http://schema.org/False',
    ]);
  });

  test('names of Object.prototype are names like others', () => {
    const { types, dates } = read(
      '{"__proto__": {"@type": "Article", "datePublished": "2026-01-01"}, "constructor": 1}',
    );
    expect(TypesByPlace.inOrder([types])).toEqual(['Article']);
    expect(dates).toHaveLength(1);
    expect(({} as Record<string, unknown>)['datePublished']).toBeUndefined();
    expect(typesOf({ '@type': '__proto__' }, { '@type': 'constructor' })).toEqual(['constructor']);
  });

  test('beyond 5,000 nodes of a page nothing is read, in however many blocks', () => {
    const many = { '@type': 'A', x: Array.from({ length: 20_000 }, () => ({ y: {} })) };
    expect(typesOf({ '@type': 'First' }, many, { '@type': 'Last' })).toEqual(['First', 'A']);
    const wide = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [`k${index}`, { '@type': `T${index}` }]),
    );
    expect(typesOf(wide).length).toBeLessThanOrEqual(32);
    const deep = '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000);
    expect(typesOf(deep, { '@type': 'Last' })).toEqual([]);
  });

  test('a script that cannot be read counts like one that can', () => {
    const broken = Array.from({ length: 5_000 }, () => '{\n}}');
    expect(typesOf(...broken, { '@type': 'Last' })).toEqual([]);
  });

  test('a megabyte of state is no statement', () => {
    expect(typesOf({ '@type': 'Article', state: 'x'.repeat(1_000_000) })).toEqual([]);
  });
});
