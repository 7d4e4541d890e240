import { LANGUAGE_NAMES, LANGUAGES } from '../../vocabulary/languages.ts';
import type { Label } from '../label.ts';
import {
  EDGE,
  foldLetters,
  type Languages,
  LETTER_BITS,
  nextPieceKey,
  ROW_BITS,
  type Script,
  type Scripts,
  SCRIPTS,
  spread,
  type Table,
} from './model.ts';
export { type Languages, loadLanguages } from './model.ts';

/** A page's main text, and the value of `<html lang>` or of the header Content-Language as the page has it. */
interface LanguageSample {
  readonly text: string;
  readonly declared?: string;
}

/** Characters that are looked at: the whole text when it is not longer, otherwise windows spread evenly over it. */
const LOOKED_AT = 500;
const WINDOWS = 5;
/** Fewer letters than this say too little by themselves. */
const SHORT = 10;

/** How much a declared language counts, in natural logarithms: about as much as one rare n-gram. */
const HINT = 4;
/** The best language must be ahead of the next by this. */
const AHEAD = 1.5;
/** Languages outside the vocabulary are known from little text: by trigrams, one must be ahead of the best by this. */
const HANDICAP = 4;
/** With pieces of words, which few of them have, one must be ahead by this. */
const HANDICAP_WITH_PIECES = 1;
/** One that the page declares need have only this share of the best language's score: then neither is sure. */
const DECLARED_SHARE = 0.85;
/**
 * Languages outside the vocabulary that hardly differ in writing from one inside it, Croatian and Indonesian: they count
 * only where the page declares them, or too many Croatian and Indonesian texts would have no language.
 */
const TWINS = new Set(['bs', 'sr-latn', 'ms']);
/** Mean score of a trigram in its own language is 2 to 3.5; less is gibberish, or a language the model knows not. */
const FIT = 1;

/** Languages that alone have their script. */
const BY_SCRIPT: Partial<Record<Script, string>> = {
  Bengali: 'bn',
  Greek: 'el',
  Thai: 'th',
  Hangul: 'ko',
  Gujarati: 'gu',
  Gurmukhi: 'pa',
  Tamil: 'ta',
  Telugu: 'te',
  Kannada: 'kn',
  Malayalam: 'ml',
  Kana: 'ja',
};

/** A character of these scripts stands for about as much text as so many letters. */
const LETTERS_WORTH: Partial<Record<Script, number>> = { Han: 2.5, Kana: 2.5, Hangul: 2.5 };

/** Japanese characters are at least one in three of those that tell, in a Japanese text without kana. */
const JAPANESE_SHARE = 3;
/** One way of writing must have this many times the characters of the other: quotations and names are of both. */
const MIXED = 1.5;
/** Characters of a declared language that are read. */
const LONGEST_TAG = 40;

/** A text with a kana in 20 characters is Japanese; Chinese quotes one now and then. */
const KANA_SHARE = 0.05;

/**
 * The language of a text as one of the vocabulary's codes; undefined when it is not sure, or is a language outside the
 * vocabulary. Script decides first, n-grams of letters next (naive Bayes); what the page declares breaks ties and
 * serves for texts too short to tell. Pure and bounded: however long the text, 500 characters of it are read.
 */
export function languageOf({ text, declared }: LanguageSample, model: Languages): Label | undefined {
  const sample = foldLetters(sampleOf(text));
  const counts = countScripts(sample, model.scripts);
  const script = mainScript(counts);
  const hint = declaredLanguage(declared);
  if (script === undefined) return labelled(LANGUAGES.includes(hint ?? '') ? hint : undefined, 'html lang, no letters');
  if (script === 'other') return undefined;
  if (script === 'Han') return chinese(sample, inScript(hint, script), model);
  const only = BY_SCRIPT[script];
  if (only !== undefined) return labelled(only, `script ${script}`);
  if (counts.letters < SHORT) return labelled(inScript(hint, script), 'html lang, text too short');
  return byNgrams(sample, counts.letters, hint, model);
}

