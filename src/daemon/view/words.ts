import { html, type Html } from './html.ts';
import { grouped } from '../../shared/grouped.ts';
import { webAddress } from '../../shared/documents/feed.ts';
import { utcMinute } from '../../shared/text/universal-time.ts';

/** Words and small pieces that every screen uses. */
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** `now`, `5 min ago`, `in 3 h`, `2 days ago`; beyond a month the date. The script writes the same words again as time goes by. */
export function timeOf(timestamp: string, now: number): Html {
  const at = Date.parse(timestamp);
  if (Number.isNaN(at)) return html`${timestamp}`;
  const instant = new Date(at).toISOString();
  return html`<time datetime="${instant}" title="${utcMinute(instant)}">${distance(at - now, instant)}</time>`;
}

function distance(ms: number, instant: string): string {
  const away = Math.abs(ms);
  if (away > 31 * DAY_MS) return instant.slice(0, 10);
  const length = spanOf(away);
  if (length === '') return 'now';
  return ms > 0 ? `in ${length}` : `${length} ago`;
}

/** `5 min`, `3 h`, `2 days`; empty below a minute. */
function spanOf(ms: number): string {
  if (ms < MINUTE_MS) return '';
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`;
  if (ms < 2 * DAY_MS) return `${Math.floor(ms / HOUR_MS)} h`;
  return `${Math.floor(ms / DAY_MS)} days`;
}

/** `5 minutes`, `3 hours`, `1 day`: how often something is done. */
export function everyOf(minutes: number): string {
  if (minutes % 1_440 === 0) return minutes === 1_440 ? 'day' : `${minutes / 1_440} days`;
  if (minutes % 60 === 0) return minutes === 60 ? 'hour' : `${minutes / 60} hours`;
  return `${minutes} minutes`;
}

/** `0.4 s`, `12 s`, `3 min`; a dash where there is none. */
export function lateness(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return '–';
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  return ms < MINUTE_MS ? `${Math.round(ms / 1_000)} s` : spanOf(ms);
}

/** `1.2 GB`. */
export function bytesOf(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let [value, unit] = [bytes, 0];
  while (value >= 1_000 && unit < units.length - 1) [value, unit] = [value / 1_000, unit + 1];
  return `${value >= 100 || unit === 0 ? grouped(Math.round(value)) : value.toFixed(1)} ${units[unit] ?? ''}`;
}

/** At most so many UTF-16 units, with an ellipsis where something is left out. */
export function clipped(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
  return `${cut}…`;
}

/** Characters of an address or a title that are shown. */
const SHOWN = 200;

/** A stranger's text, which may be written in the other direction: what is beside it stays where it is. */
export function name(text: string): Html {
  return html`<bdi>${clipped(text, SHOWN)}</bdi>`;
}

/** A link to a page of the web; a text where the address is none that HTTP serves: `javascript:` would run on a click. */
export function outwards(url: string, text: string = url): Html {
  const address = webAddress(url);
  if (address === undefined) return name(text);
  return html`<a href="${address}" rel="noreferrer noopener external">${name(text)}</a>`;
}

/** `path?tap=news`, without what is absent. */
export function address(path: string, query: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([key, value]): [string, string] => [key, String(value)])).toString();
  return text === '' ? path : `${path}?${text}`;
}
