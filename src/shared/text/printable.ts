/**
 * Text from outside – titles, URLs, names, messages – on its way to a terminal. An escape sequence in a page's title
 * can retitle the window, move the cursor over what was printed, or hide a part of it; a bidirectional override shows
 * a URL backwards; tag characters (U+E0000 to U+E007F) are seen by nobody but a machine that is given the text. Line ends and tabs become a space, every other control character the replacement character, so
 * that one still sees that something was there. A code unit stays a code unit: spans keep their offsets.
 */
export function printable(text: string): string {
  if (ASCII.test(text)) return text;
  return text
    .toWellFormed()
    .replaceAll(blank, ' ')
    .replaceAll(control, (found) => '\u{fffd}'.repeat(found.length));
}

/** JSON on one line, in which the same characters are escaped: the value is untouched, the terminal too. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(control, (character) =>
    Array.from({ length: character.length }, (_, at) => unit(character.charCodeAt(at))).join(''),
  );
}

/** Whether there is what a terminal may not be given, line ends and tabs apart. */
export function hasControls(text: string): boolean {
  return [...text.matchAll(control)].some(([found]) => !LAYOUT.has(found));
}

/** The same characters as escapes of YAML, which mean themselves between double quotes. */
export function escapedControls(text: string): string {
  return text.replaceAll(control, (found) =>
    LAYOUT.has(found) ? found : `\\U${(found.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`,
  );
}

const LAYOUT: ReadonlySet<string> = new Set(['\n', '\t']);

/** One code unit, as JSON escapes it. */
function unit(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}

/** For a program that is given a page's text, as it is or in JSON: what no reader of the page has seen is not in it. */
export function withoutTags(text: string): string {
  return text.replaceAll(tags, '\u{fffd}');
}

/** Most texts: the patterns below cost 10 ms to compile. */
const ASCII = /^[\x20-\x7e]*$/;
const blank = /[\t\n\v\f\r\u0085\u2028\u2029]/g;
/** C0, DEL and C1; what sets or overrides the direction of text; the two separators; tag characters. */
const control = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\u{e0000}-\u{e007f}]/gu;
/** Tag characters, as they are and as JSON escapes them. */
const tags = /[\u{e0000}-\u{e007f}]|\\udb40\\udc[0-7][0-9a-f]/giu;

/** A word as a POSIX shell has to be told it; in a command that we suggest, and that one copies. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** The host of a URL, without a `www.` that says nothing. */
export function domainOf(url: string): string {
  const host = URL.parse(url)?.hostname || url;
  return printable(host.replace(/^www\./, ''));
}
