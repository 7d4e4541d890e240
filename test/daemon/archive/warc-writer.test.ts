import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ByteSource, unpackedPieces } from '../../../src/cli/archive/pieces.ts';
import { readArchivedBody } from '../../../src/daemon/archive/archived-body.ts';
import { WarcWriter, type WarcWriterDeps } from '../../../src/daemon/archive/warc-writer.ts';
import type { WarcRecord } from '../../../src/shared/archive/records.ts';
import { chunks } from '../../cli/archive/packed.ts';
import { foundIn } from '../../shared/archive/warc-bytes.ts';

let directory: string;
let problems: string[];
let now: number;
let ids: number;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'hydrant-warc-'));
  problems = [];
  now = Date.UTC(2026, 1, 3, 4, 5, 6, 789);
  ids = 0;
});
afterEach(() => {
  rmSync(directory, { recursive: true });
});

const open = (more: Partial<WarcWriterDeps> = {}): Promise<WarcWriter> =>
  WarcWriter.open({
    directory,
    software: 'hydrant/test',
    outside: { now: () => now, uuid: () => `id-${(ids += 1)}`, randomBytes: (size) => new Uint8Array(size) },
    onProblem: (message) => problems.push(message),
    ...more,
  });
const files = (): string[] => readdirSync(directory).sort();
const html = '<title>Ä page</title>';
const exchange = (more: { head?: string; wire?: Uint8Array } = {}) => ({
  url: 'http://a.example/page',
  at: now,
  address: '192.0.2.1',
  exchange: {
    requestHead: 'GET /page HTTP/1.1\r\nhost: a.example\r\n',
    responseHead: `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n${more.head ?? ''}`,
    wire: more.wire ?? Buffer.from(html),
  },
});

async function recordsOf(file: string): Promise<WarcRecord[]> {
  const source = new ByteSource(chunks(readFileSync(path.join(directory, file))));
  const found = await foundIn(unpackedPieces(source, 'gzip'));
  return found.map((one) => {
    if (one.kind !== 'record') throw new Error(`${file}: ${JSON.stringify(one)}`);
    return one.record;
  });
}

describe('the WARC writer', () => {
  test('writes a warcinfo record, then request and response of each page', async () => {
    const writer = await open();
    await writer.write(exchange());
    await writer.close();
    expect(files()).toEqual(['hydrant-20260203040506789-00001.warc.gz']);
    const [info, request, response, ...more] = await recordsOf('hydrant-20260203040506789-00001.warc.gz');
    expect(more).toEqual([]);
    expect(Object.fromEntries(info?.head.fields ?? [])).toMatchObject({
      'warc-type': 'warcinfo',
      'warc-filename': 'hydrant-20260203040506789-00001.warc.gz',
    });
    expect(Object.fromEntries(request?.head.fields ?? [])).toMatchObject({
      'warc-type': 'request',
      'warc-concurrent-to': response?.head.fields.get('warc-record-id'),
    });
    expect(Object.fromEntries(response?.head.fields ?? [])).toMatchObject({
      'warc-type': 'response',
      'warc-target-uri': 'http://a.example/page',
      'warc-date': '2026-02-03T04:05:06.789Z',
      'warc-ip-address': '192.0.2.1',
      'content-type': 'application/http; msgtype=response',
      'warc-payload-digest': expect.stringMatching(/^sha256:[\da-f]{64}$/) as string,
    });
  });

  test.each([
    ['as it is', {}],
    ['packed', { head: 'content-encoding: gzip\r\n', wire: gzipSync(html) }],
    ['in chunks that the fetcher has put together', { head: 'Transfer-Encoding: chunked\r\n' }],
  ])('what it writes is what ingest reads: a body %s', async (_, more) => {
    const writer = await open();
    await writer.write(exchange(more));
    await writer.close();
    const [, , response] = await recordsOf(files()[0] ?? '');
    const read = await readArchivedBody(response?.bytes ?? new Uint8Array());
    expect(
      'left' in read ? read : { ...read.fetched, bytes: Buffer.from(read.fetched.bytes).toString() },
    ).toMatchObject({
      url: 'http://a.example/page',
      bytes: html,
      contentType: 'text/html',
    });
  });

  test('a file is called .open until it is closed, and can be read before', async () => {
    const writer = await open();
    await writer.write(exchange());
    expect(files()).toEqual(['hydrant-20260203040506789-00001.warc.gz.open']);
    expect(await recordsOf(files()[0] ?? '')).toHaveLength(3);
    await writer.close();
  });

  test('the next file begins where one would be too long, and no record is lost', async () => {
    const writer = await open({ fileBytes: 2_000 });
    await Promise.all(Array.from({ length: 20 }, () => writer.write(exchange())));
    await writer.close();
    expect(files().length).toBeGreaterThan(2);
    const counts = await Promise.all(files().map(async (file) => (await recordsOf(file)).length - 1));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(40);
    expect(files().every((file) => readFileSync(path.join(directory, file)).length <= 2_000)).toBe(true);
  });

  test('a directory that is a file is told at the start', async () => {
    const file = path.join(directory, 'file');
    writeFileSync(file, '');
    await expect(open({ directory: file })).rejects.toThrow(/--warc-dir .*cannot write there/);
  });

  test('a disk that takes no more is told once, and tried again after a while', async () => {
    const writer = await open({ fileBytes: 1 });
    rmSync(directory, { recursive: true });
    await writer.write(exchange());
    await writer.write(exchange());
    expect(problems).toEqual([expect.stringMatching(/^pages are not written as WARC for now: .*ENOENT/)]);
    directory = mkdtempSync(directory);
    await writer.close();
  });

  test('it writes again when the disk does', async () => {
    const target = path.join(directory, 'warc');
    const writer = await open({ directory: target, fileBytes: 1 });
    rmSync(target, { recursive: true });
    await writer.write(exchange());
    expect(problems).toHaveLength(1);
    await (await open({ directory: target })).close();
    await writer.write(exchange());
    expect(readdirSync(target)).toHaveLength(1);
    now += 60_001;
    await writer.write(exchange());
    await writer.close();
    expect(readdirSync(target)).toHaveLength(2);
    expect(problems).toHaveLength(1);
  });
});
