import { asMarkdown, benchesOf, metText, type Report, withUnit } from './table.ts';
import type { Row } from './row.ts';

/** What stands in a paper between `<!-- bench NAME -->` and `<!-- /bench NAME -->`, for each benchmark that was run. */
export function blocksOf(report: Report): Map<string, string> {
  return new Map(
    benchesOf(report.rows).map((bench) => [
      bench,
      [`<!-- bench ${bench} -->`, asMarkdown(report, bench), `<!-- /bench ${bench} -->`].join('\n'),
    ]),
  );
}

/**
 * The paper with the blocks of this run in place of those of the last, and its figures in the table of goals: a line of
 * that table begins with what `labelOf` makes of a row, and has the figure and whether it is enough in its third and
 * fourth cell. What was not run stays as it is. Throws where a block has no place.
 */
export function rewritten(paper: string, report: Report): string {
  let text = paper;
  for (const [bench, block] of blocksOf(report)) {
    const place = new RegExp(`<!-- bench ${bench} -->.*<!-- /bench ${bench} -->`, 's');
    if (!place.test(text)) throw new Error(`the paper has no place for ${bench}: a line \`<!-- bench ${bench} -->\` …`);
    text = text.replace(place, () => block);
  }
  const goals = new Map(report.rows.filter(({ goal }) => goal).map((row) => [labelOf(row), row]));
  return text
    .split('\n')
    .map((line) => withFigure(line, goals))
    .join('\n');
}

/** Goals of this run that the table does not name. */
export function unnamedGoals(paper: string, { rows }: Report): string[] {
  const lines = paper.split('\n');
  return rows
    .filter(({ goal }) => goal)
    .map((row) => labelOf(row))
    .filter((label) => !lines.some((line) => line.startsWith(`| ${label} |`)));
}

/** `match: pages a CPU second, 1,000`. */
export function labelOf({ bench, name, size }: Row): string {
  return `${bench}: ${name}${size === undefined ? '' : `, ${size.toLocaleString('en')}`}`;
}

function withFigure(line: string, goals: ReadonlyMap<string, Row>): string {
  if (!line.startsWith('| ')) return line;
  const cells = line.split(' | ');
  const row = goals.get(cells[0]?.slice(2) ?? '');
  if (!row || cells.length < 4) return line;
  cells[2] = withUnit(row.value, row.unit);
  cells[3] = metText(row.met);
  return cells.join(' | ');
}
