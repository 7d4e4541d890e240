import { monthNamed, timeAt, timeOf } from './calendar.ts';
import { type CalendarDay, gregorian, isPersianYear, persianMonth } from './other-calendars.ts';
import type { PublishTime } from '../page.ts';

/** A date in a text for readers, and the place in the text, from `at` up to `end`. */
interface DateInText {
  readonly time: PublishTime;
  readonly at: number;
  readonly end: number;
}

/**
 * The dates that stand in a short text (a byline, not a chapter), in its order: day, month and year of four digits,
 * with the clock and zone beside them. `language` is a BCP 47 tag; without it `2/3/2026` is no date, because
 * half of the world reads it as February.
 */
export function datesIn(text: string, language?: string): DateInText[] {
  if (!DIGIT.test(text)) return [];
  const digits = inOneWord(withAsciiDigits(text.slice(0, LENGTH)));
  if (!/\d/.test(digits)) return [];
  const days = [...named(digits, language), ...numeric(digits, american(digits, language))].sort(
    (one, other) => one.at - other.at,
  );
  return days.flatMap(({ fields, at, end }) => {
    const clock = clockAfter(digits.slice(end, end + 40)) ?? clockBefore(digits.slice(Math.max(0, at - 24), at));
    const day = timeOf(fields);
    const time = (clock && timeOf([...fields, ...clock.fields], clock.zone)) ?? day;
    return time && fields[0] <= LAST_YEAR ? [{ time, at, end }] : [];
  });
}

/** English beside a clock of a zone of North America is written as there. */
function american(text: string, language: string | undefined): string | undefined {
  const isOpen = language === undefined || /^en$/i.test(language);
  return isOpen && /\d ?(?:[ap]\.?m\.? )?\(?[ECMP][SD]?T\b/.test(text) ? 'en-us' : language;
}

const DIGIT = /\p{Nd}/u;
/** Characters that are looked at. */
const LENGTH = 300;
/** Larger numbers beside a month are no years. */
const LAST_YEAR = 2100;

interface Day {
  readonly fields: CalendarDay;
  readonly at: number;
  readonly end: number;
}

/** The zeros of the decimal digits of other scripts (Unicode, Nd); the nine that follow are in order. */
const ZEROS = Array.from('٠۰०০੦૦୦௦౦೦൦๐໐０', (zero) => zero.charCodeAt(0));

function withAsciiDigits(text: string): string {
  return text.replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    const code = digit.charCodeAt(0);
    const zero = ZEROS.find((first) => code >= first && code <= first + 9);
    return zero === undefined ? digit : String(code - zero);
  });
}

/** Months of two words, by the names that Egypt gives them; as long as before, so that places in the text stay. */
function inOneWord(text: string): string {
  return text.replace(/(كانون|تشرين) (الأول|الاول|الثاني)/g, (words: string, month: string, which: string) => {
    const isSecond = which === 'الثاني';
    const name = month === 'كانون' ? (isSecond ? 'يناير' : 'ديسمبر') : isSecond ? 'نوفمبر' : 'أكتوبر';
    return name.padStart(words.length);
  });
}

/** Words between the parts of a date: `13 de febrero de 2026`, `13th of`, `2026 m. vasario 13 d.`, `2026. gada`. */
const BETWEEN = new Set('st nd rd th er de del of ng d le ta o a m gada év г р'.split(' '));
/** Thai abbreviations are two letters with a dot between them; a year may be glued to the clock after it. */
const TOKEN =
  /(?:19|20)\d\d(?=\d{1,2}:\d\d)|\d+|[\u0E01-\u0E2Eเ][\u0E2E\u0E21\u0E34-\u0E3A]?\.[\u0E01-\u0E2E]|\p{L}[\p{L}\p{M}]*/gu;
/** Characters between two parts of one date: `13.  Februar, 2026`. */
const GAP = 4;

interface Token {
  readonly text: string;
  readonly at: number;
  readonly end: number;
}

