import type { Piece } from '../../../src/shared/archive/records.ts';
import { type Found, readRecords } from '../../../src/shared/archive/records.ts';

/** A record as a WARC file has it, with the empty lines behind it. */
export function warc(type: string, block: string | Uint8Array, fields: Record<string, string> = {}): Buffer {
  const body = Buffer.from(block as string);
  const all = { 'WARC-Type': type, ...fields, 'Content-Length': String(body.length) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`WARC/1.1\r\n${lines.join('')}\r\n`), body, Buffer.from('\r\n\r\n')]);
}

export interface Shot {
  readonly url: string;
  readonly at: string;
  readonly body: string | Uint8Array;
  readonly head?: string;
  readonly fields?: Record<string, string>;
}

/** A `response` record. */
export function response({ url, at, body, head = '', fields = {} }: Shot): Buffer {
  const start = `HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n${head}\r\n`;
  return warc('response', Buffer.concat([Buffer.from(start), Buffer.from(body as string)]), {
    'WARC-Target-URI': url,
    'WARC-Date': at,
    'Content-Type': 'application/http; msgtype=response',
    ...fields,
  });
}

/** In pieces of so many bytes, one after another, as a plain file would come. */
export async function* piecesOf(bytes: Uint8Array, sizes: readonly number[] = [65_536]): AsyncGenerator<Piece> {
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield { at: { offset: at, within: 0 }, bytes: bytes.subarray(at, at + size) };
    at += size;
  }
}

export async function foundIn(
  pieces: AsyncIterable<Piece>,
  wants?: Parameters<typeof readRecords>[1],
): Promise<Found[]> {
  const found: Found[] = [];
  for await (const one of readRecords(pieces, wants)) found.push(one);
  return found;
}

/** What was found, in a form that can be compared at a glance. */
export function told(found: readonly Found[]): string[] {
  return found.map((one) => {
    const at = one.at.offset + one.at.within;
    if (one.kind === 'damage') return `${at} ${one.message}`;
    if (one.kind === 'passed') return `${at} passed ${one.isTooLong ? 'too long' : 'unwanted'}`;
    return `${at} ${one.record.head.fields.get('warc-type')} ${Buffer.from(one.record.block)
      .toString()
      .replaceAll(/(.)\1{99,}/g, '$1…')}`;
  });
}
