/** One file's header of a tar archive (POSIX.1-1988, "ustar"), as far as a backup needs it: plain files, short names. */
export interface TarHeader {
  readonly name: string;
  readonly bytes: number;
}

export const BLOCK = 512;
/** Two empty blocks. */
export const TAR_END: Uint8Array = new Uint8Array(2 * BLOCK);

/** @param mtime seconds since 1970 */
export function tarHeader({ name, bytes }: TarHeader, mtime: number): Uint8Array {
  const block = Buffer.alloc(BLOCK);
  block.write(name, 0, 100, 'latin1');
  block.write('0000600\0', MODE, 'latin1');
  block.write('0000000\0'.repeat(2), OWNER, 'latin1');
  writeNumber(block, SIZE, bytes);
  writeNumber(block, MTIME, mtime);
  block.write(' '.repeat(8), SUM, 'latin1');
  block.write('0', TYPE, 'latin1');
  block.write('ustar\u000000', MAGIC, 'latin1');
  block.write(`${sumOf(block).toString(8).padStart(6, '0')}\0 `, SUM, 'latin1');
  return block;
}

/** Undefined for a block that is no header of a plain file. */
export function readTarHeader(block: Uint8Array): TarHeader | undefined {
  const bytes = Buffer.from(block);
  const sum = Number.parseInt(bytes.toString('latin1', SUM, SUM + 8), 8);
  if (sum !== sumOf(bytes) || bytes.toString('latin1', MAGIC, MAGIC + 5) !== 'ustar') return undefined;
  const isPlain = bytes[TYPE] === 0x30 || bytes[TYPE] === 0;
  const name = bytes.toString('latin1', 0, 100).replace(/\0.*$/s, '');
  return isPlain ? { name, bytes: readNumber(bytes, SIZE) } : undefined;
}

/** Bytes that fill the last block of a file. */
export function paddingOf(bytes: number): number {
  return (BLOCK - (bytes % BLOCK)) % BLOCK;
}

const MODE = 100;
const OWNER = 108;
const SIZE = 124;
const MTIME = 136;
const SUM = 148;
const TYPE = 156;
const MAGIC = 257;
const FIELD = 12;
/** What eleven octal digits can say; above it GNU's binary form, which every tar of today reads. */
const LARGEST_OCTAL = 8 ** 11 - 1;

function writeNumber(block: Buffer, at: number, value: number): void {
  if (value <= LARGEST_OCTAL) {
    block.write(`${value.toString(8).padStart(11, '0')}\0`, at, 'latin1');
    return;
  }
  block[at] = 0x80;
  block.writeUIntBE(value, at + FIELD - 6, 6);
}

function readNumber(block: Buffer, at: number): number {
  if (((block[at] ?? 0) & 0x80) !== 0) return block.readUIntBE(at + FIELD - 6, 6);
  return Number.parseInt(block.toString('latin1', at, at + FIELD), 8);
}

/** Of all bytes, those of the sum itself counted as spaces. */
function sumOf(block: Uint8Array): number {
  return block.reduce((sum, byte, index) => sum + (index >= SUM && index < SUM + 8 ? 0x20 : byte), 0);
}
