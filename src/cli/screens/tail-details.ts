import { printable } from '../text/printable.ts';
import { widthOf } from '../text/width.ts';
import { line, type Line, lineOf, type Span, type Style } from './styled-line.ts';
import type { Row } from './tail-model.ts';
import type { Rule } from '../../shared/api/rule.ts';
import { analyze } from '../../shared/analysis/analyze.ts';
import { explain, type Explanation } from '../../shared/match/explain.ts';
import type { FieldValues } from '../../shared/match/document.ts';
import type { Query } from '../../shared/query/ast.ts';
import { validate } from '../../shared/query/validate.ts';

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

const queries = new WeakMap<Rule, Query | undefined>();
const found = new WeakMap<Row, { readonly length: number; readonly words: ReadonlySet<string> }>();

/**
 * The words of a match that its rules are about, in lower case: what each clause hits in the title and in what came
 * and went. A clause that needs more than the delivered match (an age, a link) hits nothing and takes no word from
 * the others. Asked for again with every frame, found once.
 *
 * @param length of what came and went, the characters that count: a list shows the beginning only
 */
export function matchedWords(row: Row, length = Number.POSITIVE_INFINITY): ReadonlySet<string> {
  const known = found.get(row);
  if (known?.length === length) return known.words;
  const values = valuesOf(row, length);
  const { texts } = values;
  const words = new Set<string>();
  for (const { field, value, start, end } of row.rules.flatMap((rule) => placesOf(rule, values))) {
    if (!SHOWN.has(field)) continue;
    eachTerm(texts[field]?.[value]?.slice(start, end) ?? '', (term) => words.add(term));
  }
  found.set(row, { length, words });
  return words;
}

/** Fields whose text is on the screen as it is in the page. */
const SHOWN: ReadonlySet<string> = new Set(['title', 'added', 'removed']);

function placesOf(rule: Rule, values: FieldValues): Explanation['places'] {
  const query = queryOf(rule);
  return query ? placesIn(explain(query, values)) : [];
}

/** As much of the page as was delivered. */
function valuesOf({ update }: Row, length: number): FieldValues {
  const { title, url, diff } = update.match.document;
  const chunks = (diff?.chunks ?? []).map(({ typ, text }) => ({ typ, text: text.slice(0, length) }));
  return {
    texts: {
      ...(title !== undefined && { title: [title] }),
      url: [url],
      added: chunks.filter(({ typ }) => typ === 'ins').map(({ text }) => text),
      removed: chunks.filter(({ typ }) => typ === 'del').map(({ text }) => text),
    },
    numbers: {},
  };
}

/** The text in pieces, those that are one of the words with the style of a hit. */
export function marked(text: string, words: ReadonlySet<string>, style: Style): Span[] {
  if (words.size === 0) return [{ text, style }];
  const spans: Span[] = [];
  let at = 0;
  eachTerm(text, (term, start, end) => {
    if (!words.has(term)) return;
    if (start > at) spans.push({ text: text.slice(at, start), style });
    spans.push({ text: text.slice(start, end), style: 'hit' });
    at = end;
  });
  return at < text.length ? [...spans, { text: text.slice(at), style }] : spans;
}

function eachTerm(text: string, onTerm: (term: string, start: number, end: number) => void): void {
  analyze(text, true, (term, _, start, end) => onTerm(term, start, end));
}

/** Undefined for one that this version does not understand, or that refers to a saved filter. */
function queryOf(rule: Rule): Query | undefined {
  if (!queries.has(rule)) queries.set(rule, validate(rule.value).query);
  return queries.get(rule);
}

function placesIn({ occur, places, clauses }: Explanation): Explanation['places'] {
  return occur === 'must_not' ? [] : [...places, ...clauses.flatMap(placesIn)];
}
