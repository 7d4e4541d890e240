import { PassThrough, type Readable, type Writable } from 'node:stream';
import type { JSONRPCMessage, MessageExtraInfo, Transport } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

/** Milliseconds that requests under way have when the client has closed stdin; clients kill a server that stays much longer. */
const AFTER_END_MS = 2_000;

/**
 * The client, over stdin and stdout. The transport of the SDK ends with stdin, whatever runs; here what was asked before is
 * answered first, so that requests can come from a file or a pipe. `ended` is called once, however the connection ends.
 */
export class ClientConnection implements Transport {
  readonly #transport: StdioServerTransport;
  readonly #stdin: Readable;
  /** What the transport reads: it ends later than stdin. */
  readonly #input = new PassThrough();
  readonly #ended: () => void;
  readonly #unanswered = new Set<string | number>();
  #grace: NodeJS.Timeout | undefined;
  #isEnding = false;
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;

  /** @param mostBytes of one message */
  constructor(stdin: Readable, stdout: Writable, mostBytes: number, ended: () => void) {
    this.#stdin = stdin;
    this.#ended = ended;
    this.#transport = new StdioServerTransport(this.#input, stdout, { maxBufferSize: mostBytes });
  }

  async start(): Promise<void> {
    Object.assign(this.#transport, {
      onmessage: (message) => this.#receive(message),
      onerror: (error) => this.onerror?.(error),
      onclose: () => this.#over(),
    } satisfies Partial<Transport>);
    await this.#transport.start();
    this.#stdin.pipe(this.#input, { end: false });
    for (const event of ['end', 'close', 'error']) this.#stdin.once(event, () => this.#end());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    try {
      await this.#transport.send(message);
    } finally {
      if (!('method' in message) && message.id !== undefined) this.#settle(message.id);
    }
  }

  async close(): Promise<void> {
    await this.#transport.close();
  }

  #receive(message: JSONRPCMessage): void {
    if ('method' in message && 'id' in message) this.#unanswered.add(message.id);
    const cancelled = 'method' in message && message.method === 'notifications/cancelled' ? message.params : undefined;
    const id = cancelled?.['requestId'];
    this.onmessage?.(message);
    // One that was cancelled is not answered.
    if (typeof id === 'string' || typeof id === 'number') this.#settle(id);
  }

  #settle(id: string | number): void {
    this.#unanswered.delete(id);
    if (this.#isEnding && this.#unanswered.size === 0) this.#input.end();
  }

  /** What the transport has not read yet comes first. */
  #end(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#grace = setTimeout(() => this.#input.end(), AFTER_END_MS);
    setImmediate(() => {
      if (this.#unanswered.size === 0) this.#input.end();
    });
  }

  #over(): void {
    clearTimeout(this.#grace);
    this.#isEnding = true;
    this.#stdin.unpipe(this.#input);
    this.onclose?.();
    this.#ended();
  }
}
