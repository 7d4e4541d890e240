/** Spans of time as people say them, and as they type them. */

const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const;

/** `3 d 4 h`, `12 m`, `45 s`: the two largest units, the second only where it says something. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  const index = units.findIndex(([, size]) => seconds >= size);
  const first = units[index];
  if (!first) return '0 s';
  const second = units[index + 1];
  const rest = second && index < 2 ? Math.floor((seconds % first[1]) / second[1]) : 0;
  const head = `${Math.floor(seconds / first[1])} ${first[0]}`;
  return rest > 0 && second ? `${head} ${rest} ${second[0]}` : head;
}

/** `3 m ago`, `in 3 m`, `now`; the text itself where it is no timestamp. */
export function relative(timestamp: string, now: number): string {
  const at = Date.parse(timestamp);
  if (Number.isNaN(at)) return timestamp;
  const distance = now - at;
  if (Math.abs(distance) < 1_000) return 'now';
  return distance > 0 ? `${duration(distance)} ago` : `in ${duration(-distance)}`;
}

/** Seconds of `90`, `30s`, `10m`, `1h`, `1d`; undefined when it is none of these. */
export function parseSeconds(text: string): number | undefined {
  const found = /^(\d{1,9})([smhd]?)$/.exec(text.trim());
  if (!found) return undefined;
  const size = units.find(([unit]) => unit === found[2])?.[1] ?? 1;
  return Number(found[1]) * size;
}

/** Seconds as they would be typed: `600` → `10 m`. */
export function every(seconds: number): string {
  const exact = units.find(([, size]) => seconds >= size && seconds % size === 0);
  return exact ? `${seconds / exact[1]} ${exact[0]}` : `${seconds} s`;
}

const NO_TIME = '--:--:--';

/** The time of day where the reader is, with the day where it is not today's: `14:02:11`, `02-13 14:02`. */
export function clockTime(instant: string, now: number): string {
  const local = localTime(instant);
  if (local === undefined) return NO_TIME;
  const [day = '', time = ''] = local.split(' ');
  return localTime(new Date(now).toISOString())?.startsWith(day) === true
    ? time
    : `${day.slice('2026-'.length)} ${time.slice(0, '14:02'.length)}`;
}

/** `14:02:11`, where the reader is. */
export function timeOfDay(instant: string): string {
  return localTime(instant)?.split(' ')[1] ?? NO_TIME;
}

/** `2026-02-13 14:02:11 +01:00`, where the reader is; undefined where it is no instant. */
export function localTime(instant: string): string | undefined {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return undefined;
  const ahead = -at.getTimezoneOffset();
  const wall = new Date(at.getTime() + ahead * 60_000).toISOString().slice(0, 19).replace('T', ' ');
  const [hours, minutes] = [Math.trunc(Math.abs(ahead) / 60), Math.abs(ahead) % 60];
  return `${wall} ${ahead < 0 ? '-' : '+'}${twoDigits(hours)}:${twoDigits(minutes)}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
