import { monthNamed } from '../metadata/month-names.ts';
import { DATE_WORDS, TODAY, UPDATED } from './volatile-words.ts';

/**
 * Whether a text is the time of day at which a server has written it ("Stand: 21.11.2026, 14:05 Uhr"): with nothing
 * but a date beside it. Other words make it news ("Now open 9:00"), two clocks make it hours, none makes it the date of
 * a policy.
 */
export function isClock(text: string): boolean {
  const rest = text.length <= LONGEST ? after(STARTS_UPDATED, text) : undefined;
  return rest !== undefined && (rest.match(CLOCK)?.length ?? 0) === 1 && isDate(rest.replace(CLOCK, ' '));
}

/** Whether a text says nothing but which day it is: "Today is Monday, 21 November 2026". */
export function isToday(text: string): boolean {
  const rest = text.length <= LONGEST ? after(STARTS_TODAY, text) : undefined;
  return rest !== undefined && rest.search(CLOCK) === -1 && NAMES_A_DAY.test(rest) && isDate(rest);
}

const LONGEST = 120;
const STARTS_UPDATED = new RegExp(`^${UPDATED}(?!\\p{L})`, 'iu');
const STARTS_TODAY = new RegExp(`^${TODAY}(?!\\p{Script=Latin})`, 'iu');
/** A day and a month, the month by name or number. */
const NAMES_A_DAY = /\d{1,2}\.? ?(?:\p{L}|月)|\p{L} ?\d{1,2}(?!\d)|\d{1,4}[./-]\d{1,2}[./-]\d{1,4}/u;
/** `14:05`, `14h05`, `2 p.m.`; `14.05` is as often a day, and a time only beside a word that says so. */
const CLOCK =
  /(?<![\d:.])\d{1,2}(?:[:h]\d{2}(?::\d{2}(?:\.\d{1,6})?)?|\.\d{2}(?= ?(?:Uhr|uur|h\b|[ap]\.?m\b))|(?= ?[ap]\.?m\b))(?![\d:])|(?<=\b(?:kl|klo|alle|ore)\.? ?)\d{1,2}\.\d{2}(?![.\d])/giu;
/** The parts of a Chinese, Japanese or Korean date, which are written without spaces. */
const CJK_PARTS = /[年月日号號时時分秒년월일]|(?:星期|周|週)[一二三四五六日天]|[月火水木金土日]曜日?/g;

function after(start: RegExp, text: string): string | undefined {
  const found = start.exec(text);
  return found ? text.slice(found[0].length) : undefined;
}

function isDate(text: string): boolean {
  const words = text.replace(CJK_PARTS, ' ').match(/\p{L}[\p{L}\p{M}]*/gu) ?? [];
  return words.every((word) => DATE_WORDS.has(word.toLowerCase()) || monthNamed(word.toLowerCase()) !== undefined);
}
