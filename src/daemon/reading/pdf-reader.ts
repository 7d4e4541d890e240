import { Worker } from 'node:worker_threads';
import type { Extraction } from '../../shared/page/read/extract.ts';
import type { Body } from '../../shared/page/page.ts';
import { PDF_RESOURCE_LIMITS, type PdfLimits, readInThread } from '../../shared/page/pdf/pdf-thread.ts';

/** Beside this file, in the form this file is in: `.ts` when run from the sources, `.js` when built. */
const entry = new URL(`./thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

/**
 * PDFs to pages. Each has a thread of its own, one after another, since the library cannot be stopped in between, and what
 * it holds is bounded from outside only. The thread ends with its PDF: they are few, a start costs 0.1 s, and the memory
 * comes back.
 */
export class PdfReader {
  readonly #limits: PdfLimits;
  readonly #entry: URL;
  #last: Promise<unknown> = Promise.resolve();

  constructor(limits: PdfLimits = {}, file = entry) {
    this.#limits = limits;
    this.#entry = file;
  }

  /** Never rejects. */
  async read(body: Body): Promise<Extraction> {
    const reading = this.#last.then(() => this.#inThread(body));
    this.#last = reading;
    return reading;
  }

  async #inThread({ url, contentType, bytes, headers }: Body): Promise<Extraction> {
    const body: Body = { url, contentType, bytes, ...(headers && { headers }) };
    const worker = new Worker(this.#entry, { workerData: body, resourceLimits: PDF_RESOURCE_LIMITS });
    // The daemon need not wait for it when it stops.
    worker.unref();
    return readInThread(worker, this.#limits);
  }
}