function sampleOf(text: string): string {
  if (text.length <= LOOKED_AT) return text;
  const length = LOOKED_AT / WINDOWS;
  const gap = (text.length - length) / (WINDOWS - 1);
  return Array.from({ length: WINDOWS }, (_, window) => {
    const start = Math.floor(window * gap);
    return text.slice(start, start + length);
  }).join(' ');
}

interface Counts {
  /** Letters, by the index in `SCRIPTS`; those of East Asia count for more. */
  readonly weights: Float64Array;
  readonly letters: number;
}

function countScripts(text: string, scripts: Scripts): Counts {
  const counts = new Uint32Array(SCRIPTS.length + 1);
  for (let at = 0; at < text.length; at++) {
    const script = scripts.of(text.charCodeAt(at));
    counts[script] = (counts[script] ?? 0) + 1;
  }
  const weights = new Float64Array(SCRIPTS.length);
  SCRIPTS.forEach((script, at) => (weights[at] = (counts[at + 1] ?? 0) * (LETTERS_WORTH[script] ?? 1)));
  return { weights, letters: text.length - (counts[0] ?? 0) };
}

function mainScript({ weights }: Counts): Script | undefined {
  const kana = SCRIPTS.indexOf('Kana');
  const han = SCRIPTS.indexOf('Han');
  const [kanaWeight = 0, hanWeight = 0] = [weights[kana], weights[han]];
  if (kanaWeight > KANA_SHARE * (kanaWeight + hanWeight)) {
    weights[kana] = kanaWeight + hanWeight;
    weights[han] = 0;
  }
  const most = indexOfMost(weights);
  return weights[most] ? SCRIPTS[most] : undefined;
}

/** Simplified and traditional share most characters; those that only one of them has decide. */
function chinese(text: string, hint: string | undefined, { han }: Languages): Label | undefined {
  const counts = [0, 0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const way = han[text.charCodeAt(at)] ?? 0;
    counts[way] = (counts[way] ?? 0) + 1;
  }
  const [simplified = 0, traditional = 0, japanese = 0] = counts.slice(1);
  if (japanese * JAPANESE_SHARE > simplified + traditional) return labelled('ja', 'Japanese characters');
  if (simplified > MIXED * traditional) return labelled('zh-cn', `${simplified} simplified characters`);
  if (traditional > MIXED * simplified) return labelled('zh-tw', `${traditional} traditional characters`);
  return labelled(hint, 'html lang, characters in common use');
}

/** By n-grams, with what the page declares as a word for one of the languages. */
function byNgrams(text: string, letters: number, hint: string | undefined, model: Languages): Label | undefined {
  const scores = scoresOf(text, model);
  const known = new Float64Array(model.known);
  for (let at = 0; at < known.length; at++) known[at] = get(scores.trigrams, at) + get(scores.pieces, at);
  const hinted = hint === undefined ? -1 : model.codes.indexOf(hint);
  if (hinted !== -1 && hinted < model.known) known[hinted] = get(known, hinted) + HINT;
  const best = indexOfMost(known);
  const score = get(known, best);
  known[best] = 0;
  const ahead = score - get(known, indexOfMost(known));
  if (ahead < AHEAD || isStrange(best, scores, hint, model)) return undefined;
  const grams = `n-grams of ${letters} characters`;
  return labelled(model.codes[best], best === hinted && ahead < AHEAD + HINT ? `${grams}, html lang` : grams);
}

/** Whether the text fits a language outside the vocabulary better than the best inside it, or none at all. */
function isStrange(best: number, scores: Scores, hint: string | undefined, model: Languages): boolean {
  const { trigrams, pieces, looked } = scores;
  const fit = get(trigrams, best);
  const fitWithPieces = fit + get(pieces, best);
  if (looked === 0 || fit < FIT * looked) return true;
  for (let at = model.known; at < model.codes.length; at++) {
    const score = get(trigrams, at);
    const code = model.codes[at] ?? '';
    if (score > fit * DECLARED_SHARE && isDeclared(code, hint)) return true;
    const isAhead = score > fit + HANDICAP || score + get(pieces, at) > fitWithPieces + HANDICAP_WITH_PIECES;
    if (isAhead && !TWINS.has(code)) return true;
  }
  return false;
}

