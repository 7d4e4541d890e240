import {
  ALONE,
  any,
  BESIDE_COUNTERS,
  BESIDE_COUNTERS_CJK,
  LABELLED,
  MANY_ALONE,
  NUMERO,
  SITE_COUNTED,
} from './counter-words.ts';
import { isDate } from './clocks.ts';
import { lazy } from '../../lazy.ts';

/**
 * The text with a mark in the place of each counter: "1,204 views", "Star 12.4k", "Posts: 8041", "You are visitor number
 * 1319". What else stands beside them decides which nouns are believed: shares are also sold, visitors also come.
 *
 * A number with decimals, a unit or a currency is a measure and no count, unless it is a short form ("12.4k").
 */
export function withoutCounters(text: string): string {
  if (text.length > COUNTER_LENGTH) return text;
  if (text.length <= ALONE_LENGTH && hasFewWords(text)) {
    const alone = marked(text, NOUNS_ALONE);
    if (alone !== text && isOnlyCounters(alone)) return alone;
  }
  const graded = text.replace(COUNT_BEHIND_GRADE, MARK);
  return ENDS_A_SENTENCE.test(graded) ? graded : marked(graded, NOUNS_BESIDE_TEXT);
}

/** Whether nothing but counters can stand in a text: each has one number, and a noun of a few words. */
function hasFewWords(text: string): boolean {
  const figures = text.match(/\d+(?:[.,' ’]\d+)*/g)?.length ?? 0;
  const words = text.match(/\p{L}[\p{L}\p{M}]*/gu) ?? [];
  if (words.length <= NOUN_WORDS * figures) return true;
  return words.filter((word) => !BESIDE_COUNTERS.has(word.toLowerCase())).length <= NOUN_WORDS * figures;
}

/** A number with nothing beside it: what it counts, its neighbour says. */
export function isBareNumber(text: string): boolean {
  return BARE_NUMBER.test(text);
}

/** Whether a text is a heading or a label of a counter: "Visitors", "Page views:". */
export function isCounterLabel(text: string): boolean {
  return text.length <= LABEL_LENGTH && COUNTER_LABEL().test(text);
}

const MARK = '\u0002';
const LABEL_LENGTH = 40;
/** Characters beyond which a counter is taken for part of a sentence. */
const COUNTER_LENGTH = 160;
const ALONE_LENGTH = 90;
const NOUN_WORDS = 3;
const ENDS_A_SENTENCE = /[.!?…。]$/;

/** Nouns of one script: most pages have one, and the nouns of the others are not looked for. */
interface Nouns {
  /** Behind a number, at its end. */
  readonly behind: () => RegExp;
  /** Before a number, at the end of the noun; its group is the noun. */
  readonly before: () => RegExp;
}

interface NounSet {
  readonly latin: Nouns;
  readonly other: Nouns;
  readonly isBesideText: boolean;
}

function nounSet(behind: readonly string[], before: readonly string[], isBesideText: boolean): NounSet {
  const of = (isWanted: (noun: string) => boolean): Nouns => ({
    behind: lazy(() => new RegExp(`${SUFFIX}${SPACE}${any(...behind.filter(isWanted))}${END}`, 'iuy')),
    before: lazy(() => new RegExp(`(?<=((?<![\\p{L}\\p{M}])${any(...before.filter(isWanted))}))`, 'iuy')),
  });
  const isOther = (noun: string): boolean => OTHER_SCRIPT.test(noun);
  return { latin: of((noun) => !isOther(noun)), other: of(isOther), isBesideText };
}

const OTHER_SCRIPT = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]|[★⭐]/u;
const LATIN = /\p{Script=Latin}/u;

/** `1,204`, `1 204`, `8041`, `12.4k`, `10,000+`; no part of a decimal, a date, a clock, a price, or a measure ("3 GB"). */
const FIGURES =
  /(?<![\d€$£¥₽%][.,:/-]?|[\d][ ](?=\d{3}(?!\d)))(?:\d{1,3}(?:[.,' ’]\d{3})+|\d{1,9}(?:[.,]\d{1,2})?(?= ?(?:[KkMm]|Tsd|Mio|mil|mln|тыс|тис|млн|[万萬만억億천千])(?![\p{L}\d])|[万萬만억億천])|\d{1,9})(?![.,:/-]?\d)(?: ?(?:[KkMm]|Tsd\.?|Mio\.?|mil|mln|тыс\.?|тис\.?|млн)(?![\p{L}²³])|[万萬만억億천千])?\+?(?! ?(?:[%€$£¥₽°]|(?:[kKMGTP]i?[Bb](?:it|ps)?|[Bb]ytes?|EUR|USD|GBP|CHF|JPY|[km]?[gl]|[ckm]?m[²³]?|[km]?Wh?|[kMG]?Hz|[mnµ]?s|min|h|px|dpi|ppm)(?![\p{L}\d])))/gu;
const BARE_NUMBER = /^(?:\d{1,3}(?:[.,' ’]?\d{3})*|\d{1,4}(?:[.,]\d{1,2})? ?(?:[KkMm]|[万萬만]))\+?$/;
/** An ordinal, or the measure that Chinese, Japanese and Korean put between a number and a noun. */
const SUFFIX =
  '(?:st|nd|rd|th|[.ºª]|-?(?:й|го|ый|ème|e)(?!\\p{L})|人目|番目|件|回|次|人|位|名|个|個|条|條|则|則|篇|명|건|회|번째|개)?';
/** The end of a noun; Japanese and Korean put a verb right behind it. */
const END = '(?:(?![\\p{L}\\p{M}])|(?=です|さん|さま|様|입니다))';
const MEASURE = /(?:件|回|次|人|位|名|个|個|条|條|篇|票|명|건|회|개)(?![\p{L}\p{M}])/uy;
const SPACE = '(?: ?\\|)? ?(?:[の的의] ?)?';
/** What a part ends with whose noun and number have but a blank between them: "Ann · Views 1,204". */
const PART_ENDS = /[KkMm+万萬만]{0,2}(?:件|回|次|人|位|个|個|条|條|건|회|개)? ?(?:$|[·•|)])/uy;
const NUMERO_BEFORE = new RegExp(`(?<=(${NUMERO} ?|第))`, 'iuy');

const NOUNS = [...SITE_COUNTED, ...LABELLED, ...ALONE, ...MANY_ALONE];
const NOUNS_ALONE = nounSet(NOUNS, NOUNS, false);
const NOUNS_BESIDE_TEXT = nounSet(SITE_COUNTED, [...SITE_COUNTED, ...LABELLED], true);
const OF_MANY = lazy(() => new RegExp(`(?<![\\p{L}])${any(...MANY_ALONE)}(?!\\p{L})`, 'iu'));
const COUNTER_LABEL = lazy(
  () =>
    new RegExp(
      `^(?:(?:total|unique|page|site|all|weekly|monthly) ?-?){0,2}${any(...NOUNS)}(?: (?:so far|today))?:?$`,
      'iu',
    ),
);
/** How many have given a grade: "★★★★☆ (218)", "4.3 / 5 (218)". Elsewhere a number in brackets may be a build. */
const COUNT_BEHIND_GRADE =
  /(?<=(?:[★☆⭐]\ufe0f?|(?<![\d.,])[0-5](?:[.,]\d{1,2})? ?(?:\/|von|out of|of|sur|de|su|van|av|af|z|из|з|\/) ?5)(?: [0-5](?:[.,]\d{1,2})?)? ?)\(\d{1,3}(?:[.,' ]?\d{3})*[kK]?\)/gu;

function marked(text: string, nouns: NounSet): string {
  let form = '';
  let at = 0;
  for (const { 0: figure, index } of text.matchAll(FIGURES)) {
    const number: Region = [index, index + figure.length];
    const before = regionBefore(text, number, nouns);
    const isFree = before !== undefined && before[0] >= at;
    const region = isFree ? before : regionBehind(text, number, nouns);
    if (!region || region[0] < at || isGrade(figure, text.slice(...region))) continue;
    form += text.slice(at, region[0]) + MARK;
    [, at] = region;
  }
  return form + text.slice(at);
}

type Region = readonly [from: number, to: number];

/** A noun and the number behind it. */
function regionBefore(text: string, [from, to]: Region, nouns: NounSet): Region | undefined {
  const end = endOfNoun(text, [from, to], nouns.isBesideText);
  if (end === undefined) return undefined;
  const before = (LATIN.test(text[end - 1] ?? '') ? nouns.latin : nouns.other).before();
  before.lastIndex = end;
  const noun = before.exec(text)?.[1];
  if (noun === undefined) return undefined;
  MEASURE.lastIndex = to;
  return [end - noun.length, MEASURE.test(text) ? MEASURE.lastIndex : to];
}

/** Where a noun before a number would end: beside other text there has to be a mark between them, or nothing behind. */
function endOfNoun(text: string, [from, to]: Region, isBesideText: boolean): number | undefined {
  let end = from;
  if (!isBesideText) {
    NUMERO_BEFORE.lastIndex = from;
    end -= NUMERO_BEFORE.exec(text)?.[1]?.length ?? 0;
  }
  if (text[end - 1] === ' ') end -= 1;
  if (MARKS.includes(text[end - 1] ?? '.')) {
    end -= 1;
    return text[end - 1] === ' ' ? end - 1 : end;
  }
  if (!isBesideText) return end;
  PART_ENDS.lastIndex = to;
  return PART_ENDS.test(text) ? end : undefined;
}

const MARKS = ':|(=';

/** A number and the noun behind it. */
function regionBehind(text: string, [from, to]: Region, nouns: NounSet): Region | undefined {
  const behind = (LATIN.test(text.slice(to, to + 6)) ? nouns.latin : nouns.other).behind();
  behind.lastIndex = to;
  return behind.test(text) ? [from, behind.lastIndex] : undefined;
}

function isGrade(figure: string, counter: string): boolean {
  return /^\d(?:[.,]\d{1,2})?$/.test(figure) && OF_MANY().test(counter);
}

/** Whether nothing but counters stands in a text; a day since when they count may, too. */
function isOnlyCounters(form: string): boolean {
  const rest = form.replaceAll(MARK, ' ').replace(BESIDE_COUNTERS_CJK, ' ');
  const since = rest.search(SINCE);
  const counted = since === -1 ? rest : rest.slice(0, since);
  if (/\d/.test(counted) || (since !== -1 && !isDate(rest.slice(since).replace(SINCE, ' ')))) return false;
  return (counted.match(/\p{L}[\p{L}\p{M}]*/gu) ?? []).every((word) => BESIDE_COUNTERS.has(word.toLowerCase()));
}

const SINCE =
  /(?<!\p{L})(?:since|seit(?: dem)?|depuis(?: le)?|desde(?: el)?|dal|sinds|sedan|siden|od|alkaen|с|з|din|από)(?!\p{L})|自|から/iu;
