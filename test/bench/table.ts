import { disturbances, type Machine, machineLine } from './machine.ts';
import type { Goal, Row } from './row.ts';

/** All that one run has found out: the JSON of `--json` and `--output`. */
export interface Report {
  readonly machine: Machine;
  readonly isShort: boolean;
  /** What each benchmark was measured on. */
  readonly notes: Readonly<Record<string, readonly string[]>>;
  readonly rows: readonly Row[];
}

/** Three digits, or whole numbers with their thousands marked. */
export function number(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return value.toLocaleString('en', { maximumSignificantDigits: 3, minimumSignificantDigits: 3 });
}

export function goalText(goal: Goal): string {
  return 'atMost' in goal ? `≤ ${plain(goal.atMost)}` : `≥ ${plain(goal.atLeast)}`;
}

const HEAD = ['', 'size', 'value', 'unit', 'ratio', 'to', 'goal', 'met'];
/** Columns of numbers stand at their right edge. */
const RIGHT = new Set([1, 2, 4, 6]);

/** One aligned table for a terminal, a heading for each benchmark. */
export function asText({ machine, isShort, notes, rows }: Report): string {
  const cells = rows.map((row) => cellsOf(row));
  const widths = HEAD.map((head, column) =>
    Math.max(...[...cells, HEAD].map((line) => line[column]?.length ?? 0), head.length),
  );
  const aligned = (line: readonly string[]): string =>
    line
      .map((cell, column) =>
        RIGHT.has(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  const linesOf = (bench: string): string[] =>
    cells.filter((_, index) => rows[index]?.bench === bench).map((line) => aligned(line));
  const lines = benchesOf(rows).flatMap((bench) =>
    ['', [bench, ...(notes[bench] ?? [])].join('; ')].concat(linesOf(bench)),
  );
  return [
    machineLine(machine, { withModel: true }),
    ...(isShort ? ['the short form: it shows that everything runs, and its figures say nothing'] : []),
    ...disturbances(machine).map((why) => `not quiet: ${why}; compare ratios, not times`),
    '',
    aligned(HEAD),
    ...lines,
    '',
  ].join('\n');
}

/** A table of one benchmark for a paper. */
export function asMarkdown({ machine, notes, rows }: Report, bench: string): string {
  const lines = rows
    .filter((row) => row.bench === bench)
    .map(({ name, size, value, unit, baseline, against, ratio, goal, met }) =>
      [
        name,
        size?.toLocaleString('en') ?? '',
        withUnit(value, unit),
        baseline === undefined ? (against ?? '') : `${against ?? ''} ${withUnit(baseline, unit)}`,
        ratio === undefined ? '' : `× ${number(ratio)}`,
        goal ? `${goalText(goal)}: ${metText(met)}` : '',
      ].join(' | '),
    );
  const measured = [...(notes[bench] ?? []), machineLine(machine, { withModel: false })];
  return [
    ...[...measured, ...disturbances(machine).map((why) => `not quiet: ${why}`)].map((note) => `${sentence(note)}  `),
    '',
    '| | size | measured | baseline | ratio | goal |',
    '| --- | --- | --- | --- | --- | --- |',
    ...lines.map((line) => `| ${line} |`.replaceAll(/ {2,}/g, ' ')),
  ].join('\n');
}

export function benchesOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.map(({ bench }) => bench))];
}

export function metText(met: boolean | undefined): string {
  return met === true ? 'met' : 'missed';
}

export function withUnit(value: number, unit: string): string {
  if (unit === 'exponent' || unit === '') return number(value);
  return `${number(value)}${unit.startsWith('/') ? '' : ' '}${unit}`;
}

function cellsOf({ name, size, value, unit, baseline, ratio, against, goal, met }: Row): string[] {
  // Two exponents are compared by looking at both.
  const beside = baseline === undefined ? '' : number(baseline);
  return [
    `  ${name}`,
    size?.toLocaleString('en') ?? '',
    number(value),
    unit,
    ratio === undefined ? beside : `× ${number(ratio)}`,
    against ?? '',
    goal ? goalText(goal) : '',
    goal ? metText(met) : '',
  ];
}

/** A goal as it was set: with the digits it has. */
function plain(value: number): string {
  return value.toLocaleString('en');
}

function sentence(note: string): string {
  return `${note.charAt(0).toUpperCase()}${note.slice(1)}.`;
}
