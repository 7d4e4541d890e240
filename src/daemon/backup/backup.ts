import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BACKUP_FILES, type BackupFile, type BackupManifest, MANIFEST } from '../../shared/api/backup.ts';
import { StartFailure } from '../start-failure.ts';
import { isObject } from '../../shared/page/json-value.ts';

/** What the copies in `directory` are. They are read twice, so nobody may change them meanwhile. */
export async function describeCopies(
  directory: string,
  facts: { readonly version: string; readonly createdAt: string },
): Promise<BackupManifest> {
  const catalog = await readFile(join(directory, 'catalog.json'), 'utf8');
  const { schema, ...holds } = holdingsOf(catalog);
  const files: BackupManifest['files'][number][] = [];
  for (const name of BACKUP_FILES) files.push({ name, ...(await digest(join(directory, name))) });
  const database = await databaseSchema(join(directory, 'hydrant.db'));
  return {
    format: 1,
    version: facts.version,
    created_at: facts.createdAt,
    schema: { catalog: schema, database },
    files,
    holds,
  };
}

/** The tar archive of these copies, the manifest first: who reads it knows from the start what has to come. */
export async function* archiveOf(directory: string, manifest: BackupManifest): AsyncGenerator<Uint8Array> {
  const mtime = Math.floor(Date.parse(manifest.created_at) / 1_000);
  const head = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  yield tarHeader({ name: MANIFEST, bytes: head.length }, mtime);
  yield head;
  yield new Uint8Array(paddingOf(head.length));
  for (const { name, bytes } of manifest.files) {
    yield tarHeader({ name, bytes }, mtime);
    yield* createReadStream(join(directory, name), { highWaterMark: CHUNK }) as AsyncIterable<Uint8Array>;
    yield new Uint8Array(paddingOf(bytes));
  }
  yield TAR_END;
}

const CHUNK = 256 * 1_024;

async function digest(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK })) hash.update(chunk as Uint8Array);
  return { bytes: (await stat(path)).size, sha256: hash.digest('hex') };
}

/** `user_version`, as it stands in the file (https://sqlite.org/fileformat.html, 1.3.14). */
async function databaseSchema(path: string): Promise<number> {
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream(path, { end: 99 })) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).readUInt32BE(60);
}

/** Where what a backup holds goes to. */
export interface Receiver {
  /** Before anything else. What it throws ends the reading. */
  begin(manifest: BackupManifest): Promise<void>;
  /** The bytes of a file, in order; undefined is its end, after its hash was found right. */
  receive(name: BackupFile, chunk: Uint8Array | undefined): Promise<void>;
}

/**
 * Reads a backup as it comes. The names, sizes and hashes are those of the manifest, and the manifest's names are
 * ours: an archive that holds anything else, a link or a path among them, is no backup.
 * @throws {StartFailure} on an archive that is damaged, cut off, or not a backup of hydrant
 */
export async function readBackup(archive: AsyncIterable<Uint8Array>, receiver: Receiver): Promise<BackupManifest> {
  const bytes = new Bytes(archive);
  try {
    const head = await bytes.header(MANIFEST);
    if (head.bytes > MANIFEST_BYTES) throw refused('its manifest is too large');
    const text = Buffer.from(await bytes.take(head.bytes)).toString('utf8');
    const manifest = readManifest(text);
    if (typeof manifest === 'string') throw refused(manifest);
    await bytes.take(paddingOf(head.bytes));
    await receiver.begin(manifest);
    for (const file of manifest.files) await receiveFile(bytes, file, receiver);
    await bytes.drain();
    return manifest;
  } finally {
    await bytes.close();
  }
}

const MANIFEST_BYTES = 64 * 1_024;
/** What tar programs put behind the last file at most: they write whole records, of 10 KiB mostly. */
const END_BYTES = 1_024 * 1_024;

async function receiveFile(bytes: Bytes, file: BackupManifest['files'][number], receiver: Receiver): Promise<void> {
  const head = await bytes.header(file.name);
  if (head.bytes !== file.bytes) throw refused(`${file.name} has a different size than its manifest says`);
  const hash = createHash('sha256');
  for (let left = file.bytes; left > 0;) {
    const chunk = await bytes.some(left);
    left -= chunk.length;
    hash.update(chunk);
    await receiver.receive(file.name, chunk);
  }
  if (hash.digest('hex') !== file.sha256)
    throw refused(`${file.name} differs from what was written: its SHA-256 does not match`);
  await bytes.take(paddingOf(file.bytes));
  await receiver.receive(file.name, undefined);
}

/** A stream of bytes, by the number. */
class Bytes {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** The header of a file that must have this name. */
  async header(name: string): Promise<TarHeader> {
    const head = readTarHeader(await this.take(BLOCK));
    if (head?.name === name) return head;
    throw refused(
      head === undefined ? `${name} is missing` : `it has ${JSON.stringify(head.name)} in the place of ${name}`,
    );
  }

