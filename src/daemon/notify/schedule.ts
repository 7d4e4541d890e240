import { SINK_AT_MOST } from '../../shared/limits.ts';

/**
 * When a sink may send: digests, quiet hours, so many messages an hour. Times of day are those of a wall clock in an IANA zone: on the
 * day that it is put forward an hour is missing from them, and on the day that it is put back one comes twice. Everything here is a
 * function of an instant in milliseconds since 1970; nothing reads the clock.
 */
export type DigestTimes =
  /** Multiples of `ms` since 1970 (UTC): every full hour, for `1h`. */
  | { readonly kind: 'every'; readonly ms: number }
  /** Once a day, at `minute` after midnight. */
  | { readonly kind: 'daily'; readonly minute: number };

/** Minutes after midnight, the first of them quiet and the last one not. Over midnight where `from` is later. */
export interface QuietHours {
  readonly from: number;
  readonly to: number;
}

export interface Rate {
  readonly messages: number;
  readonly ms: number;
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const LEAST_DIGEST_MS = 5 * MINUTE_MS;
const MOST_DIGEST_MS = 7 * DAY_MS;

/** `1h`, `30m`, `7d`, or `08:00`. Undefined for anything else. */
export function parseDigest(text: string): DigestTimes | undefined {
  const minute = parseTime(text);
  if (minute !== undefined) return { kind: 'daily', minute };
  const [, count = '', unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS[unit] ?? 0);
  return ms >= LEAST_DIGEST_MS && ms <= MOST_DIGEST_MS ? { kind: 'every', ms } : undefined;
}

/** `22:00-07:00`. Undefined for anything else, and for a day without an end. */
export function parseQuiet(text: string): QuietHours | undefined {
  const [from, to, ...more] = text.split('-').map(parseTime);
  if (from === undefined || to === undefined || more.length > 0 || from === to) return undefined;
  return { from, to };
}

/** `20/h`. Undefined for anything else. */
export function parseRate(text: string): Rate | undefined {
  const [, count = '', unit = ''] = /^(\d{1,4})\/([mhd])$/.exec(text) ?? [];
  const messages = Number(count);
  const ms = UNITS[unit];
  return ms === undefined || messages < 1 || messages > SINK_AT_MOST ? undefined : { messages, ms };
}

/** Minutes after midnight. */
function parseTime(text: string): number | undefined {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}

/** The first instant after `after` at which a digest is due. */
export function digestAfter(times: DigestTimes, zone: string, after: number): number {
  if (times.kind === 'every') return (Math.floor(after / times.ms) + 1) * times.ms;
  const today = Math.floor(wallOf(after, zone) / DAY_MS) * DAY_MS;
  const ofDay = (days: number): number => instantOf(today + days * DAY_MS + times.minute * MINUTE_MS, zone);
  const next = [-1, 0, 1, 2].map(ofDay).find((at) => at > after);
  // The longest that a zone has left out is a day (Samoa, 2011), which the last of them is behind.
  return next ?? after + DAY_MS;
}

/** When quiet hours end that it is in; undefined outside of them. */
export function quietUntil(quiet: QuietHours, zone: string, at: number): number | undefined {
  if (!isQuiet(quiet, zone, at)) return undefined;
  const minute = minuteOf(at, zone);
  const end = Math.floor(at / MINUTE_MS) * MINUTE_MS + ((quiet.to - minute + 1_440) % 1_440) * MINUTE_MS;
  if (offsetOf(end, zone) === offsetOf(at, zone)) return end;
  // The clock is set meanwhile, which changes nothing before it is.
  let next = Math.floor(at / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
  while (isQuiet(quiet, zone, next)) next += MINUTE_MS;
  return next;
}

export function isQuiet({ from, to }: QuietHours, zone: string, at: number): boolean {
  const minute = minuteOf(at, zone);
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}

/**
 * How many messages may be sent now, after those that were sent at these times, oldest first; and from when on there may be one, where
 * there may be none now. In no span of `ms` are there more than `messages`.
 */
export function quotaAt(
  { messages, ms }: Rate,
  sent: readonly number[],
  now: number,
): { readonly left: number; readonly from: number } {
  // What a clock that was ahead has noted counts for nothing: it would hold the sink up until then.
  const counted = sent.filter((at) => at > now - ms && at <= now);
  const oldest = counted.at(-messages);
  return { left: Math.max(0, messages - counted.length), from: oldest === undefined ? now : oldest + ms };
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** @throws {RangeError} for what is no zone. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', era: 'short', ...parts });
  formats.set(zone, format);
  return format;
}

/** What the clock on the wall shows, as if it were in UTC; to the minute. */
function wallOf(at: number, zone: string): number {
  const parts: Record<string, string> = {};
  for (const { type, value } of formatOf(zone).formatToParts(at)) parts[type] = value;
  const { year, month, day, hour, minute } = parts;
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute));
}

function offsetOf(at: number, zone: string): number {
  return wallOf(at, zone) - Math.floor(at / MINUTE_MS) * MINUTE_MS;
}

function minuteOf(at: number, zone: string): number {
  return (wallOf(at, zone) / MINUTE_MS) % 1_440;
}

/**
 * When the wall clock shows this: the first time, where it does twice; and where it never does, as much later as the clock is put
 * forward by (as Temporal's "compatible").
 */
function instantOf(wall: number, zone: string): number {
  const [before, after] = [offsetOf(wall - DAY_MS, zone), offsetOf(wall + DAY_MS, zone)];
  const candidates = [wall - before, wall - after].toSorted((one, two) => one - two);
  return candidates.find((at) => wallOf(at, zone) === wall) ?? wall - before;
}
