import { describe, expect, test } from 'vitest';
import { Problem } from '../../../src/daemon/problem.ts';
import type { RequestChange } from '../../../src/shared/api/own-request.ts';
import { ownRequests } from './own-requests.ts';

const SECRET = 'secret-of-the-operator';
const requests = ownRequests();

function refusal(change: RequestChange): string {
  try {
    requests.changed(undefined, change);
  } catch (error) {
    if (error instanceof Problem) return JSON.stringify(error.facts);
    throw error;
  }
  return 'none';
}

describe('what an operator sets for the requests of a page', () => {
  const all = {
    headers: { Authorization: `Bearer ${SECRET}`, COOKIE: `session=${SECRET}` },
    body: `password=${SECRET}`,
    headers_from: `pass ${SECRET}`,
    proxy: `http://ada:${SECRET}@127.0.0.1:3128`,
    user_agent: 'Mine/1',
    timeout_seconds: 30,
  };

  test('is kept sealed, and shown without any of its values', () => {
    const stored = requests.changed(undefined, all);
    expect(JSON.stringify(stored)).not.toMatch(
      new RegExp(`${SECRET}|${Buffer.from(SECRET).toString('base64').slice(0, -2)}`),
    );
    expect(stored?.shown).toEqual({
      method: 'POST',
      headers: ['authorization', 'cookie'],
      body_bytes: Buffer.byteLength(all.body),
      headers_from: 'pass',
      proxy: 'http://127.0.0.1:3128',
      user_agent: 'Mine/1',
      timeout_seconds: 30,
    });
    expect(stored && requests.opened(stored)).toMatchObject({
      headers: { cookie: `session=${SECRET}` },
      body: all.body,
    });
  });

  test('is not opened with the secret of another instance, and can be set anew', () => {
    const stored = requests.changed(undefined, all);
    const other = ownRequests(new Uint8Array(32).fill(8));
    expect(() => stored && other.opened(stored)).toThrow(Error);
    expect(() => other.changed(stored, { headers: { cookie: 'a=b' } })).toThrow(Problem);
    const anew = other.changed(stored, { headers: { cookie: 'a=b', authorization: 'Basic x' } });
    expect(anew && other.opened(anew).headers).toEqual({ cookie: 'a=b', authorization: 'Basic x' });
    expect(other.changed(stored, { headers: null })).toBeUndefined();
  });

  test('is changed header by header, and is gone with the last of it', () => {
    const one = requests.changed(undefined, { headers: { Cookie: 'a=b', 'X-Key': '1' } });
    const two = requests.changed(one, { headers: { cookie: 'c=d' } });
    expect(two && requests.opened(two).headers).toEqual({ cookie: 'c=d', 'x-key': '1' });
    const three = requests.changed(two, { headers: { 'x-key': null }, timeout_seconds: 5 });
    expect(three?.shown).toMatchObject({ headers: ['cookie'], timeout_seconds: 5 });
    expect(requests.changed(three, { headers: null, timeout_seconds: null })).toBeUndefined();
  });

  test('is another page with other headers, another body or method; with renewed values it is the same', () => {
    const first = requests.changed(undefined, { headers: { cookie: 'a=1' } });
    const versions = [
      requests.changed(first, { headers: { cookie: 'a=2' } }),
      requests.changed(first, { timeout_seconds: 5 }),
      requests.changed(first, { headers: { 'x-key': '1' } }),
      requests.changed(first, { body: 'q=1' }),
      requests.changed(first, { user_agent: 'Mine/1' }),
    ].map((stored) => stored?.version === first?.version);
    expect(versions).toEqual([true, true, false, false, false]);
  });

  test.each<[string, RequestChange, string]>([
    ['a line end in a value', { headers: { 'x-key': `${SECRET}\r\nhost: evil` } }, 'line ends'],
    ['an empty value', { headers: { 'x-key': ' ' } }, 'empty'],
    ['characters that no header has', { headers: { 'x-key': `${SECRET}ł` } }, 'Latin-1'],
    ['a name that is none', { headers: { [`x key ${SECRET}`]: '1' } }, 'have a name that is none'],
    ['a header of the connection', { headers: { Host: SECRET } }, 'hydrant’s own'],
    ['a condition', { headers: { 'If-None-Match': SECRET } }, 'hydrant’s own'],
    ['an encoding', { headers: { 'accept-encoding': SECRET } }, 'hydrant’s own'],
    ['a name of every object', { headers: JSON.parse('{"__proto__":"1"}') as Record<string, string> }, 'hydrant’s own'],
    [
      'more than may be',
      { headers: Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`x-${n}`, SECRET])) },
      '33',
    ],
    ['too much together', { headers: { a: 'a'.repeat(8_192), b: 'b'.repeat(8_192) } }, '16384'],
    ['a body with GET', { method: 'GET', body: SECRET }, 'GET'],
    ['a shell', { headers_from: `echo ${SECRET} | cat` }, 'without a shell'],
    ['a proxy that is none', { proxy: `socks5://ada:${SECRET}@127.0.0.1` }, 'is not a proxy'],
    ['a name with a line end', { user_agent: `Mine\r\n${SECRET}` }, 'user-agent'],
  ])('is refused with %s, in a sentence that repeats no secret', (_, change, words) => {
    expect(refusal(change)).toContain(words);
    expect(refusal(change)).not.toContain(SECRET);
  });
});
