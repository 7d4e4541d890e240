import { printable } from '../printable.ts';
import { widthOf } from '../width.ts';
import { line, type Line, lineOf, type Style } from './styled-line.ts';
import type { Row } from './tail-model.ts';
import { marked, matchedWords } from './tail-words.ts';

/** Lines of one match's details at most: what does not fit is read in the JSON. */
const LINES = 200;

/**
 * One match in full: title, address, the rules it matched, and what came and went, wrapped at `width` columns. Where
 * the terminal is `low`, what came and went stands before the rest, which may not be seen.
 */
export function detailLines(row: Row, width: number, low: boolean): Line[] {
  const { update, rules } = row;
  const { document } = update.match;
  const words = matchedWords(row);
  const facts = [document.url, document.publish_time, document.language].filter((fact) => fact !== undefined);
  const chunks = document.diff?.chunks ?? [];
  const title = lineOf(width, marked(` ${printable(document.title ?? 'without a title')}`, words, 'bold'));
  const about = [
    line(width, [` ${printable(facts.join('  '))}`, 'dim']),
    ...rules.map((rule) => line(width, [` rule  ${printable(`${rule.tag ?? rule.id}  ${rule.value}`)}`, 'dim'])),
  ];
  const change = chunks.flatMap((chunk) => block(chunk.typ === 'ins' ? '+' : '-', printable(chunk.text), width, words));
  return [title, ...(low ? [...change, [], ...about] : [...about, [], ...change])].slice(0, LINES);
}

function block(sign: '+' | '-', text: string, width: number, words: ReadonlySet<string>): Line[] {
  const style: Style = sign === '+' ? 'green' : 'red';
  return wrap(text, Math.max(1, width - 4)).map((part) =>
    lineOf(width, [{ text: ` ${sign} `, style }, ...marked(part, words, style)]),
  );
}

/** Breaks at spaces, and inside a word that is wider than a line. Width counts columns: a CJK character has two. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let current = '';
  let used = 0;
  const flush = (): void => {
    if (current !== '') lines.push(current);
    current = '';
    used = 0;
  };
  for (const word of text.split(' ').filter((part) => part !== '')) {
    const wide = widthOf(word);
    if (used > 0 && used + 1 + wide > width) flush();
    if (wide > width) {
      for (const { segment } of graphemes.segment(word)) {
        const columns = widthOf(segment);
        if (used + columns > width) flush();
        current += segment;
        used += columns;
      }
      continue;
    }
    current += used > 0 ? ` ${word}` : word;
    used += used > 0 ? wide + 1 : wide;
  }
  flush();
  return lines;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
