import { OWN_HEADER_LENGTH, OWN_HEADERS } from '../limits.ts';

/** Headers as an operator may set them, and as a command of his prints them. No message repeats a value. */

/** What is wrong with one of them, to follow "The headers"; undefined where nothing is. */
export function checkedHeaders(headers: Readonly<Record<string, string>>): string | undefined {
  for (const [name, value] of Object.entries(headers)) {
    if (!TOKEN.test(name)) return 'have a name that is none: letters, digits and hyphens, such as X-Api-Key';
    if (RESERVED.has(name)) return `cannot have ${name}, which is hydrant’s own to send`;
    if (value.length > OWN_HEADER_LENGTH)
      return `have a value of ${name} that is longer than ${OWN_HEADER_LENGTH} characters`;
    // A line break would end the header, and begin another.
    if (!VALUE.test(value))
      return `have a value of ${name} that cannot be sent: it is empty, or has line ends or characters beyond Latin-1`;
  }
  return undefined;
}

const TOKEN = /^[!#$%&'*+.^_`|~\da-z-]{1,100}$/;
const VALUE = /^[\x21-\x7e\xa0-\xff](?:[\t\x20-\x7e\xa0-\xff]*[\x21-\x7e\xa0-\xff])?$/;

/** Of the connection, of the encodings that are read, of what has changed since: not the operator's to say. */
const RESERVED: ReadonlySet<string> = new Set(
  (
    'host connection content-length transfer-encoding te trailer upgrade expect keep-alive proxy-authorization ' +
    'proxy-connection accept-encoding if-none-match if-modified-since if-match if-unmodified-since if-range range ' +
    'constructor __proto__'
  ).split(' '),
);

/** Headers that stand one a line, `Name: value`; a sentence where they do not. Of one name that comes twice, the last. */
export function headersIn(output: string): Readonly<Record<string, string>> | string {
  const lines = output.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines.length === 0) return 'it printed no header';
  if (lines.length > OWN_HEADERS) return `it printed more than ${OWN_HEADERS} lines`;
  const headers = new Map<string, string>();
  for (const [index, line] of lines.entries()) {
    const colon = line.indexOf(':');
    if (colon < 1) return `line ${index + 1} of its output is no header, such as Cookie: name=value`;
    headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  const found = Object.fromEntries(headers);
  const fault = checkedHeaders(found);
  return fault === undefined ? found : `the headers that it printed ${fault}`;
}