  async take(count: number): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    for (let left = count; left > 0;) {
      const part = await this.some(left);
      parts.push(part);
      left -= part.length;
    }
    return Buffer.concat(parts);
  }

  /** At least one byte, at most so many. */
  async some(most: number): Promise<Uint8Array> {
    while (this.#rest.length === 0) {
      const { value, done } = await this.#chunks.next();
      if (done === true) throw refused('it ends too early');
      this.#rest = value;
    }
    const part = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(part.length);
    return part;
  }

  /** To the end: a checksum of the packing is checked only there. A few bytes of nothing unpack to a stream without one. */
  async drain(): Promise<void> {
    let bytes = this.#rest.length;
    for (let next = await this.#chunks.next(); next.done !== true; next = await this.#chunks.next()) {
      bytes += next.value.length;
      if (bytes > END_BYTES) throw refused('there is more data after its end');
    }
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}

function refused(what: string): StartFailure {
  return new StartFailure('environment', `this is not a complete backup: ${what}`);
}

/** What this hydrant can read. */
type Schemas = BackupManifest['schema'];

/** The files of a backup on their way into a directory, one at a time; each is on the disk once it has ended. */
export class RestoredFiles implements Receiver {
  readonly #directory: string;
  readonly #schemas: Schemas;
  readonly #onBegin: (manifest: BackupManifest) => Promise<void>;
  #file: FileHandle | undefined;

  constructor(directory: string, schemas: Schemas, onBegin: (manifest: BackupManifest) => Promise<void>) {
    this.#directory = directory;
    this.#schemas = schemas;
    this.#onBegin = onBegin;
  }

  async begin(manifest: BackupManifest): Promise<void> {
    const { catalog, database } = manifest.schema;
    if (catalog > this.#schemas.catalog || database > this.#schemas.database) {
      const made = `hydrant ${manifest.version} (schema ${catalog} and ${database})`;
      throw new StartFailure(
        'configuration',
        `this backup was written by a newer hydrant; restore it with that version: ${made}, this is ${this.#schemas.catalog} and ${this.#schemas.database}`,
      );
    }
    await this.#onBegin(manifest);
  }

  async receive(name: BackupFile, chunk: Uint8Array | undefined): Promise<void> {
    this.#file ??= await open(join(this.#directory, name), 'wx', 0o600);
    if (chunk !== undefined) {
      await this.#file.writeFile(chunk);
      return;
    }
    await this.#file.sync();
    await this.close();
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }
}

/**
 * The catalog last: without it a daemon does not start on what is there, whereas with it and without the database it
 * would begin with an empty one.
 */
export async function moveIn(from: string, into: string): Promise<void> {
  for (const name of ['hydrant.db', 'secret', 'catalog.json'] as const)
    await rename(join(from, name), join(into, name));
}

/** What is known of a catalog without knowing its schema: how many of each there are. */
function holdingsOf(catalog: string): BackupManifest['holds'] & { readonly schema: number } {
  const value: unknown = JSON.parse(catalog);
  const record: Record<string, unknown> = isObject(value) ? value : {};
  const list = (name: string): readonly unknown[] => {
    const found = record[name];
    return Array.isArray(found) ? found : [];
  };
  return {
    schema: Number(record['schema']),
    organizations: list('organizations').length,
    keys: list('keys').length,
    taps: list('taps').length,
    rules: list('rules').length,
    filters: list('filters').length,
    sources: list('sources').length,
  };
}

/** A manifest, or what is wrong with it. It names every file exactly once, so that no other name is ever written. */
function readManifest(text: string): BackupManifest | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'its manifest is not JSON';
  }
  if (!isObject(value) || value['format'] !== 1)
    return 'its manifest has a format that this version of hydrant does not know';
  return isManifest(value) ? value : 'its manifest is incomplete';
}

function isManifest(value: Record<string, unknown>): value is Record<string, unknown> & BackupManifest {
  const { schema, files, holds } = value;
  if (typeof value['version'] !== 'string' || typeof value['created_at'] !== 'string') return false;
  if (!isObject(schema) || !isCount(schema['catalog']) || !isCount(schema['database']) || !isObject(holds))
    return false;
  if (!Object.values(holds).every(isCount) || !Array.isArray(files) || files.length !== BACKUP_FILES.length)
    return false;
  return files.every(
    (file: unknown, index) =>
      isObject(file) &&
      file['name'] === BACKUP_FILES[index] &&
      isCount(file['bytes']) &&
      /^[\da-f]{64}$/.test(String(file['sha256'])),
  );
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** One file's header of a tar archive (POSIX.1-1988, "ustar"), as far as a backup needs it: plain files, short names. */
interface TarHeader {
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
