/**
 * A stranger's text, quoted for a log line or a terminal: at most 100 characters, and nothing in it that could start
 * a new line, move a cursor or reverse the reading direction.
 */
export function quote(text: string): string {
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return `"${short.toWellFormed().replaceAll(UNSAFE, escaped)}"`;
}

/** A stranger's URL, or what he takes for one, without the name and password that it may carry. */
export function quoteUrl(text: string): string {
  return quote(text.replace(/^([^/?#]*[/\\]{2})[^/?#]*@/, '$1…@'));
}

const LONGEST = 100;
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"\\]/gu;

function escaped(character: string): string {
  return character === '"' || character === '\\' ? `\\${character}` : `\\u{${codeOf(character)}}`;
}

/** `a`, `1f512`: hexadecimal, as in JavaScript's `\u{…}`. */
export function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16);
}
