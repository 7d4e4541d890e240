import { PDF_MS } from '../limits.ts';
import { type Extraction, extractionOf, extractLoading } from './read/extract.ts';
import { mediaTypeOf } from './read/media-type.ts';
import type { Body, Page } from './page.ts';
import { readPdf } from './pdf/pdf.ts';

/** The page that a body of any type holds: what `extract` reads, and PDF. Never rejects. A PDF ends with `signal`. */
export async function read(body: Body, signal?: AbortSignal): Promise<Extraction> {
  if (mediaTypeOf(body.contentType, body.bytes, body.url) !== 'pdf') return extractLoading(body);
  let outcome: () => Page;
  try {
    const page = await readPdf(body, signal ?? AbortSignal.timeout(PDF_MS));
    outcome = () => page;
  } catch (failure) {
    outcome = () => {
      throw failure;
    };
  }
  return extractionOf(body, outcome);
}
