import { dirname } from 'node:path';
import { readdirSync } from 'node:fs';
import { version } from '../../../process/version.ts';

/** The sentence of a file whose schema this code does not know: who wrote it, who this is, and the ways out. */
export function writtenByNewer(path: string, schema: number, known: number): string {
  const copy = readdirSync(dirname(path)).find((name) => /^before-upgrade-[\d.]+$/.test(name));
  const back =
    copy === undefined
      ? 'put back an older backup'
      : `go back to the copy from before the upgrade, in ${dirname(path)}/${copy}`;
  return `${path} was written by a newer hydrantd (schema ${schema}; this is ${version()}, which knows up to ${known}); start that version, or ${back}`;
}
