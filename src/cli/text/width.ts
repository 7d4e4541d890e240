import { createRequire } from 'node:module';
import type stringWidth from 'string-width';

const plain = /^[\x20-\x7e]*$/;
const require = createRequire(import.meta.url);
let measure: typeof stringWidth | undefined;

/**
 * How many columns of a terminal the text takes. The package that knows of wide and combining characters and of emoji
 * costs 30 ms to load, a fifth of a short command: it is loaded, at once and not by `import`, with the first text that
 * needs it.
 */
export function widthOf(text: string): number {
  if (isPlain(text)) return text.length;
  measure ??= load();
  return measure(text);
}

/** Whether each character is one that a terminal shows one column wide, as in nearly all that is ever measured. */
export function isPlain(text: string): boolean {
  return plain.test(text);
}

function load(): typeof stringWidth {
  const loaded: { readonly default: typeof stringWidth } = require('string-width');
  return loaded.default;
}

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
