import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { FieldValues } from '../../../shared/match/document.ts';
import { UsageError } from '../../runtime/failure.ts';
import { openFile, readAll } from '../../runtime/input.ts';
import { isGzip, isUrl, typeOfName } from '../../pages/page-source.ts';
import type { AskedPage, Subject } from './match-page.ts';
import type { Session } from '../session.ts';
import {
  FIELD_NAMES,
  type FieldName,
  fieldNamed,
  isNumberField,
  type NumberField,
} from '../../../shared/query/fields.ts';
import { findJsonFault } from '../../text/json-fault.ts';
import { isObject } from '../../../shared/page/json-value.ts';

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

/** As match.ts declares them. */
export interface MatchFlags {
  readonly cases?: string | undefined;
  /** The version before. */
  readonly was?: string | undefined;
  /** The address that the files had. */
  readonly as?: string | undefined;
  readonly check?: true | undefined;
  readonly quality?: true | undefined;
  readonly nsfw: boolean;
  /** Milliseconds since 1970. */
  readonly now?: number | undefined;
}

/**
 * A document that was written down instead of crawled: fields as queries name them, each a text or a list of texts;
 * `dr` and `age` (seconds) are numbers. What is null, or empty, is absent. Where there is no `age` it is counted from
 * `publish_time`, which says no zone and is taken as UTC.
 * @param now milliseconds since 1970
 * @throws {UsageError} naming the field
 */
export function valuesOfDocument(document: unknown, now: number): FieldValues {
  if (!isObject(document)) throw new UsageError('the document is not an object of fields');
  const texts: Partial<Record<FieldName, readonly string[]>> = {};
  const numbers: Partial<Record<NumberField, number>> = {};
  for (const [name, value] of Object.entries(document)) {
    if (value === null) continue;
    if (isNumberField(name)) numbers[name] = numberOf(name, value);
    else {
      const values = textsOf(name, value).filter((text) => text !== '');
      if (values.length > 0) texts[fieldOf(name)] = values;
    }
  }
  const age = ageOf(texts.publish_time?.[0], now);
  return { texts, numbers: { ...(age !== undefined && { age }), ...numbers } };
}

/**
 * @param file how the input is named
 * @param line the number of the text's first line in it
 * @throws {UsageError} that begins with file, line and column, and shows the place where the text stops being JSON
 */
export function parseJson(text: string, file: string, line = 1): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notJson(text, file, line, error);
  }
}

/** UTF-16 units on each side of a fault that are kept: a line may have megabytes. */
const BESIDE = 400;

function notJson(text: string, file: string, line: number, cause: unknown): Error {
  const fault = findJsonFault(text);
  if (!fault) return new UsageError(`${file}:${line}: ${cause instanceof Error ? cause.message : String(cause)}`);
  // What is missing at the end is missing behind the last character, not on the empty line below it.
  const at = Math.min(fault.at, text.trimEnd().length);
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const end = text.indexOf('\n', at);
  const from = Math.max(start, at - BESIDE);
  const place = `${file}:${line + text.slice(0, start).split('\n').length - 1}:${at - start + 1}`;
  return new UsageError(`${place}: not JSON: ${fault.message}`, {
    source: text.slice(from, Math.min(end === -1 ? text.length : end, at + BESIDE)),
    span: { start: at - from, end: at - from },
  });
}

/** Says of everything that fails in `read` where it was read. */
export function at<Result>(place: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`${place}: ${error.message}`, error.details);
  }
}

const NAMES: readonly string[] = [...FIELD_NAMES, 'dr'];

function fieldOf(name: string): FieldName {
  const field = fieldNamed(name);
  if (field) return field.name;
  throw new UsageError(`the document has a field \`${name}\`, which no query can name`, {
    hint: `fields are ${NAMES.join(', ')}`,
  });
}

function numberOf(name: string, value: unknown): number {
  if (typeof value === 'number') return value;
  throw new UsageError(`the document's \`${name}\` is not a number`);
}

function textsOf(name: string, value: unknown): string[] {
  fieldOf(name);
  const values: unknown[] = Array.isArray(value) ? value : [value];
  const texts = values.filter((one) => typeof one === 'string');
  if (texts.length === values.length) return texts;
  throw new UsageError(`the document's \`${name}\` is neither a text nor a list of texts`);
}

function ageOf(publishTime: string | undefined, now: number): number | undefined {
  if (publishTime === undefined || !/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(publishTime)) return undefined;
  const instant = Date.parse(`${publishTime}Z`);
  return Number.isNaN(instant) ? undefined : (now - instant) / 1_000;
}
