import type { Matcher } from './matcher.ts';
import { commonPieces } from './pieces.ts';
import { GlobBits, type GlobPart } from './wildcard-bits.ts';

/**
 * The matcher of a wildcard pattern: `*` is any run of characters, `?` one code point, `\` makes the next character
 * itself (a last `\` is itself). Never throws.
 */
export function compileWildcard(pattern: string): Matcher {
  const parts = partsOf(pattern);
  const runs = parts.map(runsOf);
  const first = runs[0] ?? [''];
  const last = runs.at(-1) ?? [''];
  const literal = parts.every((part) => !part.includes(undefined)) && pattern.isWellFormed();
  const matches = literal ? literalGlob(runs.map((run) => run.join(''))) : bitGlob(parts);
  return { matches, ...commonPieces(first[0] ?? '', last.at(-1) ?? '', runs.flat()) };
}

/** The pattern split at its stars; a pattern without any is one part. */
function partsOf(pattern: string): GlobPart[] {
  let part: (string | undefined)[] = [];
  const parts = [part];
  let escaped = false;
  for (const character of pattern) {
    if (escaped) {
      part.push(character);
      escaped = false;
    } else if (character === '\\') escaped = true;
    else if (character === '*') parts.push((part = []));
    else part.push(character === '?' ? undefined : character);
  }
  if (escaped) part.push('\\');
  return parts;
}

/** The literal text between the part's question marks. */
function runsOf(part: GlobPart): string[] {
  const runs = [''];
  for (const character of part) {
    if (character === undefined) runs.push('');
    else runs[runs.length - 1] += character;
  }
  return runs;
}

/**
 * Only stars and text, as nearly all are: each piece is taken where it first occurs, which leaves most to the rest,
 * so nothing is ever tried twice. The search within is the engine's own, at worst text by piece: a million steps in
 * the longest URL there is.
 */
function literalGlob(pieces: readonly string[]): (text: string) => boolean {
  const first = pieces[0] ?? '';
  if (pieces.length < 2) return (text) => text === first;
  const last = pieces.at(-1) ?? '';
  const middle = pieces.slice(1, -1).filter((piece) => piece !== '');
  return (text) => {
    const end = text.length - last.length;
    if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false;
    let at = first.length;
    for (const piece of middle) {
      const found = text.indexOf(piece, at);
      if (found < 0) return false;
      at = found + piece.length;
    }
    return at <= end;
  };
}

function bitGlob(parts: readonly GlobPart[]): (text: string) => boolean {
  const bits = new GlobBits(parts);
  return (text) => bits.matches(text);
}
