import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AddressGuard, explainRefusal } from '../../../src/daemon/fetch/address-guard.ts';
import { StartFailure } from '../../../src/daemon/start-failure.ts';
import vectors from '../../vectors/ssrf.json' with { type: 'json' };

const closed = new AddressGuard({ allowPrivate: [] });
const opening = (...allowPrivate: string[]): AddressGuard => new AddressGuard({ allowPrivate });
const METADATA = [
  '169.254.169.254',
  'fd00:ec2::254',
  'fd20:ce::254',
  '169.254.170.2',
  '169.254.170.23',
  'fd00:ec2::23',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
];

describe('without opened networks', () => {
  test.each(vectors.addresses)('$address is blocked: $blocked ($range)', ({ address, blocked }) => {
    expect(closed.check(address).allowed).toBe(!blocked);
  });

  test('a refusal names the block and what it is for', () => {
    expect(closed.check('10.1.2.3')).toMatchObject({ range: '10.0.0.0/8', name: 'private network' });
    expect(closed.check('fdab::1')).toMatchObject({ range: 'fc00::/7', name: 'unique local' });
    expect(closed.check('4000::1')).toMatchObject({ range: '::/0', openable: false });
    expect(closed.check('169.254.169.254')).toMatchObject({ name: 'cloud metadata', openable: false });
  });

  test.each(['', 'example.com', '1.2.3', '010.0.0.1', '1.2.3.4.5', '1::2::3', '[::1]', '127.1'])(
    '"%s" is no address and is refused',
    (text) => expect(closed.check(text).allowed).toBe(false),
  );

  test('a zone does not hide a link-local address', () => {
    expect(closed.check('fe80::1%eth0')).toMatchObject({ allowed: false, range: 'fe80::/10' });
  });

  test('a v4 address is judged the same in each of its v6 disguises, however it is spelled', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const hex = address.split('.').map((octet) => Number(octet).toString(16).padStart(2, '0'));
        const groups = `${hex[0]}${hex[1]}:${hex[2]}${hex[3]}`;
        const verdict = closed.check(address);
        expect(closed.check(`::ffff:${address}`)).toEqual(verdict);
        expect(closed.check(`::FFFF:${groups}`)).toEqual(verdict);
        expect(closed.check(`0:0:0:0:0:ffff:${groups}`)).toEqual(verdict);
        expect(closed.check(`64:ff9b::${groups}`)).toEqual(verdict);
      }),
    );
  });

  test('a v6 address is judged the same in every spelling', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const shortest = new URL(`http://[${address}]/`).hostname.slice(1, -1);
        expect(closed.check(shortest)).toEqual(closed.check(address));
      }),
    );
  });
});

describe('with opened networks', () => {
  test('a network opens exactly its own addresses', () => {
    const guard = opening('192.168.1.0/24', 'fd12:3456::/32');
    for (const address of ['192.168.1.0', '192.168.1.255', '::ffff:192.168.1.7', 'fd12:3456::1', 'fd12:3456:ffff::']) {
      expect(guard.check(address)).toEqual({ allowed: true, opened: true });
    }
    for (const address of ['192.168.0.255', '192.168.2.0', '10.0.0.1', '127.0.0.1', 'fd12:3457::', '::1']) {
      expect(guard.check(address).allowed).toBe(false);
    }
    expect(guard.check('8.8.8.8')).toEqual({ allowed: true, opened: false });
  });

  test('a v4 address is open if and only if its first bits are the network’s', () => {
    fc.assert(
      fc.property(fc.nat(255), fc.nat(255), fc.integer({ min: 8, max: 32 }), (a, b, bits) => {
        const asNumber = 10 * 2 ** 24 + a * 2 ** 16 + b;
        const size = 2 ** (32 - bits);
        const base = Math.floor(asNumber / size) * size;
        const dotted = (value: number): string => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
        const guard = opening(`${dotted(base)}/${bits}`);
        expect(guard.check(dotted(base)).allowed).toBe(true);
        expect(guard.check(dotted(base + size - 1)).allowed).toBe(true);
        expect(guard.check(dotted(base - 1)).allowed).toBe(base - 1 < 10 * 2 ** 24);
        expect(guard.check(dotted(base + size)).allowed).toBe(base + size >= 11 * 2 ** 24);
      }),
    );
  });

  test.each(METADATA)('%s stays closed, even if everything is opened', (address) => {
    const guard = opening('0.0.0.0/0', '::/0', '169.254.0.0/16');
    expect(guard.check(address)).toMatchObject({ allowed: false, name: 'cloud metadata' });
    expect(guard.check('169.254.1.1').allowed).toBe(true);
    expect(guard.check('fd00:ec2::253').allowed).toBe(true);
  });

  test('a metadata address is closed in its v6 disguise too', () => {
    expect(opening('0.0.0.0/0', '::/0').check('::ffff:169.254.169.254').allowed).toBe(false);
    expect(opening('0.0.0.0/0', '::/0').check('64:ff9b::a9fe:a9fe').allowed).toBe(false);
  });

  test('a network in v6 disguise opens the v4 network it means', () => {
    const guard = opening('::ffff:10.0.0.0/104');
    expect(guard.check('10.255.255.255').allowed).toBe(true);
    expect(guard.check('11.0.0.0')).toEqual({ allowed: true, opened: false });
    expect(guard.check('192.168.0.1').allowed).toBe(false);
  });

  test('it knows whether anything is open', () => {
    expect(closed.opensNetworks).toBe(false);
    expect(opening('10.0.0.0/8').opensNetworks).toBe(true);
  });
});

