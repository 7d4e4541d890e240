import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Exchange } from '../fetch/fetched.ts';

/** One exchange with a server, as an archive keeps it. */
export interface Kept {
  readonly url: string;
  /** When the answer was there, milliseconds since 1970. */
  readonly at: number;
  /** The server's address. */
  readonly address: string;
  readonly exchange: Exchange;
}

/** What begins a file: who wrote it, and in which form. */
export function warcinfo(file: string, software: string, at: number, id: string): Promise<Buffer> {
  const block = `software: ${software}\r\nformat: WARC File Format 1.1\r\nrobots: obey\r\n`;
  return packed({
    head: { 'WARC-Type': 'warcinfo', 'WARC-Record-ID': urn(id), 'WARC-Date': date(at), 'WARC-Filename': file },
    type: 'application/warc-fields',
    parts: [Buffer.from(block)],
  });
}

/** The request and the answer to it, a record each. */
export async function exchangeRecords(kept: Kept, ids: { request: string; response: string }): Promise<Buffer> {
  const { url, at, address, exchange } = kept;
  const said = { 'WARC-Target-URI': url, 'WARC-Date': date(at), ...(address !== '' && { 'WARC-IP-Address': address }) };
  const response = await packed({
    head: {
      'WARC-Type': 'response',
      'WARC-Record-ID': urn(ids.response),
      ...said,
      'WARC-Payload-Digest': `sha256:${hash('sha256', exchange.wire, 'hex')}`,
    },
    type: 'application/http; msgtype=response',
    parts: [Buffer.from(`${exchange.responseHead}\r\n`, 'latin1'), ...bodyParts(exchange)],
  });
  const request = await packed({
    head: {
      'WARC-Type': 'request',
      'WARC-Record-ID': urn(ids.request),
      ...said,
      'WARC-Concurrent-To': urn(ids.response),
    },
    type: 'application/http; msgtype=request',
    parts: [Buffer.from(`${exchange.requestHead}\r\n`, 'latin1')],
  });
  return Buffer.concat([request, response]);
}

/** The chunks of the answer are gone; where its head promises some, the body is one. */
function bodyParts({ responseHead, wire }: Exchange): readonly Uint8Array[] {
  if (!/^transfer-encoding:.*\bchunked\b/im.test(responseHead)) return [wire];
  if (wire.length === 0) return [Buffer.from('0\r\n\r\n')];
  return [Buffer.from(`${wire.length.toString(16)}\r\n`), wire, Buffer.from('\r\n0\r\n\r\n')];
}

interface Parts {
  readonly head: Readonly<Record<string, string>>;
  readonly type: string;
  readonly parts: readonly Uint8Array[];
}

/** In a gzip member of its own, so that it can be found without the others; packed outside of the main thread. */
async function packed({ head, type, parts }: Parts): Promise<Buffer> {
  const block = Buffer.concat(parts);
  const fields = {
    ...head,
    'Content-Type': type,
    'WARC-Block-Digest': `sha256:${hash('sha256', block, 'hex')}`,
    'Content-Length': String(block.length),
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  const start = Buffer.from(`WARC/1.1\r\n${lines.join('')}\r\n`);
  return compress(Buffer.concat([start, block, Buffer.from('\r\n\r\n')]));
}

const compress = promisify<Uint8Array, Buffer>(gzip);

function urn(id: string): string {
  return `<urn:uuid:${id}>`;
}

function date(at: number): string {
  return new Date(at).toISOString();
}
