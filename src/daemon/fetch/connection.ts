import type { Socket } from 'node:net';
import Client from 'undici/lib/dispatcher/client.js';
import { Answer } from './answer.ts';
import type { Connect } from './connector.ts';
import { FetchProblem } from './fetched.ts';
import { HEADER_BYTES, HEADERS_MS, IDLE_MS } from './network-error.ts';

/** What is sent: everything else of a request is fixed. */
export interface Request {
  /** Path and query. */
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** Absent: GET. */
  readonly method?: 'GET' | 'POST';
  readonly body?: string | undefined;
  /** Milliseconds until the head of the answer, and between two pieces of its body; absent: the usual ones. */
  readonly patienceMs?: number | undefined;
  /** Names of headers that are the operator's alone: no archive has them. */
  readonly ownNames?: readonly string[];
}

/**
 * The connection to one origin, made when something is asked for. One request at a time. Once the server has closed
 * it, or it has been idle for too long, the next request makes it anew; so what is kept here is of the socket that
 * stands now.
 */
export class Connection {
  readonly origin: string;
  /** The address that it leads to. */
  address = '';
  /** The error, once the server has reset it: undici takes a reset for the end of a body that has no length. */
  reset: Error | undefined;
  readonly #end = new AbortController();
  readonly #client: Client;
  readonly #now: () => number;
  #heads = new AnswerHeads();
  #isOpen = false;
  #served = 0;
  #answer: Answer | undefined;
  #wasKept = false;

  constructor(origin: string, { connect, now, onClosed }: ConnectionOptions) {
    this.origin = origin;
    this.#now = now;
    this.#client = new Client(origin, {
      connect: connect(this.#end.signal, (socket, address) => this.#connected(socket, address)),
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: KEEP_MS,
      keepAliveMaxTimeout: KEEP_MS,
      keepAliveTimeoutThreshold: KEEP_MARGIN_MS,
      maxHeaderSize: HEADER_BYTES,
      headersTimeout: HEADERS_MS,
      bodyTimeout: IDLE_MS,
    });
    this.#client.on('disconnect', () => {
      this.#isOpen = false;
      onClosed();
    });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Bytes of the body that was asked for last. */
  get received(): number {
    return this.#answer?.wireBytes ?? 0;
  }

  /** Ended by us: it makes no more requests. */
  get isDestroyed(): boolean {
    return this.#end.signal.aborted;
  }

  /**
   * Resolves when the head of the answer is there.
   * @throws {FetchProblem} `stale`; else what undici throws.
   */
  async ask(request: Request): Promise<Answer> {
    const answer = this.#send(request);
    try {
      await answer.head;
      return answer;
    } catch (error) {
      if (!this.#wasKept || this.#heads.hasBegun || !isHangUp(error) || this.isDestroyed) throw error;
      // It may have closed the kept connection before it saw the request, which says nothing about the page, or because
      // of it. Made again at once, it would be a second request without a rest.
      throw new FetchProblem('stale', `${new URL(this.origin).host} closed a keep-alive connection`);
    }
  }

  /** Ends it, and what is under way on it, which fails with the reason. */
  async destroy(reason: Error | null = null): Promise<void> {
    this.#end.abort(reason ?? ENDED);
    await this.#client.destroy(reason ?? ENDED);
  }

  #send({ path, headers, method = 'GET', body, patienceMs }: Request): Answer {
    const answer = new Answer((answer) => {
      answer.startedAt = this.#now();
      this.#heads.expect();
      this.#wasKept = this.#served > 0;
      this.#served += 1;
    });
    this.#answer = answer;
    this.#wasKept = false;
    const patience = patienceMs === undefined ? {} : { headersTimeout: patienceMs, bodyTimeout: patienceMs };
    this.#client.dispatch({ path, method, headers: [...headers], body: body ?? null, ...patience }, answer);
    return answer;
  }

  #connected(socket: Socket, address: string): void {
    this.#isOpen = true;
    this.#served = 0;
    this.address = address;
    this.reset = undefined;
    this.#heads = new AnswerHeads();
    readThrough(socket, this.#heads);
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET') this.reset = error;
    });
  }
}

interface ConnectionOptions {
  readonly connect: Connect;
  readonly now: () => number;
  /** The socket was closed, by whomever; called each time. */
  readonly onClosed: () => void;
}

/** Made once: a reason of its own for each connection would be an error with its stack each time. */
const ENDED = new Error('the connection was closed');
/** Milliseconds that a connection is kept after an answer, unless its server names a shorter time. */
export const KEEP_MS = 4_000;
/** Taken off what the server names: a request must not meet its closing. */
const KEEP_MARGIN_MS = 1_000;

function isHangUp(error: unknown): boolean {
  return error instanceof Error && 'code' in error && HANG_UPS.has(String(error.code));
}

const HANG_UPS = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/**
 * Heads of answers as browsers read them, for a parser that is stricter: lines that end without CR, headers that go on in
 * the next line (obs-fold, RFC 9112, 5.2), and one length that is said twice are put into the form that it takes. Of an
 * answer, and nothing else: a head is looked for only after a request was sent, one at a time, and what follows it is passed
 * on as it came. What could mean two things stays as it is, for the parser to refuse: two lengths that differ, a CR within a
 * line, a length beside chunks.
 *
 * Decided against: the parser's own lenient flags. undici does not open them, and together they let through what is no
 * HTTP at all, in bodies too.
 */
