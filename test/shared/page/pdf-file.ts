import { deflateSync } from 'node:zlib';

/** What a small PDF is made of. */
export interface PdfParts {
  /** The content stream of each page: `BT /F1 12 Tf 72 700 Td (Hello.) Tj ET`. */
  readonly pages: readonly string[];
  /** Entries of the information dictionary: `/Title (Tides)`. */
  readonly info?: string;
  /** Entries of the trailer: `/Encrypt 9 0 R`. */
  readonly trailer?: string;
  /** The dictionary of the page tree, where it is not the usual one. */
  readonly tree?: string;
  /** How often the content streams are compressed. */
  readonly deflated?: number;
}

/** Lines of text as a content stream, one below the other, the first at the top of the page; `size` in points. */
export function lines(texts: readonly string[], size = 12, top = 720): string {
  const shown = texts.map((text) => `(${text.replace(/[()\\]/g, '\\$&')}) Tj 0 ${-size * 1.2} Td`);
  return `BT /F1 ${size} Tf 72 ${top} Td ${shown.join(' ')} ET`;
}

/** A PDF file (ISO 32000, 7.5) with one font that every reader has. */
export function pdfFile({ pages, info = '', trailer = '', tree, deflated = 1 }: PdfParts): Uint8Array<ArrayBuffer> {
  const kids = pages.map((_, index) => `${5 + 2 * index} 0 R`).join(' ');
  const usual = `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`;
  const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
  const catalog = '<< /Type /Catalog /Pages 2 0 R >>';
  const objects: Uint8Array[] = [catalog, tree ?? usual, font, `<< ${info} >>`].map((text) => latin1(text));
  for (const [index, content] of pages.entries()) {
    const resources = '/MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >>';
    objects.push(latin1(`<< /Type /Page /Parent 2 0 R ${resources} /Contents ${6 + 2 * index} 0 R >>`));
    let stream: Uint8Array = latin1(content);
    for (let time = 0; time < deflated; time += 1) stream = deflateSync(stream);
    const filters = '/FlateDecode '.repeat(deflated);
    objects.push(
      Buffer.concat([
        latin1(`<< /Length ${stream.length} /Filter [${filters}] >>\nstream\n`),
        stream,
        latin1('\nendstream'),
      ]),
    );
  }
  return file(objects, trailer);
}

function file(objects: readonly Uint8Array[], trailer: string): Uint8Array<ArrayBuffer> {
  let body = latin1('%PDF-1.7\n');
  let references = '';
  for (const [index, object] of objects.entries()) {
    references += `${String(body.length).padStart(10, '0')} 00000 n \n`;
    body = Buffer.concat([body, latin1(`${index + 1} 0 obj\n`), object, latin1('\nendobj\n')]);
  }
  const size = objects.length + 1;
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${references}trailer\n<< /Size ${size} /Root 1 0 R /Info 4 0 R ${trailer} >>\n`;
  return new Uint8Array(Buffer.concat([body, latin1(`${end}startxref\n${body.length}\n%%EOF\n`)]));
}

function latin1(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}
