/**
 * Text from outside – titles, URLs, names, messages – on its way to a terminal. An escape sequence in a page's title
 * can retitle the window, move the cursor over what was printed, or hide a part of it; a bidirectional override shows
 * a URL backwards. Line ends and tabs become a space, every other control character the replacement character, so
 * that one still sees that something was there. A code unit stays a code unit: spans keep their offsets.
 */
export function printable(text: string): string {
  return text.toWellFormed().replaceAll(blank, ' ').replaceAll(control, '\u{fffd}');
}

/** JSON on one line, in which the same characters are escaped: the value is untouched, the terminal too. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    control,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const blank = /[\t\n\v\f\r\u0085\u2028\u2029]/g;
/** C0, DEL and C1; what sets or overrides the direction of text; the two separators. */
const control = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;
