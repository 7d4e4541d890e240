import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Extraction } from '../../../../src/shared/page/read/extract.ts';
import type { Page } from '../../../../src/shared/page/page.ts';
import { blocksOf } from '../../../../src/shared/page/pdf/pdf.ts';
import { read } from '../../../../src/shared/page/read.ts';
import { lines, pdfFile, type PdfParts } from '../pdf-file.ts';
import { bytesOf } from '../reading.ts';

/** Encryption with a password that nobody has (ISO 32000, 7.6.4). */
const ZEROS = '00'.repeat(32);
const LOCKED = `/ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${ZEROS}> /U <${ZEROS}> >>`;

/** None of what is refused here is refused for the time that it takes. */
async function reading(bytes: Uint8Array, signal = AbortSignal.timeout(60_000)): Promise<Extraction> {
  return read({ url: 'https://example.com/tides.pdf', contentType: 'application/pdf', bytes }, signal);
}

async function pageOf(parts: PdfParts): Promise<Page> {
  const found = await reading(pdfFile(parts));
  if (!found.ok) throw new Error(`${found.reason}: ${found.detail}`);
  return found.page;
}

describe('PDF', () => {
  test('lines are paragraphs and sentences, parted words are one, larger letters are a heading', async () => {
    const body = lines(['One line. Another sen-', 'tence here, over', 'three lines.'], 12, 640);
    const next = lines(['A paragraph below.', '- An item'], 12, 560);
    const { segments } = await pageOf({
      pages: [`${lines(['Tide tables'], 24)} ${body} ${next}`, lines(['Next page'])],
    });
    expect(segments).toEqual([
      { text: 'Tide tables', kind: 'heading', zone: 'main' },
      { text: 'One line.', kind: 'sentence', zone: 'main' },
      { text: 'Another sentence here, over three lines.', kind: 'sentence', zone: 'main' },
      { text: 'A paragraph below.', kind: 'sentence', zone: 'main' },
      { text: '- An item', kind: 'item', zone: 'main' },
      { text: 'Next page', kind: 'sentence', zone: 'main' },
    ]);
  });

  test('title and date are those of its properties', async () => {
    const info = "/Title (High water) /CreationDate (D:20260302080910+01'00')";
    expect(await pageOf({ pages: [lines(['Here.'])], info })).toMatchObject({
      title: 'High water',
      publishTime: { local: '2026-03-02T08:09:10', instant: Date.UTC(2026, 2, 2, 7, 9, 10) },
    });
  });

  test.each(['(Microsoft Word - tides_final.docx)', '(untitled)', '()'])(
    'a title that is none gives way to the first heading: %s',
    async (title) => {
      const pages = [`${lines(['Tides'], 20)} ${lines(['Text that is longer than it.'], 12, 600)}`];
      expect((await pageOf({ pages, info: `/Title ${title}` })).title).toBe('Tides');
    },
  );

  test.each(['D:19700101', 'D:20261301', 'D:0', 'yesterday'])('the date %s is none', async (date) => {
    const page = await pageOf({ pages: [lines(['Here.'])], info: `/CreationDate (${date})` });
    expect(page.publishTime).toBeUndefined();
  });

  test('the bytes stay with whoever had them, and give the same page again', async () => {
    const bytes = pdfFile({ pages: [lines(['Here.'])] });
    const before = bytes.slice();
    expect(await reading(bytes)).toEqual(await reading(bytes));
    expect(bytes).toEqual(before);
    expect(await reading(Buffer.from(bytes))).toEqual(await reading(bytes));
  });

  test('everything else is read as ever', async () => {
    const body = { url: 'https://example.com/', contentType: 'text/html', bytes: bytesOf('<p>Here.') };
    expect(await read(body)).toMatchObject({ ok: true, page: { segments: [{ text: 'Here.' }] } });
  });
});

