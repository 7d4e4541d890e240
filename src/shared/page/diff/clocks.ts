import { monthNamed } from '../metadata/calendar.ts';
import { DATE_WORDS, SAVED_LABELS, TIMING_WORDS, TODAY, UPDATED } from './clock-words.ts';

/**
 * Whether a text is the time of day at which a server has written it ("Stand: 21.11.2026, 14:05 Uhr"): with nothing
 * but a date beside it. Other words make it news ("Now open 9:00"), two clocks make it hours, none makes it the date of
 * a policy ("As of 3 March 2026").
 */
export function withoutClocks(text: string): string {
  if (text.length > LONGEST) return text;
  const plain = withPlainStamps(text);
  if (isClock(plain)) return MARK;
  if (!PARTS.test(plain)) return text;
  const parts = plain.split(PARTS);
  const form = parts.map((part, index) => (index % 2 === 0 && isClock(part.trim()) ? MARK : part));
  return form.includes(MARK) ? form.join('') : text;
}

/** Whether a text says nothing but which day it is: "Today is Monday, 21 November 2026". */
export function isToday(text: string): boolean {
  const rest = text.length <= LONGEST ? behind(STARTS_TODAY, text) : undefined;
  return rest !== undefined && rest.search(CLOCK) === -1 && NAMES_A_DAY.test(rest) && isDate(rest);
}

/** Whether a text says how long a server took for its page: "Page generated in 0.123 seconds with 12 queries". */
export function isTimeTaken(text: string): boolean {
  if (text.length > LONGEST || !DURATION.test(text)) return false;
  const words = wordsOf(text.replace(DURATION_FIGURES, ' '));
  return words.some((word) => MAKING.test(word)) && words.every((word) => TIMING_WORDS.has(word));
}

/** Whether a text is a date, or nothing: its words, at least, are none but those of dates. */
export function isDate(text: string): boolean {
  return wordsOf(text.replace(CJK_PARTS, ' ')).every((word) => DATE_WORDS.has(word) || monthNamed(word) !== undefined);
}

/** Whether a text is a time of day, with a date or without one, and nothing else. */
export function isBareClock(text: string): boolean {
  if (text.length > LONGEST) return false;
  const plain = withPlainStamps(text);
  return clocksIn(plain) === 1 && isDate(plain.replace(CLOCK, ' '));
}

/** Whether a text is the label of a time at which a server has written something: "Last checked:". */
export function isClockLabel(text: string): boolean {
  return text.length <= LABEL_LENGTH && IS_LABEL.test(text);
}

/**
 * The instant of a text that is a time as machines write it, to the second and with a zone; undefined for any other. A
 * page that shows nothing else there shows its server's clock, which only moves forward.
 */
