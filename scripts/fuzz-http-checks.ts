import { connect } from 'node:net';
import type { Broken } from './fuzz-attempt.ts';

/** A server that says nothing for so long has hung; a request that never ends is cut by its own limits before. */
const SILENCE_MS = 20_000;

/**
 * Undefined when the server answered these bytes as it promises: no 5xx, and one clear message a refusal. Our side of the
 * connection is ended when an answer has begun, or after `patienceMs` without one: Node drops what it has not answered by
 * then, and a request that is not whole gets its refusal only by that. Zero is for a server that waits for no disk.
 */
export async function checkHttp(port: number, input: string, patienceMs = 0): Promise<Broken | undefined> {
  const { answer, isStream } = await exchange(port, input, patienceMs);
  if (answer === undefined) return { check: 'hang', detail: `no end within ${SILENCE_MS} ms` };
  // Node lets empty lines before a request pass, and nothing else is no request.
  if (answer === '' && !isStream)
    return /[^\r\n]/.test(input) ? { check: 'silence', detail: 'the connection was closed' } : undefined;
  let rest = answer;
  while (rest !== '') {
    const read = readOne(rest);
    if ('check' in read) return read;
    rest = read.rest;
  }
  return undefined;
}

interface Exchange {
  /** Each byte a character; undefined when the end did not come. */
  readonly answer: string | undefined;
  /** A stream began after it. */
  readonly isStream: boolean;
}

/** A stream is let go as soon as it has begun. */
function exchange(port: number, input: string, patienceMs: number): Promise<Exchange> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => {
      if (patienceMs === 0) socket.end(input, 'latin1');
      else socket.write(input, 'latin1');
    });
    const ending = patienceMs > 0 ? setTimeout(() => socket.end(), patienceMs) : undefined;
    const finish = (result: string | undefined, isStream = false): void => {
      clearTimeout(ending);
      socket.destroy();
      resolve({ answer: result, isStream });
    };
    socket.setTimeout(SILENCE_MS, () => finish(undefined));
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      answer += chunk;
      if (patienceMs > 0) socket.end();
      const stream = answer.search(/content-type: (?:text\/event-stream|application\/x-ndjson)/i);
      if (stream >= 0) finish(answer.slice(0, answer.lastIndexOf('HTTP/1.1 ', stream)), true);
    });
    // A reset after the answer: we had sent more than it wanted to read.
    socket.on('error', () => finish(answer));
    socket.on('close', () => finish(answer));
  });
}

/** Takes one answer off the front. */
function readOne(text: string): { readonly rest: string } | Broken {
  const end = text.indexOf('\r\n\r\n');
  const head = text.slice(0, end);
  const status = Number(/^HTTP\/1\.[01] (\d{3}) /.exec(head)?.[1]);
  const broken = (check: string): Broken => ({ check, detail: text.slice(0, 500) });
  if (end < 0 || Number.isNaN(status)) return broken('head');
  if (status >= 500) return broken('5xx');
  const behind = text.slice(end + 4);
  const length = lengthOf(head, status, behind);
  const body = behind.slice(0, length);
  if (body.length < length) return broken('cut');
  if (length > 0 && status >= 400 && !isRefusal(head, body, status)) return broken('message');
  return { rest: behind.slice(length) };
}

/** HEAD announces a length and sends nothing: what follows then is the next answer, or nothing. */
function lengthOf(head: string, status: number, behind: string): number {
  if (status < 200 || status === 204 || behind === '' || behind.startsWith('HTTP/1.1 ')) return 0;
  return Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
}

function isRefusal(head: string, body: string, status: number): boolean {
  if (!/^content-type: application\/json; charset=utf-8$/im.test(head)) return false;
  try {
    const said = JSON.parse(Buffer.from(body, 'latin1').toString()) as { message?: unknown; errors?: unknown };
    return (
      typeof said.message === 'string' && /\S/.test(said.message) && (said.errors !== undefined) === (status === 422)
    );
  } catch {
    return false;
  }
}
