import { SINK_AT_MOST, SINK_TEMPLATE_LENGTH } from '../limits.ts';
import { MESSAGE_FIELDS } from './notify-values.ts';

/**
 * When a sink sends, as people write it. Each function says what is wrong with a text, to be put behind the name of the
 * setting: `must be …`; undefined where nothing is.
 */

/** Seconds between two digests. */
const DIGEST_SECONDS = { least: 300, most: 7 * 86_400 } as const;
const UNITS: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400 };

/** `1h`, `30m`, `1d`, or `08:00`. */
export function digestFault(text: string): string | undefined {
  if (isTimeOfDay(text)) return undefined;
  const [, digits, unit = ''] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  if (digits === undefined) return 'must be an interval such as 30m, 1h or 1d, or a time of day such as 08:00';
  const seconds = Number(digits) * (UNITS[unit] ?? 0);
  if (seconds >= DIGEST_SECONDS.least && seconds <= DIGEST_SECONDS.most) return undefined;
  return 'must be an interval from 5m to 7d, or a time of day such as 08:00';
}

/** `22:00-07:00`. */
export function quietFault(text: string): string | undefined {
  const [from, to, ...more] = text.split('-');
  if (from === undefined || to === undefined || more.length > 0 || !isTimeOfDay(from) || !isTimeOfDay(to)) {
    return 'must be a window such as 22:00-07:00, from 00:00 to 23:59';
  }
  return from === to
    ? 'must not begin and end at the same time: that would be always; pause the sink instead'
    : undefined;
}

function isTimeOfDay(text: string): boolean {
  return /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text);
}

/** `20/h`. */
export function atMostFault(text: string): string | undefined {
  const count = Number(/^(\d{1,4})\/[mhd]$/.exec(text)?.[1] ?? 0);
  if (count >= 1 && count <= SINK_AT_MOST) return undefined;
  return `must be a number of messages in a time, from 1 to ${SINK_AT_MOST}: 5/m, 20/h, 100/d`;
}

/** `Europe/Berlin`. */
export function zoneFault(text: string): string | undefined {
  return isZone(text) ? undefined : 'must be an IANA time zone such as Europe/Berlin';
}

/** An offset is none: it has no summer time. */
function isZone(text: string): boolean {
  try {
    return !/^[+-]/.test(text) && Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** `{title}: {url}`. */
export function templateFault(text: string): string | undefined {
  if (text === '' || text.length > SINK_TEMPLATE_LENGTH) return `must have 1 to ${SINK_TEMPLATE_LENGTH} characters`;
  for (const [part, field] of text.matchAll(/\{\{|\}\}|\{([^{}]*)\}|[{}]/g)) {
    if (part === '{' || part === '}')
      return `has a \`${part}\` that stands alone; a brace is written \`${part}${part}\``;
    if (field === undefined || MESSAGE_FIELDS.some((known) => known === field)) continue;
    return `has no field \`${field}\`; fields are ${MESSAGE_FIELDS.join(', ')}`;
  }
  return undefined;
}
