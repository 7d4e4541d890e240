import { describe, expect, test } from 'vitest';
import { hashSecret, newSecret, sameHash, shownPrefix } from '../../../src/daemon/accounts/keys.ts';
import { outside } from '../../../src/daemon/outside.ts';

/** Bytes 0 to 255, again and again. */
function everyByteInTurn(): typeof outside {
  let next = 0;
  return { ...outside, randomBytes: (size) => Uint8Array.from({ length: size }, () => next++ % 256) };
}

describe('a secret', () => {
  test('is its prefix and 40 letters and digits', () => {
    expect(newSecret('svcm_', outside)).toMatch(/^svcm_[A-Za-z0-9]{40}$/);
    expect(newSecret('svc_', outside)).toMatch(/^svc_[A-Za-z0-9]{40}$/);
  });

  test('favours no character: over all byte values each comes up equally often', () => {
    const bytes = everyByteInTurn();
    const counts = new Map<string, number>();
    // 31 secrets of 40 are 1,240 characters: 20 of each of the 62.
    for (let made = 0; made < 31; made += 1) {
      for (const letter of newSecret('svc_', bytes).slice(4)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    }
    expect(counts.size).toBe(62);
    expect(new Set(counts.values())).toEqual(new Set([20]));
  });

  test('shows its prefix and four characters', () => {
    expect(shownPrefix('svcm_Ab3dXXXX', 'svcm_')).toBe('svcm_Ab3d');
    expect(shownPrefix('svc_Ab3dXXXX', 'svc_')).toBe('svc_Ab3d');
  });

  test('is hashed with SHA-256, and hashes are compared whole', () => {
    expect(hashSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(sameHash(hashSecret('a'), hashSecret('a'))).toBe(true);
    expect(sameHash(hashSecret('a'), hashSecret('b'))).toBe(false);
    expect(sameHash('ab', 'abc')).toBe(false);
  });
});
