import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { main } from '../../../../src/cli/main.ts';
import type { FetchPage } from '../../../../src/cli/runtime/context.ts';
import { noFetch, noUpkeep } from '../../harness.ts';

/** An answer of the server, as it stands on its line. */
export interface Reply {
  readonly jsonrpc: string;
  readonly id?: number;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface ToolReply {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
}

interface Started {
  readonly env?: Record<string, string | undefined>;
  readonly fetchPage?: FetchPage;
  readonly isTTY?: boolean;
}

/** `hydrant mcp` in this process, spoken to line by line as a client that knows the protocol and nothing of the SDK. */
export class McpProcess {
  readonly stdin: PassThrough;
  readonly lines: string[] = [];
  stderr = '';
  /** The exit code. */
  readonly ended: Promise<number>;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #next = 1;

  constructor(words: readonly string[], { env = {}, fetchPage = noFetch, isTTY = false }: Started = {}) {
    const stdout = new PassThrough();
    const stderr = new PassThrough();
    this.stdin = Object.assign(new PassThrough(), { isTTY });
    stderr.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    createInterface({ input: stdout }).on('line', (line) => this.#read(line));
    const serve = () => Promise.reject(new Error('serve was not expected'));
    const programs = { serve, fetchPage, upkeep: noUpkeep, daemonPath: '/nowhere' };
    this.ended = main(['mcp', ...words], { stdin: this.stdin, stdout, stderr, env, exit: () => {} }, programs);
  }

  /** After the handshake of the revision that most clients speak. */
  static async open(words: readonly string[], started?: Started): Promise<McpProcess> {
    const server = new McpProcess(words, started);
    const clientInfo = { name: 'test', version: '1' };
    await server.ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    server.tell('notifications/initialized');
    return server;
  }

  /** Sends a request; its answer. */
  ask(method: string, params: object = {}): Promise<Reply> {
    return this.begin(method, params).answered;
  }

  begin(method: string, params: object): { readonly id: number; readonly answered: Promise<Reply> } {
    const id = this.#next++;
    const answered = new Promise<Reply>((resolve) => this.#waiting.set(id, resolve));
    this.write({ jsonrpc: '2.0', id, method, params });
    return { id, answered };
  }

  tell(method: string, params: object = {}): void {
    this.write({ jsonrpc: '2.0', method, params });
  }

  write(message: object): void {
    this.stdin.write(`${JSON.stringify(message)}\n`);
  }

  async call(name: string, given: object = {}): Promise<ToolReply> {
    const { result, error } = await this.ask('tools/call', { name, arguments: given });
    if (result === undefined) throw new Error(error?.message);
    return result as object as ToolReply;
  }

  /** What a call that must succeed answers. */
  async found(name: string, given: object = {}): Promise<Record<string, unknown>> {
    const { isError, structuredContent, content } = await this.call(name, given);
    if (isError === true || structuredContent === undefined) throw new Error(content[0]?.text);
    return structuredContent;
  }

  /** What a call that must fail answers, without the lines around it. */
  async failure(name: string, given: object = {}): Promise<string> {
    const { isError, content } = await this.call(name, given);
    if (isError !== true) throw new Error(`${name} did not fail: ${content[0]?.text}`);
    return /^untrusted-\w+ begin\n(.*)\nuntrusted-\w+ end$/ms.exec(content[0]?.text ?? '')?.[1] ?? '';
  }

  async names(method: string, key: string): Promise<string[]> {
    const { result = {} } = await this.ask(method);
    return (result[key] as { readonly name: string }[]).map(({ name }) => name);
  }

  /** Closes stdin, as a client that goes. Answers the exit code. */
  async close(): Promise<number> {
    this.stdin.end();
    return this.ended;
  }

  #read(line: string): void {
    this.lines.push(line);
    const reply = JSON.parse(line) as Reply;
    this.#waiting.get(reply.id ?? -1)?.(reply);
  }
}
