import { scriptTable } from './letters.ts';

/** What data/language.json holds; scripts/language-model.ts writes it. */
interface Data {
  readonly known: readonly string[];
  readonly strangers: readonly string[];
  readonly simplified: string;
  readonly traditional: string;
  readonly japanese: string;
  readonly letters: string;
  readonly ngrams: TableData;
  readonly pieces: TableData;
}

/** A table as the file has it; `data` is base64 of what scripts/language-encoding.ts describes. */
export interface TableData {
  readonly rows: number;
  readonly entries: number;
  /** What a step of a weight is worth. */
  readonly step: number;
  readonly data: string;
}

/** The model in memory: tables only, so that scoring a text allocates next to nothing. */
export interface Languages {
  /** Codes by index: first those of the vocabulary (as many as `known`), then languages outside it. */
  readonly codes: readonly string[];
  readonly known: number;
  /** By code unit: 0 is no letter, otherwise one more than the index in `SCRIPTS`. */
  readonly scripts: Uint8Array;
  /** By code unit, of folded letters: 0 is no letter of the model, otherwise a letter's part of an n-gram's key. */
  readonly letters: Uint16Array;
  /** By code unit: 0 or one of `HAN`. */
  readonly han: Uint8Array;
  /** Trigrams, bigrams where a script has no pieces, and pieces of words by `pieceKey`. */
  readonly ngrams: Table;
  readonly pieces: Table;
}

/** Ways of writing Chinese characters, by characters that the others do not have. */
const HAN = { simplified: 1, traditional: 2, japanese: 3 } as const;

/** Bits of a letter in the key of an n-gram; the last letter is in the low bits. */
export const LETTER_BITS = 10;
/** The part that stands for the edge of a word. */
export const EDGE = 1;

/** A hash table by open addressing. The entries of a key in slot s are those from starts[s] on, counts[s] of them. */
export interface Table {
  /** 0 is free. The length is a power of 2. */
  readonly keys: Int32Array;
  readonly starts: Int32Array;
  readonly counts: Uint8Array;
  /** By entry: the index of a language, and how much the key speaks for it in natural logarithms. */
  readonly languages: Uint8Array;
  readonly weights: Float32Array;
}

const KEY_BITS = 30;

/** Spreads keys over a table (Knuth's multiplicative method). */
export function slotOf(key: number, mask: number): number {
  const product = Math.imul(key, 0x9e37_79b1);
  return (product ^ (product >>> 15)) & mask;
}

/** The key of a piece is made unit by unit from 0, the space at an edge among them. */
export function nextPieceKey(key: number, unit: number): number {
  const mixed = Math.imul(key ^ unit, 0x0100_0193);
  return (mixed ^ (mixed >>> 13)) & ((1 << KEY_BITS) - 1);
}

export function pieceKey(piece: string): number {
  let key = 0;
  for (let at = 0; at < piece.length; at++) key = nextPieceKey(key, piece.charCodeAt(at));
  return key;
}

/** Reads the model when the first page needs it. */
export async function loadLanguages(): Promise<Languages> {
  const { default: data } = await import('../data/language.json', { with: { type: 'json' } });
  return languagesFrom(data);
}

function languagesFrom(data: Data): Languages {
  const letters = new Uint16Array(0x1_0000);
  for (let at = 0; at < data.letters.length; at++) letters[data.letters.charCodeAt(at)] = at + EDGE + 1;
  const han = new Uint8Array(0x1_0000);
  for (const way of ['simplified', 'traditional', 'japanese'] as const) {
    for (const character of data[way]) han[character.charCodeAt(0)] = HAN[way];
  }
  return {
    codes: [...data.known, ...data.strangers],
    known: data.known.length,
    scripts: scriptTable(),
    letters,
    han,
    ngrams: tableFrom(data.ngrams),
    pieces: tableFrom(data.pieces),
  };
}

/** Written out in one loop of locals: it runs once, at the first page, mostly before V8 has compiled it. */
function tableFrom({ rows, entries, step, data }: TableData): Table {
  const bytes = bytesOf(data);
  const mask = 2 ** Math.ceil(Math.log2(rows * 1.5)) - 1;
  const keys = new Int32Array(mask + 1);
  const starts = new Int32Array(mask + 1);
  const counts = new Uint8Array(mask + 1);
  let at = 0;
  let key = 0;
  let start = 0;
  for (let row = 0; row < rows; row++) {
    let byte = bytes[at++] ?? 0;
    let ahead = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++] ?? 0;
      ahead |= (byte & 127) << shift;
    }
    key += ahead;
    let slot = slotOf(key, mask);
    while (keys[slot] !== 0) slot = (slot + 1) & mask;
    const count = bytes[at++] ?? 0;
    keys[slot] = key;
    starts[slot] = start;
    counts[slot] = count;
    start += count;
  }
  const weights = new Float32Array(entries);
  for (let entry = 0; entry < entries; entry++) weights[entry] = (bytes[at + entries + entry] ?? 0) * step;
  return { keys, starts, counts, languages: bytes.slice(at, at + entries), weights };
}

function bytesOf(base64: string): Uint8Array {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
