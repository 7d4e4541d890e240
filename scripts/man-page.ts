/** One command, or a verb of it, as its help shows it; `scripts/man.ts` reads it from the command tree. */
export interface ManEntry {
  /** `hydrant tap list`. */
  readonly path: string;
  /** What stands behind the name: `[options] <tap>`. */
  readonly usage: string;
  readonly description: string;
  /** The text below the help: paragraphs, and lines that are indented and stay as they are. */
  readonly about: string;
  readonly terms: readonly ManTerm[];
  readonly examples: readonly string[];
}

/** An argument or a flag. */
export interface ManTerm {
  readonly term: string;
  readonly description: string;
}

export interface ManPage extends ManEntry {
  readonly version: string;
  readonly verbs: readonly ManEntry[];
  /** More sections, as the root has them. */
  readonly sections: readonly (readonly [title: string, text: string])[];
  readonly seeAlso: readonly string[];
}

/** A manual page in the macros of man(7), which groff and mandoc know. No date: the same tree makes the same bytes. */
export function manPage(page: ManPage): string {
  const name = page.path.replaceAll(' ', '-');
  const lines = [
    '.\\" Generated from the command tree by `npm run man`.',
    `.TH ${name.toUpperCase()} 1 "" "hydrant ${page.version}" "Manual of hydrant"`,
    '.SH NAME',
    `${escaped(name)} \\- ${escaped(page.description)}`,
    '.SH SYNOPSIS',
    ...(page.verbs.length > 0 ? page.verbs : [page]).flatMap(synopsis),
    '.SH DESCRIPTION',
    ...text(page.about.trim() === '' ? sentence(page.description) : page.about),
    ...section('COMMANDS', page.verbs.flatMap(verb)),
    ...section('OPTIONS', terms(page.terms)),
    ...page.sections.flatMap(([title, content]) => section(title, text(content))),
    ...section('EXAMPLES', literal(page.examples)),
    ...section('SEE ALSO', [page.seeAlso.map((other) => `.BR ${escaped(other)} (1)`).join(' ,\n')]),
  ];
  return `${lines.join('\n')}\n`;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.some((line) => line !== '') ? [`.SH ${title}`, ...lines] : [];
}

function synopsis({ path, usage }: ManEntry): string[] {
  return ['.nh', `.B ${escaped(path)}`, ...(usage === '' ? [] : [escaped(usage)]), '.hy', '.br'];
}

function verb(entry: ManEntry): string[] {
  return [
    `.SS "${escaped(`${entry.path} ${entry.usage}`.trim()).replaceAll('"', '\\(dq')}"`,
    ...text(sentence(entry.description)),
    ...terms(entry.terms),
    ...(entry.about.trim() === '' ? [] : ['.PP', ...text(entry.about)]),
    ...(entry.examples.length > 0 ? ['.PP', ...literal(entry.examples)] : []),
  ];
}

function terms(all: readonly ManTerm[]): string[] {
  return all.flatMap(({ term, description }) => ['.TP', `.B ${escaped(term)}`, escaped(description)]);
}

/** Paragraphs are filled; what is indented keeps its lines. */
function text(written: string): string[] {
  const blocks = written
    .replaceAll(/^\n+|\s+$/g, '')
    .split(/\n\s*\n/)
    .flatMap(pieces);
  const laid = blocks.map((block) =>
    block.every((line) => line.startsWith('  ')) ? literal(block) : block.map(escaped),
  );
  return laid.flatMap((lines, index) => (index === 0 ? lines : ['.PP'].concat(lines)));
}

/** A paragraph and the indented lines that follow it without a blank one are two. */
function pieces(paragraph: string): string[][] {
  const found: string[][] = [];
  for (const line of paragraph.split('\n')) {
    const last = found.at(-1);
    const goesOn = last?.[0]?.startsWith('  ') === line.startsWith('  ');
    if (last !== undefined && goesOn) last.push(line);
    else found.push([line]);
  }
  return found;
}

function literal(lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const indent = Math.min(...lines.map((line) => line.length - line.trimStart().length));
  return ['.RS 4', '.nf', ...lines.map((line) => escaped(line.slice(indent).trimEnd())), '.fi', '.RE'];
}

/**
 * The backslash is roff's own; a minus is one that can be copied; a dot or an apostrophe first would be a request. Old
 * formatters read bytes, so that other characters are named.
 */
function escaped(line: string): string {
  return line
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('`', '\\(ga')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
    .replaceAll(/[^\x20-\x7e]/gu, (other) => `\\[u${codeOf(other)}]`)
    .replace(/^(?=[.'])/, '\\&');
}

function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}

function sentence(description: string): string {
  return `${description.charAt(0).toUpperCase()}${description.slice(1)}${/[.!?]$/.test(description) ? '' : '.'}`;
}
