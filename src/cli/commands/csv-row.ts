/** A line of a table for a spreadsheet (RFC 4180). */
export function csvRow(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

/**
 * Every cell in quotes. What a spreadsheet would take for a formula begins with an apostrophe: the text is a stranger's.
 */
function cell(text: string): string {
  const tame = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${tame.replaceAll('"', '""')}"`;
}
