import { PAGE_BYTES, PDF_CHARACTERS, PDF_PAGES } from '../../limits.ts';
import { timeOf } from '../metadata/calendar.ts';
import { shortText } from '../structure/facts.ts';
import { isObject, stringOf } from '../json-value.ts';
import { Malformed } from '../read/malformed.ts';
import { type Body, NO_FACTS, type Page, type PublishTime, type Segment, type SegmentKind } from '../page.ts';
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
  const title = titleIn(said) ?? shortText(blocks.find(({ kind }) => kind === 'heading')?.text);
  const publishTime = dateIn(said);
  const language = stringOf(said['Language']) ?? '';
  return {
    url,
    ...(title !== undefined && { title }),
    ...(publishTime && { publishTime }),
    ...segmentsOf(blocks),
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

interface PdfLine {
  text: string;
  /** Of its letters, in points. */
  size: number;
  /** Of its baseline above the foot of the page, in points. */
  readonly y: number;
  readonly page: number;
}

/**
 * Lines to paragraphs: a paragraph ends where the page, the size of the letters or the distance of lines says so, and
 * where an item of a list begins. Larger letters than those of most of the text are a heading.
 */
export function blocksOf(all: readonly PdfLine[]): Segment[] {
  const lines = all.filter(({ text }) => text.replace(LEADERS, '').trim() !== '');
  const leading = usual(lines.flatMap((line, index) => distance(lines[index - 1], line) ?? [])) ?? 1.2;
  const bodySize = bodyOf(lines);
  const blocks: Segment[] = [];
  let text = '';
  let last: PdfLine | undefined;
  const end = (): void => {
    if (last) blocks.push({ text: text.replace(LEADERS, ' '), kind: kindOf(text, last.size, bodySize), zone: 'main' });
  };
  for (const line of lines) {
    if (last && goesOn(last, line, leading)) text = joined(text, line.text.trim());
    else {
      end();
      text = line.text.trim();
    }
    last = line;
  }
  end();
  return blocks;
}

function goesOn(last: PdfLine, line: PdfLine, leading: number): boolean {
  if (last.page !== line.page || Math.abs(last.size - line.size) > last.size / 10 || ITEM.test(line.text)) return false;
  if (LEADS.test(last.text)) return false;
  const down = distance(last, line);
  if (down !== undefined) return down <= leading * 1.25;
  // The next column, or text that the file has in another order than the eye: only the words can tell.
  return !/[.!?:…。！？]["'”’»)]?\s*$/.test(last.text) && /^\s*\p{Ll}/u.test(line.text);
}

/** From one line down to the next, in sizes of its letters; undefined where it does not go down, or to another page. */
function distance(last: PdfLine | undefined, line: PdfLine): number | undefined {
  if (!last || last.page !== line.page || line.size <= 0) return undefined;
  const down = (last.y - line.y) / line.size;
  return down >= 0 && down < 20 ? down : undefined;
}

/** The one in the middle. */
function usual(distances: readonly number[]): number | undefined {
  const positive = distances.filter((down) => down > 0.5).sort((a, b) => a - b);
  return positive[Math.floor((positive.length - 1) / 2)];
}

/** The size that most characters have, to half a point. */
function bodyOf(lines: readonly PdfLine[]): number {
  const characters = new Map<number, number>();
  for (const { text, size } of lines) {
    const rounded = Math.round(size * 2) / 2;
    characters.set(rounded, (characters.get(rounded) ?? 0) + text.length);
  }
  let [body, most] = [0, 0];
  for (const [size, count] of characters) if (count > most) [body, most] = [size, count];
  return body;
}

/** A word that a line parts is one word again; scripts without spaces need none between lines. */
function joined(text: string, line: string): string {
  if (/\p{Ll}[-\u00AD\u2010]$/u.test(text.slice(-3)) && /^\p{Ll}/u.test(line)) return text.slice(0, -1) + line;
  return UNSPACED.test(text.slice(-1)) && UNSPACED.test(line.charAt(0)) ? text + line : `${text} ${line}`;
}

function kindOf(text: string, size: number, bodySize: number): SegmentKind {
  if (ITEM.test(text)) return 'item';
  return size >= bodySize * HEADING_SIZE && text.length <= HEADING_LENGTH ? 'heading' : 'sentence';
}

const ITEM = /^\s*[•▪●◦‣∙·–*-]\s/;
/** The dots between a heading and its page in a table of contents. */
const LEADS = /(?:[.·] ?){5}/;
const LEADERS = / ?(?:[.·] ?){5,}/g;
const UNSPACED = /[\u3000-\u9fff\uf900-\ufaff\uff00-\uff9f]/;
const HEADING_SIZE = 1.15;
const HEADING_LENGTH = 200;
