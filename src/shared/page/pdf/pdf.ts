import { PAGE_BYTES, PDF_CHARACTERS, PDF_PAGES } from '../../limits.ts';
import { timeOf } from '../metadata/calendar.ts';
import { shortText } from '../structure/facts.ts';
import { isObject, stringOf } from '../json-value.ts';
import { Malformed } from '../read/malformed.ts';
import { NO_FACTS, type Body, type Page, type PublishTime } from '../page.ts';
import { blocksOf, type PdfLine } from './pdf-text.ts';
import { boundedPdf } from './pdf-unpacking.ts';
import { segmentsOf } from '../read/segments.ts';
import { TreeTooLarge } from '../read/tree.ts';

/**
 * The text of a PDF as a page, in the order in which the file has it. Title, language and date are those of its
 * properties; a file without a title has its first heading. Ends when `signal` does, as soon as the library gives way,
 * which is between pieces of text: one that holds the thread for long needs a thread of its own. Throws `Malformed`
 * and `TreeTooLarge`.
 */
export async function readPdf({ url, bytes }: Body, signal: AbortSignal): Promise<Page> {
  if (bytes.length > PAGE_BYTES) throw new TreeTooLarge(`The PDF has more than ${PAGE_BYTES} bytes.`);
  const data = await boundedPdf(bytes);
  // 1.7 MB of code, for a type that most crawls never meet.
  const { getResolvedPDFJS } = await import('unpdf');
  const { getDocument } = await getResolvedPDFJS();
  const task = getDocument({ data, verbosity: 0, disableFontFace: true, maxImageSize: 0 });
  try {
    return await Promise.race([pageOf(await within(task.promise, signal), url, signal), ending(signal)]);
  } catch (failure) {
    throw refusal(failure);
  } finally {
    await task.destroy().catch(() => undefined);
  }
}

/** What is used of a document of pdf.js. */
interface Document {
  readonly numPages: number;
  getMetadata(): Promise<{ readonly info: unknown }>;
  getPage(number: number): Promise<{ streamTextContent(): ReadableStream<unknown>; cleanup(): unknown }>;
}

async function pageOf(document: Document, url: string, signal: AbortSignal): Promise<Page> {
  const { info } = await document.getMetadata();
  const said = isObject(info) ? info : {};
  const lines: PdfLine[] = [];
  let left = PDF_CHARACTERS;
  for (let number = 1; number <= Math.min(document.numPages, PDF_PAGES) && left > 0; number += 1) {
    left = await readLines(await document.getPage(number), { number, lines, left, signal });
  }
  const blocks = blocksOf(lines);
  const segments = segmentsOf(blocks);
  const title = titleIn(said) ?? shortText(blocks.find(({ kind }) => kind === 'heading')?.text);
  const publishTime = dateIn(said);
  const language = stringOf(said['Language']) ?? '';
  return {
    url,
    ...(title !== undefined && { title }),
    ...(publishTime && { publishTime }),
    segments,
    anchors: [],
    links: [],
    facts: { ...NO_FACTS, ...(LANGUAGE.test(language) && { language }) },
  };
}

interface Reading {
  readonly number: number;
  readonly lines: PdfLine[];
  readonly left: number;
  readonly signal: AbortSignal;
}

/** Reads the lines of one page, and answers how many characters may follow. */
async function readLines(
  page: Awaited<ReturnType<Document['getPage']>>,
  { number, lines, left, signal }: Reading,
): Promise<number> {
  const reader = page.streamTextContent().getReader();
  let rest = left;
  let line: PdfLine | undefined;
  for (;;) {
    // Nothing else gives timers and other pages their turn: the library goes from promise to promise.
    await new Promise((resolve) => {
      setTimeout(resolve);
    });
    signal.throwIfAborted();
    const { done, value } = await reader.read();
    if (done) break;
    for (const item of itemsIn(value)) {
      line ??= { text: '', size: item.size, y: item.y, page: number };
      line.text += item.text;
      rest -= item.text.length + 1;
      if (item.text.trim() !== '') line.size = Math.max(line.size, item.size);
      if (item.endsLine) {
        lines.push(line);
        line = undefined;
      }
    }
    if (rest <= 0) {
      await reader.cancel(new Error('enough'));
      break;
    }
  }
  if (line) lines.push(line);
  page.cleanup();
  return rest;
}

interface Item {
  readonly text: string;
  /** In points; `y` grows upwards. */
  readonly size: number;
  readonly y: number;
  readonly endsLine: boolean;
}

/** Pieces of text; what marks the structure of the document has none. */
function itemsIn(chunk: unknown): Item[] {
  const items: readonly unknown[] = isObject(chunk) && Array.isArray(chunk['items']) ? chunk['items'] : [];
  return items.filter(isObject).flatMap((item) => {
    const text = stringOf(item['str']);
    const matrix: readonly unknown[] = Array.isArray(item['transform']) ? item['transform'] : [];
    if (text === undefined) return [];
    const size = Math.hypot(Number(matrix[2] ?? 0), Number(matrix[3] ?? 0));
    return [{ text, size, y: Number(matrix[5] ?? 0), endsLine: item['hasEOL'] === true }];
  });
}

async function within<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return Promise.race([promise, ending(signal)]);
}

async function ending(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => reject(new TreeTooLarge('The PDF took too long to be read.'));
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

/** Whatever the library throws is about the file. */
function refusal(failure: unknown): Error {
  if (failure instanceof TreeTooLarge || failure instanceof Malformed) return failure;
  const name = failure instanceof Error ? failure.name : '';
  if (name === 'PasswordException') return new Malformed('The PDF is locked with a password.');
  if (name === 'TimeoutError' || name === 'AbortError') return new TreeTooLarge('The PDF took too long to be read.');
  return new Malformed('The PDF is damaged and cannot be read.');
}

const LANGUAGE = /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,4}$/i;

/** Programs that make PDFs write the name of a file where nobody gave a title. */
function titleIn(info: Readonly<Record<string, unknown>>): string | undefined {
  const title = shortText(stringOf(info['Title'])?.replace(/^Microsoft \w+ - /, ''));
  const isNone = title === undefined || /^(?:untitled|document|title|\(?anonymous\)?)\d*$/i.test(title);
  return isNone || /^\S+\.(?:docx?|pptx?|xlsx?|odt|indd|tex|dvi|pdf|rtf|qxd|pub)$/i.test(title) ? undefined : title;
}

/** `D:20260302080000+01'00'` (ISO 32000, 7.9.4): from the day on, parts may be absent. */
function dateIn(info: Readonly<Record<string, unknown>>): PublishTime | undefined {
  const written = stringOf(info['CreationDate'])?.slice(0, 40) ?? '';
  const parts = /^(?:D:)?(\d{4})(\d{2})(\d{2})(\d{2})?(\d{2})?(\d{2})?(Z|[+-]\d{2}(?:'?\d{2})?)?/.exec(written);
  return parts ? timeOf(parts.slice(1, 7), parts[7]?.replace("'", ':')) : undefined;
}