describe('a PDF that means harm', { timeout: 60_000 }, () => {
  test('pages beyond the limit are left out', async () => {
    const { segments } = await pageOf({ pages: Array.from({ length: 230 }, (_, index) => lines([`Page ${index}`])) });
    expect(segments).toHaveLength(200);
  });

  test('text beyond the limit is left out', async () => {
    const content = `BT /F1 1 Tf 9 700 Td ${'(Some words.) Tj 0 -2 Td '.repeat(300_000)} ET`;
    const { segments } = await pageOf({ pages: [content] });
    expect(segments.length).toBeLessThanOrEqual(20_000);
  });

  test.each<[string, PdfParts, string]>([
    [
      'a page tree that is its own child',
      { pages: [], tree: '<< /Type /Pages /Kids [2 0 R] /Count 9 >>' },
      'malformed',
    ],
    [
      'a count of pages that are not there',
      { pages: [], tree: '<< /Type /Pages /Kids [] /Count 999999999 >>' },
      'empty',
    ],
    ['a password', { pages: [lines(['x'])], trailer: LOCKED }, 'malformed'],
    ['no text', { pages: [''] }, 'empty'],
  ])('%s', async (_, parts, reason) => {
    expect(await reading(pdfFile(parts))).toMatchObject({ ok: false, reason });
  });

  test('the refusal says that a password is wanted', async () => {
    expect(await reading(pdfFile({ pages: [lines(['x'])], trailer: LOCKED }))).toMatchObject({
      detail: 'The PDF is locked with a password.',
    });
  });

  test('streams that grow: 50 MB of nothing, and of nothing twice compressed', async () => {
    const pages = [' '.repeat(50_000_000)];
    expect(await reading(pdfFile({ pages }))).toMatchObject({ ok: false, reason: 'empty' });
    expect(await reading(pdfFile({ pages, deflated: 2 }))).toMatchObject({ ok: false, reason: 'empty' });
  });

  test('one that is called off ends', async () => {
    const bytes = pdfFile({ pages: [lines(['Here.'])] });
    expect(await reading(bytes, AbortSignal.abort())).toMatchObject({ ok: false, reason: 'too_large' });
    const between = new AbortController();
    const found = reading(pdfFile({ pages: Array.from({ length: 200 }, () => lines(['Here.'])) }), between.signal);
    setImmediate(() => between.abort());
    expect(await found).toMatchObject({ ok: false, reason: 'too_large' });
  });

  test('files cut short, and bytes that were changed, never reject', async () => {
    const bytes = pdfFile({ pages: [lines(['Here. There.'])], info: '/Title (x)', deflated: 0 });
    const changes = fc.array(fc.tuple(fc.nat({ max: bytes.length - 1 }), fc.nat({ max: 255 })), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(changes, fc.integer({ min: 10, max: bytes.length }), async (changed, length) => {
        const broken = bytes.slice(0, length);
        for (const [at, value] of changed) if (at > 8 && at < length) broken[at] = value;
        expect(await reading(broken)).toHaveProperty('ok');
      }),
      { numRuns: 150 },
    );
  });
});

describe('lines of a PDF', () => {
  const line = (text: string, y: number, size = 10): Parameters<typeof blocksOf>[0][number] => ({
    text,
    size,
    y,
    page: 1,
  });
  const texts = (...given: Parameters<typeof blocksOf>[0]): string[] => blocksOf(given).map(({ text }) => text);

  test('the usual distance of lines is that of the document: double spacing parts nothing', () => {
    expect(texts(line('one', 700), line('two', 676), line('three', 652), line('four', 600))).toEqual([
      'one two three',
      'four',
    ]);
  });

  test('a sentence goes on in the next column', () => {
    expect(texts(line('It goes', 100), line('on there.', 700), line('New', 100), line('Column', 700))).toEqual([
      'It goes on there.',
      'New',
      'Column',
    ]);
  });

  test('a table of contents is a line a heading, without its dots', () => {
    expect(texts(line('1 Ebb . . . . . . 3', 700), line('2 Flood.......4', 688), line('. . . . . .', 676))).toEqual([
      '1 Ebb 3',
      '2 Flood 4',
    ]);
  });

  test('lines of Chinese and Japanese are joined without a space', () => {
    expect(texts(line('今日は天', 700), line('気がいい', 688))).toEqual(['今日は天気がいい']);
  });
});
