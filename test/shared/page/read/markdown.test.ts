import { describe, expect, test } from 'vitest';
import { extraction, pageOf, textsOf } from '../reading.ts';

const type = { contentType: 'text/markdown' };
const url = 'https://example.com/notes/today';

describe('Markdown', () => {
  test('headings, sentences, items, rows and code', () => {
    const text = `# Tides\n\nOne *here*. Two\nhere.\n\n- first\n- second\n\n| Day | High |\n| --- | --- |\n| Mon | 08:12 |\n
\`\`\`sh\nnpm install\nnpm test\n\`\`\`\n`;
    expect(pageOf(text, type)).toMatchObject({
      title: 'Tides',
      segments: [
        { text: 'Tides', kind: 'heading' },
        { text: 'One here.', kind: 'sentence' },
        { text: 'Two here.', kind: 'sentence' },
        { text: 'first', kind: 'item' },
        { text: 'second', kind: 'item' },
        { text: 'Day | High', kind: 'row' },
        { text: 'Mon | 08:12', kind: 'row' },
        { text: 'npm install', kind: 'sentence' },
        { text: 'npm test', kind: 'sentence' },
      ],
    });
  });

  test('links are anchors, and all is main', () => {
    const page = pageOf(
      '# A\n\nSee [the table](../t.md "T") or <https://example.org/x>.\n\n- [Up][u]\n\n[u]: /up',
      type,
    );
    expect(page.anchors).toEqual([
      { href: 'https://example.com/t.md', text: 'the table', zone: 'main' },
      { href: 'https://example.org/x', text: 'https://example.org/x', zone: 'main' },
      { href: 'https://example.com/up', text: 'Up', zone: 'main' },
    ]);
    expect(page.segments.every(({ zone }) => zone === 'main')).toBe(true);
  });

  test('front matter is no text, and has the title', () => {
    const text = '---\r\nlayout: post\r\ntitle: "High water"\r\n---\r\n# Tides\r\n\r\nHere.\r\n';
    expect(pageOf(text, type)).toMatchObject({ title: 'High water', segments: [{ text: 'Tides' }, { text: 'Here.' }] });
    expect(textsOf('---\n\nHere.\n\n---\n', type)).toEqual(['Here.']);
  });

  test('raw HTML is read as on a page, and cannot swallow or redirect the rest', () => {
    const text = `<p align="center">A <b>logo</b></p>\n\n<base href="https://evil.example/">
<title>x\n\n<!-- no -->\n<div hidden>no</div>\n\nSee [here](/here).\n\n<script>x(1)\n\nStill seen.\n`;
    const page = pageOf(text, type);
    expect(page.segments.map((segment) => segment.text)).toContain('A logo');
    expect(page.segments.map((segment) => segment.text)).toContain('See here.');
    expect(page.segments.at(-1)?.text).toBe('<script>x(1) Still seen.');
    expect(page.segments.some((segment) => segment.text === 'no')).toBe(false);
    expect(page.links).toEqual(['https://example.com/here']);
    expect(page.title).toBeUndefined();
  });

  test('a picture is no text, and neither is what it is called', () => {
    expect(textsOf('A ![logo](/logo.png "title") here.\n\n![](x)\n', type)).toEqual(['A here.']);
  });

  test('a target that is named without end is not multiplied without end', () => {
    const text = `${'[a] '.repeat(50_000)}\n\n[a]: /${'x'.repeat(1_900)}\n`;
    const page = pageOf(text, type);
    expect(page.links).toEqual([`https://example.com/${'x'.repeat(1_900)}`]);
    expect(page.anchors.length).toBeLessThan(3_000);
  });

  test.each(['[', '>', '* ', '![[', '*a **a ', '`', '<a ', '| a ', '1. a\n'])(
    '200,000 characters of %j',
    { timeout: 60_000 },
    (piece) => {
      expect(extraction(piece.repeat(200_000 / piece.length), { ...type, url })).toHaveProperty('ok');
    },
  );

  test('lines that go on with a hundred quotations are not looked at a hundred times', { timeout: 60_000 }, () => {
    const quoted = `${'>'.repeat(100)}a\n${'a\n'.repeat(100_000)}`;
    expect(extraction(`# Title\n\n${quoted}`, type)).toMatchObject({ ok: true, page: { title: 'Title' } });
  });

  test('lists ten deep are still lists', () => {
    const lists = Array.from({ length: 10 }, (_, depth) => `${'  '.repeat(depth)}* at *${depth}*`).join('\n');
    expect(textsOf(lists, type)).toEqual(Array.from({ length: 10 }, (_, depth) => `at ${depth}`));
  });

  test.each([
    ['is too long', 'word '.repeat(220_000)],
    ['is nothing but marks', '!['.repeat(150_000)],
    ['is nothing but lines', 'x\n'.repeat(300_000)],
  ])('what %s is refused', (_, text) => {
    expect(extraction(text, type)).toMatchObject({ ok: false, reason: 'too_large' });
  });
});
