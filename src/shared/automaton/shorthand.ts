/** `\d` and its kind: in Lucene the plain letter d, and hardly ever meant as one. */
export interface Shorthand {
  /** UTF-16 units into the pattern. */
  readonly start: number;
  readonly end: number;
  /** What says the same in this dialect, to put in its place; absent where nothing does (`\W` inside a class). */
  readonly replacement?: string;
}

const MEMBERS: Readonly<Record<string, string>> = { d: '0-9', w: 'A-Za-z0-9_', s: ' \t\n\r\f\v' };

export function shorthandAt(pattern: string, start: number, inClass: boolean): Shorthand | undefined {
  const letter = pattern.charAt(start + 1);
  const members = MEMBERS[letter.toLowerCase()];
  if (members === undefined || !/[dwsDWS]/.test(letter)) return undefined;
  const span = { start, end: start + 2 };
  if (letter !== letter.toLowerCase()) return inClass ? span : { ...span, replacement: `[^${members}]` };
  return { ...span, replacement: inClass ? members : `[${members}]` };
}