export function stampIn(text: string): number | undefined {
  if (text.length > LONGEST || !MACHINE_STAMP.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}

const MARK = '\u0003';
const LONGEST = 160;
const LABEL_LENGTH = 40;

/** `14:05`, `14h05`, `2 p.m.`; `14.05` is as often a day, and a time only beside a word that says so. */
const CLOCK =
  /(?<![\d:.])\d{1,2}(?:[:h]\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?|\.\d{2}(?:\.\d{2})?(?= ?(?:Uhr|uur|h\b|[ap]\.?m\b))|(?= ?[ap]\.?m\b))(?![\d:])|(?<=\b(?:kl|klo|alle|ore)\.? ?)\d{1,2}\.\d{2}(?![.\d])|(?<!\d)\d{1,2}(?:時|时|時|點|点|시) ?\d{1,2}(?:分|분)(?: ?\d{1,2}(?:秒|초))?/giu;
const WITH_SECONDS = /\d{1,2}[:.]\d{2}[:.]\d{2}|秒|초/;
/** A day and a month, the month by name or number. */
const NAMES_A_DAY = /\d{1,2}\.? ?(?:\p{L}|月)|\p{L} ?\d{1,2}(?!\d)|\d{1,4}[./-]\d{1,2}[./-]\d{1,4}/u;
/** The parts of a Chinese, Japanese or Korean date, which are written without spaces. */
const CJK_PARTS =
  /[年月日号號时時点點分秒년월일시분초]|[上下]午|午[前後后]|오[전후]|(?:星期|周|週)[一二三四五六日天]|[月火水木金土日]曜日?|[월화수목금토일]요일|현재|기준/g;

/** ISO 8601 with a time of day, and what it has behind it. */
const ISO_STAMP =
  /(?<!\d)(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?) ?(?:Z|[+-]\d{2}:?\d{2})?(?![\d:])/gu;
/** `GMT+0000 (Coordinated Universal Time)`, its name in any language. */
const NAMED_OFFSET = /(?<!\p{L})(?:GMT|UTC) ?[+-−]\d{1,2}(?::?\d{2})?(?: \([^()]{1,60}\))?/gu;
const OFFSET = /(?<=\d{2}:\d{2}:\d{2}(?:[.,]\d{1,9})?) ?[+-]\d{2}:?\d{2}(?![\d:])/gu;

function withPlainStamps(text: string): string {
  return text.replace(ISO_STAMP, '$1 $2').replace(NAMED_OFFSET, 'GMT').replace(OFFSET, '');
}

/** Marks between what does not belong together, kept by `split`. */
const PARTS = /( ?[·•|(）)（] ?|; )/u;

function isClock(text: string): boolean {
  const labelled = restOf(text);
  if (labelled === undefined || clocksIn(labelled.rest) !== 1 || !isDate(labelled.rest.replace(CLOCK, ' ')))
    return false;
  // "Doors updated 19:30" may be the time of the doors; the second, or the day, only a server names.
  const isExact = WITH_SECONDS.test(labelled.rest) || /\d/.test(labelled.rest.replace(CLOCK, ' '));
  return labelled.strength === 'sure' || (labelled.strength === 'exact' ? isExact : WITH_SECONDS.test(labelled.rest));
}

interface Labelled {
  readonly rest: string;
  /** How exact the time has to be. */
  readonly strength: 'sure' | 'exact' | 'second';
}

function restOf(text: string): Labelled | undefined {
  const sure = behind(STARTS_UPDATED, text);
  if (sure !== undefined) return { rest: sure, strength: 'sure' };
  const exact = behind(STARTS_WITH_SUBJECT, text) ?? ahead(ENDS_UPDATED, text);
  if (exact !== undefined) return { rest: exact, strength: 'exact' };
  const saved = behind(STARTS_SAVED, text);
  return saved === undefined ? undefined : { rest: saved, strength: 'second' };
}

const STARTS_UPDATED = new RegExp(`^${UPDATED}(?!\\p{L})`, 'iu');
/** Whose time it is: "The exchange rates were last updated on …". */
const STARTS_WITH_SUBJECT = new RegExp(`^(?:[\\p{L}'’-]{1,20} ){1,5}${UPDATED}(?!\\p{L})`, 'iu');
const ENDS_UPDATED = new RegExp(`(?<!\\p{Script=Latin})${UPDATED}\\)?\\.?$`, 'iu');
const STARTS_SAVED = new RegExp(`^(?:[\\p{L}'’-]{1,20} ){0,3}${SAVED_LABELS}(?!\\p{L})`, 'iu');
const STARTS_TODAY = new RegExp(`^${TODAY}(?!\\p{Script=Latin})`, 'iu');
const IS_LABEL = new RegExp(
  `^(?:[\\p{L}'’-]{1,20} ){0,2}(?:${UPDATED}|${SAVED_LABELS})(?: (?:at|am|um|le|à|el|a las|il|alle|op|om|kl\\.?|в|o))?:?$`,
  'iu',
);

function clocksIn(text: string): number {
  return text.match(CLOCK)?.length ?? 0;
}

function behind(start: RegExp, text: string): string | undefined {
  const found = start.exec(text);
  return found ? text.slice(found[0].length) : undefined;
}

function ahead(end: RegExp, text: string): string | undefined {
  const at = text.search(end);
  return at <= 0 ? undefined : text.slice(0, at);
}

function wordsOf(text: string): string[] {
  return (text.match(/\p{L}[\p{L}\p{M}]*/gu) ?? []).map((word) => word.toLowerCase());
}

const DURATION = /\d ?(?:µs|ms|m?sec|s(?![\p{L}])|milli|second|sekund|segund|seconde|sec\.|saniye|сек|秒|초)/iu;
const DURATION_FIGURES = /\d+(?:[.,]\d+)?/g;
const MAKING =
  /^(?:generat|render|load|serv|creat|execut|process|built|took|elapsed|runtime|génér|charg|généré|generad|carg|cargad|gerad|carregad|generat|caricat|erstellt|geladen|erzeugt|generier|gegener|gegenereerd|geladen|genererad|genereret|generert|laddad|luotu|wygenerow|załadow|vygener|načten|сгенер|создан|загруж|згенер|generál|létre|oluştur|yüklen|δημιουργ|生成|執行|执行|表示|処理|生成時間)/u;

const MACHINE_STAMP =
  /^(?:\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:[.]\d{1,9})? ?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})|(?:mon|tue|wed|thu|fri|sat|sun),? (?:[a-z]{3} \d{1,2}|\d{1,2} [a-z]{3}) \d{4} \d{2}:\d{2}:\d{2} (?:GMT|UTC|Z|[+-]\d{4})(?:[+-]\d{4})?(?: \([^()]{1,60}\))?)$/iu;
