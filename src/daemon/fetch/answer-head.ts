import type { Socket } from 'node:net';
import { HEADER_BYTES } from './network-error.ts';

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
export function readThrough(socket: Socket, heads: AnswerHeads): void {
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
