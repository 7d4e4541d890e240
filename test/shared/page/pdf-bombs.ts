import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, deflateSync } from 'node:zlib';

/** One layer of a stream: what `/Filter` calls it, and what makes it of a length of one repeated byte or of other bytes. */
export interface Layer {
  readonly name: string;
  readonly pack: (content: Uint8Array) => Uint8Array;
}

export const FLATE: Layer = { name: 'FlateDecode', pack: (content) => deflateSync(content, { level: 9 }) };
export const HEX: Layer = {
  name: 'ASCIIHexDecode',
  pack: (content) => Buffer.from(`${Buffer.from(content).toString('hex')}>`),
};
/** Groups of five characters, with `z` for four zeros. */
export const ASCII85: Layer = { name: 'ASCII85Decode', pack: (content) => Buffer.from(`${ascii85(content)}~>`) };
export const RUN_LENGTH: Layer = { name: 'RunLengthDecode', pack: runs };
export const LZW: Layer = { name: 'LZWDecode', pack: lzw };
export const BROTLI: Layer = { name: 'BrotliDecode', pack: (content) => brotliCompressSync(content) };

/** The content in all layers, the outermost last; the filters are named in the order in which they are undone. */
export function packed(content: Uint8Array, layers: readonly Layer[]): { bytes: Uint8Array; filters: string[] } {
  let bytes = content;
  for (const { pack } of layers) bytes = pack(bytes);
  return { bytes, filters: layers.map(({ name }) => name).reverse() };
}

