import { createHash, timingSafeEqual } from 'node:crypto';
import type { Outside } from '../outside.ts';

/**
 * Management keys and tap tokens: a prefix that says which of the two it is, and 40 random characters, 238 bits.
 * So much randomness needs no slow hash: a plain SHA-256 cannot be searched, and one request costs one hash.
 */
export type SecretPrefix = 'svcm_' | 'svc_';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 40;
/** Characters of the random part that may be shown, so that people recognize a key. */
const SHOWN = 4;
/** Bytes from here up are thrown away: 256 is no multiple of 62, and a plain remainder would favour A to H. */
const UNBIASED_BELOW = 256 - (256 % ALPHABET.length);

export function newSecret(prefix: SecretPrefix, outside: Outside): string {
  let letters = '';
  while (letters.length < LENGTH) {
    for (const byte of outside.randomBytes(LENGTH - letters.length)) {
      if (byte < UNBIASED_BELOW) letters += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return prefix + letters;
}

/** `svcm_` or `svc_` and the first four characters. */
export function shownPrefix(secret: string, prefix: SecretPrefix): string {
  return secret.slice(0, prefix.length + SHOWN);
}

/** SHA-256, hex. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Takes the same time wherever two hashes differ. */
export function sameHash(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
