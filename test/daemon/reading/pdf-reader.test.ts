import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { PdfReader } from '../../../src/daemon/reading/pdf-reader.ts';
import type { Body } from '../../../src/shared/page/page.ts';
import { lines, pdfFile } from '../../shared/page/pdf-file.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'hydrant-reading-'));
afterAll(() => rmSync(directory, { recursive: true }));

function thread(name: string, code: string): URL {
  const file = path.join(directory, `${name}.mjs`);
  writeFileSync(file, code);
  return pathToFileURL(file);
}

function pdf(text: string): Body {
  const bytes = Buffer.from(pdfFile({ pages: [lines([text])] }));
  return { url: 'https://example.com/a.pdf', contentType: 'application/pdf', bytes, headers: { robots: 'noindex' } };
}

test('a PDF is read in a thread, and its bytes are still there after it', async () => {
  const reader = new PdfReader();
  const bodies = [pdf('One.'), pdf('Two.')];
  const found = await Promise.all(bodies.map((body) => reader.read(body)));
  expect(found).toMatchObject([
    { ok: true, page: { segments: [{ text: 'One.' }], facts: { robots: ['noindex'] } } },
    { ok: true, page: { segments: [{ text: 'Two.' }] } },
  ]);
  expect(bodies[0]?.bytes.subarray(0, 5)).toEqual(Buffer.from('%PDF-'));
});

test.each([
  ['that never ends', 'for (;;);', 'The PDF took too long to be read.'],
  ['that throws', 'throw new Error("x");', 'Reading the PDF crashed its thread.'],
  ['that fills its memory', 'const all = []; for (;;) all.push({ a: [all.length] });', 'The PDF took too much memory'],
  [
    'that fills what no heap counts',
    'const all = []; for (;;) all.push(new Uint8Array(1_000_000).fill(1));',
    'The PDF took too much memory to be read: more than 256 MiB.',
  ],
  ['that ends without a word', '', 'Reading the PDF ended its thread.'],
])('a thread %s fails its page and no other', { timeout: 60_000 }, async (name, code, detail) => {
  const reader = new PdfReader({ deadlineMs: name === 'that never ends' ? 100 : 30_000 }, thread(name, code));
  const refusal = { ok: false, reason: 'too_large', detail: expect.stringContaining(detail) as string };
  expect(await reader.read(pdf('One.'))).toMatchObject(refusal);
  expect(await reader.read(pdf('Two.'))).toMatchObject(refusal);
});
