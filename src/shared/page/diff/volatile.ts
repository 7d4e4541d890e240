import { monthNamed } from '../metadata/calendar.ts';
import { AGO, COUNTED, COUNTED_ALONE, DATE_WORDS, FIGURE, JOINING, TODAY, UPDATED } from './volatile-words.ts';

/**
 * Text that changes by itself, told by its form: "3 hours ago", "1,204 views", "Updated 14:05", a request id. Two
 * texts of the same form say the same thing to a reader, so one giving way to the other is no change.
 *
 * Narrow on purpose. Folding every digit would make noise vanish and with it a price, a version, a number of cases:
 * a figure counts unless its own words say that it is a clock or a counter. A date without a time of day counts too
 * ("Last updated: 3 March" is how a privacy policy says that it changed).
 */
export function volatileForm(text: string): VolatileForm | undefined {
  if (text.length > LONGEST || !MAY_BE_VOLATILE.test(text)) return undefined;
  const reasons: string[] = [];
  let form = text;
  for (const { reason, marked } of FORMS) {
    const next = marked(form);
    if (next !== form) reasons.push(reason);
    form = next;
  }
  return reasons.length === 0 ? undefined : { form, reason: reasons.join(', ') };
}

interface VolatileForm {
  /** Equal for texts that differ in volatile parts only. */
  readonly form: string;
  /** What kind of volatile text it is, for people. */
  readonly reason: string;
}

/** A title without the number of unread messages that some sites put before it, and without its counters. */
export function stableTitle(title: string | undefined): string | undefined {
  const bare = title?.replace(/^[([]\d{1,4}\+?[)\]]\s*/, '');
  return bare === undefined ? undefined : (volatileForm(bare)?.form ?? bare);
}

/** A number with nothing beside it: what it counts, its neighbour says. */
export function isBareNumber(text: string): boolean {
  return BARE_NUMBER.test(text);
}

/** Whether a text is a heading or a label of a counter: "Visitors", "Page views:". */
export function isCounterLabel(text: string): boolean {
  return text.length <= LABEL_LENGTH && COUNTER_LABEL.test(text);
}

/** Characters of a text that is looked at: a clock stands in a line, not in a chapter. */
const LONGEST = 500;
const LABEL_LENGTH = 40;
/** Characters beyond which a counter is taken for part of a sentence. */
const COUNTER_LENGTH = 80;

/** A figure, or a word that stands for one. Most text has neither, and is spared the long patterns. */
const MAY_BE_VOLATILE =
  /\d|(?<!\p{L})(?:an?|one|few|several|eine[rm]|wenigen|une?|quelques|una?|uma?|een|ett?|en|now|yesterday|gestern|hier|ayer|ieri|ontem|вчера)(?!\p{L})|昨[天日]/iu;
const BARE_NUMBER = /^\d{1,3}(?:[.,' ]?\d{3})*$/;
const COUNTER_LABEL = new RegExp(
  `^(?:(?:total|unique|page|site|all)[ -])*${COUNTED_ALONE}(?: (?:so far|today))?:?$`,
  'iu',
);

const RELATIVE = new RegExp(AGO, 'giu');
const TIME_TAKEN =
  /^(?:(?:this )?(?:page|site) )?(?:was )?(?:generated|rendered|loaded|served|created|executed) (?:in|within) \d+(?:[.,]\d+)? ?(?:µs|ms|msecs?|milliseconds?|s|secs?|seconds?)(?:,? (?:with|using|and) \d+ (?:db |database |sql )?quer(?:y|ies))?\.?$/iu;
/** An id of a visit is long and has digits; a short one is of a thing that people talk about ("Incident ID: 1204"). */
const VISIT_ID =
  /\b((?:ray|request|session|incident|trace|correlation|error|event|support) id|jsessionid|phpsessid|sid|nonce)\W{1,4}(?=[a-z.+/=_-]*\d)[\w.+/=-]{16,}/giu;

const counters = (word: string): RegExp =>
  new RegExp(`(?<![\\d.,])(?:${FIGURE} ?${word}(?!\\p{L})|(?<!\\p{L})${word}: ?${FIGURE})`, 'giu');
const COUNTERS = counters(COUNTED);
const COUNTERS_ALONE = counters(COUNTED_ALONE);
const ONLY_COUNTERS = new RegExp(`^(?:\u0002|[^\\p{L}\\p{N}\u0002]|(?<!\\p{L})${JOINING}(?!\\p{L}))*$`, 'iu');

/** What else than counters stands beside them decides: shares are also sold, visitors also come. */
function withoutCounters(text: string): string {
  if (text.length > COUNTER_LENGTH) return text;
  const alone = text.replace(COUNTERS_ALONE, '\u0002');
  if (ONLY_COUNTERS.test(alone)) return alone;
  return /[.!?…。！？]$/.test(text) ? text : text.replace(COUNTERS, '\u0002');
}

interface Form {
  readonly reason: string;
  readonly marked: (text: string) => string;
}

const FORMS: readonly Form[] = [
  { reason: 'relative time', marked: (text) => text.replace(RELATIVE, '\u0001') },
  { reason: 'counter', marked: withoutCounters },
  { reason: 'clock', marked: (text) => (isClock(text) ? '\u0003' : text) },
  { reason: 'date of today', marked: (text) => (isToday(text) ? '\u0004' : text) },
  { reason: 'time taken', marked: (text) => (TIME_TAKEN.test(text) ? '\u0005' : text) },
  { reason: 'id', marked: (text) => text.replace(VISIT_ID, '$1\u0006') },
];

/**
 * Whether a text is the time of day at which a server has written it ("Stand: 21.11.2026, 14:05 Uhr"): with nothing
 * but a date beside it. Other words make it news ("Now open 9:00"), two clocks make it hours, none makes it the date of
 * a policy.
 */
function isClock(text: string): boolean {
  const rest = text.length <= LONGEST_CLOCK ? after(STARTS_UPDATED, text) : undefined;
  return rest !== undefined && (rest.match(CLOCK)?.length ?? 0) === 1 && isDate(rest.replace(CLOCK, ' '));
}

/** Whether a text says nothing but which day it is: "Today is Monday, 21 November 2026". */
function isToday(text: string): boolean {
  const rest = text.length <= LONGEST_CLOCK ? after(STARTS_TODAY, text) : undefined;
  return rest !== undefined && rest.search(CLOCK) === -1 && NAMES_A_DAY.test(rest) && isDate(rest);
}

const LONGEST_CLOCK = 120;
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
