import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { html, parse, serialize, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { describe, expect, test } from 'vitest';
import { decode } from '../../../../src/shared/page/read/decode.ts';
import { treeOf } from '../../../../src/shared/page/read/tree.ts';
import { fileOf, labelledPages } from '../../../report/corpus.ts';

/** The tree line by line, without the bodies of scripts and styles that are no data. */
function outline(document: Tree.Document): string {
  const lines: string[] = [];
  const waiting: { node: Tree.Node; depth: number }[] = [{ node: document, depth: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, depth } = next;
    lines.push(`${depth} ${written(node)}`);
    if ('tagName' in node && isRaw(node)) continue;
    const children = 'content' in node ? node.content.childNodes : 'childNodes' in node ? node.childNodes : [];
    waiting.push(...children.map((child) => ({ node: child, depth: depth + 1 })).reverse());
  }
  return lines.join('\n');
}

function written(node: Tree.Node): string {
  if ('tagName' in node) return `<${node.tagName} ${JSON.stringify(node.attrs)} ${node.namespaceURI}`;
  if ('value' in node) return JSON.stringify(node.value);
  return 'data' in node ? `<!--${node.data}` : node.nodeName;
}

function isRaw({ tagName, attrs, namespaceURI }: Tree.Element): boolean {
  const data = attrs.some(({ name, value }) => name === 'type' && value.toLowerCase().includes('json'));
  return namespaceURI === html.NS.HTML && (tagName === 'style' || (tagName === 'script' && !data));
}

/** As we read it, and as parse5 does. */
function trees(text: string): [string, string] {
  return [outline(treeOf(text)), outline(parse(text))];
}

const BODIES = [
  'a',
  '',
  '<!-- a -->',
  '<!--',
  '-->',
  '<!-- <script> b </script> -->',
  '<!--<script',
  '<!--<script >',
  '</scrip',
  '</scriptx>',
  '</ script>',
  '</style>',
  '</script',
  '"<p>text</p>"',
  '\r\n\0\uD83D\uDE00',
  '\uD800',
];

describe('scripts and styles are jumped over and nothing else changes', () => {
  test.each(BODIES)('with %j in them', (body) => {
    for (const [open, close] of [
      ['<script>', '</script>'],
      ['<SCRIPT a="b>">', '</Script\n>'],
      ['<style>', '</style>'],
      ['<svg><script>', '</script></svg>'],
      ['<svg><style>', '</style></svg>'],
      ['<select><script>', '</script></select>'],
      ['<table><script>', '</script></table>'],
      ['<title><script>', '</script></title>'],
      ['<script type="application/ld+json">', '</script>'],
    ]) {
      const [ours, theirs] = trees(`<p>one</p>${open}${body}${close}<p>two</p><script>x</script>three`);
      expect(ours).toBe(theirs);
    }
  });

  test('data keeps its body', () => {
    expect(serialize(treeOf('<script type="application/LD+JSON">{"a": "<b>"}</script>'))).toContain('{"a": "<b>"}');
    expect(serialize(treeOf('<script>var a</script><style>b {}</style>'))).toContain(
      '<script></script><style></style>',
    );
  });

  test('whatever stands around them', () => {
    const piece = fc.constantFrom(
      ...BODIES,
      '<script>',
      '</script>',
      '<style>',
      '</style>',
      '<script/>',
      '<svg>',
      '</svg>',
      '<p>',
      '<textarea>',
      '</textarea>',
      '<noscript>',
      '</noscript>',
      '<frameset>',
      '<template>',
      '</template>',
      '<!-- ',
      ' -->',
      'x'.repeat(70_000),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const [ours, theirs] = trees(pieces.join(''));
        expect(ours === theirs ? '' : pieces).toBe('');
      }),
      { numRuns: 400 },
    );
  });
});

const corpusIsHere = existsSync(join(import.meta.dirname, '../../../../../shared/corpus/README.md'));

describe.skipIf(!corpusIsHere)('real pages (skipped where the corpus is not at hand)', { timeout: 120_000 }, () => {
  test('have the same tree', () => {
    const pages = corpusIsHere ? [...labelledPages('pages', 'build'), ...labelledPages('pages', 'check')] : [];
    const different = pages.filter(({ file }) => {
      const [ours, theirs] = trees(decode(fileOf('pages', file), { contentType: 'text/html' }));
      return ours !== theirs;
    });
    expect(different.map(({ file }) => file)).toEqual([]);
    expect(pages.length).toBeGreaterThan(200);
  });
});
