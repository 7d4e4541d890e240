import stringWidth from 'string-width';
import { headOf, type ShownHunk, type ShownLine } from '../../shared/documents/shown-change.ts';
import type { LinePart } from '../../shared/page/diff/changed-words.ts';
import { printable } from '../../shared/text/printable.ts';
import type { Paint } from '../runtime/output.ts';

interface ChangeForm {
  readonly paint: Paint;
  /** Columns of a terminal; undefined leaves each line of the page on one line, for `grep`. */
  readonly width: number | undefined;
}

/** Hunks for people, like diff(1): a line begins with `-`, `+`, or a space where it stayed; changed words stand out. */
export function changeLines(hunks: readonly ShownHunk[], form: ChangeForm): string[] {
  return hunks.flatMap((hunk) => [
    form.paint('dim', headOf(hunk)),
    ...hunk.lines.flatMap((line) => signed(line, form)),
  ]);
}

const SIGNS = { ctx: ' ', del: '-', ins: '+' } as const;
const COLOURS = { del: 'red', ins: 'green' } as const;

function signed({ kind, parts }: ShownLine, { paint, width }: ChangeForm): string[] {
  const shown = parts.map(({ text, changed }) => ({ text: printable(text), changed }));
  return wrapped(shown, width).map((row, index) => {
    const lead = index === 0 ? `${SIGNS[kind]} ` : '  ';
    if (kind === 'ctx') return lead + row.map(({ text }) => text).join('');
    // Each part is painted by itself: no terminal agrees with another on what ends a style inside a style.
    const colour = COLOURS[kind];
    const painted = row.map(({ text, changed }) =>
      changed ? paint(colour, paint('inverse', text)) : paint(colour, text),
    );
    return paint(colour, lead) + painted.join('');
  });
}

/**
 * The parts in rows of at most `width` columns, a sign before each; broken at blanks only, as `wrap` breaks plain text,
 * but no blank is lost at the front of a line.
 */
export function wrapped(parts: readonly LinePart[], width: number | undefined): LinePart[][] {
  const text = parts.map((part) => part.text).join('');
  if (width === undefined || text.length + SIGN_COLUMNS < width / 2) return [[...parts]];
  return rowsOf(text, width - SIGN_COLUMNS).map(([from, to]) => sliced(parts, from, to));
}

const SIGN_COLUMNS = 2;

function rowsOf(text: string, width: number): [from: number, to: number][] {
  const rows: [number, number][] = [];
  let [from, to, columns] = [0, 0, 0];
  for (const { index, 0: word } of text.matchAll(/[^ ]+/g)) {
    const more = stringWidth(text.slice(to, index)) + stringWidth(word);
    if (to > from && columns + more > width) {
      rows.push([from, to]);
      [from, columns] = [index, stringWidth(word)];
    } else {
      columns += more;
    }
    to = index + word.length;
  }
  return [...rows, [from, text.length]];
}

function sliced(parts: readonly LinePart[], from: number, to: number): LinePart[] {
  const found: LinePart[] = [];
  let at = 0;
  for (const { text, changed } of parts) {
    const piece = text.slice(Math.max(0, from - at), Math.max(0, to - at));
    if (piece !== '') found.push({ text: piece, changed });
    at += text.length;
  }
  return found;
}
