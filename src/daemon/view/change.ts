import { html, type Html } from './html.ts';
import type { DiffChunk } from '../../shared/api/match.ts';
import { headOf, type ShownHunk, type ShownLine, shownHunks } from '../../shared/documents/shown-change.ts';
import type { LinePart } from '../../shared/page/diff/changed-words.ts';
import { count } from '../../shared/text/plural.ts';

/** How the two texts of a change are shown: one below the other, or side by side. */
export type ChangeForm = 'words' | 'sides';

/** The hunks of a change, each with where it is. Nothing is said of one without hunks. */
export function changeOf(hunks: readonly ShownHunk[], form: ChangeForm): Html {
  const shown = hunks.map((hunk) => {
    const where = hunk.place !== undefined && html`<p class="where">${headOf(hunk)}</p>`;
    return html`<div class="hunk">${where}${form === 'sides' ? sides(hunk.lines) : lines(hunk.lines)}</div>`;
  });
  return html`<div class="change">${shown}</div>`;
}

/** What a match delivers: lines that came and went, in the order of the page, as far as `most` characters reach. */
export function chunksOf(chunks: readonly DiffChunk[], most: number): Html {
  let left = most;
  const shown: DiffChunk[] = [];
  for (const { typ, text } of chunks) {
    if (left <= 0) break;
    shown.push({ typ, text: text.length > left ? `${text.slice(0, left)}…` : text });
    left -= text.length;
  }
  // One block for what went and what came in its place, whose words are then compared.
  const blocks = shown.map(({ typ, text }) => ({ [typ]: text.split('\n') }));
  const [hunk] = shownHunks({ hunks: [{ before: 1, after: 1, blocks }] });
  const others = chunks.length - shown.length;
  return html`<div class="change">
    ${lines(hunk?.lines ?? [])}${others > 0 && html`<p class="where">and ${count(others, 'more passage')}</p>`}
  </div>`;
}

const SIGNS = { ctx: '', del: '−', ins: '+' } as const;

function lines(shown: readonly ShownLine[]): readonly Html[] {
  return shown.map(({ kind, parts }) => {
    return html`<p class="line ${kind}">
      <span class="sign" aria-hidden="true">${SIGNS[kind]}</span>${element(kind, parts)}
    </p>`;
  });
}

function element(kind: ShownLine['kind'], parts: readonly LinePart[]): Html {
  const text = parts.map((part) => (part.changed ? html`<mark>${part.text}</mark>` : html`${part.text}`));
  if (kind === 'ctx') return html`<span dir="auto">${text}</span>`;
  return kind === 'del' ? html`<del dir="auto">${text}</del>` : html`<ins dir="auto">${text}</ins>`;
}

/** A row for each line that stayed, and for each pair of a line that went and one that came. */
function sides(shown: readonly ShownLine[]): Html {
  const rows: Html[] = [];
  for (let at = 0; at < shown.length;) {
    const gone = runFrom(shown, at, 'del');
    const come = runFrom(shown, at + gone.length, 'ins');
    if (gone.length + come.length === 0) {
      const line = shown[at];
      if (line) rows.push(row(line, line));
      at += 1;
      continue;
    }
    for (let index = 0; index < Math.max(gone.length, come.length); index += 1)
      rows.push(row(gone[index], come[index]));
    at += gone.length + come.length;
  }
  return html`<table class="sides">
    <thead>
      <tr>
        <th scope="col">Before</th>
        <th scope="col">After</th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

function runFrom(shown: readonly ShownLine[], from: number, kind: ShownLine['kind']): readonly ShownLine[] {
  const rest = shown.slice(from);
  const end = rest.findIndex((line) => line.kind !== kind);
  return end === -1 ? rest : rest.slice(0, end);
}

function row(before: ShownLine | undefined, after: ShownLine | undefined): Html {
  const cell = (line: ShownLine | undefined): Html => {
    return line === undefined ? html`<td></td>` : html`<td class="${line.kind}">${element(line.kind, line.parts)}</td>`;
  };
  return html`<tr>
    ${cell(before)}${cell(after)}
  </tr> `;
}
