import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { FieldValues } from '../../../shared/match/document.ts';
import { UsageError } from '../../failure.ts';
import { openFile, readAll } from '../../input.ts';
import { isUrl } from '../../pages/address.ts';
import { isGzip, typeOfName } from '../../pages/page-file.ts';
import type { MatchFlags } from './match-document.ts';
import { at, parseJson, valuesOfDocument } from './match-document.ts';
import type { AskedPage } from './match-page.ts';
import type { Session } from '../session.ts';

/** What a query is tried on. */
export interface Subject {
  readonly values: FieldValues;
  /** Nothing differs between two versions: no rule is asked, whatever the values. */
  readonly isUnchanged: boolean;
}

/** A document that was written down, or a page, which goes the way of a visit: told by its name, else its first bytes. */
export async function readSubject(session: Session, source: string, flags: MatchFlags): Promise<Subject> {
  const { context } = session;
  const now = flags.now ?? context.now();
  if (isUrl(source)) return readPageSubject(session, { source, now, flags });
  const type = source === '-' ? '' : typeOfName(source);
  const input = source === '-' ? context.readBytes('the document') : openFile(source);
  try {
    const isPage = type === '' ? isPageStart(await firstBytes(input)) : type !== JSON_TYPE;
    if (isPage) return await readPageSubject(session, { source, now, flags, opened: input });
    if (flags.was !== undefined || flags.as !== undefined) {
      throw new UsageError(`${source} is a JSON document, which has its own fields; --was and --as are for pages`);
    }
    const name = source === '-' ? 'stdin' : source;
    const document = parseJson(await readAll(input, source === '-' ? 'stdin (the document)' : source), name);
    return { values: at(name, () => valuesOfDocument(document, now)), isUnchanged: false };
  } finally {
    input.destroy();
  }
}

/** Loaded only here: a document needs neither the extractor nor the models of the labels. */
async function readPageSubject(session: Session, asked: AskedPage): Promise<Subject> {
  const { pageSubject } = await import('./match-page.ts');
  return pageSubject(session, asked);
}

const JSON_TYPE = typeOfName('.json');

/** Mark-up, a PDF, or gzip: nothing that a JSON document begins with. */
function isPageStart(head: Buffer): boolean {
  return isGzip(head) || /^(?:(?:\u00ef\u00bb\u00bf)?\s*<|%PDF-)/.test(head.toString('latin1'));
}

/** What comes first, which stays to be read. What cannot be read is told by whoever reads it. */
async function firstBytes(input: Readable): Promise<Buffer> {
  try {
    await once(input, 'readable');
  } catch {
    return Buffer.alloc(0);
  }
  const chunk: unknown = input.read();
  if (!Buffer.isBuffer(chunk)) return Buffer.alloc(0);
  input.unshift(chunk);
  return chunk;
}
