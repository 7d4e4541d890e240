/** `\d` and its kind: in Lucene the plain letter d, and hardly ever meant as one. */
export interface Shorthand {
  /** UTF-16 units into the pattern. */
  readonly start: number;
  readonly end: number;
  /**
   * What says the same in this dialect, to put in its place. Absent where nothing does (`\W` inside a class), and for
   * white space, of which a URL has none.
   */
  readonly replacement?: string;
}

const MEMBERS: Readonly<Record<string, string>> = { d: '0-9', w: 'A-Za-z0-9_' };

export function shorthandAt(pattern: string, start: number, inClass: boolean): Shorthand | undefined {
  const letter = pattern.charAt(start + 1);
  if (letter === '' || !'dwsDWS'.includes(letter)) return undefined;
  const span = { start, end: start + 2 };
  const members = MEMBERS[letter.toLowerCase()];
  const isNegated = letter !== letter.toLowerCase();
  if (members === undefined || (inClass && isNegated)) return span;
  if (inClass) return { ...span, replacement: members };
  return { ...span, replacement: isNegated ? `[^${members}]` : `[${members}]` };
}
