import { analyze, lowerCase } from '../../analysis/analyze.ts';
import type { Hint } from '../codes.ts';
import type { Field } from '../fields.ts';
import { quote } from '../syntax/print.ts';

/** Longer beginnings are no words. */
const LONGEST = 40;
/** Beginnings of fewer letters belong to too many words to name their forms. */
const SHORTEST_STEM = 3;

/**
 * What to write in a text field instead of `prefix*`: words are compared whole and not stemmed, so the forms of an English
 * word are named one by one. A range of words has exactly those that begin so, in any language, and is named beside the
 * forms; it is second because every page has to be searched for it, while words are looked up.
 */
export function insteadOfPrefix(prefix: string, field: Field): Hint | undefined {
  if (prefix.length > LONGEST) return undefined;
  if (/^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*-?$/u.test(prefix) && prefix.includes('-')) return wordsInARow(prefix);
  if (!/^[\p{L}\p{N}]+$/u.test(prefix) || /^(?:AND|OR|NOT|TO)$/i.test(prefix) || !isOneWord(prefix, field))
    return undefined;
  const range = rangeOf(prefix);
  const forms = wordForms(prefix);
  if (forms.length === 0) {
    return range === undefined
      ? undefined
      : { message: `Use the range ${range}: every word that begins so.`, replacement: range };
  }
  const replacement = `(${forms.join(' OR ')})`;
  const every = range === undefined ? '' : `, or every word that begins so: ${range}`;
  return { message: `Name the forms of the word: ${replacement}${every}.`, replacement };
}

/** A hyphen separates words: `CVE-2026-*` is the words `cve` and `2026` in a row, whatever follows. */
function wordsInARow(prefix: string): Hint | undefined {
  const text = prefix.replace(/-$/, '');
  // A last word that goes on would not be matched whole.
  if (!prefix.endsWith('-') && !/\p{N}$/u.test(text)) return undefined;
  const replacement = text.includes('-') ? quote(text) : text;
  return {
    message: `Use ${replacement}: a hyphen separates words, so whatever follows it is another word.`,
    replacement,
  };
}

function isOneWord(text: string, { keepsStopWords }: Field): boolean {
  let [words, end] = [0, 0];
  analyze(text, keepsStopWords, (_term, _position, _start, last) => {
    words += 1;
    end = last;
  });
  return words === 1 && end === text.length;
}

/** All words that begin so, as a range; undefined where the first word behind them cannot be written plainly. */
function rangeOf(prefix: string): string | undefined {
  const low = lowerCase(prefix);
  const characters = Array.from(low);
  const last = characters.pop()?.codePointAt(0);
  if (last === undefined) return undefined;
  const next = String.fromCodePoint(last + 1);
  return /[\p{L}\p{N}]/u.test(next) ? `[${low} TO ${characters.join('')}${next}}` : undefined;
}

/**
 * By how a beginning ends, the first row that fits: what its words have behind it. `2:ility` drops two letters first, `*ed`
 * repeats the last one. Where a word may be whole or cut (`releas`, `news`) both are named: a form too many matches
 * nothing, one too few misses a page.
 */
const ENDINGS: readonly (readonly [RegExp, readonly string[]])[] = [
  // vulnerable, vulnerabl, vulnerab, vulnerabil, vulnerabilit, vulnerabiliti
  [/[ai]ble$/, ['', '1:y', '2:ility', '2:ilities']],
  [/[ai]bl$/, ['e', 'y', '1:ility', '1:ilities']],
  [/scrib$/, ['e', 'es', 'ed', 'ing', 'er', 'ers']],
  [/[a-z]{4}[ai]b$/, ['le', 'ly', 'ility', 'ilities']],
  [/[ai]bil$/, ['ity', 'ities']],
  // security, activities, priority, opportunity; but not a credit or a limit
  [/[a-z]{2}(?:[ai]bil|ur|iv|al|ar|os|or|ic|id|[a-z]un)it$/, ['y', 'ies']],
  [/[^aeiou]i$/, ['1:y', 'es', 'ed']],
  [/(?:it|[ae]nc|or|ar|og|ph|om|ac)y$/, ['', '1:ies']],
  [/[^aeiou]y$/, ['', '1:ies', '1:ied', 'ing']],
  [/(?:ing|ment|ness|ion|ism|ist|ship)$/, ['', 's']],
  [/(?:ous|ful|[tnc]al)$/, ['', 's', 'ly']],
  [/(?:sh|ch|x|ss)$/, ['', 'es', 'ed', 'ing']],
  [/e$/, ['', 's', 'd', '1:ing']],
  // ferr, countr, compan, categor; appl, suppl; agenc
  [/(?:rr|[tdbpcgf]r|mpan|egor|brar)$/, ['y', 'ies', 'ied', 'ying', 'e', 'es', 'ed', 'ing']],
  [/[bcdfgpt]l$/, ['e', 'es', 'ed', 'ing', 'y', 'ies', 'ied', 'ying']],
  [/[ae]nc$/, ['e', 'es', 'ed', 'ing', 'y', 'ies']],
  // announc, optimiz, upgrad, updat, migrat, chang, secur
  [/(?:[^aeiou]c|[a-z]{3}[iy]z|dg|chang|rang|grad|clud|secur|captur|figur)$/, ['e', 'es', 'ed', 'ing']],
  [/(?:[a-z]{2}[lrdcgpnt]|cre)at$/, ['e', 'es', 'ed', 'ing', 'ion', 'ions']],
  // releas, news; pric, public, polic; serv, dev; messag, flag; provid, covid
  [/s$/, ['', 'e', 'es', 'ed', 'ing']],
  [/(?:c|v|ag|vid|cid|tur)$/, ['', 's', 'e', 'es', 'ed', 'ing', 'y', 'ies']],
  // submit, submitted; limit, limited; cancel, canceled, cancelled; stop, stopped
  [/(?:mit|fer|cur|[bcdnpv]el)$/, ['', 's', 'ed', 'ing', '*ed', '*ing']],
  [/^[a-z]{0,2}[^aeiou][aeiou][bdgmnpt]$/, ['', 's', '*ed', '*ing']],
  [/[a-z]$/, ['', 's', 'ed', 'ing']],
];

/** English words that begin with `beginning`, as far as its end tells; empty where it is no beginning of an English word. */
export function wordForms(beginning: string): string[] {
  const low = beginning.toLowerCase();
  if (!/^[a-z]+$/.test(low) || low.length < SHORTEST_STEM) return [];
  const endings = ENDINGS.find(([end]) => end.test(low))?.[1] ?? [];
  return endings.map((ending) => withEnding(beginning, ending));
}

function withEnding(beginning: string, ending: string): string {
  if (ending.startsWith('*')) return beginning + beginning.slice(-1) + ending.slice(1);
  const [, drop = '0', rest = ending] = /^(\d):(.*)$/.exec(ending) ?? [];
  return beginning.slice(0, beginning.length - Number(drop)) + rest;
}
