import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BACKUP_FILES, type BackupManifest, MANIFEST } from '../../shared/api/backup.ts';
import { holdingsOf } from './manifest.ts';
import { paddingOf, TAR_END, tarHeader } from './tar.ts';

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
