import type { Socket } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AnswerHeads } from '../../../src/daemon/fetch/connection.ts';
import type { Fetched } from '../../../src/daemon/fetch/fetched.ts';
import { fetcherFor, never, Site } from './site.ts';

async function visitRaw(answer: string, inPieces = false): Promise<Fetched> {
  const site = await Site.raw((socket) => (inPieces ? void drip(socket, answer) : socket.end(answer, 'latin1')));
  const fetched = await fetcherFor().fetch({ url: site.url() }, never());
  await site.deserted();
  return fetched;
}

/** A byte at a time, each in a packet of its own. */
async function drip(socket: Socket, text: string): Promise<void> {
  socket.setNoDelay(true);
  for (const byte of Buffer.from(text, 'latin1')) {
    await new Promise<void>((resolve) => socket.write(Buffer.of(byte), () => setImmediate(resolve)));
  }
  socket.end();
}

const body = '<p>Hello.';
const plain = ['HTTP/1.1 200 OK', 'Content-Type: text/html', `Content-Length: ${body.length}`];
const crlf = (...lines: string[]): string => `${lines.join('\r\n')}\r\n\r\n${body}`;

describe('an answer that browsers take', () => {
  test.each([
    ['a header that goes on in the next line', crlf('HTTP/1.1 200 OK', 'Content-Type: text/html;', '\t charset=utf-8')],
    ['a header that goes on twice', crlf(...plain.slice(0, 2), 'X-A: one,', ' two,', '  three', ...plain.slice(2))],
    ['lines that end without CR', `${plain.join('\n')}\n\n${body}`],
    ['some lines that end without CR', `${plain.join('\n')}\r\n\n${body}`],
    ['a length that is said twice', crlf(...plain, `content-length:  ${body.length} `)],
    ['a length that is said twice in one line', crlf(...plain.slice(0, 2), `Content-Length: 9, 9`)],
    [
      'an informational answer before it, without CR',
      `HTTP/1.1 103 Early Hints\nLink: </a>\n\n${plain.join('\n')}\n\n${body}`,
    ],
    [
      'a chunked body behind such a head',
      `${plain.slice(0, 2).join('\n')}\nTransfer-Encoding: chunked\n\n9\r\n${body}\r\n0\r\n\r\n`,
    ],
  ])('%s', async (_, answer) => {
    for (const inPieces of [false, true]) {
      expect(await visitRaw(answer, inPieces)).toMatchObject({
        outcome: 'fetched',
        contentType: expect.stringMatching(/^text\/html/) as string,
        bytes: new Uint8Array(Buffer.from(body)),
      });
    }
  });

  test('a folded header has all of its value, as if it were one line', async () => {
    const fetched = await visitRaw(crlf(...plain, 'X-Robots-Tag: noindex,', '   nofollow'));
    expect(fetched).toMatchObject({ headers: { robots: 'noindex, nofollow' } });
  });

  test('the next answer on the same connection is read anew', async () => {
    const site = await Site.listening((socket) => {
      socket.on('data', () => socket.write(`${plain.join('\n')}\n\n${body}`));
    });
    const fetcher = fetcherFor();
    for (const path of ['/a', '/b', '/c']) {
      expect((await fetcher.fetch({ url: site.url(path) }, never())).outcome).toBe('fetched');
    }
    expect(site.accepted).toBe(1);
    await site.deserted();
  });
});

describe('an answer that could mean two things, or is none', () => {
  test.each([
    ['two lengths that differ', crlf(...plain, 'Content-Length: 3')],
    ['a list of lengths that differ', crlf(...plain.slice(0, 2), 'Content-Length: 9, 3')],
    ['a CR within a line', crlf(...plain, 'X-A: one\rX-B: two')],
    ['a length beside chunks', `${plain.join('\r\n')}\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n${body}\r\n0\r\n\r\n`],
    ['a zero in a header', crlf(...plain, 'X-A: one\0two')],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
  ])('%s is refused', async (_, answer) => {
    expect(await visitRaw(answer)).toMatchObject({ outcome: 'failed' });
  });

  test('a head without end is too large, folded or not', async () => {
    const answer = `HTTP/1.1 200 OK\r\nX-A: a\r\n${' and so on\r\n'.repeat(5_000)}`;
    expect(await visitRaw(answer)).toMatchObject({ outcome: 'failed' });
  });
});

describe('bytes on their way', () => {
  test('are the same where nothing is to be done, however they come', () => {
    const answer = Buffer.from(crlf(...plain));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 }), (sizes) => {
        const heads = new AnswerHeads();
        heads.expect();
        expect(Buffer.concat([...through(heads, answer, sizes)])).toEqual(answer);
      }),
    );
  });

  test('never throw, and none is lost, whatever they are', () => {
    const line = fc.constantFrom('HTTP/1.1 200 OK', 'HTTP/1.1 100 C', 'A: b', ' c', 'Content-Length: 3', '', 'x');
    const end = fc.constantFrom('\r\n', '\n', '\r');
    const text = fc.array(fc.tuple(line, end), { maxLength: 12 }).map((all) => all.flat().join(''));
    fc.assert(
      fc.property(text, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (answer, sizes) => {
        const atOnce = new AnswerHeads();
        const inPieces = new AnswerHeads();
        for (const heads of [atOnce, inPieces]) heads.expect();
        const bytes = Buffer.from(answer);
        const whole = Buffer.concat([...through(atOnce, bytes, [bytes.length || 1])]);
        const pieces = Buffer.concat([...through(inPieces, bytes, sizes)]);
        // What is held back of a head that is not complete comes to nothing either way.
        expect(pieces.toString()).toBe(whole.toString());
      }),
    );
  });

  function* through(heads: AnswerHeads, bytes: Buffer, sizes: readonly number[]): Generator<Buffer> {
    for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
      const size = sizes[turn % sizes.length] ?? 1;
      const ready = heads.take(bytes.subarray(at, at + size));
      if (ready) yield ready;
      at += size;
    }
  }
});
