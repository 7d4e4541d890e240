import { deflateRawSync, deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PDF_UNPACKED_BYTES } from '../../../../src/shared/limits.ts';
import type { Extraction } from '../../../../src/shared/page/read/extract.ts';
import { boundedPdf } from '../../../../src/shared/page/pdf/pdf-unpacking.ts';
import { read } from '../../../../src/shared/page/read.ts';
import {
  ASCII85,
  bombOf,
  BROTLI,
  FLATE,
  flateOf,
  flateTwice,
  HEX,
  type Layer,
  LZW,
  onePage,
  packed,
  pdfOf,
  RUN_LENGTH,
  streamOf,
} from '../pdf-bombs.ts';
import { lines, pdfFile } from '../pdf-file.ts';

const MIB = 1_024 * 1_024;
const TOO_LARGE = 'too large when unpacked: its streams come to more than 64 MiB';

async function reading(bytes: Uint8Array): Promise<Extraction> {
  return read({ url: 'https://example.com/a.pdf', contentType: 'application/pdf', bytes }, AbortSignal.timeout(60_000));
}

const text = (words: string): Uint8Array => Buffer.from(lines([words]));
const spaces = (mebibytes: number): Uint8Array => Buffer.alloc(mebibytes * MIB, ' ');
const zeros = (mebibytes: number): Uint8Array => new Uint8Array(mebibytes * MIB);
const named = (layers: readonly Layer[]): string => layers.map(({ name }) => name).join(' in ');

describe('a PDF that unpacks to gigabytes', { timeout: 120_000 }, () => {
  test.each([
    ['two layers of Flate over 4 GiB', () => flateTwice(4)],
    ['one layer of Flate', () => bombOf(flateOf(1), [], [FLATE])],
    ['three layers of Flate', () => bombOf(spaces(70), [FLATE, FLATE, FLATE])],
    ['runs in Flate', () => bombOf(zeros(70), [RUN_LENGTH, FLATE])],
    ['groups of zeros in Flate', () => bombOf(Buffer.alloc(18 * MIB, 'z'), [FLATE], [ASCII85])],
    ['digits in Flate', () => bombOf(Buffer.alloc(130 * MIB, '20'), [FLATE], [HEX])],
    ['LZW in Flate', () => bombOf(zeros(68), [LZW, FLATE])],
    ['Brotli', () => bombOf(spaces(70), [BROTLI])],
    ['Flate in Brotli', () => bombOf(spaces(70), [FLATE, BROTLI])],
    ['many pages, each within the limit', () => pdfFile({ pages: Array.from({ length: 8 }, () => ' '.repeat(9e6)) })],
  ])('%s: is refused before the library has it', async (_, make) => {
    const bytes = make();
    expect(bytes.length).toBeLessThan(5 * MIB);
    await expect(boundedPdf(bytes)).rejects.toThrow(TOO_LARGE);
    expect(await reading(bytes)).toMatchObject({ ok: false, reason: 'too_large' });
  });

  const bomb = deflateSync(deflateSync(spaces(70)));
  test.each<[string, () => Uint8Array]>([
    ['an object stream', () => pdfOf([...onePage(), streamOf('/Type /ObjStm /N 1 /First 4 /Filter [/Fl /Fl]', bomb)])],
    ['a table of objects', () => pdfOf([...onePage(), streamOf('/Type /XRef /W [1 2 1] /Filter [/Fl /Fl]', bomb)])],
    ['the table of letters of a font', () => pdfOf([...onePage(), streamOf('/Filter [/Fl /Fl]', bomb)])],
    ['filters that are an object', () => pdfOf([...onePage(), streamOf('/Filter 6 0 R', bomb), '[/Fl /Fl]'])],
    ['a filter that is an object', () => pdfOf([...onePage(), streamOf('/Filter [6 0 R 6 0 R]', bomb), '/Fl'])],
    ['a filter by the short name of its key', () => pdfOf([...onePage(), streamOf('/F [/Fl /Fl] /Filter /DCT', bomb)])],
    ['a name with escapes', () => pdfOf([...onePage(), streamOf('/Filter [/Fl#61teDecode /#46l]', bomb)])],
    ['a comment within its dictionary', () => pdfOf([...onePage(), streamOf('/Filter %]>>\n[/Fl /Fl]', bomb)])],
    ['a string with brackets', () => pdfOf([...onePage(), streamOf('/A (>> \\( (stream) ) /Filter [/Fl /Fl]', bomb)])],
    [
      'a wrong length',
      () => pdfOf([...onePage(), ['<< /Length 3 /Filter [/Fl /Fl] >> stream\n', bomb, '\nendstream']]),
    ],
    [
      'a length that is an object',
      () => {
        const stream = ['<< /Length 6 0 R /Filter [/Fl /Fl] >> stream\r\n', bomb, '\r\nendstream'];
        return pdfOf([...onePage(), stream, String(bomb.length)]);
      },
    ],
    [
      'no `endobj` before it',
      () => {
        const file = Buffer.from(pdfOf([...onePage(), streamOf('/Filter [/Fl /Fl]', bomb)])).toString('latin1');
        return Buffer.from(file.replaceAll('endobj', ''), 'latin1');
      },
    ],
    [
      'a stream within another one',
      () => {
        const inner = Buffer.from(pdfOf([streamOf('/Filter [/Fl /Fl]', bomb)]));
        return pdfOf([...onePage(), streamOf('', inner)]);
      },
    ],
    [
      'filters that only an object stream knows',
      () => {
        const known = deflateSync(Buffer.from('6 0 [/Fl /Fl]'));
        return pdfOf([
          ...onePage(),
          streamOf('/Filter 6 0 R', bomb),
          streamOf('/Type /ObjStm /N 1 /First 4 /Filter /Fl', known),
        ]);
      },
    ],
    [
      'a stream within an object stream',
      () => {
        const inner = Buffer.concat([
          Buffer.from(`9 0 << /Length ${bomb.length} /Filter [/Fl /Fl] >> stream\n`),
          bomb,
          Buffer.from('\nendstream'),
        ]);
        return pdfOf([...onePage(), streamOf('/Type /ObjStm /N 1 /First 4', inner)]);
      },
    ],
    [
      'a row that is longer than the file',
      () => {
        const parameters = '/DecodeParms << /Predictor 12 /Columns 900000000 >>';
        return pdfOf([...onePage(), streamOf(`/Filter /Fl ${parameters}`, deflateSync(spaces(1)))]);
      },
    ],
    [
      'a distance that zlib refuses and the library does not',
      () => {
        const raw = deflateRawSync(spaces(70), { windowBits: 15 });
        // A window of 256 bytes, in which no distance of 32 KiB is allowed.
        return pdfOf([...onePage(), streamOf('/Filter /Fl', Buffer.concat([Buffer.from([0x08, 0x1d]), raw]))]);
      },
    ],
  ])('in %s: is refused', async (_, make) => {
    await expect(boundedPdf(make())).rejects.toThrow(TOO_LARGE);
  });

  test('a file of streams that lie in one another ends, whatever it comes to', async () => {
    const beginning = '1 0 obj << /Filter /Fl /First 1 /N 9 >> stream\n1 0 ';
    const bytes = Buffer.from(beginning.repeat(Math.floor((5 * MIB) / beginning.length)), 'latin1');
    await expect(boundedPdf(bytes)).rejects.toThrow(/too (?:large|much)|more than/);
    const brackets = Buffer.from(`1 0 obj ${'<</A '.repeat(MIB)}`);
    await expect(boundedPdf(brackets)).rejects.toThrow('deep');
  });
});

