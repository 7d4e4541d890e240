/** A day of the Gregorian calendar: year, month from 1, day. */
export type CalendarDay = readonly [year: number, month: number, day: number];

/**
 * The day that a date names whose year is counted from another beginning: Thai years from 543 years earlier, Persian
 * ones from 622, with months of their own. No year of either is one of a page's dates in our count.
 */
export function gregorian(year: number, month: number, day: number): CalendarDay {
  if (year >= 2_400 && year < 2_700) return [year - 543, month, day];
  return isPersianYear(year) ? ofPersian(year, month, day) : [year, month, day];
}

export function isPersianYear(year: number): boolean {
  return year >= 1_370 && year < 1_500;
}

/** The month (1 to 12) of the Persian calendar that a word names. */
export function persianMonth(word: string): number | undefined {
  return PERSIAN.get(word.replace(/ي/g, 'ی'));
}

const PERSIAN: ReadonlyMap<string, number> = new Map([
  ...'فروردین اردیبهشت خرداد تیر مرداد شهریور مهر آبان آذر دی بهمن اسفند'
    .split(' ')
    .map((name, index): [string, number] => [name, index + 1]),
  ['امرداد', 5],
  ['ابان', 8],
  ['اذر', 9],
]);

/** By the cycle of 33 years, eight of them leap years, which agrees with the official calendar in the years of the web. */
function ofPersian(year: number, month: number, day: number): CalendarDay {
  const days = month <= 7 ? (month - 1) * 31 : (month - 1) * 30 + 6;
  const leaps = Math.floor((8 * year + 21) / 33);
  const back = new Date((day + days + leaps + (year - 1) * 365 - DAYS_TO_1970) * 86_400_000);
  const isOne = month >= 1 && month <= 12 && day >= 1 && day <= (month <= 6 ? 31 : 30);
  return isOne ? [back.getUTCFullYear(), back.getUTCMonth() + 1, back.getUTCDate()] : [0, 0, 0];
}

/** From the last day before the first Persian year on. */
const DAYS_TO_1970 = 492_269;
