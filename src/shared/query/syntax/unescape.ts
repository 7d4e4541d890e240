import { diagnostic } from '../codes.ts';
import type { Span } from '../ast.ts';
import { SyntaxRefusal } from './syntax-refusal.ts';

/** Takes the backslashes away: `\x` is x, `\u0041` the UTF-16 unit 0041. `span` is where `raw` stands in the query. */
export function unescape(raw: string, span: Span): string {
  if (!raw.includes('\\')) return raw;
  let text = '';
  for (let at = 0; at < raw.length; at++) {
    if (raw[at] !== '\\') {
      text += raw.charAt(at);
    } else if (raw[at + 1] === 'u') {
      text += unit(raw, at, span);
      at += 5;
    } else if (at + 1 === raw.length) {
      // The last of a range's bound, which ends at a space or bracket whatever stands before it.
      const place = { start: span.start + at, end: span.start + at + 1 };
      const message = 'The backslash at the end of the bound escapes nothing.';
      const hint = { message: 'A backslash that is meant as a character is written twice.', replacement: '\\\\' };
      throw new SyntaxRefusal(diagnostic('bad_escape', place, message, { hint }));
    } else {
      text += raw.charAt(at + 1);
      at += 1;
    }
  }
  return text;
}

/** `*` and `?` of a pattern made from plain text are letters. */
export function escapeWildcards(text: string): string {
  return text.replace(/[\\*?]/g, '\\$&');
}

/** A written wildcard with no more backslashes than it needs: `*\/blog\/*` is `*` + `/blog/` + `*`. */
export function plainPattern(written: string): string {
  return written.replace(/\\([^])/g, (escaped, character: string) => (/[\\*?]/.test(character) ? escaped : character));
}

function unit(raw: string, at: number, span: Span): string {
  const digits = raw.slice(at + 2, at + 6);
  if (/^[0-9A-Fa-f]{4}$/.test(digits)) return String.fromCharCode(Number.parseInt(digits, 16));
  const start = span.start + at;
  const place = { start, end: Math.min(start + 2 + digits.length, span.end) };
  const message = `\\u${digits} is no character: four hexadecimal digits must follow \\u.`;
  throw new SyntaxRefusal(diagnostic('bad_escape', place, message));
}