describe('settings that are refused', () => {
  test.each([
    ['192.168.1', '"192.168.1" is not a network; write it as 192.168.1.0/24'],
    ['10', '"10" is not a network; write it as 10.0.0.0/8'],
    ['10.', '"10." is not a network; write it as 10.0.0.0/8'],
    ['10.0.0.5', '"10.0.0.5" is not a network; write it as 10.0.0.5/32'],
    ['10.0.0.0/33', '"10.0.0.0/33" is not a network; write it as 10.0.0.0/32'],
    ['fd00::1', '"fd00::1" is not a network; write it as fd00::1/128'],
    ['intranet', '"intranet" is not a network; write it as 192.168.1.0/24'],
    ['', '"" is not a network; write it as 192.168.1.0/24'],
    ['300.1', '"300.1" is not a network; write it as 192.168.1.0/24'],
    ['fe80::1%eth0/64', '"fe80::1%eth0/64" is not a network; write it as 192.168.1.0/24'],
    ['10.0.0.0/8/8', '"10.0.0.0/8/8" is not a network; write it as 10.0.0.0/32'],
    ['10.0.0.0/-1', '"10.0.0.0/-1" is not a network; write it as 10.0.0.0/32'],
    ['a\nb', '"a\\u{a}b" is not a network; write it as 192.168.1.0/24'],
    ['192.168.1.7/24', '"192.168.1.7/24" has bits behind its prefix; write it as 192.168.1.0/24'],
    ['fd12::1/16', '"fd12::1/16" has bits behind its prefix; write it as fd12::/16'],
    ['169.254.169.254/32', '"169.254.169.254/32" is a cloud metadata address, which cannot be allowed; leave it out'],
  ])('"%s"', (text, message) => {
    const failure = refusalOf(text);
    expect(failure.message).toBe(`allow-private: ${message}`);
    expect(failure.kind).toBe('configuration');
  });

  function refusalOf(text: string): StartFailure {
    try {
      opening(text);
    } catch (error) {
      if (error instanceof StartFailure) return error;
      throw error;
    }
    throw new Error(`${text} was accepted`);
  }
});

test('the explanation says how to open a network, unless opening it makes no sense', () => {
  const explain = (address: string): string => {
    const verdict = closed.check(address);
    return verdict.allowed ? 'allowed' : explainRefusal(`a.example resolves to ${address}`, verdict);
  };
  expect(explain('10.0.0.5')).toBe(
    'a.example resolves to 10.0.0.5 (private network 10.0.0.0/8); start hydrantd with --allow-private 10.0.0.0/8 to crawl it',
  );
  expect(explain('224.0.0.1')).toBe('a.example resolves to 224.0.0.1 (multicast 224.0.0.0/4)');
  expect(explain('169.254.169.254')).not.toContain('--allow-private');
});