export class AnswerHeads {
  /** Whether a byte has come since the last request. */
  hasBegun = false;
  #isHead = false;
  #held: Buffer = NOTHING;

  /** A request was sent: what comes next is the head of its answer. */
  expect(): void {
    this.hasBegun = false;
    this.#isHead = true;
    this.#held = NOTHING;
  }

  /** What of these bytes can be read now; undefined while a head is not complete. */
  take(chunk: Buffer): Buffer | undefined {
    this.hasBegun = true;
    if (!this.#isHead) return chunk;
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const end = isHttp(bytes) ? endOfHead(bytes, Math.max(0, this.#held.length - 3)) : PASSED;
    if (end === undefined && bytes.length <= HEADER_BYTES) {
      this.#held = bytes;
      return undefined;
    }
    this.#held = NOTHING;
    this.#isHead = false;
    // No HTTP, or a head that is too long: that is for the parser to say.
    if (end === undefined || end === PASSED) return bytes;
    const came = bytes.subarray(0, end);
    const head = inOrder(came);
    // An informational answer (1xx) has another one behind it; after 101 there is no HTTP any more.
    this.#isHead = /^HTTP\/1\.\d 1(?!01)/.test(head.toString('latin1', 0, 12));
    if (!this.#isHead) return head === came ? bytes : Buffer.concat([head, bytes.subarray(end)]);
    const rest = bytes.subarray(end);
    return Buffer.concat([head, (rest.length > 0 && this.take(rest)) || NOTHING]);
  }
}

/** Has the socket read through `heads`. Whoever reads it calls `read`, as undici does. */
function readThrough(socket: Socket, heads: AnswerHeads): void {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  socket.read = (size?: number): Buffer | null => {
    for (;;) {
      const chunk = read(size);
      if (chunk === null) return null;
      const ready = heads.take(chunk);
      if (ready) return ready;
    }
  };
}

/** Whether it may be the beginning of an answer. */
function isHttp(bytes: Buffer): boolean {
  return bytes.subarray(0, HTTP.length).equals(HTTP.subarray(0, bytes.length));
}

/** Bytes up to and with the empty line; undefined while there is none. */
function endOfHead(bytes: Buffer, from: number): number | undefined {
  for (let at = bytes.indexOf(LF, from); at !== -1; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at + 1] === LF) return at + 2;
    if (bytes[at + 1] === CR && bytes[at + 2] === LF) return at + 3;
  }
  return undefined;
}

/** The same bytes where nothing is to be done, which is nearly always. */
function inOrder(head: Buffer): Buffer {
  if (isInOrder(head)) return head;
  const lines: string[] = [];
  for (const line of head.toString('latin1').split('\n')) {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    const isFolded = /^[ \t]/.test(text);
    if (isFolded && lines.length > 1) lines.push(`${lines.pop() ?? ''} ${text.trim()}`.trimEnd());
    // A space at the beginning of the first header goes on with nothing.
    else if (!isFolded) lines.push(text);
  }
  const [status = '', ...headers] = lines.slice(0, lines.indexOf(''));
  return Buffer.from(`${[status, ...withOneLength(headers)].join('\r\n')}\r\n\r\n`, 'latin1');
}

/** Each line ends with CRLF, none goes on, and the length is said once at most. */
function isInOrder(head: Buffer): boolean {
  let lengths = 0;
  for (let at = head.indexOf(LF); at !== -1; at = head.indexOf(LF, at + 1)) {
    const next = head[at + 1];
    if (head[at - 1] !== CR || next === SPACE || next === TAB) return false;
    if ((next === 0x43 || next === 0x63) && LENGTH.test(head.toString('latin1', at + 1, at + 1 + LENGTH_CHARACTERS))) {
      const end = head.indexOf(LF, at + 1);
      lengths += head.subarray(at + 1, end).includes(COMMA) ? 2 : 1;
    }
  }
  return lengths <= 1;
}

/** A length that is said twice, or in a list, is one if it is the same each time (RFC 9110, 8.6). */
function withOneLength(headers: readonly string[]): readonly string[] {
  const said = headers
    .filter((line) => LENGTH.test(line))
    .flatMap((line) => line.slice(line.indexOf(':') + 1).split(','));
  const [length, ...others] = new Set(said.map((value) => value.trim()));
  if (length === undefined || others.length > 0) return headers;
  const first = headers.findIndex((line) => LENGTH.test(line));
  return headers.flatMap((line, index) => {
    if (!LENGTH.test(line)) return line;
    return index === first ? `content-length: ${length}` : [];
  });
}

const NOTHING = Buffer.alloc(0);
const PASSED = -1;
const HTTP = Buffer.from('HTTP/');
const LENGTH = /^content-length[ \t]*:/i;
const LENGTH_CHARACTERS = 32;
const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const COMMA = 0x2c;
