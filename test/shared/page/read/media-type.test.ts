import { describe, expect, test } from 'vitest';
import { mediaTypeOf } from '../../../../src/shared/page/read/media-type.ts';
import { bytesOf } from '../reading.ts';

const typeOf = (contentType: string, content: string, url?: string): string =>
  mediaTypeOf(contentType, bytesOf(content), url);

describe('the reader of a body', () => {
  test.each([
    ['text/html; charset=utf-8', 'x', 'html'],
    ['Text/HTML', '', 'html'],
    ['application/xhtml+xml', '<html/>', 'xhtml'],
    ['text/plain', '{"a": 1}', 'text'],
    ['text/markdown; variant=GFM', '# x', 'markdown'],
    ['application/json', '[]', 'json'],
    ['application/ld+json', '{}', 'json'],
    ['application/feed+json', '{}', 'json'],
    ['text/xml', '<a/>', 'xml'],
    ['application/xml', '<html lang="en">', 'xhtml'],
    ['application/rss+xml', '<rss/>', 'xml'],
    ['application/rdf+xml', '<rdf:RDF/>', 'xml'],
    ['application/pdf', 'noise\n%PDF-1.4', 'pdf'],
    ['application/pdf', '<!doctype html><p>Not found', 'other'],
    ['text/css', 'p {}', 'other'],
    ['text/csv', 'a,b', 'csv'],
    ['application/csv; header=present', 'a,b', 'csv'],
    ['text/tab-separated-values', 'a\tb', 'tsv'],
    ['text/csv', 'PK\u0003\u0004', 'other'],
    ['image/svg+xml', '<svg/>', 'other'],
    ['application/octet-stream', 'x', 'other'],
  ])('%j with %j is %s', (contentType, content, type) => {
    expect(typeOf(contentType, content)).toBe(type);
  });

  test.each([
    ['<!DOCTYPE html>', 'html'],
    ['\uFEFF<?xml version="1.0"?><html>', 'xhtml'],
    ['<?xml version="1.0"?><note/>', 'xml'],
    [' <rss version="2.0">', 'xml'],
    ['%PDF-1.7', 'pdf'],
    ['{"a": 1}', 'text'],
    ['a\u0001', 'other'],
  ])('no type is said, and %j is %s', (content, type) => {
    expect(typeOf('', content)).toBe(type);
    expect(typeOf('*/*', content)).toBe(type);
  });

  test('a feed that is called HTML is a feed, and a page that shows one is none', () => {
    const head = '<?xml version="1.0"?>\n<!-- made <by> hand -->\n<?xml-stylesheet href="a.xsl"?>';
    expect(typeOf('text/html', `${head}<rss version="2.0">`)).toBe('xml');
    expect(typeOf('text/html', '<feed xmlns="http://www.w3.org/2005/Atom">')).toBe('xml');
    expect(typeOf('text/html', '<p>Write <rss version="2.0"> first')).toBe('html');
  });

  test('a feed whose first entry begins with an HTML document is a feed', () => {
    expect(typeOf('text/xml', '<rss><channel><description><![CDATA[<html><p>')).toBe('xml');
  });

  test('plain text under an address that ends in .md is Markdown', () => {
    expect(typeOf('text/plain', '# x', 'https://example.com/a/README.md?raw=1#x')).toBe('markdown');
    expect(typeOf('text/plain', '# x', 'https://example.com/a.md/notes')).toBe('text');
    expect(typeOf('text/plain', '# x')).toBe('text');
  });

  test.each(['\u0089PNG', 'GIF89a', 'PK\u0003\u0004', 'wOF2', '\u0000\u0000\u0000 ftypmp42', '7z\u00BC\u00AF'])(
    'what begins with %j is nothing to read, whatever its type says',
    (content) => {
      const bytes = Uint8Array.from(content, (character) => character.charCodeAt(0));
      for (const type of ['text/html', 'text/plain', 'application/json', 'text/xml', ''])
        expect(mediaTypeOf(type, bytes)).toBe('other');
    },
  );

  test('a PDF is one whatever its type says', () => {
    expect(typeOf('text/html', '%PDF-1.7 x')).toBe('pdf');
  });
});
