import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { describe, expect, test } from 'vitest';
import type { Digest } from '../../../src/shared/digest/digest.ts';
import { toHtml, toMarkdown, toText } from '../../../src/shared/digest/forms.ts';
import type { Story } from '../../../src/shared/digest/stories.ts';
import { legalText } from '../../../src/shared/documents/markup.ts';
import { hostileText, hostileUrl, UNSEEN } from '../documents/hostile-text.ts';

/** Whatever pages say, a document has our structure, our links, and their texts as texts. */
const page = fc.record({ title: hostileText, url: hostileUrl });
const story: fc.Arbitrary<Story> = fc.record({
  title: hostileText,
  url: hostileUrl,
  at: fc.constant('2026-03-01T10:00:00.000Z'),
  excerpt: hostileText,
  changes: fc.array(fc.record({ at: fc.constant('2026-03-01T10:00:00.000Z'), excerpt: hostileText }), { maxLength: 3 }),
  taps: fc.constant(['news']),
  tags: fc.constant([]),
  categories: fc.constant([]),
  matches: fc.constant(1),
  others: fc.array(page, { maxLength: 2 }),
});
const digest: fc.Arbitrary<Digest> = fc
  .record({
    title: hostileText,
    groups: fc.array(fc.record({ name: hostileText, stories: fc.array(story, { minLength: 1, maxLength: 2 }) }), {
      maxLength: 2,
    }),
  })
  .map(({ title, groups }) => ({
    title,
    groups,
    since: '2026-03-01T00:00:00.000Z',
    until: '2026-03-02T00:00:00.000Z',
    kept_from: null,
    matches: 9,
    watch_changes: 0,
    older_matches: 0,
    stories: groups.flatMap(({ stories }) => stories).length,
  }));

const storiesIn = ({ groups }: Digest): Story[] => groups.flatMap(({ stories }) => stories);
const linksIn = (made: Digest): string[] =>
  storiesIn(made).flatMap((lead) => [lead, ...lead.others].map(({ url }) => url));

/** Which characters of ASCII are escaped in an address is a matter of its form: where it leads is the same. */
const plain = (url: string): string =>
  url.replaceAll(/%([2-7][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

interface Read {
  readonly tags: string[];
  readonly links: string[];
  /** Of each element, with what is in it. */
  readonly texts: Map<string, string[]>;
  readonly attributes: Set<string>;
}

function read(html: string): Read {
  const found: Read = { tags: [], links: [], texts: new Map(), attributes: new Set() };
  const visit = (node: DefaultTreeAdapterTypes.Node): string => {
    if (node.nodeName === '#text' && 'value' in node) return node.value;
    const text = 'childNodes' in node ? node.childNodes.map(visit).join('') : '';
    if ('tagName' in node) {
      found.tags.push(node.tagName);
      found.texts.set(node.tagName, [...(found.texts.get(node.tagName) ?? []), text]);
      for (const { name, value } of node.attrs) {
        found.attributes.add(name);
        if (name === 'href') found.links.push(value);
      }
    }
    return text;
  };
  visit(parse(html));
  return found;
}

const counted = (tags: readonly string[], tag: string): number => tags.filter((one) => one === tag).length;

describe('a digest of strangers’ texts', () => {
  test('as a page has no element, attribute or link but ours, and each text as it was', () => {
    fc.assert(
      fc.property(digest, (made) => {
        const { tags, links, texts, attributes } = read(toHtml(made));
        const ours = 'html head meta title style body h1 h2 p ul li a span'.split(' ');
        expect(tags.filter((tag) => !ours.includes(tag))).toEqual([]);
        expect(
          [...attributes].filter(
            (name) => !['lang', 'charset', 'name', 'content', 'http-equiv', 'class', 'href'].includes(name),
          ),
        ).toEqual([]);
        expect(links).toEqual(linksIn(made));
        expect(counted(tags, 'li')).toBe(storiesIn(made).length);
        expect(texts.get('h1')).toEqual([legalText(made.title)]);
        expect(texts.get('h2') ?? []).toEqual(made.groups.map(({ name }) => legalText(name)));
        expect(toHtml(made)).not.toMatch(UNSEEN);
      }),
    );
  });

  test('as Markdown has no mark-up or link but ours, in CommonMark with raw HTML, tables and bare addresses', () => {
    // GitHub's: bare addresses begin with a scheme or `www.`, or are those of mails.
    const markdown = new MarkdownIt({ html: true, linkify: true });
    markdown.linkify.set({ fuzzyLink: false, fuzzyIP: false }).add('//', null);
    markdown.linkify.add('www.', { validate: (text, at) => /^\S*/.exec(text.slice(at))?.[0].length ?? 0 });
    fc.assert(
      fc.property(digest, (made) => {
        const source = toMarkdown(made);
        expect(source).not.toMatch(UNSEEN);
        const { tags, links } = read(markdown.render(source));
        // A line break, of two blanks, shows nothing; a code is the `@` of an address.
        const ours = ['html', 'head', 'body', 'h1', 'h2', 'p', 'ul', 'li', 'a', 'code', 'br'];
        expect(tags.filter((tag) => !ours.includes(tag))).toEqual([]);
        expect([counted(tags, 'h1'), counted(tags, 'h2')]).toEqual([1, made.groups.length]);
        expect(links.map(plain)).toEqual(linksIn(made).map(plain));
      }),
    );
  });

  test('as text has a line for each thing, marked as what it is, however many lines their texts have', () => {
    fc.assert(
      fc.property(digest, (made) => {
        const text = toText(made);
        expect(text).not.toMatch(UNSEEN);
        const lines = text.split('\n');
        const addresses = lines.flatMap((line) => /^ {2}(?:also: )?<(https?:[^<>\s]*)>$/.exec(line)?.[1] ?? []);
        expect(addresses.map(plain)).toEqual(linksIn(made).map(plain));
        const changes = storiesIn(made).flatMap((one) => one.changes.filter(({ excerpt }) => excerpt !== ''));
        const ours = 4 + 3 * made.groups.length + 2 * storiesIn(made).length + linksIn(made).length;
        expect(lines.filter((line) => line.startsWith('  > '))).toHaveLength(changes.length);
        expect(lines).toHaveLength(ours + changes.length);
      }),
    );
  });
});
