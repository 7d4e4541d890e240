import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Seal } from '../../../src/daemon/accounts/keys.ts';
import { outside } from '../../../src/daemon/outside.ts';

const secret = new Uint8Array(32).fill(7);
const seal = new Seal(secret, outside);

describe('a seal', () => {
  test('gives back any text, and does not show it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (raw) => {
        const text = raw.toWellFormed();
        const sealed = seal.seal(text);
        expect(sealed).toMatch(/^v1\.[A-Za-z0-9_-]+$/);
        expect(seal.open(sealed)).toBe(text);
      }),
    );
  });

  test('differs each time, so that equal texts do not look equal', () => {
    expect(seal.seal('svc_a')).not.toBe(seal.seal('svc_a'));
  });

  test('is broken by any changed byte', () => {
    const bytes = Buffer.from(seal.seal('svc_abc').slice(3), 'base64url');
    for (let at = 0; at < bytes.length; at += 1) {
      const altered = Buffer.from(bytes);
      altered[at] = (altered[at] ?? 0) ^ 1;
      expect(() => seal.open(`v1.${altered.toString('base64url')}`)).toThrow(Error);
    }
  });

  test('is not opened by another secret, in another version, or cut', () => {
    const sealed = seal.seal('svc_abc');
    expect(() => new Seal(new Uint8Array(32).fill(8), outside).open(sealed)).toThrow(Error);
    expect(() => seal.open(sealed.replace('v1.', 'v2.'))).toThrow('not a sealed token');
    expect(() => seal.open(sealed.slice(0, 20))).toThrow('not a sealed token');
    expect(() => seal.open('')).toThrow('not a sealed token');
  });

  test('is not opened for another purpose', () => {
    const forSinks = new Seal(secret, outside, 'hydrant sink secrets');
    const sealed = forSinks.seal('a password');
    expect(forSinks.open(sealed)).toBe('a password');
    expect(() => seal.open(sealed)).toThrow(Error);
  });

  test('refuses a secret that is too short to keep anything', () => {
    expect(() => new Seal(new Uint8Array(16), outside)).toThrow('16 bytes');
  });
});
