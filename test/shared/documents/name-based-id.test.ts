import { createHash, hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nameBasedId } from '../../../src/shared/documents/name-based-id.ts';
import { sha1 } from '../digest/match-sample.ts';

describe('the id of an entry', () => {
  // As hydrant 0.1.0 has given them out: of another id a reader makes a new entry.
  test.each([
    ['w-1', 'bdfb7603-62b1-5fc5-b6e7-bc807332d759'],
    ['w-1/12', '9d623d8c-3c5a-536c-b46d-fd059ba4f251'],
    ['', '5c140bb0-b21a-5b36-85a4-7202cbd0b349'],
    ['a\ud800b', 'e756b3b4-5e37-583f-863c-7c9e94385c9d'],
    ['é/漢', 'b1b97571-8618-5df9-9ae2-a24d24b6d6bb'],
    ['3f0c1f6e-0000-4000-8000-000000000001/0-42', '76c42b19-c8d5-577c-bd98-d653b7d03f2f'],
  ])('of %j never changes', (key, id) => expect(nameBasedId(key, sha1)).toBe(`urn:uuid:${id}`));

  test('is the UUID that RFC 9562 makes of a namespace and a name', () => {
    const namespace = Buffer.from('6f0d0a7e9b0c4d0fa1b76c2f4e8d5c31', 'hex');
    const plain = (key: string): string => {
      const bytes = createHash('sha1').update(namespace).update(key).digest().subarray(0, 16);
      bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
      bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
      return bytes.toString('hex');
    };
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (key) => {
        expect(nameBasedId(key, (data) => hash('sha1', data)).replaceAll('-', '')).toBe(`urn:uuid:${plain(key)}`);
      }),
    );
  });
});