/** Days whose month is a word. */
function named(text: string, language: string | undefined): Day[] {
  const tokens = [...text.matchAll(TOKEN)]
    .map(({ 0: token, index }) => ({ text: token.toLowerCase(), at: index, end: index + token.length }))
    .filter(({ text: token }) => !BETWEEN.has(token))
    .filter(({ text: token }, index, all) => !isSameMonth(token, all[index - 1]?.text, language));
  return tokens.flatMap((token, index) => {
    const month = /^\d/.test(token.text) ? undefined : monthNamed(token.text, language);
    const persian = month === undefined ? persianMonth(token.text) : undefined;
    const day = month === undefined && persian === undefined ? undefined : dayBeside(tokens, index);
    if (!day || isPersianYear(day.year) !== (persian !== undefined)) return [];
    return [{ at: day.at, end: day.end, fields: gregorian(day.year, month ?? persian ?? 0, day.day) }];
  });
}

/** `04 آب/اغسطس 2013`: in the words of two regions. */
function isSameMonth(token: string, before: string | undefined, language: string | undefined): boolean {
  const month = /^\d/.test(token) ? undefined : monthNamed(token, language);
  return month !== undefined && before !== undefined && monthNamed(before, language) === month;
}

/** The shapes `13 Feb 2026`, `Feb 13 2026`, `2026 Feb 13` and `2026 13 Feb`, tried in this order. */
const SHAPES: readonly (readonly [day: number, year: number])[] = [
  [-1, 1],
  [1, 2],
  [1, -1],
  [-1, -2],
];

function dayBeside(
  tokens: readonly Token[],
  month: number,
): { year: number; day: number; at: number; end: number } | undefined {
  for (const [day, year] of SHAPES) {
    const first = month + Math.min(0, day, year);
    const parts = first < 0 ? [] : tokens.slice(first, month + Math.max(0, day, year) + 1);
    const [start, last] = [parts[0], parts.at(-1)];
    const [dayToken, yearToken] = [tokens[month + day], tokens[month + year]];
    if (!start || !last || !dayToken || !yearToken || !areNear(parts)) continue;
    if (/^\d{1,2}$/.test(dayToken.text) && /^\d{4}$/.test(yearToken.text)) {
      return { day: Number(dayToken.text), year: Number(yearToken.text), at: start.at, end: last.end };
    }
  }
  return undefined;
}

/** Words between them were taken out, so what is left between two parts may be one such word longer. */
function areNear(parts: readonly Token[]): boolean {
  return parts.every(({ at }, index) => at - (parts[index - 1]?.end ?? at) <= 2 * GAP);
}

const YEAR_FIRST = [
  /(?<![\d./-])(\d{4})([-./]) ?(\d{1,2})\2 ?(\d{1,2})(?![\d/-]|\.\d|T(?!(?:[01]\d|2[0-3]):[0-5]\d))/g,
  /(\d{4}) ?([年년]) ?(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日일号號]/g,
];
/** Years of the emperor, and of the Republic of China. */
const ERA = /(令和|平成|民國|民国) ?(\d{1,3}|元) ?年 ?(\d{1,2}) ?月 ?(\d{1,2}) ?日/g;
const ERAS: ReadonlyMap<string, number> = new Map([
  ['令和', 2018],
  ['平成', 1988],
  ['民國', 1911],
  ['民国', 1911],
]);
const YEAR_LAST = [
  /(?<![\d./-])(\d{1,2})([-./]) ?(\d{1,2})\2 ?(\d{4})(?![\d/-]|\.\d|T\d)/g,
  /(?<!\d)(\d{1,2})( tháng )(\d{1,2}),? (?:năm )?(\d{4})(?!\d)/gi,
];
/** With a year of two digits: `11/19/19`, `19.11.19`. */
const SHORT_YEAR = [
  /(?<![\d./-])(\d{1,2})(\/)(\d{1,2})\2(\d{2})(?![\d/-]|\.\d)/g,
  /(?<![\d./-])(\d{2})([.-])(\d{2})\2(\d{2})(?![\d.-])/g,
];

