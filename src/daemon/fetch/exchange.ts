import type { Head } from './answer.ts';
import type { Exchange } from './fetched.ts';
import type { Request } from './connection.ts';
import type { Chunks } from './content-encoding.ts';

/** Keeps what an archive wants of one request and its answer: the heads, and the body as it comes off the wire. */
export class ExchangeRecord {
  readonly #chunks: Uint8Array[] = [];

  /** The same chunks, of which copies are kept. Whoever takes them has a limit, and so has this. */
  async *recorded(body: Chunks): Chunks {
    for await (const chunk of body) {
      // A chunk is a view of the 64 KiB that it was read in.
      this.#chunks.push(new Uint8Array(chunk));
      yield chunk;
    }
  }

  exchange(url: URL, request: Request, head: Head): Exchange {
    const sent = ['host', url.host, 'connection', 'keep-alive', ...request.headers];
    return {
      requestHead: `GET ${request.path} HTTP/1.1\r\n${lines(sent)}`,
      responseHead: `HTTP/1.1 ${head.status} ${head.phrase}\r\n${lines(head.raw.map((part) => text(part)))}`,
      wire: Uint8Array.from(Buffer.concat(this.#chunks)),
    };
  }
}

function lines(pairs: readonly string[]): string {
  let text = '';
  for (let at = 0; at < pairs.length; at += 2) text += `${pairs[at]}: ${pairs[at + 1]}\r\n`;
  return text;
}

function text(part: Buffer | string): string {
  return typeof part === 'string' ? part : part.toString('latin1');
}
