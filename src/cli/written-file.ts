import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { exitCode } from './exit-code.ts';
import { Failure, systemReason } from './failure.ts';

/** Writes a file whole or not at all: whoever reads it meanwhile reads the old one. @throws {Failure} */
export async function writeWhole(file: string, text: string): Promise<void> {
  // Beside it: a name is moved without a copy within one file system only.
  const draft = `${file}.${randomUUID().slice(0, 8)}.tmp`;
  try {
    await writeFile(draft, text, { flag: 'wx', flush: true });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw new Failure('unwritable', exitCode.no, `cannot write ${file}: ${systemReason(error)}`, { cause: error });
  }
}