/** Days that are all numbers. */
function numeric(text: string, language: string | undefined): Day[] {
  const yearFirst = YEAR_FIRST.flatMap((shape) => Array.from(text.matchAll(shape), dayOfYear));
  const yearLast = YEAR_LAST.flatMap((shape) =>
    Array.from(text.matchAll(shape), (found) => yearOfDay(found, language)),
  );
  const shortYear = SHORT_YEAR.flatMap((shape) =>
    Array.from(text.matchAll(shape), (found) => shortYearOfDay(found, language)),
  );
  const ofEra = Array.from(text.matchAll(ERA), dayOfEra);
  return [...yearFirst, ...yearLast.flat(), ...shortYear.flat(), ...ofEra];
}

/** East Asia writes the year first however short it is. */
function shortYearOfDay(found: RegExpExecArray, language: string | undefined): Day[] {
  const [whole, one, mark, other, last] = found.map(String);
  const isYearFirst = /^(?:zh|ja|ko)\b/i.test(language ?? '');
  const year = Number(isYearFirst ? one : last);
  if (year > LAST_SHORT_YEAR && year < FIRST_SHORT_YEAR) return [];
  const order = isYearFirst
    ? { month: Number(other), day: Number(last) }
    : dayAndMonth(Number(one), Number(other), mark ?? '', language);
  const century = year < FIRST_SHORT_YEAR ? 2000 : 1900;
  return order
    ? [{ fields: [century + year, order.month, order.day], at: found.index, end: found.index + (whole ?? '').length }]
    : [];
}

const FIRST_SHORT_YEAR = 95;
const LAST_SHORT_YEAR = 40;

function dayOfYear(found: RegExpExecArray): Day {
  const [whole, year, , month, day] = found;
  const fields = gregorian(Number(year), Number(month), Number(day));
  return { fields, at: found.index, end: found.index + whole.length };
}

function dayOfEra(found: RegExpExecArray): Day {
  const [whole, era = '', year, month, day] = found;
  const years = year === '元' ? 1 : Number(year);
  const fields = [(ERAS.get(era) ?? 0) + years, Number(month), Number(day)] as const;
  return { fields, at: found.index, end: found.index + whole.length };
}

function yearOfDay(found: RegExpExecArray, language: string | undefined): Day[] {
  const [whole, one, mark = '', other, year] = found;
  const order = dayAndMonth(Number(one), Number(other), mark, language);
  if (!order) return [];
  const fields = gregorian(Number(year), order.month, order.day);
  return [{ fields, at: found.index, end: found.index + whole.length }];
}

/** Dots and words are written with the day first everywhere; with slashes it takes a number above 12, or the language. */
function dayAndMonth(
  one: number,
  other: number,
  mark: string,
  language: string | undefined,
): { day: number; month: number } | undefined {
  const dayFirst = { day: one, month: other };
  if (one === other || one > 12) return dayFirst;
  const monthFirst = { day: other, month: one };
  if (other > 12) return monthFirst;
  if (!/^[-/]$/.test(mark)) return dayFirst;
  const [primary = '', region = ''] = (language ?? '').toLowerCase().split(/[-_]/);
  if (primary === '') return undefined;
  if (primary !== 'en') return dayFirst;
  if (region === 'us') return monthFirst;
  return DAY_FIRST_ENGLISH.has(region) ? dayFirst : undefined;
}

const DAY_FIRST_ENGLISH = new Set('au gb ie in ke ng nz pk sg uk za'.split(' '));

interface Clock {
  readonly fields: readonly [hour: number, minute: string, second: string | undefined];
  readonly zone: string | undefined;
}

const CLOCK = '(\\d{1,2})[:h時时시点點] ?(\\d{2})(?::(\\d{2}))?(?!\\d)(?: ?([ap])\\.?m\\b\\.?)?';
/** A clock after its date, with at most a word between them: `, 10:30 am EST`, ` um 10:30`, ` 오후 3:04`. */
const AFTER = new RegExp(
  `^([^\\d|/]{0,12}?)${CLOCK}(?: ?\\(?(?:GMT|UTC)?([+-]\\d{2}:?\\d{2})| ?\\(?([A-Z]{1,5})\\b)?`,
  'i',
);
/** `2:16 AM EST Nov 20, 2019`, `10:30, 20.11.2019`. */
const BEFORE = new RegExp(`(?<!\\d)${CLOCK}(?: ([A-Z]{1,5})\\b)?\\D{0,6}$`, 'i');

