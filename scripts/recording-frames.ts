/** A line of a terminal and when it came. */
export interface TimedLine {
  /** Milliseconds since the recording began. */
  readonly at: number;
  /** With SGR sequences; no others. */
  readonly text: string;
}

export interface Stage {
  readonly columns: number;
  readonly rows: number;
  readonly title: string;
  /** Milliseconds that the last picture stays before it begins again. */
  readonly rest: number;
}

const LINE = 18;
const COLUMN = 8.43;
const MARGIN = 14;
const HEAD = 30;

/**
 * The lines as an SVG that plays by itself, in an `<img>` too: no script, no font, nothing from elsewhere. Lines that
 * came together appear together, and the page moves up under a window when it is full. Who asks for less motion is
 * shown the end.
 */
export function animatedSvg(lines: readonly TimedLine[], stage: Stage): string {
  const batches = batchesOf(lines);
  const length = (batches.at(-1)?.at ?? 0) + stage.rest;
  const share = (at: number): string => `${((at / length) * 100).toFixed(2)}%`;
  const width = Math.ceil(stage.columns * COLUMN + 2 * MARGIN);
  const height = stage.rows * LINE + HEAD + MARGIN;
  const shown = batches.map(({ at }, index) => {
    const name = `b${index}`;
    return at === 0
      ? ''
      : `@keyframes ${name}{0%{visibility:hidden}${share(at)}{visibility:visible}}.${name}{animation-name:${name}}`;
  });
  const moves = batches.map(({ at, from, lines: some }) => {
    const over = Math.max(0, from + some.length - stage.rows);
    return `${share(at)}{transform:translateY(${over === 0 ? '0' : `-${over * LINE}px`})}`;
  });
  const end = Math.max(0, lines.length - stage.rows) * LINE;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(stage.title)}">
<style>
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#d8dee9;white-space:pre}
.bold{font-weight:700}.dim{opacity:.6}.red{fill:#f08080}.green{fill:#8fd694}.yellow{fill:#e5c07b}.cyan{fill:#7fc8d8}.blue{fill:#8ab4f8}
g[class],.page{animation:${length}ms step-end infinite}
.page{animation-name:page}@keyframes page{${moves.join('')}}
${shown.filter((rule) => rule !== '').join('\n')}
@media (prefers-reduced-motion:reduce){g[class],.page{animation:none}.page{transform:translateY(-${end}px)}}
</style>
<rect width="${width}" height="${height}" rx="8" fill="#1b1f27"/>
<text x="${MARGIN}" y="20" class="dim">${escaped(stage.title)}</text>
<clipPath id="window"><rect x="0" y="${HEAD}" width="${width}" height="${stage.rows * LINE + 4}"/></clipPath>
<g clip-path="url(#window)"><g class="page">
${batches.map((batch, index) => `<g class="b${index}">${batch.lines.map((line, row) => textOf(line, batch.from + row, stage)).join('')}</g>`).join('\n')}
</g></g>
</svg>
`;
}

interface Batch {
  readonly at: number;
  /** The number of its first line. */
  readonly from: number;
  readonly lines: string[];
}

/** What comes within a fifth of a second is one picture. */
function batchesOf(lines: readonly TimedLine[]): Batch[] {
  const batches: Batch[] = [];
  for (const [index, { at, text }] of lines.entries()) {
    const last = batches.at(-1);
    if (last !== undefined && at - last.at < 200) last.lines.push(text);
    else batches.push({ at: batches.length === 0 ? 0 : at, from: index, lines: [text] });
  }
  return batches;
}

function textOf(line: string, row: number, { columns }: Stage): string {
  const spans = spansOf(line, columns);
  if (spans.length === 0) return '';
  const parts = spans.map(({ text, classes }) =>
    classes.length === 0 ? escaped(text) : `<tspan class="${classes.join(' ')}">${escaped(text)}</tspan>`,
  );
  return `<text x="${MARGIN}" y="${HEAD + (row + 1) * LINE - 4}">${parts.join('')}</text>`;
}

interface Span {
  readonly text: string;
  readonly classes: readonly string[];
}

const CLASSES: Readonly<Record<number, string>> = {
  1: 'bold',
  2: 'dim',
  31: 'red',
  32: 'green',
  33: 'yellow',
  34: 'blue',
  36: 'cyan',
};

/** The line cut at the edge of the terminal; what a sequence ends is what it began. */
function spansOf(line: string, columns: number): Span[] {
  const spans: Span[] = [];
  let classes: string[] = [];
  let room = columns;
  // The first piece stands before any sequence.
  for (const [index, piece] of line.split('\u001b[').entries()) {
    const [, codes, text = ''] = index === 0 ? [piece, undefined, piece] : (/^([\d;]*)m(.*)$/s.exec(piece) ?? []);
    if (codes !== undefined) classes = restyled(classes, codes);
    if (text === '' || room <= 0) continue;
    const kept = text.length > room ? `${text.slice(0, room - 1)}…` : text;
    spans.push({ text: kept, classes });
    room -= kept.length;
  }
  return spans;
}

function restyled(classes: readonly string[], codes: string): string[] {
  let now = [...classes];
  for (const code of codes.split(';').map(Number)) {
    const name = CLASSES[code];
    if (code === 0) now = [];
    else if (code === 22) now = now.filter((one) => one !== 'bold' && one !== 'dim');
    else if (code === 39) now = now.filter((one) => one === 'bold' || one === 'dim');
    else if (name !== undefined) now.push(name);
  }
  return now;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
