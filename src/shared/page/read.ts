import { PDF_MS } from '../limits.ts';
import { type Extraction, extractionOf, extractLoading, typeOf } from './read/extract.ts';
import type { Body, Page } from './page.ts';
import { readPdf } from './pdf/pdf.ts';

/** The page that a body of any type holds: what `extract` reads, and PDF. Never rejects. A PDF ends with `signal`. */
export async function read(body: Body, signal?: AbortSignal): Promise<Extraction> {
  const type = typeOf(body);
  if (type !== 'pdf') return extractLoading(body, type);
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
