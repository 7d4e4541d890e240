import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Outside } from '../../../outside.ts';
import { StartFailure } from '../../../start-failure.ts';
import { prepareDataDir } from './data-dir.ts';
import { syncDirectory, writeSynced } from './durable-file.ts';

export const SECRET_BYTES = 32;

/**
 * The instance's secret: 32 bytes that seal what must be read back (tap tokens). Made once, never changed, kept
 * beside the data it seals, and readable by its owner alone. To be called under the directory's lock.
 */
export async function openSecret(dataDir: string, outside: Outside): Promise<Uint8Array> {
  const path = join(dataDir, 'secret');
  await prepareDataDir(dataDir);
  const secret = (await readSecret(path)) ?? (await makeSecret(dataDir, path, outside));
  if (secret.length === SECRET_BYTES) return secret;
  throw new StartFailure(
    'configuration',
    `${path} is damaged: it has ${secret.length} bytes instead of ${SECRET_BYTES}. Restore the one from your backup, ` +
      `or remove it together with the taps in catalog.json, whose tokens are sealed with it`,
  );
}

async function readSecret(path: string): Promise<Uint8Array | undefined> {
  try {
    return new Uint8Array(await readFile(path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new StartFailure('configuration', `${path} cannot be read: ${code}; let the user that runs hydrantd own it`, {
      cause: error,
    });
  }
}

async function makeSecret(dataDir: string, path: string, outside: Outside): Promise<Uint8Array> {
  const secret = outside.randomBytes(SECRET_BYTES);
  await writeSynced(`${path}.tmp`, secret);
  await rename(`${path}.tmp`, path);
  await syncDirectory(dataDir);
  return secret;
}
