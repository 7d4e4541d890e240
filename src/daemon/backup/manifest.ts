import { isObject } from '../../shared/page/json-value.ts';
import { BACKUP_FILES, type BackupManifest } from '../../shared/api/backup.ts';

/** What is known of a catalog without knowing its schema: how many of each there are. */
export function holdingsOf(catalog: string): BackupManifest['holds'] & { readonly schema: number } {
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
export function readManifest(text: string): BackupManifest | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'its manifest is not JSON';
  }
  if (!isObject(value) || value['format'] !== 1) return 'its manifest has a format that this hydrant does not know';
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
