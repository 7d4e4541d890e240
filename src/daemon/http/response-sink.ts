import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Sink } from '../stream/connection.ts';
import { formatStart, type StreamStart } from '../stream/request.ts';

/**
 * The socket of a stream, as the hub sees it. Holds the response and nothing else of the request: ten thousand streams
 * that are silent must cost little each.
 *
 * It writes HTTP's chunks itself, framed once for all readers that are given the same bytes: Node would make three
 * pieces of each write, for each client anew (measured: a third of what the process spends on a delivery).
 */
export class ResponseSink implements Sink {
  readonly #response: ServerResponse;
  /** Until the stream begins. */
  #headers: OutgoingHttpHeaders | undefined;
  /** HTTP/1.0 has no chunks: there the end of the connection is the end of the answer. */
  #isChunked = false;

  constructor(response: ServerResponse, headers: OutgoingHttpHeaders) {
    this.#response = response;
    this.#headers = headers;
    // A client that resets its connection is no fault of ours; 'close' follows and cleans up.
    response.on('error', ignore);
  }

  get buffered(): number {
    return this.#response.writableLength;
  }

  begin(start: StreamStart): void {
    this.#response.writeHead(200, { ...this.#headers, 'x-stream-start': formatStart(start) });
    this.#headers = undefined;
    this.#isChunked = this.#response.chunkedEncoding;
    // From here on Node takes what it is given as it is.
    this.#response.chunkedEncoding = false;
  }

  write(bytes: Uint8Array): boolean {
    return this.#response.write(this.#isChunked ? chunkOf(bytes) : bytes);
  }

  onDrain(listener: () => void): void {
    this.#response.on('drain', listener);
  }

  onClose(listener: () => void): void {
    if (this.#response.closed || this.#response.destroyed) listener();
    else this.#response.once('close', listener);
  }

  end(): void {
    if (this.#isChunked) this.#response.write(LAST_CHUNK);
    this.#response.end();
  }

  destroy(): void {
    this.#response.destroy();
  }
}

function ignore(): void {
  /* See where it is given. */
}

/** RFC 9112, 7.1. */
const LAST_CHUNK = Buffer.from('0\r\n\r\n');
const CRLF = Buffer.from('\r\n');

/** What is written once is soon written again, to the next reader of the same tap; kept no longer than the bytes are. */
const chunks = new WeakMap<Uint8Array, Buffer>();

function chunkOf(bytes: Uint8Array): Buffer {
  const known = chunks.get(bytes);
  if (known) return known;
  const chunk = Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, CRLF]);
  chunks.set(bytes, chunk);
  return chunk;
}
