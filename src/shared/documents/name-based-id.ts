/**
 * SHA-1 of bytes, or of a text in UTF-8, as 40 hexadecimal digits. Both programs pass that of Node's `crypto`, which this module
 * may not import; Web Crypto has it only as a promise.
 */
export type Sha1 = (data: string | Uint8Array) => string;

/** A name-based UUID (RFC 9562, version 5) in hydrant's namespace, as a URN: of one key always the same. */
export function nameBasedId(key: string, sha1: Sha1): string {
  const name = new TextEncoder().encode(key);
  const bytes = new Uint8Array(NAMESPACE.length + name.length);
  bytes.set(NAMESPACE);
  bytes.set(name, NAMESPACE.length);
  const digits = sha1(bytes);
  const variant = ((Number.parseInt(digits.slice(16, 17), 16) & 0b0011) | 0b1000).toString(16);
  const groups = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `5${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ];
  return `urn:uuid:${groups.join('-')}`;
}

/** 6f0d0a7e-9b0c-4d0f-a1b7-6c2f4e8d5c31. Never changed: with it, every entry that a reader has shown would be a new one. */
const NAMESPACE = new Uint8Array([
  0x6f, 0x0d, 0x0a, 0x7e, 0x9b, 0x0c, 0x4d, 0x0f, 0xa1, 0xb7, 0x6c, 0x2f, 0x4e, 0x8d, 0x5c, 0x31,
]);
