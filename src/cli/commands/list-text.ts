import { grouped } from '../../shared/grouped.ts';
import path from 'node:path';
import { Readable } from 'node:stream';
import { openFile, readAll, unpacked } from '../runtime/input.ts';
import { printable } from '../../shared/text/printable.ts';
import type { Session } from './session.ts';

/** The text of a file, or of stdin; unpacked where it is gzip. */
export async function readText({ context }: Session, file: string, what: string): Promise<string> {
  const input = file === '-' ? context.readBytes(what) : openFile(file);
  const name = file === '-' ? `stdin (${what})` : file;
  return readAll(Readable.from(unpacked(input, name, UNZIP)), name);
}

const UNZIP = 'unzip -p backup.zip url-watches.json | hydrant watch add -';

export function nameOf(file: string): string {
  return file === '-' ? 'stdin' : path.basename(file);
}

const SHOWN = 5;

/** @param most of them that are shown; the others are counted */
export function warn({ out }: Session, code: string, sentences: readonly string[], most = SHOWN): void {
  for (const words of sentences.slice(0, most)) {
    out.warning({ code, message: words }, [`${out.paintNotice('yellow', 'warning:')} ${printable(words)}`]);
  }
  const others = sentences.length - most;
  if (others > 0) out.notice(`and ${grouped(others)} more`);
}