function clockAfter(text: string): Clock | undefined {
  const found = AFTER.exec(text);
  if (!found) return undefined;
  const [, between = '', hour, minute = '', second, half, offset, name] = found;
  const afternoon = /오후|午後|下午/.test(between) ? 'p' : half;
  return { fields: [inDay(Number(hour), afternoon), minute, second], zone: offset ?? name };
}

function clockBefore(text: string): Clock | undefined {
  const found = BEFORE.exec(text);
  if (!found) return undefined;
  const [, hour, minute = '', second, half, zone] = found;
  return { fields: [inDay(Number(hour), half), minute, second], zone };
}

/** The hour of a 12-hour clock, where a half of the day is named. */
function inDay(hour: number, half: string | undefined): number {
  if (half === undefined || hour > 12) return hour;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

/**
 * Dates as pages write them for machines: ISO 8601 in its common shapes (extended, compact, date alone), Unix time,
 * and else whatever a reader would take for a date: RFC 5322, `8 ago 2023`. What is not a date of the calendar, or
 * lies before 1995, is none; whether it lies too far ahead only a caller with a clock can tell.
 */
export function parsePublishTime(written: string, language?: string): PublishTime | undefined {
  const text = written.slice(0, 100).trim();
  return iso(text) ?? unix(text) ?? datesIn(text, language)[0]?.time;
}

/** Templates write fractions after a colon too, and months without their zero. */
const ISO =
  /^(\d{4})(?:([-/.])(\d{1,2})\2(\d{1,2})|(\d{2})(\d{2}))(?:(?:T|\s+)?(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,:]\d+)?)?\s*([a-z]+|[+-]\d{2}:?(?:\d{2})?)?)?$/i;

function iso(text: string): PublishTime | undefined {
  const found = ISO.exec(text);
  if (!found) return undefined;
  const [, year, , month, day, compactMonth, compactDay, hour, minute, second, zone] = found;
  return timeOf([year, month ?? compactMonth, day ?? compactDay, hour, minute, second], zone);
}

function unix(text: string): PublishTime | undefined {
  if (!/^\d{9,10}(?:\d{3})?$/.test(text)) return undefined;
  const seconds = Number(text.length > 10 ? text.slice(0, -3) : text);
  return timeAt(seconds * 1_000, 0);
}

/**
 * The day that the address of an article names: `/2026/02/13/slug`, `/2026/feb/13/slug`, `/2026-02-13-slug`,
 * `/20260213/slug`, `/words-of-a-headline-20260213`. An address that ends with nothing but a date is an archive of that
 * day, not something published on it.
 */
export function dateInUrl(url: string): PublishTime | undefined {
  const path = URL.parse(url)?.pathname ?? '';
  const folders = FOLDERS.exec(path);
  if (folders) return timeOf([folders[1], monthOf(folders[2] ?? ''), folders[3]]);
  const slug = SLUG.exec(path) ?? COMPACT.exec(path) ?? AT_THE_END.exec(path);
  return slug ? timeOf([slug[1], slug[2], slug[3]]) : undefined;
}

const FOLDERS = /\/((?:19|20)\d{2})\/(\d{1,2}|[a-z]{3,9})\/(\d{1,2})\/[^/]/i;
const SLUG = /[/_-]((?:19|20)\d{2})-(\d{2})-(\d{2})(?=[-_/]\w|\.\w|_)/;
const AT_THE_END = /\/(?:[\p{L}%]+-){3,}((?:19|20)\d{2})-?(\d{2})-?(\d{2})\/?(?:\.\w{3,5})?$/u;
const COMPACT = /\/((?:19|20)\d{2})(\d{2})(\d{2})\/[^/]/;

function monthOf(written: string): string | number {
  return /^\d/.test(written) ? written : (monthNamed(written.toLowerCase()) ?? 0);
}
