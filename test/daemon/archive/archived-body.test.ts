import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readArchivedBody } from '../../../src/daemon/archive/archived-body.ts';
import { PAGE_BYTES } from '../../../src/shared/limits.ts';
import { response, type Shot, warc } from '../../shared/archive/warc-bytes.ts';

const html = '<title>A page</title><p>With a sentence.</p>';
const shot = (head: string, body: Shot['body']): Buffer =>
  response({ url: 'http://a.example/', at: '2024-05-06T07:08:09Z', head, body });
const bodyOf = async (record: Uint8Array): Promise<string> => {
  const read = await readArchivedBody(record);
  return 'left' in read ? `left out: ${read.left}` : Buffer.from(read.fetched.bytes).toString();
};
const chunked = (bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n0\r\n\r\n')]);

describe('a body in an archive', () => {
  test.each([
    ['plain', '', Buffer.from(html)],
    ['gzip', 'Content-Encoding: gzip\r\n', gzipSync(html)],
    ['brotli', 'Content-Encoding: br\r\n', brotliCompressSync(html)],
    ['zstd', 'Content-Encoding: zstd\r\n', zstdCompressSync(html)],
    ['chunks of gzip', 'Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n', chunked(gzipSync(html))],
    ['unpacked under the header of gzip', 'Content-Encoding: gzip\r\n', Buffer.from(html)],
    ['whole under the header of chunks', 'Transfer-Encoding: chunked\r\n', Buffer.from(html)],
    ['of another length than its header says', 'Content-Length: 7\r\n', Buffer.from(html)],
  ])('%s: comes as the fetcher would have brought it', async (_, head, body) => {
    expect(await bodyOf(shot(head, body))).toBe(html);
  });

  test('comes with its time, its type and what its headers say', async () => {
    expect(await readArchivedBody(shot('X-Robots-Tag: noindex\r\nContent-Language: de\r\n', html))).toMatchObject({
      at: Date.UTC(2024, 4, 6, 7, 8, 9),
      fetched: {
        status: 200,
        contentType: 'text/html; charset=utf-8',
        headers: { robots: 'noindex', contentLanguage: 'de' },
        hash: expect.stringMatching(/^[\da-f]{32}$/) as string,
      },
    });
  });

  test.each([
    ['empty', shot('', '')],
    ['undecodable', shot('Content-Encoding: br\r\n', 'no brotli')],
    ['undecodable', shot('Content-Encoding: gzip\r\n', gzipSync(html).subarray(0, 30))],
    ['undecodable', shot('Content-Encoding: rot13\r\n', html)],
    ['too_large', shot('Content-Encoding: gzip\r\n', gzipSync(Buffer.alloc(PAGE_BYTES + 1)))],
    ['malformed', warc('request', 'GET / HTTP/1.1\r\n\r\n')],
    ['malformed', shot('', html).subarray(0, -20)],
    ['malformed', Buffer.from('')],
  ])('%s: is left out', async (reason, record) => {
    expect(await bodyOf(record)).toBe(`left out: ${reason}`);
  });

  test('never throws, whatever the record is', async () => {
    const whole = shot('Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n', chunked(gzipSync(html)));
    const damaged = fc.tuple(fc.nat(whole.length - 1), fc.nat(255)).map(([at, byte]) => {
      const copy = Buffer.from(whole);
      copy[at] = byte;
      return copy;
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(damaged, fc.uint8Array()), async (record) => {
        expect(await readArchivedBody(record)).toBeTypeOf('object');
      }),
      { numRuns: 300 },
    );
  });
});
