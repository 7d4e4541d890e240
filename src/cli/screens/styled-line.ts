import stringWidth from 'string-width';
import { cut } from '../table.ts';

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
    room -= stringWidth(shown);
    spans.push({ text: shown, style });
  }
  return spans;
}

/** The same of spans. */
export function lineOf(width: number, spans: readonly Span[]): Line {
  return line(width, ...spans.map(({ text, style }) => [text, style] as const));
}
