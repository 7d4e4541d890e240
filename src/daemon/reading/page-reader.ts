import { Worker } from 'node:worker_threads';
import { PDF_MS } from '../../shared/limits.ts';
import { extract, type Extraction } from '../../shared/page/extract.ts';
import { mediaTypeOf } from '../../shared/page/media-type.ts';
import type { Body } from '../../shared/page/page.ts';

/** Beside this file, in the form this file is in: `.ts` when run from the sources, `.js` when built. */
const entry = new URL(`./thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

/**
 * Bodies to pages. What `extract` reads is read here and now; a PDF has a thread of its own, one after another, since
 * one of 5 MB can unfold to gigabytes and its library cannot be stopped in between. The thread ends with its PDF: they
 * are few, a start costs 0.1 s, and the memory comes back.
 */
export class PageReader {
  readonly #deadlineMs: number;
  readonly #entry: URL;
  #last: Promise<unknown> = Promise.resolve();

  /** The library ends by itself at `PDF_MS` where it can; the thread is ended a second later. */
  constructor(deadlineMs = PDF_MS + 1_000, file = entry) {
    this.#deadlineMs = deadlineMs;
    this.#entry = file;
  }

  /** Never rejects. */
  async read(body: Body): Promise<Extraction> {
    if (mediaTypeOf(body.contentType, body.bytes, body.url) !== 'pdf') return extract(body);
    const reading = this.#last.then(() => this.#inThread(body));
    this.#last = reading;
    return reading;
  }

  async #inThread({ url, contentType, bytes, headers }: Body): Promise<Extraction> {
    const body: Body = { url, contentType, bytes, ...(headers && { headers }) };
    const worker = new Worker(this.#entry, { workerData: body, resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } });
    // The daemon need not wait for it when it stops.
    worker.unref();
    const { promise, resolve } = Promise.withResolvers<Extraction>();
    const deadline = setTimeout(() => resolve(refused('The PDF took too long to be read.')), this.#deadlineMs);
    worker.once('message', resolve);
    worker.once('error', (error: Error & { code?: string }) => {
      const memory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      resolve(refused(memory ? 'The PDF took too much memory to be read.' : 'The PDF broke the thread that read it.'));
    });
    worker.once('exit', () => resolve(refused('The PDF ended the thread that read it.')));
    const extraction = await promise;
    clearTimeout(deadline);
    await worker.terminate();
    return extraction;
  }
}

const HEAP_MB = 256;

function refused(detail: string): Extraction {
  return { ok: false, reason: 'too_large', detail };
}
