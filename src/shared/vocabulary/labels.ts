/**
 * The values a page's labels can have: plain data from the specification's tables, read by the query language (which
 * refuses and corrects other values) and by whoever labels pages. Labels are paths such as `/News/Technology_News`;
 * they are written one line a parent, `/News: Business_News | Technology_News`, and the roots under an empty parent.
 * Decided against: a thousand string literals, a file nobody can read.
 */
export function labelsOf(lines: string): string[] {
  const children = new Map<string, string[]>();
  for (const line of lines.trim().split('\n')) {
    const end = line.indexOf(': ');
    children.set(line.slice(0, end), line.slice(end + 2).split(' | '));
  }
  const labels: string[] = [];
  const addBelow = (parent: string): void => {
    for (const name of children.get(parent) ?? []) {
      labels.push(`${parent}/${name}`);
      addBelow(`${parent}/${name}`);
    }
  };
  addBelow('');
  return labels;
}
