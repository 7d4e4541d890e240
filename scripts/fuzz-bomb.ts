import { Readable } from 'node:stream';
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { ByteSource, recordsIn } from '../src/cli/archive/pieces.ts';
import { readArchivedBody } from '../src/daemon/archive/archived-body.ts';
import { listOf } from '../src/daemon/discovery/feeds-and-sitemaps.ts';
import { readBody } from '../src/daemon/fetch/body.ts';
import { FetchProblem } from '../src/daemon/fetch/fetched.ts';
import { PAGE_BYTES, PDF_UNPACKED_BYTES } from '../src/shared/limits.ts';
import { boundedPdf } from '../src/shared/page/pdf/pdf-unpacking.ts';
import { TreeTooLarge } from '../src/shared/page/read/tree.ts';
import * as pdf from '../test/shared/page/pdf-bombs.ts';
import { attemptLater, type Broken, type Stopwatch, timedLater } from './fuzz-attempt.ts';
import { below, type Dice, diceOf, pick, times } from './fuzz-dice.ts';

/**
 * Bombs: PDFs whose streams are packed in layers, feeds and records of archives in codings on codings. An input is what one
 * is made of, in words, since the thing itself may be as large as it likes: `pdf zeros 40000000 Fl,RL indirect 2`.
 */
export function inputOf(seed: number, number: number): string {
  const dice = diceOf(seed, number);
  const kind = pick(dice, ['pdf', 'pdf', 'feed', 'archive']);
  const size = Math.floor(10 ** (2 + dice() * 5.9));
  if (kind !== 'pdf') return `${kind} ${size} ${chain(dice, Object.keys(CODINGS), 4)}`;
  const layers = chain(dice, Object.keys(LAYERS), 4);
  return `pdf ${pick(dice, Object.keys(FILLS))} ${size} ${layers} ${pick(dice, Object.keys(FORMS))} ${1 + below(dice, 3)}`;
}

/** What comes out is within the limits, what is too large is refused as that, and neither takes long. */
export async function check(input: string, stopwatch: Stopwatch = () => undefined): Promise<Broken | undefined> {
  const [kind = '', ...words] = input.split(' ');
  if (kind === 'pdf') return checkPdf(words, stopwatch);
  if (kind === 'feed' || kind === 'archive') return checkPacked(kind, words, stopwatch);
  return undefined;
}

function chain(dice: Dice, names: readonly string[], most: number): string {
  return times(below(dice, most + 1), () => pick(dice, names)).join(',') || 'none';
}

const LAYERS: Readonly<Record<string, pdf.Layer>> = {
  Fl: pdf.FLATE,
  RL: pdf.RUN_LENGTH,
  AHx: pdf.HEX,
  A85: pdf.ASCII85,
};
const FILLS: Readonly<Record<string, number>> = { zeros: 0, spaces: 0x20, eights: 0x38 };
/** How a stream says by what it is packed. */
const FORMS: Readonly<Record<string, (names: readonly string[]) => string>> = {
  direct: (names) => `/Filter [${names.map((name) => `/${name}`).join(' ')}]`,
  short: (names) => `/F [${names.map((name) => `/${name}`).join('')}] /Filter /DCTDecode`,
  commented: (names) => `/Filter [%]>> stream\n${names.map((name) => `/${name}`).join('%\n')}]`,
  escaped: (names) =>
    `/Filter [${names.map((name) => `/#${name.charCodeAt(0).toString(16)}${name.slice(1)}`).join(' ')}]`,
  indirect: () => '/Filter 6 0 R',
};
/** Packing in letters is slow here, and what it makes of more is no larger bomb. */
const MOST_BYTES = 80_000_000;
const MOST_SLOW_BYTES = 3_000_000;

interface Bomb {
  readonly file: Uint8Array;
  /** What all layers of all its streams put out. */
  readonly unpacked: number;
}

async function checkPdf(words: readonly string[], stopwatch: Stopwatch): Promise<Broken | undefined> {
  const bomb = pdfBomb(words);
  if (bomb === undefined) return undefined;
  const { file, unpacked } = bomb;
  const limit = LIMIT_MS + (file.length + Math.min(unpacked, PDF_UNPACKED_BYTES)) * MS_A_BYTE;
  const read = await attemptLater('throws', () =>
    timedLater('pdf', limit, stopwatch, () => boundedPdf(file).catch(refusalOf)),
  );
  if ('check' in read) return read;
  const isTooLarge = unpacked > PDF_UNPACKED_BYTES;
  if ((read.result === 'refused') === isTooLarge) return undefined;
  return { check: isTooLarge ? 'not refused' : 'refused', detail: `${unpacked} bytes in all` };
}

