import { ARCHIVE_HEAD_LINES } from '../limits.ts';
import { endOfHead } from './records.ts';

/** The head of an HTTP answer. Names are in lower case; a header that is repeated has all its values. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** Bytes of it, with its empty line. */
  readonly size: number;
}

/** The head that a block begins with; undefined when it does not begin with one. Bytes become characters one by one. */
export function readResponseHead(block: Uint8Array): ResponseHead | undefined {
  // A head that the block ends with needs no empty line: an answer without a body.
  const size = endOfHead(block) || block.length;
  const [first = '', ...lines] = latin1(block.subarray(0, size)).split(/\r?\n/, ARCHIVE_HEAD_LINES);
  const status = /^HTTP\/\d(?:\.\d)? +(\d{3})(?: |$)/.exec(first)?.[1];
  if (status === undefined) return undefined;
  const headers: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon <= 0 || /^[ \t]/.test(line)) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    const before = headers[name];
    headers[name] = before === undefined ? value : [before, value].flat();
  }
  return { status: Number(status), headers, size };
}

/** One header as a string, the values of a repeated one joined by commas; empty when absent. */
export function headerIn({ headers }: Pick<ResponseHead, 'headers'>, name: string): string {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : (value ?? '');
}

/**
 * The body without its chunks (RFC 9112, 7.1); undefined where it is none in chunks. Many archives keep the header that
 * promises chunks, and the body without them.
 */
export function withoutChunks(body: Uint8Array): Uint8Array | undefined {
  const whole = new Uint8Array(body.length);
  let length = 0;
  for (let at = 0; ;) {
    const line = body.indexOf(LF, at);
    // A size has 16 digits at most; a chunk may have extensions, which nobody uses.
    if (line === -1 || line - at > 100) return undefined;
    const size = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?\r?$/i.exec(latin1(body.subarray(at, line)))?.[1];
    if (size === undefined) return undefined;
    const count = Number.parseInt(size, 16);
    if (count === 0) return whole.subarray(0, length);
    const chunk = body.subarray(line + 1, line + 1 + count);
    if (chunk.length < count) return undefined;
    whole.set(chunk, length);
    length += count;
    at = line + 1 + count + (body[line + 1 + count] === CR ? 2 : 1);
  }
}

function latin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 4_096) {
    text += String.fromCharCode(...bytes.subarray(at, at + 4_096));
  }
  return text;
}

const CR = 0x0d;
const LF = 0x0a;
