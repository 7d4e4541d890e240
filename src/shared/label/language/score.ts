import { EDGE, type Languages, LETTER_BITS, nextPieceKey, slotOf, type Table } from './model.ts';

/** How much a text speaks for each language of the model, by index, in natural logarithms; only differences count. */
export interface Scores {
  /** By trigrams and letters beyond ASCII, the things known of all languages. */
  readonly trigrams: Float64Array;
  /** By pieces of words in Latin letters, by bigrams in others: known of few languages outside the vocabulary. */
  readonly pieces: Float64Array;
  /** Trigrams that were looked up. */
  readonly looked: number;
}

const SPACE = 0x20;

function add(table: Table, key: number, scores: Float64Array): void {
  const { keys, starts, counts, languages, weights } = table;
  const mask = keys.length - 1;
  for (let slot = slotOf(key, mask); keys[slot] !== 0; slot = (slot + 1) & mask) {
    if (keys[slot] !== key) continue;
    const start = starts[slot] ?? 0;
    const end = start + (counts[slot] ?? 0);
    for (let entry = start; entry < end; entry++) {
      const language = languages[entry] ?? 0;
      scores[language] = (scores[language] ?? 0) + (weights[entry] ?? 0);
    }
    return;
  }
}

/** Scores a folded text. */
export function scoresOf(text: string, model: Languages): Scores {
  const trigrams = new Float64Array(model.codes.length);
  const pieces = new Float64Array(model.codes.length);
  const looked = addNgrams(text, model, { trigrams, pieces });
  addPieces(text, model, pieces);
  return { trigrams, pieces, looked };
}

/** The model's letters are sorted: those of ASCII, which say little alone, are the first. */
const ASCII_LETTERS = 26;

/** A word's edge counts as a letter: of `tú` these are _t, tú, ú_ and _tú, tú_, and the single letter ú. */
function addNgrams(text: string, { letters, ngrams }: Languages, { trigrams, pieces }: Omit<Scores, 'looked'>): number {
  let looked = 0;
  let before = EDGE;
  let last = EDGE;
  for (let at = 0; at <= text.length; at++) {
    const letter = letters[text.charCodeAt(at)] || EDGE;
    if (letter === EDGE && last === EDGE) continue;
    const pair = (last << LETTER_BITS) | letter;
    add(ngrams, pair, pieces);
    if (letter > EDGE + ASCII_LETTERS) add(ngrams, letter, trigrams);
    if (last !== EDGE) {
      add(ngrams, (before << (2 * LETTER_BITS)) | pair, trigrams);
      looked++;
    }
    before = letter === EDGE ? EDGE : last;
    last = letter;
  }
  return looked;
}

/** Pieces are cut by bytes of UTF-8, and a word longer than so many bytes is cut off (as the source counts them). */
const MOST_BYTES = 70;
const PIECE_BYTES = 4;
const STRIDE = 3;

function addPieces(text: string, { letters, pieces: table }: Languages, scores: Float64Array): void {
  for (let at = 0; at < text.length; at++) {
    if (!letters[text.charCodeAt(at)]) continue;
    const start = at;
    while (letters[text.charCodeAt(at)]) at++;
    addPiecesOfWord(text, start, at, table, scores);
  }
}

/** Bytes of a letter; the model has none beyond the first plane. */
function bytesAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit < 0x80) return 1;
  return unit < 0x800 ? 2 : 3;
}

/** The last piece is the last four bytes, the others begin at bytes 0, 3, 6 …; one that would cut a letter is none. */
function addPiecesOfWord(text: string, start: number, end: number, table: Table, scores: Float64Array): void {
  let bytes = 0;
  for (let at = start; at < end; at++) bytes += bytesAt(text, at);
  bytes = Math.min(bytes, MOST_BYTES);
  let offset = 0;
  for (let at = start; at < end && offset < bytes; at++) {
    const isRegular = offset % STRIDE === 0 && offset + PIECE_BYTES < bytes;
    const isLast = offset === Math.max(0, bytes - PIECE_BYTES);
    const length = isLast ? bytes - offset : PIECE_BYTES;
    const key = isRegular || isLast ? keyOfPiece(text, at, length, { atStart: at === start, atEnd: isLast }) : 0;
    if (key !== 0) add(table, key, scores);
    offset += bytesAt(text, at);
  }
}

/** 0 when the piece would end within a letter. */
function keyOfPiece(text: string, from: number, length: number, edges: { atStart: boolean; atEnd: boolean }): number {
  let key = edges.atStart ? nextPieceKey(0, SPACE) : 0;
  let left = length;
  for (let at = from; left > 0; at++) {
    key = nextPieceKey(key, text.charCodeAt(at));
    left -= bytesAt(text, at);
  }
  if (left < 0) return 0;
  return edges.atEnd ? nextPieceKey(key, SPACE) : key;
}
