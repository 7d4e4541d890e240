/**
 * The form in which text is kept and compared: what a reader cannot see does not count. White space is one space,
 * letters are composed (NFC), and control characters, soft hyphens, zero-width spaces and marks of direction are
 * gone. Half a surrogate pair, which JSON can write and UTF-8 cannot, is U+FFFD. The joiners U+200C and U+200D stay:
 * Persian and Indic words and emoji are spelled with them.
 */
export function fold(text: string): string {
  if (!UNFOLDED.test(text)) return text;
  // What parts a letter from its mark goes before they are composed.
  const printed = text.replace(CONTROL, '');
  const visible = BEYOND_ASCII.test(printed) ? composed(printed.replace(INVISIBLE, '').toWellFormed()) : printed;
  return visible.replace(SPACE, ' ').trim();
}

/** `text`, at most `length` UTF-16 units of it, never half a surrogate pair. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

/**
 * Most text needs nothing: it is Latin with its punctuation, Cyrillic, Han, kana or Hangul, with single spaces, and no
 * letter of it is composed of two. Patterns that look for one character never run out of stack, however long the text is.
 */
const UNFOLDED =
  /[^ -~\u00a1-\u00ac\u00ae-\u02ff\u0400-\u0482\u048a-\u052f\u2010-\u2027\u20ac\u3001-\u3029\u3041-\u3096\u30a1-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff9d]| {2}|^ | $/;
const BEYOND_ASCII = /[^\t-~]/;
const INVISIBLE = /[\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;
const CONTROL = /[\p{Cc}--\s]/gv;
/** Only what is not one space already: most text has little to replace. */
const SPACE = /[^\S ]\s*| \s+/g;

/**
 * NFC sorts a run of combining marks in quadratic time: 80,000 of them on one letter take seconds. No language
 * stacks more than thirty (UAX #15, stream-safe text), so the rest is dropped first.
 */
function composed(text: string): string {
  if (!COMPOSABLE.test(text)) return text;
  let stacked = text;
  while (TOWER.test(stacked)) stacked = stacked.replace(STOREYS, '$1');
  return stacked.normalize('NFC');
}

/** Beyond Latin and its punctuation, where every character is its own composed form. */
const COMPOSABLE = /[^\0-\u02ff\u2010-\u2027\u20ac]/;
/** Looked for from the first mark of a run only: one of thirty would be looked at thirty times. */
const TOWER = /\p{M}(?<!\p{M}\p{M})\p{M}{30}/u;
/** A bounded number at a time: a pattern that takes millions of them runs out of stack. */
const STOREYS = /(\p{M}{30})\p{M}{1,1000}/gu;
