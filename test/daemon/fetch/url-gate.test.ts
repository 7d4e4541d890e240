import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AddressGuard, checkUrl } from '../../../src/daemon/fetch/address-guard.ts';
import vectors from '../../vectors/ssrf.json' with { type: 'json' };

const closed = new AddressGuard({ allowPrivate: [] });
const home = new AddressGuard({ allowPrivate: ['127.0.0.0/8', '192.168.1.0/24'] });

const verdictOf = (text: string, guard = closed): string => {
  const checked = checkUrl(text, guard);
  return checked.ok ? 'ok' : checked.reason;
};
const hostOf = (text: string): string | undefined => {
  const checked = checkUrl(text, closed);
  return checked.ok ? checked.url.hostname : undefined;
};
const detailOf = (text: string, guard = closed): string => {
  const checked = checkUrl(text, guard);
  return checked.ok ? '' : checked.detail;
};

describe('the vectors', () => {
  const expected: Record<string, string[]> = {
    block: ['private_address', 'bad_url'],
    'block-credentials': ['bad_url'],
    'block-scheme': ['bad_url'],
    'block-name': ['private_address', 'bad_url'],
    resolve: ['ok'],
    'resolve-then-block-by-address': ['ok'],
  };

  test.each(vectors.urls)('$url: $verdict', ({ url, verdict, host }) => {
    expect(expected[verdict]).toContain(verdictOf(url));
    expect(hostOf(url) ?? host).toBe(host);
  });
});

test.each([
  ['http://example.com/', 'ok'],
  ['https://example.com:443/', 'ok'],
  ['http://example.com:80/', 'ok'],
  ['http://example.com:443/', 'ok'],
  ['http://example.com:8080/', 'ok'],
  ['http://example.com:65535/', 'ok'],
  ['http://example.com:0/', 'bad_url'],
  ['http://example.com:22/', 'bad_url'],
  ['http://example.com:25/', 'bad_url'],
  ['http://example.com:1023/', 'bad_url'],
  ['http://example.com:6667/', 'bad_url'],
  ['http://example.com:10080/', 'bad_url'],
  ['http://example.com:6379/', 'bad_url'],
  ['http://example.com:11211/', 'bad_url'],
  ['http://example.com:5432/', 'bad_url'],
  ['http://example.com:27017/', 'bad_url'],
  ['http://example.com:9200/', 'bad_url'],
  ['http://example.com:2375/', 'bad_url'],
  ['http://example.com:65536/', 'bad_url'],
  ['gopher://example.com/', 'bad_url'],
  ['data:text/html,x', 'bad_url'],
  ['http://@example.com/', 'ok'],
  ['http://user@example.com/', 'bad_url'],
  ['http://:pw@example.com/', 'bad_url'],
  ['//example.com/', 'bad_url'],
  ['not-a-url', 'bad_url'],
  ['', 'bad_url'],
  ['http://', 'bad_url'],
  ['http://example.com\\@127.0.0.1/', 'bad_url'],
  ['http://exa\nmple.com/', 'bad_url'],
  ['http://example.com/a b', 'bad_url'],
  [' http://example.com/', 'bad_url'],
  ['http://example.com/\u0000', 'bad_url'],
  ['http://example.com/\u2028', 'bad_url'],
  ['http://0x7f.1/', 'private_address'],
  ['http://2130706433/', 'private_address'],
  ['http://[::1]/', 'private_address'],
  ['http://[64:ff9b::7f00:1]/', 'private_address'],
  ['http://localhost/', 'private_address'],
  ['http://LOCALHOST./', 'private_address'],
  ['http://printer.local/', 'private_address'],
  ['http://router.home.arpa/', 'private_address'],
  ['http://router.lan/', 'private_address'],
  ['http://hidden.onion/', 'bad_url'],
  ['http://hidden.i2p./', 'bad_url'],
  ['http://xn--bcher-kva.example/', 'ok'],
  ['http://bücher.example/ünï', 'ok'],
])('%j: %s', (text, verdict) => {
  expect(verdictOf(text)).toBe(verdict);
});

describe('with opened networks', () => {
  test.each([
    ['http://127.0.0.1:1/', 'ok'],
    ['http://127.8.9.10:6667/', 'ok'],
    ['http://192.168.1.20:81/', 'ok'],
    ['http://192.168.2.20/', 'private_address'],
    ['http://169.254.169.254/', 'private_address'],
    ['http://localhost:8080/', 'ok'],
    ['http://nas.lan/', 'ok'],
    ['http://intranet/', 'ok'],
    ['http://hidden.onion/', 'bad_url'],
    ['http://8.8.8.8:25/', 'bad_url'],
  ])('%s: %s', (text, verdict) => {
    expect(verdictOf(text, home)).toBe(verdict);
  });
});

test('a URL may be 2048 characters long and not one more, before and after percent-encoding', () => {
  const base = 'https://example.com/';
  expect(verdictOf(base.padEnd(2_048, 'x'))).toBe('ok');
  expect(verdictOf(base.padEnd(2_049, 'x'))).toBe('bad_url');
  expect(verdictOf(base.padEnd(1_000, 'ü'))).toBe('bad_url');
});

test('details name the fault and the way out', () => {
  expect(detailOf('http://example.com/a b')).toBe(
    '"http://example.com/a b" holds a space at character 21; write it percent-encoded',
  );
  expect(detailOf('http://example.com/\u001b[2J')).toContain('U+001B');
  expect(detailOf('nowhere')).toBe('"nowhere" is not a URL; write it as https://example.com/page');
  expect(detailOf('http://10.11.12.13/')).toBe(
    '10.11.12.13 is not a public address (private network 10.0.0.0/8); start hydrantd with --allow-private 10.0.0.0/8 to crawl it',
  );
});

test('whatever the text: no throw, one clean line, no password, and a URL that passed passes again', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc
      .tuple(fc.constantFrom('http://', 'https://', 'ftp://', ''), fc.string({ unit: 'binary' }))
      .map((p) => p.join('')),
  );
  fc.assert(
    fc.property(text, (url) => {
      const checked = checkUrl(url, closed);
      expect(checked.ok ? verdictOf(checked.url.href) : 'ok').toBe('ok');
      expect(checked.ok ? '' : checked.detail).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202e]/u);
    }),
  );
  expect(detailOf('http://user:hunter2@example.com/')).not.toContain('hunter2');
});

test.each([
  'https://ada:secret@example.com/a b',
  'https://ada:secret@example.com:99999/',
  'ftp://ada:secret@example.com/',
  '//ada:secret@example.com/',
  'https:\\\\ada:secret@example.com/',
  'https://ada:secret@ada:secret@example.com/',
])('what is wrong with %s is told without its name and password', (text) => {
  expect(detailOf(text)).not.toBe('');
  expect(detailOf(text)).not.toContain('secret');
});
