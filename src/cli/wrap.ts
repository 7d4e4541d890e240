import { widthOf } from './width.ts';

/**
 * The text in lines of at most `width` columns, broken at spaces only: a word that is wider stands on a line of its
 * own, for the terminal to break.
 * @param indent columns of the first line that are taken, and spaces that the others begin with
 */
export function wrap(text: string, width: number, indent: number): string[] {
  const lines: string[] = [];
  let line = '';
  let columns = indent;
  for (const word of text.split(' ')) {
    const next = widthOf(word);
    if (line !== '' && columns + 1 + next > width) {
      lines.push(line);
      line = ' '.repeat(indent) + word;
      columns = indent + next;
    } else {
      columns += next + (line === '' ? 0 : 1);
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
