import { describe, expect, test } from 'vitest';
import { AddressGuard } from '../../../src/daemon/fetch/address-guard.ts';
import { targetOf } from '../../../src/daemon/watch/watches.ts';

const guard = new AddressGuard({ allowPrivate: [] });

describe('what is fetched of a watched URL', () => {
  test.each([
    ['https://example.org', 'https://example.org/', 'example.org'],
    ['HTTPS://Example.ORG:443/a/../b', 'https://example.org/b', 'example.org'],
    ['https://example.org/a#part', 'https://example.org/a', 'example.org'],
    ['https://example.org/a#', 'https://example.org/a', 'example.org'],
    ['https://example.org./a', 'https://example.org/a', 'example.org'],
    ['https://example.org/?utm_source=mail&a=1', 'https://example.org/?utm_source=mail&a=1', 'example.org'],
    ['http://example.org:8080/', 'http://example.org:8080/', 'example.org:8080'],
    ['https://bücher.example/ü', 'https://xn--bcher-kva.example/%C3%BC', 'xn--bcher-kva.example'],
  ])('of %s is %s', (url, target, host) => {
    expect(targetOf(url, guard)).toEqual({ ok: true, target, host });
  });

  test.each([
    'ftp://example.org/',
    'javascript:alert(1)',
    'example.org',
    'https://anna:secret@example.org/',
    `https://example.org/${'a'.repeat(2_048)}`,
    'https://example.org/a b',
    'https://example.org:22/',
  ])('is nothing of %s', (url) => {
    expect(targetOf(url, guard)).toMatchObject({ ok: false, reason: 'bad_url' });
  });

  test.each(['http://127.0.0.1/', 'http://10.1.2.3/', 'http://[::1]/', 'http://0x7f.1/', 'http://localhost/'])(
    'is nothing of the private address %s',
    (url) => {
      expect(targetOf(url, guard)).toMatchObject({ ok: false, reason: 'private_address' });
    },
  );
});