describe('a PDF that is what it should be', { timeout: 60_000 }, () => {
  const chains = [[FLATE], [LZW], [RUN_LENGTH], [HEX], [ASCII85], [BROTLI], [LZW, ASCII85], [RUN_LENGTH, HEX, FLATE]];
  test.each(chains.map((layers) => [named(layers), layers] as const))('packed by %s is read', async (name, layers) => {
    const found = await reading(bombOf(text(`Packed by ${name}.`), layers));
    expect(found).toMatchObject({ ok: true, page: { segments: [{ text: `Packed by ${name}.` }] } });
  });

  test('images and attached files are not unpacked, and do not count', async () => {
    const image = '/Type /XObject /Subtype /Image /Width 9000 /Height 9000 /BitsPerComponent 8 /ColorSpace /DeviceGray';
    const file = pdfOf([
      ...onePage('/XObject << /Im1 6 0 R >>'),
      streamOf('/Filter /FlateDecode', deflateSync(Buffer.concat([Buffer.from('/Im1 Do '), text('Beside a scan.')]))),
      streamOf(`${image} /Filter /FlateDecode`, deflateSync(spaces(80))),
      streamOf('/Type /EmbeddedFile /Filter /FlateDecode', deflateSync(spaces(80))),
    ]);
    expect(await reading(file)).toMatchObject({ ok: true, page: { segments: [{ text: 'Beside a scan.' }] } });
    const copy = await boundedPdf(file);
    expect(copy.length).toBe(file.length);
    // Neither of them begins as zlib data does any more; the content of the page still does.
    expect(Buffer.from(copy).toString('latin1').split('stream\nx').length - 1).toBe(1);
  });

  test('pictures in place of text are not decoded', async () => {
    const found = await reading(pdfOf([...onePage(), streamOf('/Filter [/Fl /DCTDecode]', deflateSync(spaces(80)))]));
    expect(found).toMatchObject({ ok: false, reason: 'empty' });
  });

  test('whatever the bytes are, a copy of the same length or a refusal comes of them', async () => {
    const file = pdfOf([...onePage(), streamOf('/Filter [/A85 /Fl]', packed(text('Here.'), [FLATE, ASCII85]).bytes)]);
    const changes = fc.array(fc.tuple(fc.nat({ max: file.length - 1 }), fc.nat({ max: 255 })), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(changes, async (changed) => {
        const broken = file.slice();
        for (const [at, value] of changed) broken[at] = value;
        const copy = await boundedPdf(broken).catch((refusal: Error) => refusal.name);
        expect([file.length, 'TreeTooLarge', 'Malformed']).toContain(typeof copy === 'string' ? copy : copy.length);
      }),
      { numRuns: 300 },
    );
    expect(PDF_UNPACKED_BYTES).toBe(64 * MIB);
  });
});
