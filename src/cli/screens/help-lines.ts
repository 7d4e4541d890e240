import { type Line, line } from './styled-line.ts';

/** Keys, or signs of a screen, and what they do or mean. */
export type HelpRow = readonly [sign: string, meaning: string];

export function helpLines(rows: readonly HelpRow[], width: number): Line[] {
  return rows.map(([sign, meaning]) => line(width, [` ${sign.padEnd(17)}`, 'bold'], [meaning, undefined]));
}
