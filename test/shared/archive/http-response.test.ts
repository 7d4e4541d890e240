import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  headerIn,
  readArchivedPage,
  readResponseHead,
  withoutChunks,
} from '../../../src/shared/archive/archived-page.ts';
import { readWarcHead, type WarcHead } from '../../../src/shared/archive/records.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

describe('an HTTP head in an archive', () => {
  test('has its status, its headers in lower case, and its size', () => {
    const head = readResponseHead(bytes('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-A: 1\r\nx-a: 2\r\n\r\nbody'));
    expect(head).toMatchObject({ status: 200, size: 60 });
    expect(head && headerIn(head, 'content-type')).toBe('text/html');
    expect(head && headerIn(head, 'x-a')).toBe('1, 2');
    expect(head && headerIn(head, 'constructor')).toBe('');
  });

  test.each(['HTTP/2 200\r\n\r\n', 'HTTP/1.0 200 OK\n\n', 'HTTP/1.1 200 \r\nno colon\r\n: none\r\n\r\n'])(
    'is lenient: %j',
    (text) => {
      expect(readResponseHead(bytes(text))?.status).toBe(200);
    },
  );

  test.each(['', 'GET / HTTP/1.1\r\n\r\n', '<html>', 'HTTP/1.1 twohundred OK\r\n\r\n'])('is none: %j', (text) => {
    expect(readResponseHead(bytes(text))).toBeUndefined();
  });
});

describe('chunks', () => {
  test.each([
    ['5\r\nhello\r\n6;x=y\r\n world\r\n0\r\n\r\n', 'hello world'],
    ['5\nhello\n0\n\n', 'hello'],
    ['A \t\r\n0123456789\r\n0;last\r\n\r\n', '0123456789'],
    ['00000005\r\nhello\r\n0\n', 'hello'],
    ['0\r\n\r\n', ''],
  ])('%j', (text, whole) => {
    expect(Buffer.from(withoutChunks(bytes(text)) ?? bytes('none')).toString()).toBe(whole);
  });

  test.each([
    '<html>no chunks',
    '5\r\nhell',
    '5\r\nhello\r\n',
    '-5\r\nhello\r\n0\r\n\r\n',
    '',
    'ffffffff\r\n',
    '000000005\r\nhello\r\n0\r\n',
    '5x\r\nhello\r\n0\r\n',
    '5\r \r\nhello\r\n0\r\n',
  ])('%j are none', (text) => {
    expect(withoutChunks(bytes(text))).toBeUndefined();
  });

  test('put together again they are what was cut', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ minLength: 1, maxLength: 30 })), (parts) => {
        const chunked = parts.flatMap((part) => [bytes(`${part.length.toString(16)}\r\n`), part, bytes('\r\n')]);
        const whole = withoutChunks(Buffer.concat([...chunked, bytes('0\r\n\r\n')]));
        expect(Buffer.from(whole ?? [])).toEqual(Buffer.concat(parts));
      }),
    );
  });

  test('whatever the bytes are, it comes to an end', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('0', '1', 'a', '\r', '\n', ';'), maxLength: 60 }), (text) => {
        const whole = withoutChunks(bytes(text));
        expect(whole === undefined || whole.length <= text.length).toBe(true);
      }),
    );
  });
});

describe('the page in a response record', () => {
  const fine = { 'WARC-Type': 'response', 'WARC-Target-URI': 'http://a.example/', 'WARC-Date': '2024-05-06T07:08:09Z' };
  const page = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>';
  const read = (fields: Record<string, string>, block = page): ReturnType<typeof readArchivedPage> => {
    const lines = Object.entries({ ...fine, ...fields, 'Content-Length': '0' }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    return readArchivedPage(readWarcHead(['WARC/1.1', ...lines].join('\r\n')) as WarcHead, bytes(block));
  };

  test('has the URL, the time and the body', () => {
    expect(read({})).toMatchObject({ url: 'http://a.example/', at: Date.UTC(2024, 4, 6, 7, 8, 9), body: bytes('<p>') });
  });

  test.each([
    ['2024-05-06T07:08:09.123456Z', Date.UTC(2024, 4, 6, 7, 8, 9, 123)],
    ['2024-05-06T07:08:09+02:00', Date.UTC(2024, 4, 6, 5, 8, 9)],
    ['20240506070809', Date.UTC(2024, 4, 6, 7, 8, 9)],
  ])('its date may be %s', (date, at) => {
    expect(read({ 'WARC-Date': date })).toMatchObject({ at });
  });

  test('its URL may stand between brackets', () => {
    expect(read({ 'WARC-Target-URI': '<https://a.example/>' })).toMatchObject({ url: 'https://a.example/' });
  });

  test.each([
    ['malformed', { 'WARC-Target-URI': 'ftp://a.example/' }, page],
    ['malformed', { 'WARC-Target-URI': 'http://[/' }, page],
    ['malformed', { 'WARC-Date': 'yesterday' }, page],
    ['malformed', { 'WARC-Date': '2024-13-40T07:08:09Z' }, page],
    ['malformed', {}, 'no HTTP'],
    ['truncated', { 'WARC-Truncated': 'length' }, page],
    ['status', {}, page.replace('200', '404')],
    ['status', {}, page.replace('200', '206')],
    ['status', {}, page.replace('200', '301')],
    ['type', {}, page.replace('text/html', 'image/png')],
    ['type', {}, page.replace('text/html', 'video/mp4; x=y')],
  ])('%s: %j %j', (reason, fields, block) => {
    expect(read(fields as Record<string, string>, block)).toBe(reason);
  });

  test.each(['', 'application/pdf', 'text/plain', 'application/rss+xml', '*/*', 'TEXT/HTML;charset=x'])(
    'its type may be %j',
    (type) => {
      expect(read({}, page.replace('text/html', type))).toMatchObject({ head: { status: 200 } });
    },
  );
});
