import { printable } from './printable.ts';
import { widthOf } from './width.ts';

/** The time of day where the reader is; dashes where it is no instant. */
export function clockTime(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return '--:--:--';
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
}

/** The host of a URL, without a `www.` that says nothing. */
export function domainOf(url: string): string {
  const host = URL.parse(url)?.hostname || url;
  return printable(host.replace(/^www\./, ''));
}

/** Fills with spaces up to `width` columns. */
export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}
