import { printable } from '../../shared/text/printable.ts';
import { cut, widthOf } from '../text/table.ts';

/** `hit`: a word that a rule is about. */
export type Style = 'hit' | 'bold' | 'dim' | 'green' | 'red' | 'yellow' | undefined;

export interface Span {
  readonly text: string;
  readonly style: Style;
}

/** One line of a screen, from left to right. */
export type Line = readonly Span[];

/** Spans side by side, cut where together they are wider than `width` columns. */
export function line(width: number, ...parts: readonly (readonly [string, Style])[]): Line {
  const spans: Span[] = [];
  let room = width;
  for (const [text, style] of parts) {
    if (room <= 0) break;
    const shown = cut(text, room);
    room -= widthOf(shown);
    spans.push({ text: shown, style });
  }
  return spans;
}

/** The same of spans. */
export function lineOf(width: number, spans: readonly Span[]): Line {
  return line(width, ...spans.map(({ text, style }) => [text, style] as const));
}

/** As a terminal is told: the styles as SGR sequences, each with the one that ends it. */
export function written(spans: Line, colour: boolean): string {
  return spans.map(({ text, style }) => (colour && style !== undefined ? styled(text, style) : text)).join('');
}

function styled(text: string, style: NonNullable<Style>): string {
  const codes = SGR[style];
  const begin = codes.map(([on]) => `\u001b[${on}m`).join('');
  const end = codes.map(([, off]) => `\u001b[${off}m`).join('');
  return begin + text + end;
}

const SGR: Readonly<Record<NonNullable<Style>, readonly (readonly [on: number, off: number])[]>> = {
  hit: [
    [1, 22],
    [4, 24],
    [33, 39],
  ],
  bold: [[1, 22]],
  dim: [[2, 22]],
  green: [[32, 39]],
  red: [[31, 39]],
  yellow: [[33, 39]],
};

/** A line from edge to edge, with a word at its end. */
export function rule(width: number, text = ''): Line {
  const label = text === '' ? '' : ` ${printable(text)} ──`;
  return line(width, ['─'.repeat(Math.max(0, width - widthOf(label))) + label, 'dim']);
}

/** So many lines: the first of these, and empty ones. */
export function filled(lines: readonly Line[], height: number): Line[] {
  return [...lines.slice(0, height), ...Array.from({ length: Math.max(0, height - lines.length) }, (): Line => [])];
}

/** Keys, or signs of a screen, and what they do or mean. */
export type HelpRow = readonly [sign: string, meaning: string];

export function helpLines(rows: readonly HelpRow[], width: number): Line[] {
  return rows.map(([sign, meaning]) => line(width, [` ${sign.padEnd(17)}`, 'bold'], [meaning, undefined]));
}
