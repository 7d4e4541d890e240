import type { PublishTime } from './page.ts';

/**
 * Dates as pages write them for machines: ISO 8601 in its common shapes (extended, compact, date alone), RFC 5322 and
 * its relatives with an English month, and Unix time. What is not a date of the calendar, or lies before 1995, is
 * none; whether it lies too far ahead only a caller with a clock can tell.
 */
export function parsePublishTime(written: string): PublishTime | undefined {
  const text = written.slice(0, 100).trim();
  return iso(text) ?? withMonthName(text) ?? unix(text);
}

const ISO =
  /^(\d{4})([-/.]?)(\d{2})\2(\d{2})(?:(?:T|\s+)?(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?\s*([a-z]+|[+-]\d{2}:?(?:\d{2})?)?)?$/i;

function iso(text: string): PublishTime | undefined {
  const found = ISO.exec(text);
  if (!found) return undefined;
  const [, year, , month, day, hour, minute, second, zone] = found;
  return publishTime([year, month, day, hour, minute, second], zone);
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH = `(${MONTHS.join('|')})[a-z]*\\.?`;
const DAY_MONTH = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?[\\s-]+${MONTH},?[\\s-]+(\\d{4})\\b`, 'i');
const MONTH_DAY = new RegExp(`\\b${MONTH}\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+(\\d{4})\\b`, 'i');
const CLOCK = /\b(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([ap])?\.?(?:m\b\.?)?/i;

function withMonthName(text: string): PublishTime | undefined {
  const dayFirst = DAY_MONTH.exec(text);
  const monthFirst = dayFirst ? null : MONTH_DAY.exec(text);
  const [day, name, year] = dayFirst?.slice(1) ?? [monthFirst?.[2], monthFirst?.[1], monthFirst?.[3]];
  if (name === undefined) return undefined;
  const month = String(MONTHS.indexOf(name.toLowerCase()) + 1);
  const clock = CLOCK.exec(text);
  if (!clock) return publishTime([year, month, day], undefined);
  const [whole, hour, minute, second, half] = clock;
  const zone = /^\s*(?:GMT|UTC)?([+-]\d{2}:?\d{2})|^\s*([a-z]+)/i.exec(text.slice(clock.index + whole.length));
  return publishTime([year, month, day, inDay(hour, half), minute, second], zone?.[1] ?? zone?.[2]);
}

/** The hour of a 12-hour clock, where a half of the day is named. */
function inDay(hour: string | undefined, half: string | undefined): string | undefined {
  if (half === undefined) return hour;
  return String((Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0));
}

function unix(text: string): PublishTime | undefined {
  if (!/^\d{9,10}(?:\d{3})?$/.test(text)) return undefined;
  const seconds = Number(text.length > 10 ? text.slice(0, -3) : text);
  return credible(seconds * 1_000, 0);
}

/** Minutes ahead of UTC of the zones that RFC 5322 and newsrooms write by name. */
const ZONES: ReadonlyMap<string, number> = new Map(
  `z:0 utc:0 gmt:0 wet:0 bst:60 cet:60 cest:120 eet:120 eest:180 msk:180 ist:330 jst:540
  est:-300 edt:-240 cst:-360 cdt:-300 mst:-420 mdt:-360 pst:-480 pdt:-420`
    .split(/\s+/)
    .map((entry) => entry.split(':'))
    .map(([name = '', minutes]) => [name, Number(minutes)]),
);

/** A zone nobody knows is read as none: the wall clock is still the page's own. */
function minutesAhead(zone: string | undefined): number {
  if (zone === undefined) return 0;
  const offset = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone);
  if (!offset) return ZONES.get(zone.toLowerCase()) ?? 0;
  const minutes = Number(offset[2]) * 60 + Number(offset[3] ?? 0);
  return offset[1] === '-' ? -minutes : minutes;
}

function publishTime(fields: readonly (string | undefined)[], zone: string | undefined): PublishTime | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = fields.map((field) => Number(field ?? 0));
  const wallClock = Date.UTC(year, month - 1, day, hour, minute, second);
  const back = new Date(wallClock);
  const exists =
    back.getUTCMonth() === month - 1 && back.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  return exists ? credible(wallClock, minutesAhead(zone)) : undefined;
}

const EARLIEST = Date.UTC(1995, 0, 1);
/** Beyond four digits the form `YYYY-MM-DDTHH:MM:SS` ends. */
const LATEST = Date.UTC(9_999, 0, 1);

function credible(wallClock: number, ahead: number): PublishTime | undefined {
  if (!(wallClock >= EARLIEST && wallClock < LATEST)) return undefined;
  return { local: new Date(wallClock).toISOString().slice(0, 19), instant: wallClock - ahead * 60_000 };
}
