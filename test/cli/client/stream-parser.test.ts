import { afterEach, describe, expect, test } from 'vitest';
import { ScriptedServer } from './scripted-server.ts';
import { StreamConnection, StreamLost } from '../../../src/cli/client/stream-connection.ts';

/**
 * What the standard says of odd streams, by the cases of the web platform's own tests (eventsource/format-*): the
 * client must read any server as it says, also one that is not ours.
 */
const cases: readonly (readonly [name: string, body: string | Buffer, expected: readonly object[]])[] = [
  ['format-bom', '\uFEFFdata:1\n\n\uFEFFdata:2\n\ndata:3\n\n', [{ data: '1' }, { data: '3' }]],
  [
    'format-bom-2: only the first one is passed over',
    '\uFEFF\uFEFFdata:1\n\ndata:2\n\ndata:3\n\n',
    [{ data: '2' }, { data: '3' }],
  ],
  ['format-comments', 'data:1\r:\0\n:\r\ndata:2\n:x\rdata:3\n:data:fail\r:x\ndata:4\n\n', [{ data: '1\n2\n3\n4' }]],
  [
    'format-data-before-final-empty-line: what has no blank line is dropped',
    'retry:1000\ndata:test1\n\nid:test\ndata:test2',
    [{ data: 'test1' }],
  ],
  ['format-field-data', 'data:\n\ndata\ndata\n\ndata:test\n\n', [{ data: '' }, { data: '\n' }, { data: 'test' }]],
  ['format-field-event', 'event:test\ndata:x\n\ndata:x\n\n', [{ event: 'test', data: 'x' }, { data: 'x' }]],
  ['format-field-event-empty', 'event: \ndata:data\n\n', [{ data: 'data' }]],
  ['format-field-id', 'id: …\ndata:hello\n\n', [{ id: '…', data: 'hello' }]],
  ['format-field-id-2', 'id\ndata:\n\nid\ndata:\n\n', [{ data: '' }, { data: '' }]],
  ['format-field-id-null: an id with U+0000 is none', 'id:\0\ndata:hello\n\n', [{ data: 'hello' }]],
  [
    'format-field-parsing',
    'data:\0\ndata:  2\rData:1\ndata\0:2\ndata:1\r\0data:4\nda-ta:3\rdata_5\ndata:3\rdata:\r\n data:32\ndata:4\n\n',
    [{ data: '\0\n 2\n1\n3\n\n4' }],
  ],
  ['format-field-retry-bogus', 'retry:3000\nretry:1000x\ndata:x\n\n', [{ data: 'x' }]],
  [
    'format-field-unknown',
    'data:test\n data\ndata\nfoobar:xxx\njustsometext\n:thisisacommentyay\ndata:test\n\n',
    [{ data: 'test\n\ntest' }],
  ],
  ['format-leading-space', 'data:\ttest\rdata: \ndata:test\n\n', [{ data: '\ttest\n\ntest' }]],
  // A CR that is the last byte of all may be half of a CRLF, and is waited for: more follows here.
  ['format-newlines', 'data:test\r\ndata\ndata:test\r\n\r:\n', [{ data: 'test\n\ntest' }]],
  ['format-null-character', 'data:\0\n\n\n\n', [{ data: '\0' }]],
  ['format-utf-8', 'data:ok…\n\n', [{ data: 'ok…' }]],
  ['a character that is no end of a line', 'data:a\u2028b\u2029c\u0085d\n\n', [{ data: 'a\u2028b\u2029c\u0085d' }]],
];

describe('a stream that is read', () => {
  const servers: ScriptedServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });

  /** All frames of one answer whose body comes in pieces of so many bytes. */
  async function read(body: Buffer, piece: number): Promise<object[]> {
    const server = new ScriptedServer([
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream; charset=windows-1252' });
        for (let at = 0; at < body.length; at += piece) response.write(body.subarray(at, at + piece));
        response.end();
      },
    ]);
    servers.push(server);
    const target = await server.listen();
    const connection = new StreamConnection({ target, path: '/', headers: {}, stallMs: 10_000, highWater: 100 });
    const found: object[] = [];
    try {
      for (let frame = await connection.next(); frame; frame = await connection.next()) {
        const { event, id, data } = frame;
        found.push({ ...(event !== undefined && { event }), ...(id !== undefined && id !== '' && { id }), data });
      }
    } catch (error) {
      if (!(error instanceof StreamLost)) throw error;
    }
    return found;
  }

  test.each(cases)('%s', async (_, body, expected) => {
    expect(await read(Buffer.from(body), 10_000)).toEqual(expected);
    // CRLF, and characters of several bytes, may be cut anywhere.
    expect(await read(Buffer.from(body), 1)).toEqual(expected);
  });
});
