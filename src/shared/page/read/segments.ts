import { PAGE_CHARACTERS, PAGE_SEGMENTS, SEGMENT_LENGTH } from '../../limits.ts';
import { cut, fold } from './fold.ts';
import type { Cut, Page, Segment } from '../page.ts';

/** A line that ends whatever comes next: `<br>`, or the end of a line of `<pre>`. NUL never comes out of parse5. */
export const LINE_BREAK = '\0';

/**
 * Blocks to segments: headings, captions and rows are one each; running text is one a line and sentence, also inside
 * a list item (an edited sentence must not carry its unchanged neighbours along). Beyond the limits the rest is left
 * out, the same way at each visit, and counted by blocks: nobody splits the millions of sentences that a hostile page has.
 */
export function segmentsOf(blocks: Iterable<Segment>): Pick<Page, 'segments' | 'cut'> {
  const segments: Segment[] = [];
  let [characters, lines, shortened] = [0, 0, 0];
  for (const { text, kind, zone } of blocks) {
    if (lines > 0) {
      lines += 1;
      continue;
    }
    for (const piece of kind === 'sentence' || kind === 'item' ? running(text) : whole(text)) {
      const shown = cut(piece, SEGMENT_LENGTH).trimEnd();
      characters += shown.length;
      if (segments.length === PAGE_SEGMENTS || characters > PAGE_CHARACTERS) {
        lines = 1;
        break;
      }
      if (shown.length < piece.length) shortened += 1;
      segments.push({ text: shown, kind, zone });
    }
  }
  return { segments, ...cutOf({ lines, shortened }) };
}

/** What was left out, to be spread into a page. */
export function cutOf(cut: Cut): Pick<Page, 'cut'> {
  return cut.lines + cut.shortened > 0 ? { cut } : {};
}

export const NO_CUT: Cut = { lines: 0, shortened: 0 };

/** One after another, so that nobody splits the millions that a hostile page has beyond the limit. */
function* running(text: string): Generator<string> {
  for (const line of text.split(LINE_BREAK)) yield* sentences(fold(line));
}

function whole(text: string): string[] {
  const folded = fold(text.replaceAll(LINE_BREAK, ' '));
  return folded === '' ? [] : [folded];
}

/**
 * Text to sentences. Each boundary is decided by the few characters around it and by nothing else, so an edit inside
 * one sentence never re-splits its neighbours: that is what a diff of sentences stands on, more than on being right
 * about every abbreviation.
 *
 * Decided against: Intl.Segmenter (its rules change with the version of ICU, so an upgrade of Node would look like a
 * change of every page) and splitting by a trained model (not local).
 */
export function* sentences(text: string): Generator<string> {
  let start = 0;
  for (let at = runEnd(text, 0); at !== -1; at = runEnd(text, at)) {
    const end = endOfSentence(text, at - 1);
    if (end === undefined) continue;
    yield text.slice(start, end).trim();
    start = end;
  }
  const rest = text.slice(start).trim();
  if (rest !== '') yield rest;
}

/** Where the next run of terminators ends, or -1. `matchAll` makes a pattern of its own for each text. */
function runEnd(text: string, from: number): number {
  TERMINATORS.lastIndex = from;
  return TERMINATORS.test(text) ? TERMINATORS.lastIndex : -1;
}

/**
 * Runs of terminators ("?!", "..."), whose last one decides. Thai and Lao part words by nothing, sentences and clauses
 * by a space; spaces beside numbers and beside the signs of repetition and omission part nothing.
 */
const TERMINATORS =
  /[.!?…؟۔।॥։።。！？｡]+|(?<=[\u0E01-\u0E2E\u0E30-\u0E3A\u0E40-\u0E45\u0E47-\u0E4E\u0E81-\u0EAE\u0EB0-\u0EC4\u0EC8-\u0ECE]) (?=[\u0E01-\u0E2E\u0E40-\u0E44\u0E81-\u0EAE\u0EC0-\u0EC4])/g;
/** Those that end a sentence whatever follows: in scripts that write no space after it, or nothing but a space. */
const UNSPACED: ReadonlySet<string> = new Set('。！？｡ ');
/**
 * Quotes and brackets that close with the sentence; a few, since everything here looks only a few characters far.
 * Some open in one language and close in another (`„…“`, `»…«`), and French ones stand apart from their text.
 */
const CLOSERS = /["'”’»›)\]}」』）】〉》]{0,4}(?:[“‘«‹](?= |$)| [»›](?![\p{L}\p{N}¿¡]))?/uy;

/** Where the next sentence begins, if the terminator at `at` ends one. */
function endOfSentence(text: string, at: number): number | undefined {
  const end = afterClosers(text, at + 1);
  if (UNSPACED.has(text.charAt(at))) return end;
  if (text.charAt(end) !== ' ' || !beginsSentence(text, end + 1)) return undefined;
  return text.charAt(at) === '.' && end === at + 1 && isAbbreviated(text, at, end + 1) ? undefined : end;
}

function afterClosers(text: string, from: number): number {
  CLOSERS.lastIndex = from;
  return CLOSERS.test(text) ? CLOSERS.lastIndex : from;
}

/** A lower-case letter goes on with the sentence; anything else, also of scripts without cases, begins one. */
function beginsSentence(text: string, at: number): boolean {
  return at < text.length && !/^["'“‘«„(]*\p{Ll}/u.test(text.slice(at, at + 4));
}

/** Whether the dot at `dot` belongs to the word before it. */
function isAbbreviated(text: string, dot: number, next: number): boolean {
  const window = text.slice(Math.max(0, dot - 16), dot);
  const word = /(?:^|[\s("'“„«/-])([\p{L}\p{N}.]*)$/u.exec(window)?.[1] ?? '';
  // "J. Smith", "U.S. Senate", "z. B."
  if (/^(?:\p{L}\.)*\p{L}$/u.test(word)) return true;
  if (isNumberOfDate(text, dot, next)) return true;
  // "am 3. März", "1. Introduction": a year or a price ends a sentence, a short number before a letter does not.
  if (/^\d{1,2}$/.test(word)) return /^\p{L}/u.test(text.slice(next, next + 2));
  return ABBREVIATIONS.has(word.toLowerCase());
}

/** Of a date that is written with dots and spaces: "2026. 11. 22.", "22. 11. 2026". */
function isNumberOfDate(text: string, dot: number, next: number): boolean {
  if (!/\d/.test(text.charAt(dot - 1))) return false;
  const around = text.slice(Math.max(0, dot - 12), next + 9);
  const at = dot - Math.max(0, dot - 12);
  for (const { index, 0: date } of around.matchAll(DOTTED_DATE))
    if (index < at && at < index + date.length) return true;
  return false;
}

const DOTTED_DATE = /(?<!\d)(?:\d{4}\. ?\d{1,2}\. ?\d{1,2}\.?|\d{1,2}\. ?\d{1,2}\. ?\d{4})(?!\d)/g;

const ABBREVIATIONS = new Set(
  `mr mrs ms mx dr prof st sr jr rev hon gen col capt lt sgt gov sen rep pres messrs vs etc cf al approx dept est fig figs
  inc ltd co corp bros no nos nr vol vols pp ed eds ca cca art sec ch jan feb mar apr jun jul aug sep sept oct nov dec
  mon tue wed thu fri sat sun hr hrn fr dipl ing bzw usw evtl ggf inkl exkl zzgl vgl abs str bd hrsg geb tel mme mlle
  mgr env av bd boul dott sig sig.ra sra srta ud uds núm pág p.ej e.g i.e ph.d z.b d.h u.a o.ä`.split(/\s+/),
);
