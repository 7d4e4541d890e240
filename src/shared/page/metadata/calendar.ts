import type { PublishTime } from '../page.ts';

/** A wall clock as a page writes it: the digits of each field, year first; the fields from the hour on may be absent. */
export type Fields = readonly (string | number | undefined)[];

/**
 * The time of these fields in a zone that is an offset (`+02:00`, `-05`) or a name that RFC 5322 or newsrooms use; a
 * zone nobody knows is read as none, for the wall clock is still the page's own. Undefined for what is not on the
 * calendar or before 1995. Whether it lies too far ahead only a caller with a clock can tell.
 */
export function timeOf(fields: Fields, zone?: string): PublishTime | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = fields.map((field) => Number(field ?? 0));
  const wallClock = Date.UTC(year, month - 1, day, hour, minute, second);
  const back = new Date(wallClock);
  const exists =
    back.getUTCMonth() === month - 1 && back.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  return exists ? timeAt(wallClock, minutesAhead(zone)) : undefined;
}

/** The time of a wall clock in milliseconds that is so many minutes ahead of UTC. */
export function timeAt(wallClock: number, ahead: number): PublishTime | undefined {
  if (!(wallClock >= EARLIEST && wallClock < LATEST)) return undefined;
  return { local: new Date(wallClock).toISOString().slice(0, 19), instant: wallClock - ahead * 60_000 };
}

const EARLIEST = Date.UTC(1995, 0, 1);
/** Beyond four digits the form `YYYY-MM-DDTHH:MM:SS` ends. */
const LATEST = Date.UTC(9_999, 0, 1);

/** Minutes ahead of UTC of the zones that have names. */
const ZONES: ReadonlyMap<string, number> = new Map(
  `z:0 utc:0 gmt:0 wet:0 bst:60 cet:60 cest:120 eet:120 eest:180 msk:180 ist:330 jst:540
  est:-300 edt:-240 cst:-360 cdt:-300 mst:-420 mdt:-360 pst:-480 pdt:-420`
    .split(/\s+/)
    .map((entry) => entry.split(':'))
    .map(([name = '', minutes]) => [name, Number(minutes)]),
);

function minutesAhead(zone: string | undefined): number {
  if (zone === undefined) return 0;
  const offset = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone);
  if (!offset) return ZONES.get(zone.toLowerCase()) ?? 0;
  const minutes = Number(offset[2]) * 60 + Number(offset[3] ?? 0);
  return offset[1] === '-' ? -minutes : minutes;
}
