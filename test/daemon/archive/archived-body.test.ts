import { createHash } from 'node:crypto';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readArchivedBody } from '../../../src/daemon/archive/archived-body.ts';
import { PAGE_BYTES } from '../../../src/shared/limits.ts';
import { response, type Shot, warc } from '../../shared/archive/warc-bytes.ts';

const PLAIN = { url: 'http://a.example/', at: '2024-05-06T07:08:09Z' };
const NAMED = { 'WARC-Target-URI': PLAIN.url, 'WARC-Date': PLAIN.at };
const html = '<title>A page</title><p>With a sentence.</p>';
const shot = (head: string, body: Shot['body']): Buffer =>
  response({ url: 'http://a.example/', at: '2024-05-06T07:08:09Z', head, body });
/** Five bits a letter, as a reader of RFC 4648 writes it down: of the number that the bytes are. */
function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const fives = bits.match(/.{1,5}/g) ?? [];
  return fives.map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}
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

  describe('that was cut', () => {
    const parts = Array.from({ length: 40 }, (_, part) => Buffer.from(`<p>Sentence ${part} of a page of many.</p>`));
    const chunks = Buffer.concat(
      parts.flatMap((part) => [Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]),
    );
    const inChunks = 'Transfer-Encoding: chunked\r\n';

    test.each([
      ['in a chunk', shot(inChunks, chunks.subarray(0, -10))],
      ['in its first chunk', shot(inChunks, chunks.subarray(0, 20))],
      ['before its last chunk', shot(inChunks, chunks)],
      ['behind a packed chunk', shot(`${inChunks}Content-Encoding: gzip\r\n`, chunked(gzipSync(html)).subarray(0, -5))],
      ['before its Content-Length', shot(`Content-Length: ${html.length + 1}\r\n`, html)],
      ['before a Content-Length that is said twice', shot('Content-Length: 900\r\nContent-Length: 900\r\n', html)],
      ['into segments', response({ ...PLAIN, body: html, fields: { 'WARC-Segment-Number': '1' } })],
    ])('%s: is left out as truncated, and not told', async (_, record) => {
      expect(await bodyOf(record)).toBe('left out: truncated');
    });

    test('is not changed by who tries to read it', async () => {
      const record = shot(inChunks, chunks);
      const before = Buffer.from(record);
      await readArchivedBody(record);
      expect(record.equals(before)).toBe(true);
    });
  });

  test.each([
    ['sha1', 'in base 32', (digest: Buffer): string => toBase32(digest)],
    ['sha1', 'in hexadecimal', (digest: Buffer): string => digest.toString('hex')],
    ['SHA-256', 'in base 32 with its padding', (digest: Buffer): string => `${toBase32(digest)}====`],
    ['md5', 'in hexadecimal', (digest: Buffer): string => digest.toString('hex').toUpperCase()],
  ])('with a checksum (%s %s) is read if it is right, and refused if not', async (name, _, written) => {
    const algorithm = name.toLowerCase().replace('-', '');
    const block = Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n${html}`);
    const digest = createHash(algorithm).update(block).digest();
    const record = (value: string): Buffer =>
      warc('response', block, { ...NAMED, 'WARC-Block-Digest': `${name}:${value}` });
    expect(await bodyOf(record(written(digest)))).toBe(html);
    digest[0] = (digest[0] ?? 0) ^ 1;
    expect(await readArchivedBody(record(written(digest)))).toStrictEqual({
      left: 'digest',
      detail: `its bytes are not those of its WARC-Block-Digest (${algorithm}): it was damaged, or changed`,
    });
  });

  test('with a checksum of a kind that nobody knows is read', async () => {
    expect(await bodyOf(response({ ...PLAIN, body: html, fields: { 'WARC-Block-Digest': 'crc99:ABC' } }))).toBe(html);
  });

  test('alone in a resource record is read, with the type that the record names', async () => {
    const type = { ...NAMED, 'Content-Type': 'text/html; charset=utf-8' };
    expect(await readArchivedBody(warc('resource', html, type))).toMatchObject({
      url: PLAIN.url,
      at: Date.UTC(2024, 4, 6, 7, 8, 9),
      fetched: { status: 200, contentType: 'text/html; charset=utf-8' },
    });
    expect(await bodyOf(warc('resource', html, type))).toBe(html);
    expect(await bodyOf(warc('resource', html, NAMED))).toBe(html);
    expect(await bodyOf(warc('resource', 'GIF89a', { ...NAMED, 'Content-Type': 'image/gif' }))).toBe('left out: type');
    expect(await bodyOf(warc('resource', html, { ...type, 'WARC-Target-URI': 'urn:x' }))).toBe('left out: malformed');
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