/** Objects of a PDF, each with a number, as text and bytes; `/Root 1 0 R` is the first. Found without a table, by every reader. */
export function pdfOf(objects: readonly (string | readonly (string | Uint8Array)[])[], trailer = ''): Uint8Array {
  const parts: Uint8Array[] = [Buffer.from('%PDF-1.7\n')];
  for (const [index, object] of objects.entries()) {
    parts.push(Buffer.from(`${index + 1} 0 obj\n`));
    for (const part of typeof object === 'string' ? [object] : object) {
      parts.push(typeof part === 'string' ? Buffer.from(part, 'latin1') : part);
    }
    parts.push(Buffer.from('\nendobj\n'));
  }
  parts.push(Buffer.from(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\n%%EOF\n`));
  return Uint8Array.from(Buffer.concat(parts));
}

/** The first objects of a document of one page, whose content is object 5. */
export function onePage(resources = ''): string[] {
  return [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 4 0 R >> ${resources} >> /Contents 5 0 R >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
}

/** A stream: its entries but `/Length`, and its bytes. */
export function streamOf(entries: string, bytes: Uint8Array): (string | Uint8Array)[] {
  return [`<< ${entries} /Length ${bytes.length} >>\nstream\n`, bytes, '\nendstream'];
}

/** A document whose one page has this content, in these layers; `inner` are those that the content has already. */
export function bombOf(content: Uint8Array, layers: readonly Layer[], inner: readonly Layer[] = []): Uint8Array {
  const { bytes, filters } = packed(content, layers);
  const named = [...filters, ...inner.map(({ name }) => name).reverse()].map((filter) => `/${filter}`).join(' ');
  return pdfOf([...onePage(), streamOf(`/Filter [${named}]`, bytes)]);
}

/** Two layers of Flate over so many gibibytes of spaces, of which no more than 64 MiB are ever in memory here. */
export function flateTwice(gibibytes: number): Uint8Array {
  return bombOf(flateOf(gibibytes), [FLATE], [FLATE]);
}

/** One layer of Flate over so many gibibytes of spaces: the blocks of a piece, again and again, and an empty one behind. */
export function flateOf(gibibytes: number): Uint8Array {
  const piece = deflateSync(Buffer.alloc(64 * MIB, ' '), { level: 9, finishFlush: constants.Z_SYNC_FLUSH });
  const blocks = Array.from({ length: gibibytes * 16 }, () => piece.subarray(2));
  return Buffer.concat([piece.subarray(0, 2), ...blocks, Buffer.from([3, 0])]);
}

/**
 * The same, encrypted for everyone (ISO 32000, 7.6: RC4 with 40 bits, the user's password is empty): nobody who has not
 * undone that can tell what it unpacks to.
 */
export function encryptedFlateTwice(gibibytes: number): Uint8Array {
  const owner = Buffer.alloc(32, 7);
  const key = md5(PADDING, owner, Buffer.from([0xfc, 0xff, 0xff, 0xff]), Buffer.from('id')).subarray(0, 5);
  const content = rc4(md5(key, Buffer.from([5, 0, 0, 0, 0])).subarray(0, 10), deflateSync(flateOf(gibibytes)));
  const user = Buffer.from(rc4(key, PADDING)).toString('hex');
  const standard = `/Filter /Standard /V 1 /R 2 /P -4 /O <${owner.toString('hex')}> /U <${user}>`;
  return pdfOf(
    [...onePage(), streamOf('/Filter [/FlateDecode /FlateDecode]', content)],
    `/ID [<6964> <6964>] /Encrypt << ${standard} >>`,
  );
}

const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');

function md5(...parts: readonly Uint8Array[]): Buffer {
  return createHash('md5').update(Buffer.concat(parts)).digest();
}

function rc4(key: Uint8Array, content: Uint8Array): Uint8Array {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const swap = (a: number, b: number): void => {
    [state[a], state[b]] = [state[b] ?? 0, state[a] ?? 0];
  };
  for (let at = 0, other = 0; at < 256; at += 1) {
    other = (other + (state[at] ?? 0) + (key[at % key.length] ?? 0)) & 255;
    swap(at, other);
  }
  let [first, second] = [0, 0];
  return content.map((byte) => {
    first = (first + 1) & 255;
    second = (second + (state[first] ?? 0)) & 255;
    swap(first, second);
    return byte ^ (state[((state[first] ?? 0) + (state[second] ?? 0)) & 255] ?? 0);
  });
}

const MIB = 1_024 * 1_024;

function ascii85(content: Uint8Array): string {
  let text = '';
  for (let at = 0; at < content.length; at += 4) {
    const group = [0, 1, 2, 3].map((index) => content[at + index] ?? 0);
    const count = Math.min(4, content.length - at);
    let value = group.reduce((sum, byte) => sum * 256 + byte, 0);
    if (value === 0 && count === 4) text += 'z';
    else {
      const digits: string[] = [];
      for (let index = 0; index < 5; index += 1) {
        digits.unshift(String.fromCharCode((value % 85) + 33));
        value = Math.floor(value / 85);
      }
      text += digits.slice(0, count + 1).join('');
    }
  }
  return text;
}

/** Runs of up to 128 equal bytes, and others one by one. */
function runs(content: Uint8Array): Uint8Array {
  const out: number[] = [];
  for (let at = 0; at < content.length;) {
    const byte = content[at] ?? 0;
    let length = 1;
    while (length < 128 && content[at + length] === byte) length += 1;
    if (length > 1) out.push(257 - length, byte);
    else out.push(0, byte);
    at += length;
  }
  out.push(128);
  return Uint8Array.from(out);
}

/** Codes that grow one entry early, cleared when the table is full. */
function lzw(content: Uint8Array): Uint8Array {
  const out: number[] = [];
  let [buffer, bits, width, next] = [0, 0, 9, 258];
  let table = new Map<number, number>();
  const write = (code: number): void => {
    buffer = (buffer << width) | code;
    for (bits += width; bits >= 8; bits -= 8) out.push((buffer >> (bits - 8)) & 255);
    buffer &= (1 << bits) - 1;
  };
  write(256);
  let last = -1;
  for (const byte of content) {
    const known = last < 0 ? byte : table.get(last * 256 + byte);
    if (known !== undefined) {
      last = known;
      continue;
    }
    write(last);
    table.set(last * 256 + byte, next);
    next += 1;
    if (next + 1 > 1 << width) width += 1;
    if (next === 4_094) {
      write(256);
      [table, width, next] = [new Map(), 9, 258];
    }
    last = byte;
  }
  if (last >= 0) write(last);
  write(257);
  if (bits > 0) out.push((buffer << (8 - bits)) & 255);
  return Uint8Array.from(out);
}