/** Undefined where the words name none, or one that would be too large to be fetched. */
function pdfBomb([fill = '', size = '', layers = '', form = '', copies = '']: readonly string[]): Bomb | undefined {
  const chosen = layers.split(',').flatMap((name) => LAYERS[name] ?? []);
  const entriesOf = FORMS[form];
  const stream = streamIn(chosen, Number(size) || 0, FILLS[fill] ?? 0);
  if (entriesOf === undefined || stream === undefined) return undefined;
  const names = chosen.map(({ name }) => name).toReversed();
  const count = Math.min(Number(copies) || 1, 4);
  const [first = '', ...more] = Array.from({ length: count }, () => pdf.streamOf(entriesOf(names), stream.bytes));
  // The object that an indirect filter is.
  const list = `[${names.map((name) => `/${name}`).join(' ')}]`;
  return { file: pdf.pdfOf([...pdf.onePage(), first, list, ...more]), unpacked: stream.unpacked * count };
}

function streamIn(
  layers: readonly pdf.Layer[],
  size: number,
  fill: number,
): { readonly bytes: Uint8Array; readonly unpacked: number } | undefined {
  const isQuick = layers[0] === undefined || layers[0] === pdf.FLATE;
  let bytes: Uint8Array = Buffer.alloc(Math.min(size, isQuick ? MOST_BYTES : MOST_SLOW_BYTES), fill);
  let unpacked = 0;
  for (const layer of layers) {
    unpacked += bytes.length;
    if (layer !== pdf.FLATE && bytes.length > MOST_SLOW_BYTES) return undefined;
    bytes = layer.pack(bytes);
  }
  return bytes.length > PAGE_BYTES ? undefined : { bytes, unpacked };
}

function refusalOf(error: unknown): 'refused' {
  if (error instanceof TreeTooLarge) return 'refused';
  throw error;
}

const CODINGS: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  gzip: (bytes) => gzipSync(bytes),
  deflate: (bytes) => deflateSync(bytes),
  br: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  zstd: (bytes) => zstdCompressSync(bytes),
};
/** Of processor time. */
const LIMIT_MS = 300;
const MS_A_BYTE = 0.000_05;

async function checkPacked(
  kind: 'feed' | 'archive',
  [size = '', codings = '']: readonly string[],
  stopwatch: Stopwatch,
): Promise<Broken | undefined> {
  const names = codings.split(',').filter((name) => name in CODINGS);
  const plain = feedOf(Math.min(Number(size) || 0, MOST_BYTES / 2));
  const bytes = names.reduce((inner, name) => CODINGS[name]?.(inner) ?? inner, plain);
  const run = kind === 'feed' ? () => fetchedFeed(bytes, names) : () => archivedFeed(bytes, names);
  const read = await attemptLater('throws', () => timedLater(kind, FEED_MS, stopwatch, run));
  if ('check' in read) return read;
  const mayBeRead = names.length <= MOST_CODINGS && plain.length <= PAGE_BYTES;
  if (read.result === 0 || mayBeRead) return undefined;
  return { check: 'not refused', detail: `${read.result} bytes of a body of ${plain.length}` };
}

/** That are undone one after another. */
const MOST_CODINGS = 2;
/** A few thousand entries are read, whatever comes after them. */
const FEED_MS = 3_000;

function feedOf(length: number): Uint8Array {
  const head = '<rss version="2.0"><channel><title>Notes</title>';
  return Buffer.concat([Buffer.from(head), Buffer.alloc(length, '<item><link>https://example.com/1</link></item>')]);
}

/** Bytes that were read; 0 where the body is refused. */
async function fetchedFeed(bytes: Uint8Array, names: readonly string[]): Promise<number> {
  const headers = { contentEncoding: names.join(', '), contentLength: String(bytes.length) };
  try {
    const body = await readBody(Readable.from([bytes]), headers, {
      name: 'the page',
      bytes: PAGE_BYTES,
      unpacks: true,
    });
    listOf({ url: 'https://example.com/feed', contentType: 'text/xml', bytes: body });
    return body.length;
  } catch (error) {
    if (error instanceof FetchProblem) return 0;
    throw error;
  }
}

async function archivedFeed(bytes: Uint8Array, names: readonly string[]): Promise<number> {
  const http = `HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Encoding: ${names.join(', ')}\r\n\r\n`;
  const head =
    'WARC/1.1\r\nWARC-Type: response\r\nWARC-Date: 2026-02-13T08:06:32Z\r\nWARC-Target-URI: https://example.com/feed\r\n';
  const block = Buffer.concat([Buffer.from(http), bytes]);
  const record = Buffer.concat([
    Buffer.from(`${head}Content-Length: ${block.length}\r\n\r\n`),
    block,
    Buffer.from('\r\n\r\n'),
  ]);
  let most = 0;
  const source = new ByteSource(Readable.from([gzipSync(record)]));
  for await (const found of recordsIn(source, 'gzip', () => true)) {
    if (found.kind !== 'record') continue;
    const read = await readArchivedBody(found.record.bytes);
    if (!('left' in read)) most = Math.max(most, read.fetched.bytes.length);
  }
  return most;
}