/** Serbian is in the model in both its scripts, as sr and sr-latn. */
function isDeclared(code: string, hint: string | undefined): boolean {
  return hint !== undefined && (code === hint || code === `${hint}-latn`);
}

function get(scores: Float64Array, at: number): number {
  return scores[at] ?? 0;
}

function indexOfMost(scores: Float64Array): number {
  let best = 0;
  for (let at = 1; at < scores.length; at++) if ((scores[at] ?? 0) > (scores[best] ?? 0)) best = at;
  return best;
}

/** Scripts that several languages of the vocabulary are written in, but for Latin; and Hebrew, which Yiddish uses too. */
const SHARED_SCRIPT: Readonly<Record<string, Script>> = {
  ar: 'Arabic',
  bg: 'Cyrillic',
  fa: 'Arabic',
  he: 'Hebrew',
  hi: 'Devanagari',
  mk: 'Cyrillic',
  mr: 'Devanagari',
  ne: 'Devanagari',
  ru: 'Cyrillic',
  uk: 'Cyrillic',
  ur: 'Arabic',
  'zh-cn': 'Han',
  'zh-tw': 'Han',
};
const ALONE = new Set(Object.values(BY_SCRIPT));

/** The declared language when it is one of the vocabulary's, and is written in this script. */
function inScript(code: string | undefined, script: Script): string | undefined {
  if (code === 'ja' && script === 'Han') return code;
  if (code === undefined || !LANGUAGES.includes(code) || ALONE.has(code)) return undefined;
  return (SHARED_SCRIPT[code] ?? 'Latin') === script ? code : undefined;
}

/**
 * The code that `lang` stands for, by its whole and then by its first subtag: `pt_BR` is pt, `zh-Hant-HK` zh-tw,
 * `nb-NO` no. Languages outside the vocabulary keep their code, so that they can speak against a neighbour.
 */
export function declaredLanguage(lang: string | undefined): string | undefined {
  const tags = (lang ?? '')
    .slice(0, LONGEST_TAG)
    .trim()
    .toLowerCase()
    .split(/[-_,;\s]/, 3);
  for (let length = 2; length > 0; length--) {
    const tag = tags.slice(0, length).join('-');
    const code = LANGUAGE_NAMES.get(tag) ?? tag;
    if (LANGUAGES.includes(code)) return code;
  }
  return tags[0] || undefined;
}

function labelled(value: string | undefined, reason: string): Label | undefined {
  return value === undefined ? undefined : { value, reason };
}

/** How much a text speaks for each language of the model, by index, in natural logarithms; only differences count. */
interface Scores {
  /** By trigrams and letters beyond ASCII, the things known of all languages. */
  readonly trigrams: Float64Array;
  /** By pieces of words in Latin letters, by bigrams in others: known of few languages outside the vocabulary. */
  readonly pieces: Float64Array;
  /** Trigrams that were looked up. */
  readonly looked: number;
}

const SPACE = 0x20;

function add(table: Table, key: number, scores: Float64Array): void {
  const { firstRow, firstEntry, low, high, counts, languages, weights, step } = table;
  const mixed = spread(key);
  const bucket = mixed >>> ROW_BITS;
  const end = firstRow[bucket + 1] ?? 0;
  let entry = firstEntry[bucket] ?? 0;
  for (let row = firstRow[bucket] ?? 0; row < end; row++) {
    const next = entry + (counts[row] ?? 0);
    if (low[row] !== (mixed & 0xff) || high[row] !== ((mixed >>> 8) & 0xff)) {
      entry = next;
      continue;
    }
    for (; entry < next; entry++) {
      const language = languages[entry] ?? 0;
      scores[language] = (scores[language] ?? 0) + (weights[entry] ?? 0) * step;
    }
    return;
  }
}

/** Scores a folded text. */
function scoresOf(text: string, model: Languages): Scores {
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
