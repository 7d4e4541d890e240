import { timeAt, timeOf } from './calendar.ts';
import type { PublishTime } from '../page.ts';
import { datesIn } from './visible-date.ts';

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
